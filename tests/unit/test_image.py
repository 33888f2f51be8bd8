# SPDX-License-Identifier: Apache-2.0
"""Packing: what stands in the memories, and what is said when something does not fit."""

from dataclasses import replace
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from image_cases import (
    BOARD,
    CAPACITY,
    HWMAP,
    LAYOUT,
    MSFT,
    ORDER,
    SESSION,
    build,
    instrument,
    placed,
    records,
    rule,
    strategy,
)
from sent_orders import Memory, Sent, send_order

from fixaccel.events.columns import wire_price
from fixaccel.image.image import ImageError
from fixaccel.image.layout import Layout
from fixaccel.image.pack.pack import build_image
from fixaccel.image.templates.digits import price_texts, price_values, price_width
from fixaccel.image.templates.message import MessageError, fields_of, read_order, utc_text
from fixaccel.image.templates.template import before_checksum, fix_sum, tcp_sum
from fixaccel.language.forms import Triggers
from fixaccel.language.orders import Orders
from fixaccel.language.rules import Block, Strategy
from fixaccel.language.terms import Direction, OrderType, Source, Venue
from fixaccel.source import Span


def faults(rules, board=BOARD, session=SESSION):
    with pytest.raises(ImageError) as caught:
        build_image(strategy(rules, session), board, HWMAP)
    return [(d.code.slug, d.message, d.span.line) for d in caught.value.diagnostics]


def test_chains_hold_triggers_in_firing_order():
    whens = ["last <= 10", "last >= 5", "last <= 12", "last <= 11", "last <= 12", "bid >= 1"]
    image = build([rule(index, when) for index, when in enumerate(whens)])
    triggers, chains = records(image, "trigger"), records(image, "chain")
    falls = chains[LAYOUT.chain(0, Source.LAST, Direction.LE)]
    assert [triggers[at]["rule"] for at in range(falls["first"], falls["last"] + 1)] == [2, 4, 3, 0]
    rises = chains[LAYOUT.chain(0, Source.LAST, Direction.GE)]
    assert [triggers[at]["rule"] for at in range(rises["first"], rises["last"] + 1)] == [1]
    assert chains[LAYOUT.chain(0, Source.BID, Direction.GE)]["valid"] == 1
    assert chains[LAYOUT.chain(0, Source.BID, Direction.LE)]["valid"] == 0
    assert [word["triggers"] for word in records(image, "live")] == [0b111111]
    assert [triggers[at]["rule"] for at in image.trigger.tolist()] == list(range(6))


def test_chain_numbers_are_those_of_the_map():
    # As its documentation says: instrument * 8 + source * 2 + direction.
    assert LAYOUT.chain(3, Source.LAST, Direction.GE) == 3 * 8 + 2 * 2 + 1


def test_equal_orders_share_a_record_and_equal_texts_a_template():
    other_qty, other_price = replace(ORDER, qty=3), replace(ORDER, price=120_000)
    image = build([rule(0), rule(1), rule(2, order=other_qty), rule(3, order=other_price)])
    assert image.order.tolist() == [0, 0, 1, 2]
    assert image.used == {"instruments": 1, "triggers": 4, "intervals": 0, "orders": 3, "templates": 1, "groups": 0}


def test_symbols_of_one_length_share_a_template():
    image = build([rule(0), rule(1, on=instrument("GOOG")), rule(2, on=instrument("AB"))])
    assert image.template.tolist() == [0, 0, 1]
    assert image.order.tolist() == [0, 1, 2], "a record's sums are those of its instrument"
    sent = [send_order(memories(image), number, SENT, LAYOUT, instrument=number) for number in range(3)]
    assert [read_order(message).symbol for message in sent] == ["MSFT", "GOOG", "AB"]
    with pytest.raises(MessageError, match="TCP sum"):
        send_order(memories(image), 0, SENT, LAYOUT, instrument=1)


def test_prices_of_one_width_share_a_template():
    narrow = rule(2, order=replace(ORDER, price=100), on=instrument("7203", "1"))
    image = build([rule(0), rule(1, on=instrument("GOOG", "0.001", "0", "1000")), narrow])
    assert image.template.tolist() == [0, 0, 1]


def test_the_price_of_a_market_order_does_not_count():
    market = replace(ORDER, type=OrderType.MARKET, price=None)
    blocks = [rule(0, order=market), rule(1, order=market)]
    orders = replace(blocks[1].form.orders, price=np.array([7]))
    blocks[1] = replace(blocks[1], form=replace(blocks[1].form, orders=orders))
    assert build(blocks).used["orders"] == 1


def test_only_instruments_with_rules_take_room():
    venue = Venue("v", "UTC", SESSION, "snapshot", {"A": instrument("A"), "MSFT": MSFT})
    image = build_image(placed(Strategy("s", venue, (rule(0),), {})), BOARD, HWMAP)
    assert [one.symbol for one in image.instruments] == ["MSFT"]


