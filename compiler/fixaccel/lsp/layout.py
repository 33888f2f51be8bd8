# SPDX-License-Identifier: Apache-2.0
"""The whole file laid out as `fixaccel fmt` does, as edits of the lines that change."""

import difflib
import re

from lsprotocol import types

from fixaccel.diagnostics.report import Report
from fixaccel.formatting.format import LayoutError, format_source
from fixaccel.lsp.documents import Document
from fixaccel.source import SourceFile

_LINES_MOST = 4_000  # of more, the whole text is one edit: comparing takes too long


class NotLaidOutError(Exception):
    """Why the file is left alone."""


def layout(document: Document) -> list[types.TextEdit]:
    """Edits, none where nothing changes. Raises NotLaidOutError."""
    if document.kind is None:
        return []
    report = Report()
    try:
        text = format_source(SourceFile.of(str(document.path), document.text.removeprefix("\ufeff")), report)
    except LayoutError as error:
        raise NotLaidOutError(f"{document.path.name} is left alone: {error}") from None
    if text is None:
        first = next((diagnostic.message for diagnostic in report), "it cannot be read")
        raise NotLaidOutError(f"{document.path.name} is left alone: {first}")
    # The editor owns the line ends: where it shows CRLF, it stays with that.
    end = "\r\n" if "\r\n" in document.text else "\n"
    return _edits(document, text.replace("\n", end))


def _edits(document: Document, text: str) -> list[types.TextEdit]:
    positions = document.positions
    old, new = _lines(document.text), _lines(text)
    if old == new:
        return []
    if len(old) + len(new) > _LINES_MOST:
        return [types.TextEdit(positions.range(0, len(document.text)), text)]
    starts = [0]
    for line in old:
        starts.append(starts[-1] + len(line))
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    return [
        types.TextEdit(positions.range(starts[first], starts[last]), "".join(new[start:end]))
        for kind, first, last, start, end in matcher.get_opcodes()
        if kind != "equal"
    ]


def _lines(text: str) -> list[str]:
    return re.findall("[^\r\n]*(?:\r\n|[\r\n])|[^\r\n]+", text)
