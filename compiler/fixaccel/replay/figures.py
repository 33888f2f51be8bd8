# SPDX-License-Identifier: Apache-2.0
"""The drawing of one instrument with Bokeh, which comes with its own JavaScript."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from bokeh.embed import json_item
from bokeh.layouts import column
from bokeh.models import (
    BoxAnnotation,
    ColumnDataSource,
    CrosshairTool,
    DatetimeTickFormatter,
    GlyphRenderer,
    HoverTool,
    NumeralTickFormatter,
    Range1d,
    RangeTool,
    Span,
)
from bokeh.plotting import figure

from fixaccel.language.rules import Limits
from fixaccel.replay.decimate import Columns
from fixaccel.replay.lines import Lines
from fixaccel.replay.quotes import Book
from fixaccel.replay.record import InstrumentDay, RuleDay

# Told apart on light and on dark; the page's own style has the same for what is no line.
BID, ASK = "#3f83d6", "#d9822b"
BUY, SELL = "#1a9c5b", "#d6455d"
_INK = "#57606a"
_RULES = ("#8f6fd6", "#0f9ba8", "#c2569b", "#7a9a1e", "#b8763e", "#5a7fb0", "#c9524a", "#3d9970", "#a08a1c", "#9357a8")
_MOST_PAUSES = 200
_TIME = DatetimeTickFormatter(
    microseconds="%H:%M:%S.%3N", milliseconds="%H:%M:%S.%3N", seconds="%H:%M:%S", minsec="%H:%M:%S", minutes="%H:%M",
    hourmin="%H:%M", hours="%H:%M", days="%d %b", context=None,
)  # fmt: skip


def colour(number: int) -> str:
    """Of the rule with this number."""
    return _RULES[number % len(_RULES)]


@dataclass
class Drawing:
    """``item`` is what the page embeds; ``toggles`` are ids of what belongs to a rule, or to a price, by its key."""

    item: dict[str, Any] = field(default_factory=dict)
    toggles: dict[str, list[str]] = field(default_factory=dict)


@dataclass(frozen=True)
class Sheet:
    """What one instrument's drawing is made of."""

    day: InstrumentDay
    lines: Lines
    book: Book
    pauses: Sequence[tuple[float, float]]
    limits: Limits
    zone: str
    start: float
    end: float


def draw(sheet: Sheet, model: str | None) -> Drawing:
    """Price, rules and an overview; position and result where there are fills, ``model`` being what made them."""
    drawing = Drawing()
    room = max((sheet.end - sheet.start) * 0.02, 1.0)
    span = Range1d(sheet.start - room, sheet.end + room, bounds=(sheet.start - 3 * room, sheet.end + 3 * room))
    plot = _axes("price", span, 470)
    plot.yaxis.formatter = NumeralTickFormatter(format="0,0.[00000000]")
    quotes = _quotes(plot, sheet, drawing)
    for number, rule in enumerate(sheet.day.rules):
        drawing.toggles[f"rule {number}"] = [line.id for line in _rule(plot, sheet, rule, number)]
    below = [plot]
    if model is not None:
        below += _standing(sheet, span, model)
    below[-1].xaxis.axis_label = sheet.zone
    overview = _overview(quotes, span, sheet)
    drawing.item = json_item(column(*below, overview, sizing_mode="stretch_width"))
    return drawing


def _axes(name: str, span: Range1d, height: int) -> figure:
    plot = figure(
        name=name, height=height, sizing_mode="stretch_width", x_range=span, y_range=Range1d(0, 1),
        x_axis_type="datetime", tools="xpan,xwheel_zoom,box_zoom,reset", active_drag="xpan",
        active_scroll="xwheel_zoom", toolbar_location="right", lod_threshold=None,
    )  # fmt: skip
    plot.toolbar.logo = None
    plot.xaxis.formatter = _TIME.clone()
    plot.min_border_left = 80
    return plot


def _quotes(plot: figure, sheet: Sheet, drawing: Drawing) -> ColumnDataSource:
    source = ColumnDataSource(sheet.book.columns, name="book")
    for name, shade, width in (("bid", BID, 1.2), ("ask", ASK, 1.2), ("last", _INK, 1.6)):
        line = plot.step("x", name, source=source, mode="after", line_color=shade, line_width=width, name=name)
        if name == "last":
            line.glyph.tags = ["ink"]
        drawing.toggles[name] = [line.id]
    found = plot.line("x", "any", source=source, line_alpha=0, name="any")
    rows = [("time", "@x{%H:%M:%S.%3N}"), *((name, f"@{name}{{0,0.[00000000]}}") for name in ("bid", "ask", "last"))]
    plot.add_tools(
        HoverTool(
            name="book hover", renderers=[found], mode="vline", line_policy="prev", tooltips=rows,
            formatters={"@x": "datetime"}, point_policy="follow_mouse", attachment="horizontal",
            description="Book under the pointer",
        ),
        CrosshairTool(dimensions="height", line_alpha=0.3, description="Time under the pointer"),
    )  # fmt: skip
    for begin, end in sheet.pauses[:_MOST_PAUSES]:
        plot.add_layout(BoxAnnotation(left=begin, right=end, fill_color="#808080", fill_alpha=0.16, line_color=None))
    return source


