# SPDX-License-Identifier: Apache-2.0
"""Command line of `make prove`."""

import os
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import click

from deliberate import say
from prove.run import Proof, Prover, load
from synth.yosys import ToolError

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]


@click.command(context_settings={"max_content_width": 100, "help_option_names": ["-h", "--help"]})
@click.option("--proof", "names", metavar="NAME", multiple=True, help="This one only; may be given several times.")
@click.option("--no-broken", is_flag=True, help="Leave out the deliberate faults, which each proof has to find.")
@click.option("--list", "listed", is_flag=True, help="Say what is proved, and end.")
def main(names: tuple[str, ...], *, no_broken: bool, listed: bool) -> None:
    """Prove rules of the fabric's modules: with every input, from every state that is reached or for the first cycles
    after reset. Each proof is shown to fail on a deliberately broken module. The rules stand in English above the
    assertions in rtl/proofs; models, logs and counterexamples (VCD) are in build/prove.

    Exit code 1 if a rule does not hold or a fault is not found, 2 if a tool cannot run.

    \b
    Examples:
      make prove
      make prove ARGS="--proof links"
      make prove ARGS=--list
    """  # noqa: D205 - click's text: the first sentence is long, and the examples come last
    proofs = load(HERE / "proofs.yaml")
    if unknown := [name for name in names if name not in proofs]:
        raise click.UsageError(f"no proof {unknown[0]}: there are {', '.join(proofs)}")
    if listed:
        for proof in proofs.values():
            click.echo(f"{proof.name:14} {proof.says}")
        return
    prover = Prover(ROOT, ROOT / "build" / "prove")
    try:
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            ended = pool.map(lambda name: list(_prove(prover, proofs[name], broken=not no_broken)), names or proofs)
            holds = [say(lines) for lines in ended]
    except ToolError as error:
        click.echo(f"error: {error}", err=True)
        sys.exit(2)
    sys.exit(0 if all(holds) else 1)


def _prove(prover: Prover, proof: Proof, *, broken: bool) -> Iterator[tuple[bool, str, str]]:
    """Whether each check of a proof holds, what is said of it, and the solver's own account."""
    for check, result in prover.checks(proof):
        ended = f"{'ok' if result.holds else 'FAILED':6} {result.seconds:6.1f} s"
        yield result.holds, f"{proof.name:14} {check:34} {ended}", result.text[-1500:]
    for fault in proof.broken if broken else ():
        found = prover.finds(proof, fault)
        becomes = " ".join(fault.becomes.split())[:26]
        yield found, f"{proof.name:14} {'fault: ' + becomes:34} {'found' if found else 'NOT FOUND'}", ""


if __name__ == "__main__":
    main(prog_name="python -m prove")
