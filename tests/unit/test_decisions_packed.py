# SPDX-License-Identifier: Apache-2.0
"""Decisions in the fabric's memories: what is packed, what comes out again, and what is refused."""

from dataclasses import replace
from functools import partial

import image_cases
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from image_cases import BOARD, HWMAP, LAYOUT, LEFT_OUT, MSFT, ORDER, instrument, placed, records, rule, strategy
from link_cases import linked

from fixaccel.image.image import ImageError
from fixaccel.image.layout import Layout
from fixaccel.image.pack.pack import build_image
from fixaccel.image.software.columns import PartColumns
from fixaccel.image.unpack.read_error import ImageReadError
from fixaccel.language.forms import Decision
from fixaccel.language.orders import Orders
from fixaccel.language.rules import Block
from fixaccel.language.terms import Direction, OrderType, Source, TimeInForce
from fixaccel.source import Span

ROOM = {"triggers": 128} | dict.fromkeys(("intervals", "orders", "templates"), 64)  # for the largest of `decisions`
ROOMY = replace(BOARD, capacity={**BOARD.capacity, **ROOM})
WIDE = Layout(HWMAP, ROOMY.capacity)
read_back = partial(image_cases.read_back, board=ROOMY)


def decision(index, ends, *, orders=None, source=Source.LAST, on=MSFT, **keys):
    """A block of one decision: ``ends`` are pairs of prices in units."""
    low, high = (np.array([pair[side] for pair in ends], np.int64) for side in (0, 1))
    orders = orders or [replace(ORDER, qty=row + 1) for row in range(len(ends))]
    form = Decision(source, low, high, Orders.of(orders), (int(low[0]), int(high[-1])))
    span = Span("s.yaml", index + 1, 1, index + 1, 9)
    return Block(f"r{index}", f"r{index}", index, on, form, span, span, **keys)


def build(blocks):
    return build_image(strategy(blocks), ROOMY, HWMAP)


GE = LAYOUT.chain(0, Source.LAST, Direction.GE)
BELOW = rule(0, "last <= 5", replace(ORDER, qty=9))
PAIR = [BELOW, decision(1, [(600, 600), (700, 800)])]


def test_an_interval_is_two_triggers_with_one_live_bit_for_all():
    image = build(PAIR)
    ends = [(one["threshold"], one["rule"], one["order"]) for one in records(image, "trigger")]
    assert ends == [(500, 0, 0), (600, 1, 1), (600, 1, 1), (700, 1, 2), (800, 1, 2)]
    chain = records(image, "chain")[GE]
    assert chain == {
        "first": 1,
        "last": 4,
        "valid": 1,
        "arms": 0,
        "window": 0,
        "kind": HWMAP.constant("kind_decide"),
        "confirms": 0,
    }
    assert records(image, "chain")[GE - 1]["kind"] == HWMAP.constant("kind_thresholds")
    assert records(image, "live") == [{"triggers": 0b00011}]
    assert image.trigger.tolist() == [0, 1]
    assert image.order.tolist() == [0, 1]
    assert (image.used["triggers"], image.used["intervals"]) == (5, 2)


def test_links_are_of_its_first_trigger():
    image = build_image(
        linked([decision(0, [(1, 2), (3, 4)], oco=np.array([0])), replace(rule(1, "bid <= 3"), oco=np.array([0]))]),
        ROOMY,
        HWMAP,
    )
    assert image.trigger.tolist() == [1, 0]
    links = [(one["first"], one["last"]) for one in records(image, "link")[1:]]
    assert links == [(0, 1)], "the interval's other end is never live"
    assert {one["link"] for one in records(image, "order")} == {1}