def test_what_runs_in_the_runtime_takes_no_room():
    rules = [rule(0), rule(1, "last <= 3", replace(ORDER, qty=3)), rule(2, on=instrument("A")), rule(3, "last <= 4")]
    image = build_image(placed(strategy(rules), 0, 2), BOARD, HWMAP)
    assert image.used == {"instruments": 1, "triggers": 2, "intervals": 0, "orders": 2, "templates": 1, "groups": 0}
    assert image.trigger.tolist() == [-1, 1, -1, 0]
    assert image.order.tolist() == [-1, 0, -1, 1]
    assert [trigger["rule"] for trigger in records(image, "trigger")] == [3, 1]


def test_parts_that_were_not_placed_are_no_strategy():
    with pytest.raises(ValueError, match="2 parts, 0 of them placed"):
        build_image(replace(strategy([rule(0), rule(1)]), placement=np.zeros(0, np.uint8)), BOARD, HWMAP)


def test_a_number_beyond_the_boards_is_named():
    rules = [rule(n) for n in range(65)]
    with pytest.raises(ImageError) as caught:
        build_image(placed(strategy(rules), *range(64)), BOARD, HWMAP)
    assert [(d.code.slug, d.message) for d in caught.value.diagnostics] == [
        ("part-number", "`r64` is part 65 of the strategy, board small has numbers for 64")
    ]


@pytest.mark.parametrize(("count", "words"), [(32, [2**32 - 1]), (33, [2**32 - 1, 1])])
def test_every_trigger_is_live_at_load(count, words):
    assert [word["triggers"] for word in records(build([rule(n) for n in range(count)]), "live")] == words


def test_a_trigger_that_is_all_zero_is_there():
    assert records(build([rule(0, "last <= 0")]), "trigger") == [{"threshold": 0, "rule": 0, "order": 0}]


def test_rows_of_a_table_are_named_by_their_line():
    rows = 65
    triggers = Triggers(
        source=np.full(rows, 2, np.uint8),
        direction=np.zeros(rows, np.uint8),
        threshold=np.arange(rows),
        confirm=np.ones(rows, np.uint8),
        orders=Orders.of([ORDER] * rows),
    )
    place = Span("s.yaml", 1, 1, 1, 2)
    block = Block("grid", "grid", 0, MSFT, triggers, place, place, many=True, table_file="grid.csv")
    whole = strategy([replace(block, table_lines=np.arange(2, rows + 2))])
    with pytest.raises(ImageError) as caught:
        build_image(whole, BOARD, HWMAP)
    (diagnostic,) = caught.value.diagnostics
    assert str(diagnostic.span) == "grid.csv:66:1"


def test_no_rule_gives_empty_memories():
    image = build([])
    assert all(data == b"" for data in image.memories.values())


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ([rule(n) for n in range(65)], [("capacity", "board small has 64 triggers, the strategy needs 65", 65)]),
        (
            [rule(n, order=replace(ORDER, qty=n + 1)) for n in range(5)],
            [("capacity", "board small has 4 orders, the strategy needs 5", 5)],
        ),
        (
            [rule(n, order=replace(ORDER, account=f"A{n}")) for n in range(3)],
            [("capacity", "board small has 2 templates, the strategy needs 3", 3)],
        ),
        (
            [rule(n, on=instrument(f"S{n}")) for n in range(5)],
            [
                ("capacity", "board small has 4 instruments, the strategy needs 5", 5),
                ("capacity", "board small has 4 orders, the strategy needs 5", 5),
            ],
        ),
        (
            [rule(0, on=instrument("1UZ4B6")), rule(1, on=instrument("4MIXYX"))],
            [("symbol-clash", "the directory cannot tell 1UZ4B6 and 4MIXYX apart", 1)],
        ),
        (
            [rule(0, order=replace(ORDER, fields={58: "x" * 400}))],
            [("message-too-long", "the order of `r0` is a FIX message of 598 bytes, the fabric holds 512", 1)],
        ),
        (
            [rule(0, order=replace(ORDER, qty=10**10))],
            [("too-wide", "the quantity 10000000000 of `r0` has 11 characters, the fabric holds 10", 1)],
        ),
    ],
)
def test_what_does_not_fit_is_named(rules, expected):
    assert faults(rules) == expected


def test_capacities_must_suit_the_hash():
    with pytest.raises(ValueError, match="not a power of two"):
        Layout(HWMAP, CAPACITY | {"instruments": 3})


@pytest.mark.parametrize(
    ("tick", "low", "high", "price", "text"),
    [
        ("0.01", "0.01", "10000", "1100", "01100.00"),
        ("0.01", "-100", "500", "12.5", "0012.50"),
        ("0.01", "-100", "500", "-0.5", "-000.50"),
        ("5", "0", "1000", "25", "0025"),
        ("0.00000001", "0", "9999999999", "12.5", "0000012.50000000"),
    ],
)
def test_price_texts_have_one_width(tick, low, high, price, text):
    traded = instrument("A", tick, low, high)
    units = np.array([traded.to_units(Decimal(price))])
    texts, fits = price_texts(units, np.zeros(1, np.int32), [traded], 16)
    assert bytes(texts[0]).rstrip(b"\0").decode() == text
    assert fits.all()
    width = price_width(traded, 16)
    assert len(text) == width
    assert price_values(texts, width, traded.ticks.places)[0] == Decimal(text).scaleb(traded.ticks.places)


