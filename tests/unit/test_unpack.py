# SPDX-License-Identifier: Apache-2.0
"""Parts read back from the memories: what was packed comes out, and what the fabric would do wrongly is refused."""

import itertools
import random
from dataclasses import replace
from decimal import Decimal

import numpy as np
import pytest
from image_cases import (
    BOARD,
    HWMAP,
    LAYOUT,
    LEFT_OUT,
    ORDER,
    build,
    instrument,
    placed,
    read_back,
    records,
    rule,
    strategy,
)

from fixaccel.image.collar import share_of
from fixaccel.image.pack.pack import build_image
from fixaccel.image.software.columns import PartColumns
from fixaccel.image.unpack.read_error import ImageReadError
from fixaccel.language.rules import Limits, Window
from fixaccel.language.terms import Direction, OrderType, Side, Source, TimeInForce

TIMED = ("last <= 1180", "last <= 1170", "bid <= 1180", "ask >= 1190")
NO_LIMITS = Limits()
ROOMY = replace(BOARD, capacity={**BOARD.capacity, "orders": 16, "templates": 16})


def check(rules, limits=NO_LIMITS):
    whole = replace(strategy(rules), limits=limits)
    found, packed = read_back(whole, build_image(whole, ROOMY, HWMAP), ROOMY)
    for name in packed.columns:
        if not name.startswith(LEFT_OUT):
            assert np.array_equal(found[name], packed[name]), name
    assert isinstance(found, PartColumns)


