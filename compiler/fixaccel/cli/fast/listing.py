# SPDX-License-Identifier: Apache-2.0
"""`fixaccel fast list`: the program of templates as text."""

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from fixaccel.cli.fast.options import feed_or_exit, program_or_exit, venue_option
from fixaccel.cli.output import refuse_input, refuse_output, show
from fixaccel.diagnostics.codes.reading import CANNOT_READ
from fixaccel.diagnostics.text import printable
from fixaccel.fast.program.check import check_program
from fixaccel.fast.program.cost import Cost, costs
from fixaccel.fast.program.image import ImageError, from_bytes, is_image, to_bytes
from fixaccel.fast.program.interest import EXPORTS, Interest
from fixaccel.fast.program.listing import listing, word_text
from fixaccel.fast.program.load import load_program
from fixaccel.fast.program.program import Limits, Program
from fixaccel.files import write_atomically
from fixaccel.pipeline import load_board

_EXPORTS = [word for word in EXPORTS if word != "raw"]


@click.command("list")
@click.argument("file", required=False, type=click.Path(path_type=Path))
@venue_option
@click.option(
    "--export",
    type=click.Choice(_EXPORTS),
    help="Which fields of templates keep a word: those that prices need, or every one  [default: as the venue says, or "
    "observations]. A program is shown as it is.",
)
@click.option("--board", metavar="FILE", type=click.Path(path_type=Path), help="Board whose `feed` says what there is.")
@click.option("-o", "--output", metavar="FILE", type=click.Path(path_type=Path), help="Write the program itself, too.")
@click.option("--overwrite", is_flag=True, help="Replace that file if it is there already.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def list_(
    *,
    file: Path | None,
    venue: Path | None,
    export: str | None,
    board: Path | None,
    output: Path | None,
    overwrite: bool,
    as_json: bool,
) -> None:
    """Show the program that FILE becomes: templates in XML, or a program that was written before.

    With --venue it is that of the venue's feed, which a bundle carries: with the bytes in front, and with the fields
    and kinds that the venue names.

    A line is a word of 36 bits, with the template and field that it comes from. Notes say of each template and sequence
    how few bytes it takes and whether the engine keeps up with the wire then. `fixaccel fast assemble` reads the text.

    Exit code 0: shown; 1: the templates or the board have errors, or the board has no room; 2: a file cannot be read or
    written.

    \b
    Examples:
      fixaccel fast list templates.xml
      fixaccel fast list templates.xml --export all -o build/feed.program
      fixaccel fast list build/feed.program --json
      fixaccel fast list --venue venue.yaml --board board.yaml
    """
    if output:
        refuse_output(output, [path for path in (file, venue, board) if path], overwrite=overwrite)
    limits = board_limits(board)
    if venue:
        program = _program_of_venue(venue, file, export, limits, output)
    elif file:
        program = _program(file, export or "observations", limits)
    else:
        raise click.UsageError("name the templates or the program, or a venue file with --venue")
    if as_json:
        click.echo(json.dumps(_as_json(program, limits)))
    else:
        click.echo(listing(program, limits), nl=False)
    if output:
        write_program(output, program)


def board_limits(path: Path | None) -> Limits:
    """What the board has room for; without one, what the engine's layout allows. Ends the program on a fault."""
    if path is None:
        return Limits()
    loaded = load_board(path)
    if loaded.board is None:
        show(loaded, "full", err=True)
        sys.exit(2 if any(one.code is CANNOT_READ for one in loaded.diagnostics) else 1)
    if not loaded.board.feed:
        raise click.UsageError(f"{printable(str(path))} has no `feed`: its fabric has no engine for programs")
    sizes = loaded.board.feed
    return Limits(sizes.instructions, sizes.numbers, sizes.strings)


def write_program(path: Path, program: Program) -> None:
    """Writes the file; raises UsageError where that is not possible."""
    try:
        write_atomically(path, to_bytes(program))
    except OSError as error:
        raise click.UsageError(f"{printable(str(path))}: {error.strerror}") from None


def _program_of_venue(
    venue: Path, file: Path | None, export: str | None, limits: Limits, output: Path | None
) -> Program:
    if file and _image(file):
        raise click.UsageError(f"{printable(str(file))} is a program already: leave --venue out")
    loaded = feed_or_exit(venue, file)
    assert loaded.feed
    if output:
        refuse_input(output, [venue.parent / loaded.feed.terms.templates])
    interest = replace(loaded.feed.interest, tagged=EXPORTS[export]) if export else loaded.feed.interest
    return program_or_exit(loaded.feed.templates, interest, limits, loaded.sources, code=1)


def _image(file: Path) -> bytes:
    """The file, if it is a program; else nothing."""
    try:
        with file.open("rb") as opened:
            head = opened.read(4)
            return head + opened.read() if is_image(head) else b""
    except OSError as error:
        raise click.UsageError(f"{printable(str(file))}: {error.strerror}") from None


def _program(file: Path, export: str, limits: Limits) -> Program:
    if data := _image(file):
        try:
            program = from_bytes(data)
        except ImageError as error:
            raise click.UsageError(f"{printable(str(file))} is no program: {error}") from None
        flaw = next(iter(check_program(program, limits)), None)
        if flaw is not None:
            click.echo(f"error: {printable(str(file))}: {flaw.message}", err=True)
            sys.exit(1)
        return program
    loaded = load_program(file, Interest(tagged=EXPORTS[export]), limits)
    show(loaded, "full", err=True)
    if loaded.program is None:
        sys.exit(1)
    return loaded.program


def _as_json(program: Program, limits: Limits) -> dict[str, Any]:
    return {
        "words": [
            {"at": at, "word": word_text(word), "source": str(source)}
            for at, (word, source) in enumerate(zip(program.words, program.sources, strict=True))
        ],
        "templates": [
            {
                "id": routine.id,
                "name": routine.name,
                "at": routine.target,
                "kind": routine.kind.value,
                "reset": routine.reset,
                "message": _cost(costs(program, routine.target).message),
                "elements": [
                    {"at": at, "source": str(program.sources[at]), **_cost(cost)}
                    for at, cost in sorted(costs(program, routine.target).elements.items())
                ],
            }
            for routine in program.routines
        ],
        "used": {"instructions": len(program.words), "numbers": program.numbers, "strings": program.strings},
        "room": {"instructions": limits.instructions, "numbers": limits.numbers, "strings": limits.strings},
    }


def _cost(cost: Cost) -> dict[str, int]:
    return {"least_bytes": cost.bytes, "cycles_behind": max(cost.behind, 0)}
