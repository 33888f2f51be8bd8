# SPDX-License-Identifier: Apache-2.0
"""Command line of `make model`."""

import json
import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import click

from deliberate import say
from model.run import Checker, Model, Result, Run, ToolError, head_lists, load

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
FIGURES = ROOT / "docs" / "figures" / "model.json"


@click.command(context_settings={"max_content_width": 100, "help_option_names": ["-h", "--help"]})
@click.option(
    "--run", "names", metavar="NAME", multiple=True, help="This one only, without faults; may be given several times."
)
@click.option("--short", is_flag=True, help="Leave out runs that take half a minute or more.")
@click.option("--figures", is_flag=True, help="Keep the number of states of each run for the documentation.")
@click.option("--no-broken", is_flag=True, help="Leave out the deliberate faults, which have to be found.")
@click.option("--list", "listed", is_flag=True, help="Say which runs there are, and end.")
def main(names: tuple[str, ...], *, short: bool, figures: bool, no_broken: bool, listed: bool) -> None:
    """Check models in every order of their steps: of fabric, daemon, kernel and venue on one session, and of a channel
    of the link. Rules stand in English at the head of each in models/. Each run says how many states it has gone
    through; what the rules speak of has to happen, deliberate faults have to be found, and what stands open too.

    Exit code 1 if a rule does not hold, a fault is not found or something does not happen, 2 if a tool cannot run.

    \b
    Examples:
      make model
      make model ARGS="--run crash --run board"
      make model ARGS=--list
    """  # noqa: D205 - click's text: the first sentence is long, and the examples come last
    models = load(HERE / "models.yaml")
    known = {name: run for model in models.values() for name, run in model.runs.items()}
    if unknown := [name for name in names if name not in known]:
        raise click.UsageError(f"no run {unknown[0]}: there are {', '.join(known)}")
    if listed:
        for run in known.values():
            click.echo(f"{run.name:24} {run.says}")
        return
    kept: dict[str, dict[str, float]] = {}
    wanted = [name for name, run in known.items() if name in (names or known) and not (short and run.long)]
    lines = chain.from_iterable(
        _lines(model, [known[name] for name in wanted if name in model.runs], kept, broken=not (no_broken or names))
        for model in models.values()
    )
    try:
        holds = [say([line]) for line in lines]
    except ToolError as error:
        click.echo(f"error: {error}", err=True)
        sys.exit(2)
    if figures:
        known = json.loads(FIGURES.read_text(encoding="utf-8")) if FIGURES.exists() else {}
        FIGURES.write_text(json.dumps(known | kept, indent=1) + "\n", encoding="utf-8")
    sys.exit(0 if all(holds) else 1)


def _lines(
    model: Model, runs: list[Run], kept: dict[str, dict[str, float]], *, broken: bool
) -> Iterator[tuple[bool, str, str]]:
    """Whether each check is as it should be, what is said of it, and how it came to that; figures go into ``kept``."""
    checker = Checker(ROOT / "models", model.file, ROOT / "build" / "model")
    rules, happenings = head_lists((ROOT / "models" / model.file).read_text(encoding="utf-8"))
    reached: set[int] = set()
    for run in runs:
        result = checker.check(run)
        reached |= result.reached
        kept[run.name] = {
            "states": result.states,
            "depth": result.depth,
            "mib": round(result.mib),
            "seconds": round(result.seconds),
        }
        words = (
            "" if result.rule is None else "\n".join([f"rule {result.rule}: {rules[result.rule]}", *checker.words(run)])
        )
        yield result.rule is None, f"{run.name:24} {_figures(result)}", words
    for number, text in happenings.items():
        if broken and number not in reached:
            yield False, f"never happens: {text}", ""
    for fault in model.faults if broken else ():
        found = checker.check(fault.run, fault, fault.rule).rule == fault.rule
        yield found, f"fault: {fault.says:90} {f'rule {fault.rule}' if found else 'NOT FOUND'}", ""
    for one in model.open if broken else ():
        found = checker.check(one.run, None, one.rule).rule == one.rule
        yield found, f"open: {one.run.name:91} {f'rule {one.rule}' if found else 'is mended: a run of it, please'}", ""


def _figures(result: Result) -> str:
    ended = "ok" if result.rule is None else "FAILED"
    size = f"{result.states:>10,} states  depth {result.depth:>4}  {result.mib:>5.0f} MiB"
    return f"{size}  {result.seconds:6.1f} s  {ended}"


if __name__ == "__main__":
    main(prog_name="python -m model")