def any_rule(random_, index, on):
    kind = random_.choice(list(OrderType))
    tick = random_.choice([1, 10, 1000])
    order = replace(
        ORDER,
        side=random_.choice(list(Side)),
        qty=random_.choice([1, 2, 9_999_999_999]),
        type=kind,
        price=random_.randrange(-9000 // tick, 9000 // tick) * tick if kind is OrderType.LIMIT else None,
        tif=random_.choice(list(TimeInForce)[:2]),
        account=random_.choice([None, "A", "AB"]),
        fields=random_.choice([{}, {58: "55=X 44=1"}, {5001: "x" * 20}]),
    )
    source, direction = random_.choice(["bid", "ask", "last"]), random_.choice(["<=", ">="])
    low, high = -on.unit * 50, on.unit * 90
    when = f"{source} {direction} {random_.choice([low, high, 0 * low, on.unit])}"
    return rule(index, when, order, on)


@pytest.mark.parametrize("seed", range(40))
def test_what_was_packed_comes_out(seed):
    random_ = random.Random(seed)
    known = [
        instrument("MSFT"),
        instrument("7203", "0.5", "-100000", "100000"),
        instrument("A/B.C-D_E^F9", "0.00000001", "-0.0001", "0.0001"),
        instrument("Z", "5", "-50000", "50000"),
    ]
    limits = Limits(
        order_notional=random_.choice([None, Decimal("0.01"), Decimal(10**6), Decimal(10**30)]),
        orders_per_second=random_.choice([None, 1, 10**6]),
        total_orders=random_.choice([None, 1, 10**15]),
        total_qty=random_.choice([{}, {"MSFT": 1}, {"MSFT": 999_999_999, "Z": 10}]),
    )
    check([any_rule(random_, index, random_.choice(known)) for index in range(random_.randrange(9))], limits)


LE, BID_GE = LAYOUT.chain(0, Source.LAST, Direction.LE), LAYOUT.chain(1, Source.BID, Direction.GE)
RULES = [rule(n, f"last <= {price}", replace(ORDER, qty=n + 1)) for n, price in enumerate([5, 7, 6])]
RULES += [rule(3, "bid >= 9", replace(ORDER, type=OrderType.MARKET, price=None), instrument("ZZ"))]
FIRST = records(build(RULES), "order")[0]
SHAPE = records(build(RULES), "template_shape")[0]


def broken(memory, number, limits=NO_LIMITS, **fields):
    """The packed RULES with fields of one record changed."""
    whole = replace(strategy(RULES), limits=limits)
    image = build_image(whole, BOARD, HWMAP)
    record = LAYOUT.record(memory)
    data, stride = image.memories[memory], record.stride_bytes
    values = record.unpack(data[number * stride :][:stride]) | fields
    changed = data[: number * stride] + record.pack(values) + data[(number + 1) * stride :]
    return read_back(whole, image, **{memory: changed})


def slot_of_symbol(symbol):
    key = int.from_bytes(symbol.encode(), "little")
    index = next(n for n, entry in enumerate(records(build(RULES), "symbol")) if entry["key"] == key)
    directory = records(build(RULES), "directory")
    return next(n for n, entry in enumerate(directory) if entry["valid"] and entry["instrument"] == index)


def test_the_rules_to_be_broken_are_sound():
    check(RULES)
    same = broken("chain", LE, first=0)[0]
    assert same["part.threshold"].tolist() == [500, 700, 600, 900]


@pytest.mark.parametrize(
    ("memory", "number", "fields", "message"),
    [
        ("chain", LE, {"first": 3}, "does not lie in the trigger memory"),
        ("chain", LE, {"last": 8}, "does not lie in the trigger memory"),
        ("chain", LE, {"first": 1}, "no chain or more than one"),
        ("chain", LE, {"last": 3}, "no chain or more than one"),
        ("chain", LE, {"valid": 0}, "no chain or more than one"),
        ("live", 0, {"triggers": 0b1101}, "neither live nor dormant"),
        ("live", 0, {"triggers": 0b11111}, "trigger that is not there"),
        ("trigger", 1, {"threshold": 701}, "not in firing order"),
        ("trigger", 2, {"threshold": 600}, "not in firing order"),
        ("trigger", 1, {"rule": 0}, "same rule"),
        ("trigger", 1, {"rule": 4}, "rule that the bundle does not have"),
        ("trigger", 1, {"order": 4}, "order that is not there"),
        ("trigger", 3, {"order": 0}, "another instrument"),
        ("order", 0, {"template_index": 2}, "template that is not there"),
        ("order", 0, {"tcp_sum": 1}, "sums that are not those of its bytes"),
        ("order", 0, {"fix_sum": 1}, "sums that are not those of its bytes"),
        ("order", 0, {"price": FIRST["price"] + 1}, "sums that are not those of its bytes"),
        ("order", 0, {"qty": FIRST["qty"] + 1}, "sums that are not those of its bytes"),
        ("template_shape", 1, {"last_byte": 99}, "template 1: "),
        ("template_shape", 1, {"last_byte": 511}, "template 1: "),
        ("template_shape", 1, {"seq_num_odd": 1}, "template 1: seq_num_odd"),
        ("template_shape", 0, {"cl_ord_id_odd": 1 - SHAPE["cl_ord_id_odd"]}, "template 0: cl_ord_id_odd"),
        ("template_byte", 0, {"value": 57}, "no 8, 9, 35"),
        ("template_byte", 512, {"patch": 1}, "template 1: "),
        ("instrument", 0, {"shift": 5}, "unit is not the venue's"),
        ("instrument", 0, {"inverse": 2}, "divides nothing"),
        ("instrument", 1, {"price_max": 7}, "price_max is not the venue's"),
        ("directory", slot_of_symbol("MSFT"), {"valid": 0}, "another symbol than its orders"),
        ("symbol", 1, {"key": 0x42}, "hash does not lead to"),
        ("order", 2, {"valid": 0}, "order is not in use"),
        ("directory", slot_of_symbol("MSFT"), {"instrument": 1}, "hash does not lead to"),
        ("directory", slot_of_symbol("MSFT"), {"instrument": 900}, "instrument 900 has no symbol"),
    ],
)  # fmt: skip
def test_what_the_fabric_would_do_wrongly_is_refused(memory, number, fields, message):
    with pytest.raises(ImageReadError, match=message):
        broken(memory, number, **fields)


# ZZ's market order, its fourth, is of 2 at a unit of 0.01: at most 150.5 units, which is 301 half ones.
LIMITS = Limits(order_notional=Decimal("3.01"), orders_per_second=3, total_orders=4, total_qty={"MSFT": 7})
BOUND, MARKET = 150, 3


@pytest.mark.parametrize(
    ("memory", "number", "fields", "message"),
    [
        ("order", MARKET, {"price": 0xF << 60 | BOUND + 1}, "another bound"),
        ("order", MARKET, {"price": 0xF << 60 | BOUND - 1}, "another bound"),
        ("order", MARKET, {"price": 0}, "another bound"),
        ("order", MARKET, {"price": 0xF << 60 | 1 << 49 | BOUND}, "a price that is no bound"),
        ("order", MARKET, {"price": 0xE << 60 | BOUND}, "a price that is no bound"),
        ("order", MARKET, {"sell": 0}, "counts for the other side"),
        ("quantity_left", 0, {"buy": 8}, "`total_qty` of MSFT"),
        ("quantity_left", 0, {"sell": 2**36 - 1}, "`total_qty` of MSFT"),
        ("quantity_left", 1, {"sell": 7}, "`total_qty` of ZZ"),
    ],
)
def test_limits_that_are_not_the_strategys_are_refused(memory, number, fields, message):
    broken(memory, number, LIMITS)
    with pytest.raises(ImageReadError, match=message):
        broken(memory, number, LIMITS, **fields)


@pytest.mark.parametrize(
    "changed", [{"orders_per_second": 4}, {"total_orders": None}, {"unlimited_orders": True}], ids=str
)
def test_registers_that_are_not_the_strategys_are_refused(changed):
    whole = replace(strategy(RULES), limits=LIMITS)
    image = build_image(whole, BOARD, HWMAP)
    read_back(whole, image)
    with pytest.raises(ImageReadError):
        read_back(whole, image, limits=changed)


def test_orders_that_rest_are_noted_under_self_trade():
    whole = strategy(RULES)
    limited = replace(whole, limits=Limits(self_trade=True))
    for one in (whole, limited):  # noted or not, the venue keeps them
        found, packed = read_back(one, build_image(one, BOARD, HWMAP))
        assert found["order.rests"].tolist() == packed["order.rests"].tolist()
        assert any(found["order.rests"])
    for one, other in ((whole, limited), (limited, whole)):
        with pytest.raises(ImageReadError, match="an order that rests is not noted"):
            read_back(one, build_image(other, BOARD, HWMAP))


@pytest.mark.parametrize("seed", range(20))
def test_orders_of_an_instrument_are_numbered_by_price(seed):
    """Of any two, the sell meets the buy if its number is lower."""
    random_ = random.Random(seed)
    known = [instrument("MSFT"), instrument("Z", "5", "-50000", "50000")]
    rules = [any_rule(random_, index, random_.choice(known)) for index in range(16)]
    whole = strategy(rules)
    roomy = replace(BOARD, capacity={**BOARD.capacity, "orders": 16, "templates": 16})
    image = build_image(whole, roomy, HWMAP)
    for sell, buy in itertools.product(whole.rules, whole.rules):
        if sell.instrument is not buy.instrument or (sell.order.side, buy.order.side) != (Side.SELL, Side.BUY):
            continue
        market = OrderType.MARKET in (sell.order.type, buy.order.type)
        meets = market or sell.order.price <= buy.order.price
        assert (image.order[sell.index] < image.order[buy.index]) == meets


def test_orders_that_are_not_numbered_by_price_are_refused():
    one, other = (rule(n, f"last <= {1170 + n}", replace(ORDER, price=110_000 + n)) for n in range(2))
    whole = strategy([one, other])
    image = build_image(whole, BOARD, HWMAP)
    swapped = LAYOUT.record("order").stride_bytes
    orders, triggers = image.memories["order"], image.memories["trigger"]
    size = LAYOUT.record("trigger").stride_bytes
    fields = [LAYOUT.record("trigger").unpack(triggers[at : at + size]) for at in (0, size)]
    renamed = b"".join(LAYOUT.record("trigger").pack(each | {"order": 1 - each["order"]}) for each in fields)
    with pytest.raises(ImageReadError, match="not numbered by their prices"):
        read_back(whole, image, order=orders[swapped:] + orders[:swapped], trigger=renamed)


@pytest.mark.parametrize("limits", [Limits(repeat=1)], ids=["repeat"])
def test_rules_under_a_limit_that_the_fabric_does_not_check_are_refused(limits):
    whole = strategy(RULES)
    image = build_image(whole, BOARD, HWMAP)
    read_back(whole, image)
    with pytest.raises(ImageReadError, match="a limit that it does not check"):
        read_back(replace(whole, limits=limits), image)


def test_a_price_that_the_message_has_no_room_for_is_refused():
    with pytest.raises(ImageReadError, match="longer than its field"):
        broken("order", 0, price=FIRST["price"] | 5 << 60)
    with pytest.raises(ImageReadError, match="a price that is no bound"):
        broken("order", MARKET, price=5)


def test_windows_of_time_come_out():
    early, late = (Window(540, 600), Window(1320, 120)), (Window(0, 60),)
    during = {0: early, 1: early[::-1], 2: late}
    rules = [replace(rule(n, when), during=during.get(n, ())) for n, when in enumerate(TIMED)]
    whole = strategy(rules)
    found, packed = read_back(whole, build_image(whole, ROOMY, HWMAP), ROOMY)
    for part, column in enumerate((found["part.schedule"], packed["part.schedule"])):
        assert column.tolist()[2:] == [1 + part, -1]  # what is written in another order is another schedule there
    first, count = found["schedule.first"], found["schedule.count"]
    ends = list(zip(found["window.start"].tolist(), found["window.end"].tolist(), strict=True))
    listed = [ends[f : f + c] for f, c in zip(first, count, strict=True)]
    assert listed == [[(w.start, w.end) for w in some] for some in (early, late)]


def test_a_window_that_the_bundle_does_not_have_is_refused():
    whole = strategy([replace(rule(0), during=(Window(0, 60),))])
    image = build_image(whole, ROOMY, HWMAP)
    with pytest.raises(ImageReadError, match="window"):
        read_back(whole, replace(image, windows=[]), ROOMY)


def test_each_byte_of_a_template_counts():
    """No byte of the template memory may change unseen, but for those of values that only the venue reads."""
    image = build(RULES)
    record, stride = LAYOUT.record("template_byte"), LAYOUT.record("template_byte").stride_bytes
    length = records(image, "template_shape")[0]["last_byte"] + 1
    for number in range(length):
        byte = record.unpack(image.memories["template_byte"][number * stride :][:stride])
        with pytest.raises(ImageReadError):
            broken("template_byte", number, value=byte["value"] ^ 1)


def test_cut_memories_are_refused():
    whole = strategy(RULES)
    image = build_image(whole, BOARD, HWMAP)
    for memory, data in image.memories.items():
        for cut in (1, len(data)):
            if data and memory != "displacement":
                with pytest.raises(ImageReadError):
                    read_back(whole, image, **{memory: data[:-cut]})


def test_what_runs_in_the_runtime_is_not_there():
    whole = placed(strategy(RULES), 0, 3)
    found, _ = read_back(whole, build_image(whole, BOARD, HWMAP))
    assert found["part.index"].tolist() == [1, 2]
    assert found["part.threshold"].tolist() == [700, 600]


@pytest.mark.parametrize(("collar", "share"), [(None, share_of(5)), (500, 0), (500, share_of(501)), (500, 7)])
def test_a_collar_that_is_not_that_of_the_limits_is_refused(collar, share):
    whole = replace(strategy([rule(0)]), limits=Limits(collar=collar))
    image = build_image(whole, ROOMY, HWMAP)
    assert image.collar == share_of(collar)
    read_back(whole, image, ROOMY)
    with pytest.raises(ImageReadError, match="collar"):
        read_back(whole, replace(image, collar=share), ROOMY)
