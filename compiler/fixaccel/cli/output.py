# SPDX-License-Identifier: Apache-2.0
"""What all commands say in the same way."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeVar

import click

from fixaccel.diagnostics.render import FORMATS, SARIF, render
from fixaccel.diagnostics.report import Diagnostic
from fixaccel.diagnostics.text import printable
from fixaccel.files import same_file
from fixaccel.source import SourceFile

F = TypeVar("F")

ENGINES = ("rules", "image", "rtl")


class Outcome(Protocol):
    """What a loader hands back."""

    @property
    def diagnostics(self) -> Sequence[Diagnostic]: ...
    @property
    def sources(self) -> Mapping[str, SourceFile]: ...
    @property
    def dropped(self) -> int: ...


def format_option(function: F) -> F:
    """Adds `--format`, passed as ``form``."""
    return _format_option(function, FORMATS)


def checking_format_option(function: F) -> F:
    """The same with the format of checkers, SARIF."""
    return _format_option(function, (*FORMATS, SARIF))


def _format_option(function: F, formats: Sequence[str]) -> F:
    decorate: Any = click.option(
        "--format",
        "form",
        type=click.Choice(formats),
        default="full",
        show_default=True,
        help="How diagnostics are printed.",
    )
    return decorate(function)  # type: ignore[no-any-return]


def engine_option(function: F) -> F:
    """Adds `--engine`."""
    decorate: Any = click.option(
        "--engine",
        type=click.Choice(ENGINES),
        default="rules",
        show_default=True,
        help="The reference interpreter, the compiled tables, or the fabric itself under Verilator.",
    )
    return decorate(function)  # type: ignore[no-any-return]


def refuse_input(output: Path, inputs: Iterable[Path]) -> None:
    """Raises UsageError if what is to be written would take the place of what it is made from."""
    found = same_file(output, inputs)
    if found is not None:
        known_as = "" if found == output else f" ({printable(str(found))})"
        raise click.UsageError(f"{printable(str(output))} is an input{known_as}; write to another file")


def refuse_output(output: Path, inputs: Iterable[Path], *, overwrite: bool) -> None:
    """The same, and for a file that is there already unless it may be replaced."""
    refuse_input(output, inputs)
    if output.exists() and not overwrite:
        raise click.UsageError(f"{printable(str(output))} is there already; --overwrite replaces it")


def show(outcome: Outcome, form: str, *, err: bool = False) -> None:
    """Prints the diagnostics; nothing if there are none, except in JSON."""
    text = render(outcome.diagnostics, outcome.sources, form, outcome.dropped)
    if text:
        click.echo(text, err=err)
