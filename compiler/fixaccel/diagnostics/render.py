# SPDX-License-Identifier: Apache-2.0
"""All diagnostics of a run as text, in one of the formats."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from fixaccel.diagnostics.full import render_full
from fixaccel.diagnostics.replacements import applicable
from fixaccel.diagnostics.report import Diagnostic, Severity
from fixaccel.diagnostics.sarif import sarif
from fixaccel.diagnostics.text import printable
from fixaccel.source import SourceFile, Span

FORMATS = ("full", "concise", "json", "github")
SARIF = "sarif"  # of commands that check files


def render(
    diagnostics: Sequence[Diagnostic], sources: Mapping[str, SourceFile], form: str = "full", dropped: int = 0
) -> str:
    """Text without a final line end. ``form`` is one of `FORMATS` or `SARIF`; ``dropped`` were found but not kept."""
    if form == SARIF:
        return sarif(diagnostics, sources, dropped)
    if form == "json":
        return json.dumps({"diagnostics": [_as_data(d, sources) for d in diagnostics], "dropped": dropped}, indent=2)
    if form == "github":
        return "\n".join(_github(d) for d in diagnostics)
    more = [f"... and {dropped} more"] if dropped else []
    if form == "concise":
        return "\n".join([*(_concise(d) for d in diagnostics), *more])
    blocks = [render_full(d, sources) for d in diagnostics]
    return "\n\n".join([*blocks, *more, *([_summary(diagnostics)] if diagnostics else [])])


def _concise(diagnostic: Diagnostic) -> str:
    """As compilers write it, so that editors find file, line, column and severity."""
    what = f"{diagnostic.severity.value}: {diagnostic.code.number} {printable(diagnostic.message)}"
    return f"{printable(str(diagnostic.span))}: {what}"


def _as_data(diagnostic: Diagnostic, sources: Mapping[str, SourceFile]) -> dict[str, Any]:
    return {
        "code": diagnostic.code.number,
        "name": diagnostic.code.slug,
        "severity": diagnostic.severity.value,
        "message": diagnostic.message,
        **_place(diagnostic.span),
        "related": [{"label": related.label, **_place(related.span)} for related in diagnostic.related],
        "replacements": [{"text": one.text, **_place(one.span)} for one in applicable(diagnostic, sources)],
        "help": diagnostic.help,
    }


def _place(span: Span) -> dict[str, Any]:
    return {
        "file": span.file,
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
    }


def _github(diagnostic: Diagnostic) -> str:
    text = diagnostic.message + (f"\nhelp: {diagnostic.help}" if diagnostic.help else "")
    return github_line(diagnostic.severity, diagnostic.code.number, text, diagnostic.span)


def github_line(severity: Severity, title: str, text: str, span: Span) -> str:
    """A workflow command; percent signs and line ends inside values are escaped as GitHub asks."""
    fields = {
        "file": span.file,
        "line": span.line,
        "col": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
        "title": title,
    }
    listed = ",".join(f"{name}={_escape(str(value), ':,')}" for name, value in fields.items())
    return f"::{severity.value} {listed}::{_escape(text)}"


def _escape(text: str, more: str = "") -> str:
    return "".join(f"%{ord(c):02X}" if c in "%\r\n" + more else c for c in text)


def _summary(diagnostics: Sequence[Diagnostic]) -> str:
    counts = Counter(diagnostic.severity for diagnostic in diagnostics)
    parts = [f"{n} {s.value}{'s' if n > 1 else ''}" for s in Severity if (n := counts[s])]
    first = next((d.code.number for d in diagnostics if d.is_error), diagnostics[0].code.number)
    return f"{', '.join(parts)}; `fixaccel explain {first}` tells more"
