# SPDX-License-Identifier: Apache-2.0
"""Text for a terminal: nothing in a file may move the cursor, and carets stand under what they mark."""

import unicodedata

TAB_WIDTH = 4
LINE_WIDTH = 140


def printable(text: str) -> str:
    """``text`` with everything that a terminal might obey written as an escape."""
    return "".join(c if c.isprintable() else _escape(c) for c in text)


def _escape(character: str) -> str:
    return (
        " "
        if character in "\t\n"
        else f"\\x{ord(character):02x}"
        if ord(character) < 256
        else f"\\u{ord(character):04x}"
    )


def width(text: str) -> int:
    """Columns that ``text`` takes on a terminal."""
    return sum(_columns(character) for character in text)


def _columns(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def excerpt(line: str, start: int, end: int) -> tuple[str, int, int]:
    """``line`` as it can be shown, with the columns at which characters ``start`` to ``end`` (from 0) begin and end.

    A long line is cut to a window around them.
    """
    first, last = 0, len(line)
    if last > LINE_WIDTH:
        first = max(0, min(start - LINE_WIDTH // 3, last - LINE_WIDTH))
        last = first + LINE_WIDTH
    head = _expand(line[first : max(start, first)])
    marked = _expand(line[start : min(end, last)])
    tail = _expand(line[min(max(end, start), last) : last])
    before, after = ("…" if first else ""), ("…" if last < len(line) else "")
    from_column = width(before + head)
    return before + head + marked + tail + after, from_column, from_column + max(width(marked), 1)


def _expand(text: str) -> str:
    return printable(text.replace("\t", " " * TAB_WIDTH))
