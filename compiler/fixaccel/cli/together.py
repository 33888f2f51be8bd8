# SPDX-License-Identifier: Apache-2.0
"""`fixaccel check --together`: several strategies as one desk."""

import json
from collections.abc import Sequence
from pathlib import Path

import click

from fixaccel.desk.look import Desk, look
from fixaccel.desk.members import Member
from fixaccel.desk.words import as_data, lines
from fixaccel.diagnostics.checked import Checked
from fixaccel.diagnostics.render import render
from fixaccel.diagnostics.text import printable
from fixaccel.files import same_file
from fixaccel.hwmap import load_hwmap
from fixaccel.pipeline import Loaded, load_board


def check_together(results: Sequence[Checked], board: Path | None) -> tuple[Checked, Desk | None]:
    """All that was found in the files and over the strategies among them; None where one of them has errors.

    Raises UsageError unless there are two strategies or more.
    """
    strategies = [result for result in results if isinstance(result, Loaded)]
    _refuse_twice([result.files[0] for result in strategies])
    if len(strategies) < 2:
        found = "one is" if strategies else "none is"
        raise click.UsageError(f"--together needs two strategies or more, {found} given")
    target = load_board(board)
    merged = Checked.merge([*results, target])
    members = [
        Member(number, result.strategy, result.sources[str(result.files[0])])
        for number, result in enumerate(strategies)
        if result.strategy
    ]
    if len(members) < len(strategies) or target.board is None:
        return merged, None
    desk = look(members, target.board, load_hwmap())
    return merged.plus(desk.diagnostics), desk


def _refuse_twice(paths: Sequence[Path]) -> None:
    for number, path in enumerate(paths):
        other = same_file(path, paths[:number])
        if other is not None:
            raise click.UsageError(f"{printable(str(path))} is {printable(str(other))}: a strategy counts once")


def show_together(checked: Checked, desk: Desk | None, form: str) -> None:
    """Prints the diagnostics and, for people and in JSON, the figures."""
    text = render(checked.diagnostics, checked.sources, form, checked.dropped)
    if form == "json":
        together = as_data(desk) if desk else None
        text = json.dumps({**json.loads(text), "together": together}, indent=2, ensure_ascii=False)
    if text:
        click.echo(text)
    if form != "full":
        return
    if text:
        click.echo()
    if desk is None:
        click.echo("nothing is said of the strategies together before each of them is right")
        return
    for line in lines(desk):
        click.echo(printable(line) if line else "")
