# SPDX-License-Identifier: Apache-2.0
"""`fixaccel fast assemble`: the text of a program to the program."""

import sys
from pathlib import Path

import click

from fixaccel.cli.fast.listing import write_program
from fixaccel.cli.output import checking_format_option, refuse_output, show
from fixaccel.diagnostics.codes.reading import CANNOT_READ
from fixaccel.diagnostics.text import printable
from fixaccel.fast.program.assembler import load_program_text
from fixaccel.fast.program.listing import used
from fixaccel.fast.program.program import Limits


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("-o", "--output", metavar="FILE", type=click.Path(path_type=Path), help="Where the program goes.")
@click.option("--overwrite", is_flag=True, help="Replace that file if it is there already.")
@checking_format_option
def assemble(*, file: Path, output: Path | None, overwrite: bool, form: str) -> None:
    """Make the program of FILE, a text as `fixaccel fast list` prints it. Without -o it is only checked.

    The same text gives the same words, and `list` gives back the text of a program.

    Exit code 0: no error; 1: errors, each with its place; 2: a file cannot be read or written.

    \b
    Examples:
      fixaccel fast list templates.xml > build/feed.txt
      fixaccel fast assemble build/feed.txt -o build/feed.program
    """
    if output:
        refuse_output(output, [file], overwrite=overwrite)
    loaded = load_program_text(file)
    show(loaded, form, err=form == "full")
    if loaded.program is None:
        sys.exit(2 if any(one.code is CANNOT_READ for one in loaded.diagnostics) else 1)
    if output:
        write_program(output, loaded.program)
    if form == "full":
        click.echo(f"{printable(str(output or file))}: {used(loaded.program, Limits())}")
