# SPDX-License-Identifier: Apache-2.0
"""Command line of `make prove`."""

import sys
from pathlib import Path

import click

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
        failed = [name for name in names or proofs if not _prove(prover, proofs[name], broken=not no_broken)]
    except ToolError as error:
        click.echo(f"error: {error}", err=True)
        sys.exit(2)
    sys.exit(1 if failed else 0)


def _prove(prover: Prover, proof: Proof, *, broken: bool) -> bool:
    holds = True
    for check, result in prover.checks(proof):
        click.echo(f"{proof.name:14} {check:34} {'ok' if result.holds else 'FAILED':6} {result.seconds:6.1f} s")
        if not result.holds:
            holds = False
            click.echo(result.text[-1500:], err=True)
    for fault in proof.broken if broken else ():
        found = prover.finds(proof, fault)
        holds &= found
        click.echo(f"{proof.name:14} {'fault: ' + fault.becomes[:26]:34} {'found' if found else 'NOT FOUND'}")
    return holds


if __name__ == "__main__":
    main(prog_name="python -m prove")
