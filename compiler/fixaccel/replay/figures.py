# SPDX-License-Identifier: Apache-2.0
"""The drawing of one instrument with Bokeh, which comes with its own JavaScript."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from bokeh.embed import json_item
from bokeh.layouts import column
from bokeh.models import (
    BooleanFilter,
    BoxAnnotation,
    CDSView,
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
    # On top of all lines.
    _near(plot, sheet)
    _fires(plot, sheet)
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
        line = plot.step("x", name, source=source, mode="after", line_color=shade, line_width=width)
        if name == "last":
            line.glyph.tags = ["ink"]
        drawing.toggles[name] = [line.id]
    plot.add_tools(CrosshairTool(dimensions="height", line_alpha=0.3, description="Time under the pointer"))
    for begin, end in sheet.pauses[:_MOST_PAUSES]:
        plot.add_layout(BoxAnnotation(left=begin, right=end, fill_color="#808080", fill_alpha=0.16, line_color=None))
    return source


def _rule(plot: figure, sheet: Sheet, rule: RuleDay, number: int) -> list[GlyphRenderer]:
    """The lines of one rule, and where its state changed."""
    shade, lines = colour(number), sheet.lines
    drawn: list[GlyphRenderer] = []

    def source(kind: str, columns: Columns) -> ColumnDataSource:
        return ColumnDataSource(columns, name=f"{kind} {number}")

    def tell(line: GlyphRenderer, *rows: tuple[str, str]) -> None:
        plot.add_tools(HoverTool(renderers=[line], tooltips=[*rows], visible=False, attachment="horizontal"))
        drawn.append(line)

    if len((levels := lines.thresholds(rule))["y"]):
        where = source("thresholds", levels)
        line = plot.segment("x0", "y", "x1", "y", source=where, line_color=shade, line_width=1.6, line_dash="6 3")
        tell(line, ("rule", "@rule"), ("waits for", "@condition"), ("armed", "@armed"), ("ended", "@ended"))
    if len((stops := lines.trail(rule))["y"]):
        line = plot.line("x", "y", source=source("trail", stops), line_color=shade, line_width=2)
        tell(line, ("trail", "@rule"), ("stop", "@y{0,0.[00000000]}"))
    if len((states := lines.states(rule))["y"]):
        style = {"size": 8, "line_color": shade, "fill_alpha": 0, "line_width": 1.8}
        mark = plot.scatter("x", "y", source=source("states", states), marker="marker", **style)
        tell(mark, ("rule", "@rule"), ("is now", "@state"), ("time", "@time"))
    return drawn


def _near(plot: figure, sheet: Sheet) -> None:
    """Nearest approaches of all rules, those of one place told by one tip; what is ticked off is filtered."""
    columns = _joined([sheet.lines.near(rule) for rule in sheet.day.rules])
    if not columns["y"]:
        return
    columns["shade"] = [colour(number) for number in columns["number"]]
    where, view = _filtered("near", columns)
    style = {"source": where, "view": view, "line_color": "shade", "line_width": 1.4}
    plot.segment("x", "y", "x", "goal", line_dash="2 3", **style)
    mark = plot.scatter("x", "y", marker="circle_dot", size=9, fill_alpha=0, **style)
    rows = [("came near", "@rule"), ("waits for", "@condition"), ("seen", "@seen, @away"), ("time", "@time")]
    plot.add_tools(HoverTool(renderers=[mark], tooltips=rows, visible=False, attachment="vertical"))


def _fires(plot: figure, sheet: Sheet) -> None:
    """All fires, in the same way."""
    columns = _joined([sheet.lines.fires(rule, sheet.limits) for rule in sheet.day.rules])
    if not columns["y"]:
        return
    columns["shade"] = [BUY if marker == "triangle" else SELL for marker in columns["marker"]]
    where, view = _filtered("fires", columns)
    mark = plot.scatter(
        "x", "y", source=where, view=view, marker="marker", size=14, line_color="shade", fill_color="shade",
        fill_alpha="fill", line_width=2,
    )  # fmt: skip
    names = ("rule", "condition", "observed", "order", "outcome", "book", "time", "event")
    rows = [(name, f"@{name}") for name in names]
    plot.add_tools(HoverTool(renderers=[mark], tooltips=rows, description="Fires", attachment="vertical"))


def _joined(parts: Sequence[Columns]) -> Columns:
    """The rows of all rules, with the number of the rule of each."""
    joined = {name: [value for part in parts for value in part[name]] for name in parts[0]}
    return joined | {"number": [number for number, part in enumerate(parts) for _ in part["y"]]}


def _filtered(name: str, columns: Columns) -> tuple[ColumnDataSource, CDSView]:
    chosen = BooleanFilter(booleans=[True] * len(columns["y"]), name=f"{name} shown")
    return ColumnDataSource(columns, name=name), CDSView(filter=chosen)


def _standing(sheet: Sheet, span: Range1d, model: str) -> list[figure]:
    source = ColumnDataSource(sheet.lines.standing(), name="standing")
    plots: list[figure] = []
    for name, words in (("position", "position"), ("result", f"result, marked to last; fills: {model}")):
        plot = _axes(name, span, 150)
        plot.title.text = words
        plot.yaxis.formatter = NumeralTickFormatter(format="0,0.[00]")
        plot.add_layout(Span(location=0, dimension="width", line_color="#808080", line_alpha=0.5))
        line = plot.step("x", name, source=source, mode="after", line_color=_INK, line_width=1.6)
        line.glyph.tags = ["ink"]
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