@st.composite
def decisions(draw):
    """Decisions on several sources, among thresholds that leave them their places."""
    blocks = []
    taken = draw(st.sets(st.sampled_from([Source.BID, Source.ASK, Source.LAST])))
    for source in sorted(taken, key=lambda one: one.value):
        ends = sorted(draw(st.sets(st.integers(-50, 50), min_size=2, max_size=12)))
        single = draw(st.booleans())
        pairs = [(end, end) for end in ends] if single else list(zip(ends[::2], ends[1::2], strict=False))
        orders = [
            replace(
                ORDER,
                qty=draw(st.integers(1, 3)),
                tif=draw(st.sampled_from([TimeInForce.DAY, TimeInForce.IOC])),
                **draw(st.sampled_from([{}, {"type": OrderType.MARKET, "price": None}])),
            )
            for _ in pairs
        ]
        on = draw(st.sampled_from([MSFT, instrument("ZZ")]))
        blocks.append(decision(len(blocks), pairs, orders=orders, source=source, on=on))
    for source in draw(st.lists(st.sampled_from(["bid", "ask", "last"]), max_size=3)):
        blocks.append(rule(len(blocks), f"{source} <= {draw(st.integers(1, 3))}"))
    return strategy(blocks)


@given(decisions())
def test_what_was_packed_comes_out(whole):
    found, packed = read_back(whole, build_image(whole, ROOMY, HWMAP))
    assert isinstance(found, PartColumns)
    for name in packed.columns:
        if not name.startswith(LEFT_OUT):
            assert np.array_equal(found[name], packed[name]), name


def broken(*changes, whole=None):
    """``whole`` with fields of records changed: (memory, number, fields) each."""
    whole = whole or strategy(PAIR)
    image = build_image(whole, ROOMY, HWMAP)
    memories = dict(image.memories)
    for memory, number, fields in changes:
        record, data = WIDE.record(memory), memories[memory]
        at = number * record.stride_bytes
        values = record.unpack(data[at : at + record.stride_bytes]) | fields
        memories[memory] = data[:at] + record.pack(values) + data[at + record.stride_bytes :]
    return read_back(whole, image, **memories)


@pytest.mark.parametrize(
    ("memory", "number", "fields", "message"),
    [
        ("trigger", 1, {"threshold": 601}, "ends below its beginning"),
        ("trigger", 3, {"threshold": 600}, "do not rise"),
        ("trigger", 3, {"rule": 0}, "of several rules"),
        ("trigger", 3, {"order": 1}, "ends of an interval have different orders"),
        ("trigger", 3, {"order": 9}, "order that is not there"),
        ("order", 2, {"link": 1}, "other links than its decision's first"),
        ("live", 0, {"triggers": 0b00111}, "begins no rule is live"),
        ("live", 0, {"triggers": 0b00001}, "neither live nor dormant"),
        ("chain", GE, {"kind": 0}, "same rule"),
        ("chain", GE - 1, {"kind": 1}, "not stand in the place"),
        ("chain", GE, {"last": 3}, "no chain or more than one"),
    ],
)
def test_what_the_fabric_would_do_wrongly_is_refused(memory, number, fields, message):
    broken()
    with pytest.raises(ImageReadError, match=message):
        broken((memory, number, fields))


def test_a_decision_without_a_last_end_is_refused():
    spare = placed(strategy([*PAIR, rule(2)]), 2)  # whose number a trigger by itself can have
    alone = ("chain", GE - 4, {"first": 4, "last": 4, "valid": 1})
    with pytest.raises(ImageReadError, match="interval without an end"):
        broken(("chain", GE, {"last": 3}), alone, ("trigger", 4, {"rule": 2}), whole=spare)


def test_intervals_are_counted_beside_triggers():
    small = replace(ROOMY, capacity={**ROOMY.capacity, "intervals": 3})
    with pytest.raises(ImageError, match="board small has 3 intervals, the strategy needs 4"):
        build_image(strategy([decision(0, [(n, n) for n in range(4)])]), small, HWMAP)


def test_a_decision_in_the_runtime_takes_nothing():
    image = build_image(placed(strategy(PAIR), 1), ROOMY, HWMAP)
    assert (image.used["triggers"], image.used["intervals"], image.trigger.tolist()) == (1, 0, [0, -1])
