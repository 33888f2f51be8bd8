# SPDX-License-Identifier: Apache-2.0
"""Replacements as they can be put into a file: what stands in quotes stays in quotes."""

from collections.abc import Mapping
from dataclasses import replace

from fixaccel.diagnostics.report import Diagnostic, Replacement
from fixaccel.source import SourceFile, Span

_QUOTES = ("'", '"')


def applicable(diagnostic: Diagnostic, sources: Mapping[str, SourceFile]) -> list[Replacement]:
    """Those of a diagnostic whose place is known to the character, fitted to the quotes that stand there."""
    found = (_fitted(one, sources.get(one.span.file)) for one in diagnostic.replacements)
    return [one for one in found if one]


def _fitted(one: Replacement, source: SourceFile | None) -> Replacement | None:
    if source is None or one.span.line != one.span.end_line:
        return None
    seen = _text(one.span, source)
    quote = seen[:1] if seen[:1] in _QUOTES and len(seen) > 1 and seen[-1] == seen[0] else ""
    if not quote or one.text[:1] in _QUOTES:
        return one
    # Behind an escape the place may be the whole text's, where only a part of it is meant.
    if any(mark in seen[1:-1] + one.text for mark in ("\\", quote)):
        return None
    return replace(one, text=f"{quote}{one.text}{quote}")


def _text(span: Span, source: SourceFile) -> str:
    return source.line(span.line)[span.column - 1 : span.end_column - 1]
