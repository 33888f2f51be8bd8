# SPDX-License-Identifier: Apache-2.0
"""The picture of a strategy for a terminal: any width, with colour or without, in ASCII where it must be."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import click
import numpy as np

from fixaccel.explain.chart import Chart, Lane, tick_text, ticks
from fixaccel.language.terms import Direction, Side

NARROWEST = 50
_COLOURS = {Side.BUY: "blue", Side.SELL: "red"}
_MOST_LABEL = 30


@dataclass(frozen=True)
class Signs:
    """The characters that are drawn with."""

    left: str
    right: str
    limit: str
    beyond: str  # a limit price outside the picture
    reach: str
    axis: str
    mark: str
    bands: str  # by quantity
    density: str  # by number of thresholds
    ends: str  # of a cut text


UNICODE = Signs("◀", "▶", "○", "◌", "─", "┄", "┬", "░▒▓█", "▁▂▃▄▅▆▇█", "…")
ASCII = Signs("<", ">", "o", "?", "-", ".", "+", ".:=#", "123456789#", "~")


def terminal(charts: Sequence[Chart], width: int, signs: Signs = UNICODE) -> Iterator[str]:
    """Lines with colour codes, none of them wider than ``width`` (at least `NARROWEST`)."""
    width = max(width, NARROWEST)
    longest = max((len(lane.label) for chart in charts for lane in chart.lanes), default=0)
    for number, chart in enumerate(charts):
        if number:
            yield ""
        yield from _Panel(chart, width, min(longest, _MOST_LABEL, width // 3), signs).lines()
    yield ""
    yield _legend(signs, width)


def _legend(signs: Signs, width: int) -> str:
    texts = [f"{signs.left} {signs.right} threshold, towards where it fires", f"{signs.limit} limit price of its order"]
    text = "   ".join(texts)
    return text if len(text) <= width else text[: width - 1] + signs.ends


class _Panel:
    def __init__(self, chart: Chart, width: int, label: int, signs: Signs) -> None:
        self._chart = chart
        self._signs = signs
        self._label = label
        self._room = width - self._label - 9  # a blank, the side, two blanks and the last column

    def lines(self) -> Iterator[str]:
        chart = self._chart
        counts = f"{chart.rules:,} rule{'s' if chart.rules != 1 else ''}"
        counts += "" if chart.parts == chart.rules else f", {chart.parts:,} parts"
        yield f"{click.style(chart.symbol, bold=True)}  {counts}"
        for lane in chart.lanes:
            yield self._lane(lane)
        if chart.high > chart.low:
            yield from self._axis()

    def _x(self, price: float) -> int:
        return round(self._chart.at(price) * (self._room - 1))

    def _lane(self, lane: Lane) -> str:
        label = lane.label
        if len(label) > self._label:
            label = label[: self._label - 1] + self._signs.ends
        word = lane.side.value if lane.side else "both"
        cells = [" "] * self._room
        if lane.bands:
            drawn = self._bands(lane)
        else:
            if lane.follows:
                self._trail(lane, cells)
            elif lane.direction is not None:
                self._thresholds(lane, cells)
            colour = _COLOURS[lane.side] if lane.side else None
            drawn = click.style("".join(cells).rstrip(), fg=colour)
        return f"{label.ljust(self._label)} {word.ljust(6)}  {drawn}".rstrip()

    def _thresholds(self, lane: Lane, cells: list[str]) -> None:
        columns = np.array([self._x(price) for price in lane.prices.tolist()])
        for limit in lane.limits.tolist():
            if math.isfinite(limit):
                outside = limit < self._chart.low or limit > self._chart.high
                cells[self._x(limit)] = self._signs.beyond if outside else self._signs.limit
        self._reach(lane, columns, cells)
        counts = np.bincount(columns)
        arrow = self._signs.left if lane.direction is Direction.LE else self._signs.right
        most = int(counts.max())
        for column in np.flatnonzero(counts).tolist():
            cells[column] = arrow if most <= 1 else self._level(int(counts[column]), most, arrow)

    def _level(self, count: int, most: int, arrow: str) -> str:
        scale = self._signs.density
        if most <= 3:
            return arrow
        return scale[min(len(scale) - 1, count * len(scale) // (most + 1))]

    def _reach(self, lane: Lane, columns: "np.ndarray[tuple[int, ...], np.dtype[np.int64]]", cells: list[str]) -> None:
        """A line from each order's limit price to its threshold."""
        for column, limit in zip(columns.tolist(), lane.limits.tolist(), strict=True):
            if math.isfinite(limit):
                at = self._x(limit)
                for between in range(min(at, column) + 1, max(at, column)):
                    if cells[between] == " ":
                        cells[between] = self._signs.reach

    def _bands(self, lane: Lane) -> str:
        shades: list[tuple[str, Side | None]] = [(" ", None)] * self._room
        for band in lane.bands:
            sign = self._signs.bands[min(len(self._signs.bands) - 1, int(band.weight * len(self._signs.bands)))]
            for column in range(self._x(band.low), self._x(band.high) + 1):
                shades[column] = (sign, band.side)
        return "".join(click.style(sign, fg=_COLOURS[side]) if side else sign for sign, side in shades).rstrip()

    def _trail(self, lane: Lane, cells: list[str]) -> None:
        text = f"stop {lane.follows}"
        at = 0
        if len(lane.prices) and lane.direction is not None:
            column = self._x(float(lane.prices[0]))
            cells[column] = self._signs.left if lane.direction is Direction.LE else self._signs.right
            at = column + 2 if column + 2 + len(text) <= self._room else max(column - 1 - len(text), 0)
            if at == 0 and len(text) >= column:
                text = text[: max(column - 1, 0)]
        for number, sign in enumerate(text[: self._room - at]):
            cells[at + number] = sign

    def _axis(self) -> Iterator[str]:
        marks = ticks(self._chart.low, self._chart.high, max(2, self._room // 12))
        step = marks[1] - marks[0] if len(marks) > 1 else max(abs(marks[0]), 1.0) if marks else 1.0
        rule = [self._signs.axis] * self._room
        numbers = [" "] * self._room
        free = 0
        for mark in marks:
            column, text = self._x(mark), tick_text(mark, step)
            rule[column] = self._signs.mark
            start = min(max(column - len(text) // 2, 0), self._room - len(text))
            if start >= free:
                numbers[start : start + len(text)] = text
                free = start + len(text) + 1
        margin = " " * (self._label + 9)
        yield margin + "".join(rule)
        yield (margin + "".join(numbers)).rstrip()
