# SPDX-License-Identifier: Apache-2.0
"""`fixaccel explain`: what a diagnostic code means, or what a strategy does."""

import json
import os
import shutil
import sys
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fixaccel.cli.complete import complete_explained, complete_rules
from fixaccel.cli.output import format_option, refuse_input, show
from fixaccel.diagnostics import CODES, Code, find_code
from fixaccel.diagnostics.codes.reading import CANNOT_READ
from fixaccel.diagnostics.render import render
from fixaccel.diagnostics.text import printable
from fixaccel.language.keys.schema import suggest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fixaccel.diagnostics.checked import Checked
    from fixaccel.language.rules import Block, Strategy
    from fixaccel.language.terms import Board

PICTURES = ("terminal", "svg")


@click.command()
@click.argument("what", metavar="[CODE | STRATEGY]", required=False, shell_complete=complete_explained)
@click.argument("rule", required=False, shell_complete=complete_rules)
@click.option("--picture", type=click.Choice(PICTURES), help="Draw the price axis of each instrument.")
@click.option("-o", "--output", metavar="FILE", type=click.Path(path_type=Path), help="Where the picture goes.")
@click.option("--width", metavar="N", type=click.IntRange(50), help="Columns of the picture [default: the terminal's].")
@click.option("--ascii", "plain", is_flag=True, help="Draw with ASCII characters only.")
@click.option("--board", metavar="FILE", type=click.Path(path_type=Path), help="Board file [default: PYNQ-Z1].")
@format_option
def explain(
    what: str | None,
    rule: str | None,
    picture: str | None,
    output: Path | None,
    width: int | None,
    plain: bool,
    board: Path | None,
    form: str,
) -> None:
    """Explain a diagnostic CODE, by number or name, or a STRATEGY, or one RULE of it; without either, list the codes.

    A rule is named by its id (all its instruments), as `ID@SYMBOL`, or by one part such as `ID[3]`.

    Exit code 1: the strategy has errors; 2: a file cannot be read, or there is no such code or rule.

    \b
    Examples:
      fixaccel explain FX0207
      fixaccel explain bad-condition
      fixaccel explain strategies/bracket.yaml
      fixaccel explain strategies/scale-in.yaml scale-in[3]
      fixaccel explain strategies/quickstart.yaml --picture terminal
      fixaccel explain strategies/quickstart.yaml --picture svg -o build/quickstart.svg
    """
    if what is None:
        for known in CODES.values():
            click.echo(f"{known.number}  {known.severity.value:7}  {known.title}")
        return
    found = find_code(what) if rule is None and picture is None else None
    if found:
        click.echo(_page(found))
    elif _is_path(what):
        if output and picture != "svg":
            raise click.UsageError("-o goes with --picture svg")
        _strategy(Path(what), rule, picture, output, _Look(width, plain), board, form)
    else:
        close = suggest(what, [name for known in CODES.values() for name in (known.number, known.slug)])
        hint = f"did you mean {close}?" if close else "`fixaccel explain` lists them all"
        raise click.UsageError(f"there is no diagnostic and no file `{printable(what)}`; {hint}")


def _is_path(what: str) -> bool:
    return what.endswith((".yaml", ".yml")) or os.sep in what or (len(what) < 256 and Path(what).exists())


def _page(code: Code) -> str:
    example = "\n".join(printable(line) for line in code.example.text.rstrip("\n").split("\n"))
    return "\n".join(
        [
            f"{code.number} {code.slug} ({code.severity.value})",
            "",
            f"{code.title}.",
            "",
            textwrap.fill(code.explanation, 100),
            "",
            "A wrong example:",
            "",
            textwrap.indent(example, "    "),
        ]
    )


class _Look:
    """How a picture in the terminal is drawn."""

    def __init__(self, width: int | None, plain: bool) -> None:
        self.width = width or shutil.get_terminal_size((100, 24)).columns
        encoding = (sys.stdout.encoding or "").lower()
        self.plain = plain or not encoding.startswith("utf")


