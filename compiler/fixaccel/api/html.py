# SPDX-License-Identifier: Apache-2.0
"""HTML for notebooks: text with a terminal's colours, tables and pictures, readable on light and dark pages."""

import re
from base64 import b64encode
from collections.abc import Iterable, Sequence
from html import escape

_CODES = re.compile(r"\x1b\[([0-9;]*)m")
_STYLES = {
    "1": "font-weight:bold", "2": "opacity:.65", "31": "color:#e5484d", "32": "color:#2f9e5b", "33": "color:#b7791f",
    "34": "color:#3b82f6", "36": "color:#0e8a94",
}  # fmt: skip
_PRE = "white-space:pre-wrap;line-height:1.35;margin:.3em 0"
_CELL = "text-align:left;vertical-align:top;padding:.15em .8em .15em 0"


def terminal_html(text: str) -> str:
    """A block of text in which colour codes, as `click.style` writes them, have become styles."""
    parts: list[str] = []
    open_spans = 0
    at = 0
    for code in _CODES.finditer(text):
        parts.append(escape(text[at : code.start()]))
        at = code.end()
        styles = [_STYLES[number] for number in code[1].split(";") if number in _STYLES]
        if styles:
            parts.append(f'<span style="{";".join(styles)}">')
            open_spans += 1
        else:  # a reset
            parts.append("</span>" * open_spans)
            open_spans = 0
    parts.append(escape(text[at:]) + "</span>" * open_spans)
    return f'<pre style="{_PRE}">{"".join(parts)}</pre>'


def table_html(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table of plain text."""
    header = "".join(f'<th style="{_CELL}">{escape(name)}</th>' for name in head)
    body = "".join(
        "<tr>" + "".join(f'<td style="{_CELL}">{escape(str(cell))}</td>' for cell in row) + "</tr>" for row in rows
    )
    return f"<table><thead><tr>{header}</tr></thead><tbody>{body}</tbody></table>"


def line_html(text: str) -> str:
    """One line of plain text."""
    return f"<div>{escape(text)}</div>"


def picture_html(svg: str, text: str) -> str:
    """An SVG as a picture of its own, so that its styles stay its own; ``text`` is for who does not see it."""
    data = b64encode(svg.encode()).decode("ascii")
    return f'<img style="max-width:100%" alt="{escape(text)}" src="data:image/svg+xml;base64,{data}">'