def divided(wire, record):
    """By the price unit, as the fabric does it: a 64-bit multiplication and a shift."""
    product = wire * record["inverse"] % 2**64
    units, rest = divmod(product - (product >> 63 << 64), 1 << record["shift"])
    return units if not rest and record["price_min"] <= units <= record["price_max"] else None


@given(
    st.sampled_from(["0.01", "0.25", "0.07", "1", "0.00000001", "0.5", "3"]),
    st.decimals(-99999, 99999, allow_nan=False, places=8),
)
def test_division_by_the_unit_is_exact(tick, price):
    traded = instrument("A", tick, "-20000.25" if tick == "0.25" else "0", "21000" if tick != "3" else "2100")
    image = build([rule(0, "last <= 21", order=replace(ORDER, price=0), on=traded)])
    (record,) = records(image, "instrument")
    units = traded.to_units(price)
    expected = units if units is not None and traded.price_min <= units <= traded.price_max else None
    wire, _ = wire_price(format(price, "f"))
    assert divided(wire, record) == expected


def memories(image):
    return {name: Memory(name, data, LAYOUT) for name, data in image.memories.items()}


SENT = Sent(12_345_678, 1_700_000_000_987_654_321, "0000ABCDEFGH00000001")


def test_an_order_is_a_whole_fix_message():
    image = build([rule(0)])
    message = send_order(memories(image), 0, SENT, LAYOUT)
    assert message.replace(b"\x01", b"|").decode() == (
        "8=FIX.4.4|9=171|35=D|34=12345678|49=CLIENT1|52=20231114-22:13:20.987|56=VENUE|1=ACC|11=0000ABCDEFGH00000001|"
        "21=1|38=0000000002|40=2|44=01100.00|54=2|55=MSFT|59=0|60=20231114-22:13:20.987|10=251|"
    )
    order = read_order(message)
    assert (order.side, order.qty, order.type, order.price) == ("sell", 2, "limit", "1100")


@given(
    st.integers(1, 99_999_999),
    st.integers(0, 2**63 - 1),
    st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", min_size=20, max_size=20),
    st.sampled_from(["", "A", "AB"]),
    st.sampled_from([OrderType.LIMIT, OrderType.MARKET]),
)
def test_sums_hold_for_every_field_value(seq_num, time_ns, cl_ord_id, account, kind):
    order = replace(ORDER, account=account or None, type=kind, price=ORDER.price if kind is OrderType.LIMIT else None)
    # send_order checks the precomputed TCP sum, read_order the FIX one.
    message = send_order(memories(build([rule(0, order=order)])), 0, Sent(seq_num, time_ns, cl_ord_id), LAYOUT)
    assert read_order(message).cl_ord_id == cl_ord_id


@pytest.mark.parametrize("field", ["tcp_sum", "fix_sum"])
def test_a_wrong_sum_is_noticed(field):
    image = build([rule(0)])
    (order,) = records(image, "order")
    order[field] ^= 4
    broken = {**image.memories, "order": LAYOUT.record("order").pack(order)}
    with pytest.raises(MessageError):
        read_order(send_order({n: Memory(n, d, LAYOUT) for n, d in broken.items()}, 0, SENT, LAYOUT))


@pytest.mark.parametrize("field", ["seq_num_odd", "sending_time_odd", "transact_time_odd", "cl_ord_id_odd"])
def test_a_wrong_parity_is_noticed(field):
    image = build([rule(0)])
    (shape,) = records(image, "template_shape")
    shape[field] ^= 1
    broken = {**image.memories, "template_shape": LAYOUT.record("template_shape").pack(shape)}
    with pytest.raises(MessageError, match="TCP sum"):
        send_order({n: Memory(n, d, LAYOUT) for n, d in broken.items()}, 0, SENT, LAYOUT)


@pytest.mark.parametrize("cut", [1, 3, 8])
def test_a_cut_message_is_no_order(cut):
    message = send_order(memories(build([rule(0)])), 0, SENT, LAYOUT)
    with pytest.raises(MessageError):
        fields_of(message[:-cut])


@given(st.binary(max_size=40))
def test_sums_by_definition(data):
    assert fix_sum(data) == sum(data) % 256
    words = [int.from_bytes((data + b"\0")[at : at + 2], "big") for at in range(0, len(data), 2)]
    assert tcp_sum(data) % 0xFFFF == sum(words) % 0xFFFF
    assert tcp_sum(data) <= 0xFFFF
    assert (tcp_sum(data) == 0) == (not any(data))


def test_time_text():
    assert utc_text(0) == "19700101-00:00:00.000"
    assert utc_text(1_709_251_199_999_999_999) == "20240229-23:59:59.999"


def test_checksum_covers_up_to_its_own_field():
    assert before_checksum(b"8=F\x0110=1\x0110=123\x01") == b"8=F\x0110=1\x01"