def _rule(plot: figure, sheet: Sheet, rule: RuleDay, number: int) -> list[GlyphRenderer]:
    """All that belongs to one rule; what is drawn last lies on top."""
    shade, lines = colour(number), sheet.lines
    drawn: list[GlyphRenderer] = []

    def source(kind: str, columns: Columns) -> ColumnDataSource:
        return ColumnDataSource(columns, name=f"{kind} {number}")

    def tell(line: GlyphRenderer, *rows: tuple[str, str], kind: str = "") -> None:
        plot.add_tools(HoverTool(renderers=[line], tooltips=[*rows], name=f"{kind} hover", visible=False))
        drawn.append(line)

    if len((levels := lines.thresholds(rule))["y"]):
        where = source("thresholds", levels)
        line = plot.segment("x0", "y", "x1", "y", source=where, line_color=shade, line_width=1.6, line_dash="6 3")
        tell(line, ("rule", "@rule"), ("waits for", "@condition"), ("armed", "@armed"), ("ended", "@ended"))
    if len((stops := lines.trail(rule))["y"]):
        line = plot.line("x", "y", source=source("trail", stops), line_color=shade, line_width=2)
        tell(line, ("trail", "@rule"), ("stop", "@y{0,0.[00000000]}"))
    if len((near := lines.near(rule))["y"]):
        where = source("near", near)
        drawn.append(
            plot.segment("x", "y", "x", "goal", source=where, line_color=shade, line_dash="2 3", line_width=1.4)
        )
        mark = plot.scatter(
            "x", "y", source=where, marker="circle_dot", size=9, line_color=shade, fill_alpha=0, line_width=1.4
        )
        tell(mark, ("came near", "@rule"), ("waits for", "@condition"), ("seen", "@seen, @away"), ("time", "@time"))
    if len((states := lines.states(rule))["y"]):
        mark = plot.scatter(
            "x",
            "y",
            source=source("states", states),
            marker="marker",
            size=8,
            line_color=shade,
            fill_alpha=0,
            line_width=1.8,
        )
        tell(mark, ("rule", "@rule"), ("is now", "@state"), ("time", "@time"))
    if len((fires := lines.fires(rule, sheet.limits))["y"]):
        shades = [BUY if marker == "triangle" else SELL for marker in fires["marker"]]
        where = source("fires", fires | {"shade": shades})
        mark = plot.scatter(
            "x",
            "y",
            source=where,
            marker="marker",
            size=14,
            line_color="shade",
            fill_color="shade",
            fill_alpha="fill",
            line_width=2,
        )
        rows = ("rule", "condition", "observed", "order", "outcome", "book", "time", "event")
        tell(mark, *((name, f"@{name}") for name in rows), kind="fire")
    return drawn


def _standing(sheet: Sheet, span: Range1d, model: str) -> list[figure]:
    source = ColumnDataSource(sheet.lines.standing(), name="standing")
    plots: list[figure] = []
    for name, words in (("position", "position"), ("result", f"result, marked to last; fills: {model}")):
        plot = _axes(name, span, 150)
        plot.title.text = words
        plot.yaxis.formatter = NumeralTickFormatter(format="0,0.[00]")
        plot.add_layout(Span(location=0, dimension="width", line_color="#808080", line_alpha=0.5))
        line = plot.step("x", name, source=source, mode="after", line_color=_INK, line_width=1.6, name=name)
        line.glyph.tags = ["ink"]
        found = plot.line("x", name, source=source, line_alpha=0)
        tips = [("time", "@x{%H:%M:%S.%3N}"), (name, f"@{name}{{0,0.[00]}}")]
        plot.add_tools(
            HoverTool(renderers=[found], mode="vline", line_policy="prev", tooltips=tips, formatters={"@x": "datetime"})
        )
        plots.append(plot)
    return plots


def _overview(source: ColumnDataSource, span: Range1d, sheet: Sheet) -> figure:
    """The whole day, with the stretch that is shown above."""
    plot = figure(
        name="overview", height=80, sizing_mode="stretch_width", x_axis_type="datetime", tools="",
        toolbar_location=None, x_range=Range1d(sheet.start, max(sheet.end, sheet.start + 1)), y_range=Range1d(0, 1),
    )  # fmt: skip
    plot.step("x", "any", source=source, mode="after", line_color=BID, line_width=1)
    plot.yaxis.visible = False
    plot.ygrid.visible = False
    plot.xaxis.formatter = _TIME.clone()
    plot.min_border_left = 80
    tool = RangeTool(x_range=span)
    tool.overlay.fill_color = BID
    tool.overlay.fill_alpha = 0.15
    plot.add_tools(tool)
    return plot