def _strategy(
    path: Path, name: str | None, picture: str | None, output: Path | None, look: _Look, board: Path | None, form: str
) -> None:
    # The compiler is imported only here: the page of a code comes up at once.
    from fixaccel.diagnostics.checked import Checked  # noqa: PLC0415
    from fixaccel.pipeline import load_board, load_strategy  # noqa: PLC0415

    loaded, target = load_strategy(path), load_board(board)
    merged = Checked.merge([loaded, target])
    if loaded.strategy is None or target.board is None:
        show(merged, form, err=form != "json")
        sys.exit(2 if any(d.code is CANNOT_READ for d in merged.diagnostics) else 1)
    if output:
        refuse_input(output, [*loaded.files, *([board] if board else [])])
    strategy = loaded.strategy
    blocks = _chosen(strategy, name)
    if picture == "svg":
        _write_svg(strategy, blocks, output)
    elif picture == "terminal":
        _draw(strategy, blocks, look)
    else:
        _tell(strategy, name, target.board, merged, form)


def _chosen(strategy: "Strategy", name: str | None) -> "Sequence[Block]":
    """The blocks that ``name`` picks, all without one."""
    from fixaccel.explain.describe import find  # noqa: PLC0415

    if name is None:
        return strategy.blocks
    found = find(strategy, name)
    if found is None:
        close = suggest(name, {block.rule_id for block in strategy.blocks} | {block.id for block in strategy.blocks})
        hint = f"; did you mean {close}?" if close else ""
        raise click.UsageError(f"the strategy has no rule `{printable(name)}`{hint}")
    return found if isinstance(found, list) else [found.block]


def _write_svg(strategy: "Strategy", blocks: "Sequence[Block]", output: Path | None) -> None:
    from fixaccel.explain.chart import charts  # noqa: PLC0415
    from fixaccel.explain.svg import svg  # noqa: PLC0415
    from fixaccel.files import write_atomically  # noqa: PLC0415

    text = svg(strategy.name, charts(strategy, blocks))
    if output is None:
        click.echo(text, nl=False)
    else:
        write_atomically(output, text.encode())
        click.echo(f"wrote {output}")


def _draw(strategy: "Strategy", blocks: "Sequence[Block]", look: _Look) -> None:
    from fixaccel.explain.chart import charts  # noqa: PLC0415
    from fixaccel.explain.terminal import ASCII, UNICODE, terminal  # noqa: PLC0415

    for line in terminal(charts(strategy, blocks), look.width, ASCII if look.plain else UNICODE):
        click.echo(line)


def _tell(strategy: "Strategy", name: str | None, board: "Board", merged: "Checked", form: str) -> None:
    from fixaccel.explain.describe import Teller, find  # noqa: PLC0415
    from fixaccel.explain.text import head_text, told_data, told_text, worst_text  # noqa: PLC0415
    from fixaccel.explain.worst import worst_lines  # noqa: PLC0415
    from fixaccel.exposure.worst_case import worst_case  # noqa: PLC0415

    teller = Teller(strategy, board)
    found = find(strategy, name) if name else list(strategy.blocks)
    assert found is not None
    told = [teller.block(block) for block in found] if isinstance(found, list) else [teller.part(found)]
    worst = worst_case(strategy) if name is None else None
    if form == "json":
        data = told_data(strategy, told, worst)
        data |= json.loads(render(merged.diagnostics, merged.sources, "json", merged.dropped))
        click.echo(json.dumps(data, indent=2))
        return
    show(merged, form, err=True)
    if form == "full" and name is None:
        click.echo(head_text(strategy))
    for number, entry in enumerate(told):
        if form == "full":
            click.echo(("" if number == 0 and name else "\n") + told_text(entry))
        else:
            click.echo(f"{printable(entry.place)}: {entry.id}: {entry.sentence}")
    if form == "full" and worst:
        click.echo("\n" + worst_text(list(worst_lines(worst))))
