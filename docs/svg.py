# SPDX-License-Identifier: Apache-2.0
"""Pictures of boxes, arrows and lines of text, in the look of docs/_static/architecture.svg."""

from collections.abc import Sequence
from html import escape

LINE = 16  # from a line of text to the next
_HEAD = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif"
  font-size="14" role="img">
  <title>{title}</title>
  <defs>
    <marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse">
      <path d="M0 0 L8 4 L0 8 z" fill="#475569"/>
    </marker>
    <style>
      .box {{ fill: #f8fafc; stroke: #475569; stroke-width: 1.5 }}
      .hot {{ fill: #fef3c7; stroke: #b45309; stroke-width: 1.5 }}
      .line {{ stroke: #475569; stroke-width: 1.5; fill: none; marker-end: url(#tip) }}
      .small {{ font-size: 12px; fill: #475569 }}
      text {{ fill: #0f172a }}
    </style>
  </defs>
  <rect width="{width}" height="{height}" fill="#ffffff"/>
"""


class Picture:
    """Elements in the order in which they are added; lengths in pixels."""

    def __init__(self, title: str, width: int, height: int) -> None:
        self._parts = [_HEAD.format(title=escape(title), width=width, height=height)]

    def rect(self, kind: str, x: float, y: float, width: float, height: float) -> None:
        self._parts.append(
            f'  <rect class="{kind}" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="4"/>\n'
        )

    def text(self, x: float, y: float, words: str, *, small: bool = True, end: bool = False) -> None:
        """From ``x`` on, or with ``end`` up to it."""
        look = ' class="small"' if small else ' font-weight="bold"'
        anchor = ' text-anchor="end"' if end else ""
        self._parts.append(f'  <text{look}{anchor} x="{x:g}" y="{y:g}">{escape(words)}</text>\n')

    def box(self, kind: str, x: float, y: float, width: float, height: float, title: str, lines: Sequence[str]) -> None:
        """A box with a title and small lines below it."""
        self.rect(kind, x, y, width, height)
        self.text(x + 10, y + 20, title, small=False)
        for number, line in enumerate(lines):
            self.text(x + 10, y + 40 + LINE * number, line)

    def arrow(self, *points: tuple[float, float]) -> None:
        self._parts.append(f'  <path class="line" d="M{" L".join(f"{x:g} {y:g}" for x, y in points)}"/>\n')

    def svg(self) -> str:
        return "".join(self._parts) + "</svg>\n"
