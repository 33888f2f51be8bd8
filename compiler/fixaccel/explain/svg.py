# SPDX-License-Identifier: Apache-2.0
"""The picture of a strategy as SVG, for light and dark pages."""

from collections.abc import Sequence
from xml.etree import ElementTree as ET

import numpy as np

from fixaccel.explain.chart import Band, Chart, Lane, tick_text, ticks
from fixaccel.language.terms import Direction, Side

WIDTH = 1000
MARGIN = 24
LABELS = 250  # width of the column of names
LANE = 26
_HEAD = 64
_TITLE = 34
_AXIS = 30
_LEGEND = 44
_LEFT = MARGIN + LABELS
_RIGHT = WIDTH - MARGIN
# More marks than this in a lane are drawn as a density.
_MOST_MARKS = 60
_BINS = 120
# A band of a decision narrower than this is not told apart from its neighbours.
_BAND = 4

_LIGHT = {
    "page": "#ffffff", "ink": "#1f2328", "soft": "#656d76", "grid": "#e6e9ed", "panel": "#f6f8fa",
    "buy": "#0969da", "sell": "#cf4a22",
}  # fmt: skip
_DARK = {
    "page": "#0d1117", "ink": "#e6edf3", "soft": "#8d96a0", "grid": "#262c36", "panel": "#151b23",
    "buy": "#58a6ff", "sell": "#ff8a65",
}  # fmt: skip


def svg(name: str, charts: Sequence[Chart]) -> str:
    """The whole picture as the text of a file."""
    panels = [_TITLE + _AXIS + LANE * len(chart.lanes) + 18 for chart in charts]
    height = _HEAD + sum(panels) + _LEGEND
    root = ET.Element(
        "svg", xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {WIDTH} {height}", width=str(WIDTH),
        height=str(height), role="img",
    )  # fmt: skip
    ET.SubElement(root, "title").text = f"Price axes of the strategy {name}"
    ET.SubElement(root, "style").text = _style()
    ET.SubElement(root, "rect", {"class": "page", "width": str(WIDTH), "height": str(height)})
    _text(root, MARGIN, 38, name, "name")
    rules = sum(chart.rules for chart in charts)
    parts = sum(chart.parts for chart in charts)
    _text(root, _RIGHT, 38, _counts(rules, parts), "soft end")
    y = float(_HEAD)
    for chart, size in zip(charts, panels, strict=True):
        _Panel(root, chart, y).draw()
        y += size
    _legend(root, y + 18)
    ET.indent(root, " ")
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _counts(rules: int, parts: int) -> str:
    text = f"{rules:,} rule{'s' if rules != 1 else ''}"
    return text if parts == rules else f"{text}, {parts:,} parts"


def _style() -> str:
    dark = "\n".join(f"  {line}" for line in _colours(_DARK))
    lines = [
        "text { font: 13px system-ui, 'Segoe UI', 'Helvetica Neue', 'DejaVu Sans', sans-serif; }",
        ".name { font-size: 20px; font-weight: 600; }",
        ".symbol { font-size: 15px; font-weight: 600; }",
        ".tick, .note { font-size: 11px; }",
        ".end { text-anchor: end; }",
        ".mid { text-anchor: middle; }",
        ".grid { stroke-width: 1; }",
        ".reach { stroke-width: 3; opacity: 0.18; }",
        ".link { stroke-width: 1.2; stroke-dasharray: 3 3; }",
        ".ring { fill: none; stroke-width: 1.8; }",
        ".stair { fill: none; stroke-width: 1.8; }",
        *_colours(_LIGHT),
    ]
    return "\n" + "\n".join(lines) + "\n@media (prefers-color-scheme: dark) {\n" + dark + "\n}\n"


def _colours(palette: dict[str, str]) -> list[str]:
    lines = [
        f".page {{ fill: {palette['page']}; }}",
        f".panel {{ fill: {palette['panel']}; }}",
        f"text {{ fill: {palette['ink']}; }}",
        f".soft, .tick, .note {{ fill: {palette['soft']}; }}",
        f".grid {{ stroke: {palette['grid']}; }}",
    ]
    for side in ("buy", "sell"):
        colour = palette[side]
        lines.append(f".{side} {{ fill: {colour}; }}")
        lines.append(f".line-{side} {{ stroke: {colour}; }}")
    return lines


def _text(parent: ET.Element, x: float, y: float, text: str, style: str = "") -> ET.Element:
    attributes = {"x": f"{x:g}", "y": f"{y:g}"} | ({"class": style} if style else {})
    element = ET.SubElement(parent, "text", attributes)
    element.text = text
    return element


