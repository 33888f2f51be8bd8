# SPDX-License-Identifier: Apache-2.0
"""`fixaccel explain`: what a diagnostic code means."""

import textwrap

import click

from fixaccel.diagnostics import CODES, Code, find_code
from fixaccel.diagnostics.text import printable
from fixaccel.language.schema import suggest


@click.command()
@click.argument("code", required=False)
def explain(code: str | None) -> None:
    """Explain a diagnostic CODE, by number or name; without one, list them all.

    \b
    Examples:
      fixaccel explain FX0207
      fixaccel explain bad-condition
    """
    if code is None:
        for known in CODES.values():
            click.echo(f"{known.number}  {known.severity.value:7}  {known.title}")
        return
    found = find_code(code)
    if found is None:
        close = suggest(code, [name for known in CODES.values() for name in (known.number, known.slug)])
        hint = f"did you mean {close}?" if close else "`fixaccel explain` lists them all"
        raise click.UsageError(f"there is no diagnostic `{printable(code)}`; {hint}")
    click.echo(_page(found))


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
