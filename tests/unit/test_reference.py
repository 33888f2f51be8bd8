# SPDX-License-Identifier: Apache-2.0
"""The reference interpreter against the sentences of the specification, the classic stop-order bugs among them."""

from decimal import Decimal

import pytest

from fixaccel.language.model import Direction, Instrument, OrderType, Session, Side, Source, TimeInForce, Venue
from fixaccel.language.rules import Block, Condition, Order, Strategy
from fixaccel.semantics.messages import Fire, Kind, Message
from fixaccel.semantics.reference import Interpreter
from fixaccel.source import Span
from fixaccel.values import TickTable

HERE = Span("s.yaml", 1, 1, 1, 2)
MSFT = Instrument("MSFT", TickTable.of("0.01"), 1, Decimal(1), 1, 1_000_000, HERE)
OIL = Instrument("OIL", TickTable.of("0.01"), 1, Decimal(1), -10_000, 50_000, HERE)


def run(whens, events, instrument=MSFT):
    """Ids of the rules that fire, one list an event. A rule is its own condition."""
    blocks = []
    for index, when in enumerate(whens):
        source, op, price = when.split()
        threshold = instrument.to_units(Decimal(price))
        condition = Condition(Source(source), Direction(op), threshold, when)
        order = Order(Side.SELL, 1, OrderType.MARKET, None, TimeInForce.DAY, None, {})
        blocks.append(Block.of(f"{index}:{when}", index, instrument, condition, order, HERE))
    session = Session("FIX.4.4", "C", "V", "10.0.0.1", 1, 30)
    venue = Venue("v", "UTC", session, "snapshot", {i.symbol: i for i in (MSFT, OIL)})
    interpreter = Interpreter(Strategy("s", venue, tuple(blocks), {}))
    return [[fire.rule for fire in interpreter.process(m)] for m in messages(events, instrument)], interpreter


def messages(events, instrument):
    for number, event in enumerate(events, start=1):
        head, *rest = event.split()
        kind, symbol = head, instrument.symbol
        if kind.endswith("*"):
            kind, symbol = kind[:-1], None
        prices = {Source(name): text for name, text in zip(rest[::2], rest[1::2], strict=True)}
        yield Message(number, number, symbol, Kind(kind), prices, {})


def fires(whens, events, instrument=MSFT):
    return run(whens, events, instrument)[0]


@pytest.mark.parametrize(
    ("when", "price", "expected"),
    [
        ("last <= 100", "100", True),
        ("last <= 100", "100.01", False),
        ("last <= 100", "99.99", True),
        ("last >= 100", "100", True),
        ("last >= 100", "99.99", False),
        ("last >= 100", "250", True),  # through the threshold, not at it
    ],
)
def test_equality_fires_and_one_tick_short_does_not(when, price, expected):
    assert bool(fires([when], [f"update last {price}"])[0]) is expected


def test_fires_once():
    assert fires(["last <= 100"], ["update last 100", "update last 99", "snapshot last 98"]) == [
        ["0:last <= 100"],
        [],
        [],
    ]


def test_another_source_does_not_fire_it():
    assert fires(["last <= 100"], ["update bid 90 ask 91", "update last 101"]) == [[], []]


def test_highest_stop_first_and_only_those_reached():
    assert fires(["last <= 56", "last <= 58"], ["update last 57"]) == [["1:last <= 58"]]
    assert fires(["last <= 56", "last <= 58"], ["update last 50"]) == [["1:last <= 58", "0:last <= 56"]]


def test_falls_come_before_rises_and_equal_thresholds_in_declaration_order():
    whens = ["bid >= 10", "bid >= 9", "bid <= 12", "bid <= 11", "bid <= 12", "bid >= 9"]
    expected = ["2:bid <= 12", "4:bid <= 12", "3:bid <= 11", "1:bid >= 9", "5:bid >= 9", "0:bid >= 10"]
    assert fires(whens, ["update bid 10"]) == [expected]


def test_observations_in_the_order_bid_ask_last():
    whens = ["last <= 100", "ask <= 100", "bid <= 100"]
    expected = ["2:bid <= 100", "1:ask <= 100", "0:last <= 100"]
    assert fires(whens, ["update last 100 ask 100 bid 100"]) == [expected]


def test_a_price_that_is_no_observation_is_counted():
    whens = ["last <= 100", "last >= 1"]
    seen, interpreter = run(whens, ["update last 99.995", "update last 0", "update last 10000.01", "update last -5"])
    assert seen == [[], [], [], []]
    assert interpreter.market.invalid_prices == 4


def test_missing_is_never_zero():
    assert fires(["last <= 0", "bid <= 0"], ["update ask 5", "snapshot", "update bid - last -"], OIL) == [[], [], []]


def test_negative_prices():
    assert fires(["bid <= -1.25"], ["update bid -1.24", "update bid -1.25"], OIL) == [[], ["0:bid <= -1.25"]]


def test_trailing_zeros_are_the_same_price():
    assert fires(["last <= 100"], ["update last 00100.000000000000"]) == [["0:last <= 100"]]


def test_gap_suspends_until_the_next_snapshot_of_that_instrument():
    events = ["gap", "update last 90", "open", "update last 90", "snapshot last 90"]
    assert fires(["last <= 100"], events) == [[], [], [], [], ["0:last <= 100"]]
    assert fires(["last <= 100"], ["gap*", "update last 90", "snapshot last 90"])[1:] == [[], ["0:last <= 100"]]


def test_halt_stops_until_open():
    events = ["halt", "snapshot last 90", "update last 90", "open", "update last 90"]
    assert fires(["last <= 100"], events) == [[], [], [], [], ["0:last <= 100"]]
    assert fires(["last <= 100"], ["halt*", "update last 90", "open*", "update last 90"])[3] == ["0:last <= 100"]


def test_a_snapshot_during_a_halt_ends_the_suspension():
    assert fires(["last <= 100"], ["halt", "gap", "snapshot", "open", "update last 90"])[4] == ["0:last <= 100"]


def test_other_instruments_do_not_fire_it():
    seen, interpreter = run(["last <= 100"], [], MSFT)
    assert seen == []
    assert list(interpreter.process(Message(1, 1, "OIL", Kind.UPDATE, {Source.LAST: "5"}, {}))) == []


def test_a_fire_tells_both_prices():
    _, interpreter = run(["last <= 100"], [])
    (fire,) = interpreter.process(Message(7, 42, "MSFT", Kind.UPDATE, {Source.LAST: "98.50"}, {}))
    assert fire == Fire(
        42, 7, "0:last <= 100", "last", "100", "98.5", "sell", 1, "market", "", "00000000000000000001", "sent"
    )
