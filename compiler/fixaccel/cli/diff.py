# SPDX-License-Identifier: Apache-2.0
"""`fixaccel diff`: what is different between two strategies, and what a hot-load would do."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from fixaccel.cli.output import format_option, show
from fixaccel.diagnostics.checked import Checked
from fixaccel.diagnostics.render import render
from fixaccel.diagnostics.text import printable
from fixaccel.diff.around import limit_changes, venue_changes
from fixaccel.diff.change import Change, Difference, PartDifference
from fixaccel.diff.rules import compare
from fixaccel.pipeline import load_strategy

_MARKS = {"added": ("+", "green"), "removed": ("-", "red"), "changed": ("~", "yellow")}


@click.command()
@click.argument("old", type=click.Path(path_type=Path))
@click.argument("new", type=click.Path(path_type=Path))
@format_option
def diff(old: Path, new: Path, form: str) -> None:
    """Compare the strategies OLD and NEW rule by rule, by what they mean.

    A rule that means the same keeps its state when NEW is loaded over OLD: one that has fired stays spent. A rule that
    changed in anything, also in its name, starts afresh. Layout, comments, notes and the order of rules count for
    nothing.

    Exit code 0: the same; 1: different; 2: a strategy has errors or cannot be read.

    \b
    Examples:
      fixaccel diff strategies/stop-loss.yaml tomorrow.yaml
      fixaccel diff running.yaml new.yaml --format json
    """
    before, after = load_strategy(old), load_strategy(new)
    if before.strategy is None or after.strategy is None:
        show(Checked.merge([before, after]), form, err=form != "json")
        sys.exit(2)
    rules = compare(before.strategy, after.strategy)
    found = Difference(
        rules.parts,
        rules.unchanged,
        rules.moved,
        tuple(venue_changes(before.strategy.venue, after.strategy.venue)),
        tuple(limit_changes(before.strategy.limits, after.strategy.limits)),
    )
    if form == "json":
        errors = json.loads(render([], {}, "json"))
        click.echo(json.dumps(_as_data(found) | errors, indent=2))
    elif form == "full":
        _show(found)
    else:
        for part in found.parts:
            click.echo(f"{printable(part.place)}: {part.kind} {part.name}: {part.fate.value}")
        for name, changes in (("venue", found.venue), ("limits", found.limits)):
            for change in changes:
                click.echo(f"{name}: {printable(str(change))}")
    sys.exit(0 if found.same else 1)


def _show(found: Difference) -> None:
    for part in found.parts:
        _show_part(part)
    for text in found.moved:
        click.echo(f"  {text}, where it keeps its state")
    _show_changes("venue", found.venue)
    _show_changes("limits", found.limits)
    count = f"{found.unchanged:,} part{'s' if found.unchanged != 1 else ''}"
    verb = "keep their" if found.unchanged != 1 else "keeps its"
    click.echo(f"{count} unchanged, {verb} state" if found.unchanged else "nothing keeps its state")


def _show_part(part: PartDifference) -> None:
    mark, colour = _MARKS[part.kind]
    head = click.style(f"{mark} {part.name}", fg=colour, bold=True)
    click.echo(f"{head}  {click.style(printable(part.place), dim=True)}")
    if part.kind != "changed":
        click.echo(f"    {part.sentence}")
    for change in part.changes:
        click.echo(f"    {printable(str(change))}")
    fate = part.fate.value
    if part.renamed:
        fate += f"; it means the same as {part.renamed}, which is gone: another name is another rule"
    click.echo(f"    {fate}")


def _show_changes(name: str, changes: Sequence[Change]) -> None:
    if changes:
        click.echo(click.style(f"~ {name}", fg="yellow", bold=True))
    for change in changes:
        click.echo(f"    {printable(str(change))}")


def _as_data(found: Difference) -> dict[str, Any]:
    return {
        "same": found.same,
        "unchanged": found.unchanged,
        "parts": [
            {
                "name": part.name,
                "kind": part.kind,
                "at": part.place,
                "hot_load": part.fate.value,
                "sentence": part.sentence,
                "changes": _changes(part.changes),
                "renamed_from": part.renamed,
            }
            for part in found.parts
        ],
        "moved": list(found.moved),
        "venue": _changes(found.venue),
        "limits": _changes(found.limits),
    }


def _changes(changes: Sequence[Change]) -> list[dict[str, str | None]]:
    return [{"key": change.key, "old": change.old, "new": change.new} for change in changes]
