# SPDX-License-Identifier: Apache-2.0
"""Strategies whose orders would meet each other, over days that end: `self_trade` rejects many of them."""

from choices import Choices
from strategy_cases import Case

_HOUR = 3600 * 10**9
_START = 1_700_000_000 * 10**9
_ZONES = ["UTC", "Asia/Tokyo", "America/New_York", "Australia/Lord_Howe"]
_SYMBOLS = ["AAA", "BBB"]


def crossing_case(choices: Choices) -> Case:
    """Thresholds and decisions on `last` with orders of both sides at few prices, all of it for the fabric."""
    rules = tuple(_rule(choices, number) for number in range(choices.number(4, 9)))
    more = choices.pick(["", "", ", total_orders: 9", ", per_instrument: {AAA: {total_qty: 30}}"])
    now, events = _START, []
    for _ in range(choices.number(5, 40)):
        now += choices.pick([0, 1, _HOUR, 5 * _HOUR, 11 * _HOUR])
        events.append(f"{now},{choices.pick(_SYMBOLS)},snapshot,,,,,{100 + choices.number(-4, 4)},1")
    return Case(
        venue=f"fixaccel-venue: 1\nname: v\ntime_zone: {choices.pick(_ZONES)}\n"
        "session: {begin_string: FIX.4.4, sender_comp_id: CLIENT, target_comp_id: VENUE, connect: 10.0.0.1:9878,"
        " heartbeat: 30s}\nmarket_data: {message: snapshot}\ninstruments:\n"
        + "".join(f"  {symbol}: {{tick: 0.5, lot: 1, price_range: -50..200}}\n" for symbol in _SYMBOLS),
        head=f"limits: {{self_trade: reject{more}}}\n",
        rules=rules,
        events=tuple(events),
    )


def _rule(choices: Choices, number: int) -> str:
    head = f"  - id: r{number}\n    instrument: {choices.pick(_SYMBOLS)}\n"
    if choices.chance(4):
        low = 96 + choices.number(0, 6)
        head += f"    decide: {{source: last, intervals: [{{from: {low}, to: {low + 1}}}]}}\n"
    else:
        head += f"    when: last {choices.pick(['<=', '>='])} {100 + choices.number(-4, 4)}\n"
        if choices.chance(60):
            reset = f"last {choices.pick(['<=', '>='])} {100 + choices.number(-4, 4)}"
            head += f"    rearm: {{reset: {reset}, times: {choices.number(1, 4)}}}\n"
    price = choices.number(-4, 4) / 2 + choices.pick([100, 100, 100, 0, -3])
    kind = "type: market" if choices.chance(15) else f"type: limit, price: {price:g}"
    terms = f"side: {choices.pick(['buy', 'sell'])}, qty: {choices.number(1, 3)}, {kind}"
    return head + f"    order: {{{terms}, tif: {choices.pick(['day', 'day', 'gtc', 'ioc', 'fok'])}}}\n"
