# SPDX-License-Identifier: Apache-2.0
"""Lines of a program's text as tokens with their places; what is behind `;` is a note."""

import re
from dataclasses import dataclass

from fixaccel.diagnostics.codes import fast as codes
from fixaccel.diagnostics.report import Report
from fixaccel.source import SourceFile, Span

_TOKEN = re.compile(
    r"""\s*(?:(?P<note>;.*)|(?P<quoted>"(?:[^"\\]|\\x[0-9a-f]{2})*")|(?P<plain>[^\s;"]+)|(?P<other>.))"""
)


@dataclass(frozen=True)
class Token:
    """``quoted``: it stands in quotes, which are part of the text."""

    text: str
    span: Span
    quoted: bool = False


@dataclass(frozen=True)
class Line:
    """A line that has tokens."""

    text: str
    tokens: tuple[Token, ...]
    note: str

    @property
    def span(self) -> Span:
        """From the first token to the last."""
        return self.tokens[0].span.until(self.tokens[-1].span)


def read_lines(source: SourceFile, report: Report) -> list[Line]:
    """The lines that have more than a note."""
    lines = (_line(source, number, text, report) for number, text in enumerate(source.lines, 1))
    return [line for line in lines if line.tokens]


def _line(source: SourceFile, number: int, text: str, report: Report) -> Line:
    tokens: list[Token] = []
    note = ""
    for match in _TOKEN.finditer(text.rstrip()):
        kind = match.lastgroup or "other"
        if kind == "note":
            note = match["note"][1:].strip()
            break
        start, end = match.span(kind)
        span = Span(source.name, number, start + 1, number, end + 1)
        if kind == "other":
            way_out = r'a text is as `"X"`, with `\xNN` for what is not printable'
            report.add(codes.PROGRAM_TEXT, "this begins no text and no word", span, help=way_out)
        tokens.append(Token(match[kind], span, quoted=kind == "quoted"))
    plain = " ".join(token.text for token in tokens)
    return Line(plain, tuple(tokens), note)
