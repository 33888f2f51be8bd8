# SPDX-License-Identifier: Apache-2.0
"""The page: one file with all that it shows, which asks nothing of a network."""

import json
from dataclasses import dataclass
from typing import Any

import jinja2
from bokeh.resources import Resources

from fixaccel.data import data_path
from fixaccel.events.columns import EventColumns
from fixaccel.language.forms import price_text
from fixaccel.language.rules import Limits
from fixaccel.language.terms import Source
from fixaccel.replay import figures
from fixaccel.replay.clock import Clock
from fixaccel.replay.figures import Sheet, draw
from fixaccel.replay.fills import ASSUMES
from fixaccel.replay.ledger import standing
from fixaccel.replay.lines import Bounds, Lines, near_text
from fixaccel.replay.quotes import book, pauses
from fixaccel.replay.reasons import book_text, condition_text, observed_text, order_text, outcome_text
from fixaccel.replay.record import Day, InstrumentDay, RuleDay, Shot
from fixaccel.semantics.fires import SENT

# Of a whole page: with four columns of prices and times they take some 2 MB of it.
_MESSAGES = 48_000
_POINTS = 20_000
_LISTED_FIRES = 1000
_LISTED_NEAR = 100


@dataclass(frozen=True)
class Written:
    """The page, and how many of the messages that change a price it draws."""

    html: str
    drawn: int
    changed: int


def write_page(day: Day, events: EventColumns, name: str) -> Written:
    """The page of a day of the events in the file ``name``."""
    begin, end = (int(events.ts_ns[0]), int(events.ts_ns[-1])) if len(events) else (0, 0)
    clock = Clock(day.strategy.venue.time_zone, begin)
    shown = [one for one in day.instruments if len(one.market)] or list(day.instruments)
    followed = sum(bool(part.stops) for one in shown for rule in one.rules for part in rule.parts)
    bounds = Bounds(
        messages=_MESSAGES // max(len(shown), 1),
        points=_POINTS // max(followed + (len(shown) if day.model else 0), 1),
        thresholds=max(1200 // max(len(shown), 1), 50),
    )
    limits = day.strategy.limits
    views = [_view(one, clock, bounds, limits, (begin, end), day.model) for one in shown]
    drawn, changed = (sum(view[key] for view in views) for key in ("drawn", "changed"))
    html = _template().render(
        name=day.strategy.name,
        file=name,
        date=clock.day(begin),
        zone=clock.name,
        begin=clock.text(begin),
        end=clock.text(end),
        events=day.events,
        fires=len(day.course.fires),
        sent=day.sent,
        model=day.model,
        assumes=ASSUMES.get(day.model or "", ""),
        results=[(one.market.instrument.symbol, *_final(one)) for one in shown if one.fills],
        invalid=day.course.invalid_prices,
        views=views,
        silent=[(one.market.instrument.symbol, len(one.rules)) for one in day.instruments if one not in shown],
        drawn=drawn,
        changed=changed,
        library=Resources(mode="inline", components=["bokeh"]).js_raw,
        plots=_json({view["symbol"]: view["item"] for view in views}),
        toggles=_json({view["symbol"]: view["toggles"] for view in views}),
        colours={"bid": figures.BID, "ask": figures.ASK, "buy": figures.BUY, "sell": figures.SELL},
    )
    return Written(html, drawn, changed)


def _final(one: InstrumentDay) -> tuple[int, int, str]:
    """How many fills there were, the position at the end and the result."""
    found = standing(
        one.fills, one.market.event[-1:], one.market.floats(Source.LAST)[-1:], one.market.instrument.multiplier
    )
    return len(one.fills), int(found.position[-1]), f"{found.result[-1]:,.2f}"


def _template() -> jinja2.Template:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(data_path("templates") / "replay"),
        undefined=jinja2.StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["number"] = lambda value: f"{value:,}"
    return environment.get_template("page.html.j2")


def _json(value: object) -> str:
    """JSON that may stand inside a script: nothing in it ends the element."""
    return json.dumps(value, separators=(",", ":")).replace("<", "\\u003c")


def _view(
    one: InstrumentDay, clock: Clock, bounds: Bounds, limits: Limits, span_ns: tuple[int, int], model: str | None
) -> dict[str, Any]:
    """One instrument for the template."""
    shots = sorted((shot for rule in one.rules for shot in rule.shots), key=lambda shot: shot.row)
    quotes = book(one.market, shots, clock, bounds.messages)
    lines = Lines(one, clock, bounds, span_ns[1])
    start, end = (clock.place(ts_ns) for ts_ns in span_ns)
    sheet = Sheet(one, lines, quotes, pauses(one.market, clock), limits, clock.name, start, end)
    drawing = draw(sheet, model)
    return {
        "symbol": one.market.instrument.symbol,
        "item": drawing.item,
        "toggles": drawing.toggles,
        "drawn": quotes.drawn,
        "changed": quotes.changed,
        "left_out": lines.left_out,
        "paused": bool(sheet.pauses),
        "rules": [_rule(rule, number) for number, rule in enumerate(one.rules)],
        "fires": [_fire(one, shot, clock, limits) for shot in shots[:_LISTED_FIRES]],
        "more_fires": max(len(shots) - _LISTED_FIRES, 0),
        **_near(one, clock),
    }


def _rule(rule: RuleDay, number: int) -> dict[str, Any]:
    ends = {change.state if part.lives else "never armed" for part in rule.parts for change in part.changes[-1:]}
    first = rule.parts[0].rule
    waits = condition_text(first) if len(rule.parts) == 1 else f"{len(rule.parts):,} parts"
    rejected = len(rule.shots) - rule.sent
    if rule.shots:
        told = [f"{rule.sent} sent"] * bool(rule.sent) + [f"{rejected} rejected"] * bool(rejected)
        status = ", ".join(told)
    else:
        status = ", ".join(sorted(ends))
    nearest = rule.nearest
    near = near_text(nearest.near.ticks) if nearest and nearest.near and not rule.shots else ""
    return {
        "key": f"rule {number}", "id": rule.block.id, "waits": waits, "status": status, "near": near,
        "colour": figures.colour(number), "note": rule.block.note or "",
    }  # fmt: skip


def _fire(one: InstrumentDay, shot: Shot, clock: Clock, limits: Limits) -> dict[str, Any]:
    fire = shot.fire
    return {
        "x": clock.place(fire.ts_ns), "time": clock.text(fire.ts_ns), "event": fire.event, "rule": fire.rule,
        "condition": condition_text(shot.rule), "observed": observed_text(fire), "order": order_text(fire),
        "outcome": outcome_text(fire, shot.rule, limits), "sent": fire.outcome == SENT, "side": fire.side,
        "book": book_text(one.market, shot.row),
    }  # fmt: skip


def _near(one: InstrumentDay, clock: Clock) -> dict[str, Any]:
    """The parts that never fired, nearest first."""
    parts = [(part, part.near) for rule in one.rules for part in rule.parts if part.near is not None]
    parts.sort(key=lambda pair: (pair[1].ticks, pair[1].row))
    rows = []
    for part, near in parts[:_LISTED_NEAR]:
        at = int(one.market.ts_ns[near.row])
        seen = f"{near.source.value} {price_text(near.units, near.source, one.market.instrument)}"
        rows.append(
            {
                "x": clock.place(at), "time": clock.text(at), "event": int(one.market.event[near.row]) + 1,
                "rule": part.rule.id, "condition": condition_text(part.rule), "seen": seen,
                "away": near_text(near.ticks),
            }
        )  # fmt: skip
    return {"near": rows, "more_near": len(parts) - len(rows)}