def _line(parent: ET.Element, x1: float, y1: float, x2: float, y2: float, style: str) -> None:
    ET.SubElement(
        parent, "line", {"class": style, "x1": f"{x1:.1f}", "y1": f"{y1:.1f}", "x2": f"{x2:.1f}", "y2": f"{y2:.1f}"}
    )


class _Panel:
    """One instrument: its name, its lanes and the axis below them."""

    def __init__(self, root: ET.Element, chart: Chart, top: float) -> None:
        self._group = ET.SubElement(root, "g")
        self._chart = chart
        self._top = top

    def draw(self) -> None:
        chart = self._chart
        _text(self._group, MARGIN, self._top + 18, chart.symbol, "symbol")
        _text(self._group, _RIGHT, self._top + 18, _counts(chart.rules, chart.parts), "soft end")
        first = self._top + _TITLE
        last = first + LANE * len(chart.lanes)
        box = {
            "x": str(_LEFT),
            "y": f"{first:g}",
            "width": str(_RIGHT - _LEFT),
            "height": f"{last - first:g}",
            "rx": "4",
        }
        ET.SubElement(self._group, "rect", {"class": "panel"} | box)
        self._axis(first, last)
        for number, lane in enumerate(chart.lanes):
            self._lane(lane, first + LANE * (number + 0.5))

    def _x(self, price: float) -> float:
        return _LEFT + self._chart.at(price) * (_RIGHT - _LEFT)

    def _axis(self, first: float, last: float) -> None:
        if self._chart.high <= self._chart.low:
            return
        marks = ticks(self._chart.low, self._chart.high, 8)
        step = marks[1] - marks[0] if len(marks) > 1 else max(abs(marks[0]), 1.0) if marks else 1.0
        for mark in marks:
            x = self._x(mark)
            _line(self._group, x, first, x, last + 5, "grid")
            _text(self._group, x, last + 19, tick_text(mark, step), "tick mid")

    def _lane(self, lane: Lane, y: float) -> None:
        group = ET.SubElement(self._group, "g")
        ET.SubElement(group, "title").text = lane.title
        label = lane.label if len(lane.label) <= 30 else lane.label[:29] + "…"
        _text(group, MARGIN, y + 4.5, label)
        word = lane.side.value if lane.side else "decide"
        colour = lane.side.value if lane.side else "soft"
        _text(group, _LEFT - 10, y + 4.5, word, f"{colour} end")
        if lane.bands:
            self._bands(group, lane, y)
        elif lane.follows:
            self._trail(group, lane, y)
        elif len(lane.prices) > _MOST_MARKS:
            self._density(group, lane, y)
        else:
            self._thresholds(group, lane, y)

    def _thresholds(self, group: ET.Element, lane: Lane, y: float) -> None:
        assert lane.side
        side, left = lane.side.value, lane.direction is Direction.LE
        furthest = self._x(float(lane.prices.max() if left else lane.prices.min()))
        _line(group, furthest, y, _LEFT if left else _RIGHT, y, f"reach line-{side}")
        for price, limit in zip(lane.prices.tolist(), lane.limits.tolist(), strict=True):
            x = self._x(price)
            if np.isfinite(limit):
                self._limit(group, x, limit, y, side)
            self._arrow(group, x, y, side, left=left)
        if len(lane.prices) == 1:
            self._condition(group, lane, y, left=left)

    def _condition(self, group: ET.Element, lane: Lane, y: float, *, left: bool) -> None:
        """The comparison in words, on the side where the rule is not satisfied and nothing else is drawn."""
        price, limit = float(lane.prices[0]), float(lane.limits[0])
        assert lane.direction
        text = f"{lane.source.value} {lane.direction.value} {price:,.10g}"
        x, ring = self._x(price), self._x(limit if np.isfinite(limit) else price)
        room = 10 + 6.4 * len(text)
        if left:
            at = max(x, ring + (6 if ring > x else 0)) + 8
            if at + room < _RIGHT:
                _text(group, at, y + 4, text, "note")
        else:
            at = min(x, ring - (6 if ring < x else 0)) - 8
            if at - room > _LEFT:
                _text(group, at, y + 4, text, "note end")

    def _limit(self, group: ET.Element, x: float, limit: float, y: float, side: str) -> None:
        at = self._x(limit)
        if abs(at - x) > 6:
            _line(group, x, y, at, y, f"link line-{side}")
        outside = limit < self._chart.low or limit > self._chart.high
        attributes = {"class": f"ring line-{side}", "cx": f"{at:.1f}", "cy": f"{y:.1f}", "r": "4"}
        ring = ET.SubElement(group, "circle", attributes | ({"stroke-dasharray": "2 2"} if outside else {}))
        ET.SubElement(ring, "title").text = f"limit {limit:g}" + (", outside the picture" if outside else "")

    def _arrow(self, group: ET.Element, x: float, y: float, side: str, *, left: bool) -> None:
        """The bar stands at the price, the head points to where it is satisfied."""
        _line(group, x, y - 8, x, y + 8, f"line-{side}")
        tip = x - 9 if left else x + 9
        points = f"{x:.1f},{y - 5:.1f} {tip:.1f},{y:.1f} {x:.1f},{y + 5:.1f}"
        ET.SubElement(group, "polygon", {"class": side, "points": points})

    def _density(self, group: ET.Element, lane: Lane, y: float) -> None:
        assert lane.side
        counts, edges = np.histogram(lane.prices, bins=_BINS, range=(self._chart.low, self._chart.high))
        most = max(int(counts.max()), 1)
        for count, start, end in zip(counts.tolist(), edges[:-1].tolist(), edges[1:].tolist(), strict=True):
            if count:
                height = 3 + 17 * count / most
                x, width = self._x(start), self._x(end) - self._x(start) - 0.6
                box = {
                    "x": f"{x:.1f}",
                    "y": f"{y + 10 - height:.1f}",
                    "width": f"{width:.1f}",
                    "height": f"{height:.1f}",
                }
                ET.SubElement(group, "rect", {"class": lane.side.value} | box)
        left = lane.direction is Direction.LE
        edge = self._x(float(lane.prices.min() if left else lane.prices.max()))
        self._arrow(group, edge + (-12 if left else 12), y, lane.side.value, left=left)

    def _bands(self, group: ET.Element, lane: Lane, y: float) -> None:
        """Neighbours that nobody could tell apart are drawn as one."""
        drawn: list[tuple[float, float, Band, list[str]]] = []
        for band in lane.bands:
            x, end = self._x(band.low), self._x(band.high)
            before = drawn[-1] if drawn else None
            narrow = end - x < _BAND and (before is not None and x - before[1] < 1 and _alike(band, before[2]))
            if narrow:
                drawn[-1][3].append(band.text)
                drawn[-1] = (drawn[-1][0], end, drawn[-1][2], drawn[-1][3])
            else:
                drawn.append((x, end, band, [band.text]))
        for x, end, band, texts in drawn:
            width = end - x - (0.6 if end - x > _BAND else 0)
            box = {"x": f"{x:.1f}", "y": f"{y - 8:.1f}", "width": f"{max(width, 1.5):.1f}", "height": "16"}
            shade = {"opacity": f"{0.35 + 0.65 * band.weight:.2f}"}
            rect = ET.SubElement(group, "rect", {"class": band.side.value} | box | shade)
            count = f"{len(texts):,} intervals, the first: " if len(texts) > 1 else ""
            ET.SubElement(rect, "title").text = count + texts[0]

    def _trail(self, group: ET.Element, lane: Lane, y: float) -> None:
        assert lane.side
        side = lane.side.value
        x = float(_LEFT + 14)
        if len(lane.prices):
            at = self._x(float(lane.prices[0]))
            self._arrow(group, at, y, side, left=lane.direction is Direction.LE)
            room = 70 + 6.4 * len(lane.follows)
            x = at + 18 if at + 18 + room < _RIGHT else max(at - 18 - room, _LEFT + 14)
        up = -1 if lane.side is Side.SELL else 1
        steps = " ".join(f"h 8 v {4 * up}" for _ in range(3))
        ET.SubElement(group, "path", {"class": f"stair line-{side}", "d": f"M {x:.1f} {y - 6 * up:.1f} {steps} h 8"})
        _text(group, x + 42, y + 4, f"stop {lane.follows}", "note")


def _alike(one: Band, other: Band) -> bool:
    return one.side is other.side and abs(one.weight - other.weight) < 0.1


def _legend(root: ET.Element, y: float) -> None:
    group = ET.SubElement(root, "g")
    x = float(MARGIN)
    for side in ("buy", "sell"):
        ET.SubElement(
            group, "rect", {"class": side, "x": f"{x:g}", "y": f"{y - 9:g}", "width": "10", "height": "10", "rx": "2"}
        )
        _text(group, x + 16, y, side, "note")
        x += 62
    _line(group, x + 10, y - 12, x + 10, y + 4, "line-buy")
    ET.SubElement(
        group, "polygon", {"class": "buy", "points": f"{x + 10:g},{y - 9:g} {x + 1:g},{y - 4:g} {x + 10:g},{y + 1:g}"}
    )
    _text(group, x + 18, y, "threshold, pointing to where it is satisfied", "note")
    x += 290
    ET.SubElement(group, "circle", {"class": "ring line-buy", "cx": f"{x:g}", "cy": f"{y - 4:g}", "r": "4"})
    _text(group, x + 12, y, "limit price of its order (none: market)", "note")
