# SPDX-License-Identifier: Apache-2.0
"""The renderer for people: the line itself, a caret under the smallest place, related places and the way out."""

from collections.abc import Mapping

import click

from fixaccel.diagnostics.report import Diagnostic, Severity
from fixaccel.diagnostics.text import excerpt, printable
from fixaccel.source import SourceFile, Span

_COLOURS = {Severity.ERROR: "red", Severity.WARNING: "yellow"}


def render_full(diagnostic: Diagnostic, sources: Mapping[str, SourceFile]) -> str:
    """Several lines, with colour codes that `click.echo` drops where the output is not a terminal."""
    colour = _COLOURS[diagnostic.severity]
    spans = [diagnostic.span, *(related.span for related in diagnostic.related)]
    margin = " " * max(len(str(span.line)) for span in spans)
    label = click.style(f"{diagnostic.severity.value}[{diagnostic.code.number}]", fg=colour, bold=True)
    lines = [f"{label}{click.style(': ' + printable(diagnostic.message), bold=True)}"]
    lines += _place(diagnostic.span, "-->", "^", "", colour, margin, sources)
    for related in diagnostic.related:
        lines += _place(related.span, ":::", "-", related.label, "blue", margin, sources)
    if diagnostic.help:
        lines.append(
            f"{margin} {click.style('=', fg='blue')} {click.style('help', bold=True)}: {printable(diagnostic.help)}"
        )
    return "\n".join(lines)


def _place(
    span: Span, arrow: str, mark: str, label: str, colour: str, margin: str, sources: Mapping[str, SourceFile]
) -> list[str]:
    source = sources.get(span.file)
    lines = [f"{margin}{click.style(arrow, fg='blue')} {printable(str(span))}"]
    if source is None or not source.text:
        return [*lines, f"{margin} {click.style('= ' + printable(label), fg='blue')}"] if label else lines
    line = source.line(span.line)
    end = span.end_column - 1 if span.end_line == span.line else len(line)
    shown, first, last = excerpt(line, span.column - 1, max(end, span.column - 1))
    bar = click.style("|", fg="blue")
    number = click.style(str(span.line).rjust(len(margin)), fg="blue")
    marks = click.style(mark * (last - first) + (f" {printable(label)}" if label else ""), fg=colour, bold=mark == "^")
    return [*lines, f"{margin} {bar}", f"{number} {bar} {shown}".rstrip(), f"{margin} {bar} {' ' * first}{marks}"]
