# SPDX-License-Identifier: Apache-2.0
"""What the fabric watches for `rearm`, `if_already_through` and fills: packed, and read back."""

from dataclasses import replace

import numpy as np
import pytest
from image_cases import HWMAP, LAYOUT, placed, read_back, records
from link_cases import ROOMY, block, linked

from fixaccel.image.image import ImageError
from fixaccel.image.layout import Layout
from fixaccel.image.pack.pack import build_image
from fixaccel.image.unpack.read_error import ImageReadError
from fixaccel.image.unpack.watches import watch_triggers
from fixaccel.language.forms import Condition
from fixaccel.language.rules import ArmedOn, RearmAfter, RearmReset, Through
from fixaccel.language.terms import Direction, Source

MOST = LAYOUT.record("fire_count").field("fires").high
SLOTS = LAYOUT.constant("rearm_slots")
WATCH_QTY = LAYOUT.constant("char_bound") << 4 * (LAYOUT.constant("qty_text_chars") - 1)


def reset(source: str, direction: str, threshold: int, times: int = 3) -> RearmReset:
    return RearmReset(Condition(Source(source), Direction(direction), threshold, ""), times)


# Triggers: bid <= 0 the rule, bid >= 1 its reset, last >= 2 that of the second rule, 3 which is on bid too.
REARMED = linked(
    [
        replace(block(0, [10], source=0), rearm=reset("bid", ">=", 20)),
        replace(block(1, [9], source=0, qty=2), rearm=reset("last", ">=", 20, times=1)),
    ]
)
# Triggers: bid <= 0 and 1 the rules, 2 and 3, of no chain, the times.
TIMED = linked(
    [
        replace(block(0, [10], source=0), rearm=RearmAfter(10**9, 3)),
        replace(block(1, [9], source=0, qty=2), rearm=RearmAfter(10**9, 3)),
    ]
)
# Its first slot that is used.
SLOT = {"trigger": 2, "order": 2, "after": 10**9, "last": 4, "again": 1}
# Triggers: bid <= 10 the entry; 1, at 9, waits for its fills, for which 2, of no chain, is told.
FILLED = linked(
    [
        block(0, [10], source=0),
        replace(block(1, [9], source=0, qty=2, parents=(range(1),)), armed_on=ArmedOn.FILLED),
    ]
)
# Triggers: last <= 99 watches for the rule at >= 100, which another watch refuses; bid >= 51 for the one at <= 50.
JUDGED = linked(
    [
        replace(block(0, [100], source=2, direction=1, oco=[0]), through=Through.REJECT),
        replace(block(1, [50], source=0), through=Through.WAIT),
        block(2, [7], source=1, oco=[0]),
    ]
)


def orders(image):
    return records(image, "order")


def links(image, number: int) -> list[tuple[int, int, int, int]]:
    """A list from its first record on: first, last, arms, revives."""
    rows, found = records(image, "link"), []
    while number:
        one = rows[number]
        found.append((one["first"], one["last"], one["arms"], one["revives"]))
        number = number + 1 if one["more"] else 0
    return found


def done_by(image, trigger: int) -> list[tuple[int, int, int, int]]:
    return links(image, orders(image)[records(image, "trigger")[trigger]["order"]]["link"])


def bits(image, memory: str) -> list[int]:
    words = records(image, memory)
    return [place for place in range(32) if words and words[0]["triggers"] >> place & 1]


def test_a_reset_is_watched_by_a_trigger_of_its_own() -> None:
    image = build_image(REARMED, ROOMY, HWMAP)
    assert image.trigger.tolist() == [0, 1]
    assert [one["rule"] for one in records(image, "trigger")] == [0, 1, 0, 1]
    assert [one["threshold"] for one in records(image, "trigger")] == [10, 9, 20, 20]
    assert done_by(image, 0) == [(2, 2, 1, 1)], "bid and bid: from the next message on"
    assert done_by(image, 1) == [(3, 3, 0, 1)], "last comes behind bid"
    assert (done_by(image, 2), done_by(image, 3)) == ([(0, 0, 1, 1)], [(1, 1, 1, 1)])
    assert (bits(image, "live"), bits(image, "dormant")) == ([0, 1], [])
    assert [one["fires"] for one in records(image, "fire_count")] == [0, 0, MOST - 3, MOST - 1]
    watches = [orders(image)[one["order"]] for one in records(image, "trigger")[2:]]
    assert [(one["qty"], one["valid"], one["price"], one["sell"]) for one in watches] == [(WATCH_QTY, 1, 0, 0)] * 2
    chains = records(image, "chain")
    for source, direction in ((Source.BID, Direction.LE), (Source.BID, Direction.GE), (Source.LAST, Direction.GE)):
        assert chains[LAYOUT.chain(0, source, direction)]["arms"] == 1
    assert image.used | {"orders": 4, "triggers": 4} == image.used


def test_if_already_through_is_judged_by_triggers_of_its_own() -> None:
    image = build_image(JUDGED, ROOMY, HWMAP)
    rule, other = image.trigger[:2].tolist()
    rows = [(one["rule"], one["threshold"]) for one in records(image, "trigger")]
    clear, through = rows.index((0, 99)), next(n for n, row in enumerate(rows) if row == (0, 100) and n != rule)
    above = rows.index((1, 51))
    assert done_by(image, clear) == [(through, through, 0, 0), (rule, rule, 1, 0)]
    assert sorted(n for first, last, *_ in done_by(image, through) for n in range(first, last + 1)) == [clear, rule]
    assert done_by(image, above) == [(other, other, 1, 0)]
    assert set(bits(image, "dormant")) == {rule, other}
    assert set(bits(image, "live")) == {clear, through, above, int(image.trigger[2])}
    sibling = done_by(image, int(image.trigger[2]))
    cancelled = {n for first, last, arms, _ in sibling for n in range(first, last + 1) if not arms}
    assert cancelled == {rule, clear, through, int(image.trigger[2])}, "a group cancels what is watched for it"
    assert image.memories["fire_count"] == b""


@pytest.mark.parametrize("whole", [REARMED, JUDGED, TIMED, FILLED])
def test_it_reads_back(whole) -> None:
    image = build_image(whole, ROOMY, HWMAP)
    found, shared = read_back(whole, image)
    for name in ("part.through", "part.threshold", "part.source", "part.direction"):
        assert (found[name] == shared[name]).all(), name
    for field in ("times", "after_ns", "source", "direction", "threshold"):
        seen, wanted = (np.append(one[f"rearm.{field}"], -9)[one["part.rearm"]] for one in (found, shared))
        assert (seen == wanted).all(), field
    triggers = watch_triggers(image.memories, HWMAP)
    assert triggers == {
        n: None if whole is TIMED or whole is FILLED else one["rule"]
        for n, one in enumerate(records(image, "trigger"))
        if n not in image.trigger.tolist()
    }


def test_what_runs_in_the_runtime_is_not_watched_for() -> None:
    image = build_image(placed(replace(REARMED), 0, 1), ROOMY, HWMAP)
    assert (image.memories["trigger"], image.memories["link"], image.used["orders"]) == (b"", b"", 0)


def test_no_room_for_what_is_watched() -> None:
    tight = replace(ROOMY, capacity={**ROOMY.capacity, "orders": 3})
    with pytest.raises(ImageError) as caught:
        build_image(REARMED, tight, HWMAP)
    assert [d.message for d in caught.value.diagnostics] == ["board small has 3 orders, the strategy needs 4"]


def test_a_time_is_watched_by_a_trigger_of_no_chain() -> None:
    image = build_image(TIMED, ROOMY, HWMAP)
    assert [(one["rule"], one["threshold"]) for one in records(image, "trigger")] == [(0, 10), (1, 9), (0, 0), (1, 0)]
    chains = [(one["first"], one["last"], one["arms"]) for one in records(image, "chain") if one["valid"]]
    assert chains == [(0, 1, 1)], "messages behind a fire wait until it is known what is due"
    empty, other, *slots = records(image, "rearm")
    assert not any([*empty.values(), *other.values()]), "a slot's number is that of its trigger"
    own = {"due": 0, "instrument": 0, "last": 4, "after": 10**9, "pending": 0, "again": 1}
    assert [one | own for one in slots] == slots
    assert [one["trigger"] for one in slots] == [2, 3]
    assert (done_by(image, 0), done_by(image, 1)) == ([(2, 2, 0, 1)], [(3, 3, 0, 1)]), "at once"
    assert (done_by(image, 2), done_by(image, 3)) == ([(0, 0, 1, 1)], [(1, 1, 1, 1)])
    assert (bits(image, "live"), bits(image, "dormant")) == ([0, 1], [])
    assert image.memories["fire_count"] == b""
    assert watch_triggers(image.memories, HWMAP) == {2: None, 3: None}, "a hit for a time does not tell its rule"
    assert image.banked


def test_what_fills_arm_is_dormant_and_told() -> None:
    image = build_image(FILLED, ROOMY, HWMAP)
    assert (bits(image, "live"), bits(image, "dormant")) == ([0], [1])
    *_, slot = records(image, "rearm")
    assert slot | {"due": 0, "last": 0, "trigger": 2, "after": 0, "pending": 0, "again": 0} == slot
    assert done_by(image, 2) == [(1, 1, 1, 0)]
    found, shared = read_back(FILLED, image)
    for name in ("parents.on", "parent.first", "parent.count"):
        assert found[name].tolist() == shared[name].tolist(), name


@pytest.mark.parametrize("count", [SLOTS // 2, SLOTS // 2 + 1, SLOTS])
def test_times_for_which_a_bank_has_room(count) -> None:
    many = linked([replace(block(0, list(range(10, 10 + count))), rearm=RearmAfter(10**9, 3))])
    image = build_image(many, ROOMY, HWMAP)
    used = [(place, one["trigger"]) for place, one in enumerate(records(image, "rearm")) if one["order"]]
    assert (image.banked, len(used)) == (2 * count <= SLOTS, count)
    assert all(place == trigger % (SLOTS >> image.banked) for place, trigger in used)


def broken(whole, *changes):
    """``whole`` with fields of records changed: (memory, number, fields) each."""
    image = build_image(whole, ROOMY, HWMAP)
    memories = dict(image.memories)
    layout = Layout(HWMAP, ROOMY.capacity)
    for memory, number, fields in changes:
        record, data = layout.record(memory), memories[memory]
        data = data.ljust((number + 1) * record.stride_bytes, b"\0")
        at = number * record.stride_bytes
        values = record.unpack(data[at : at + record.stride_bytes]) | fields
        memories[memory] = data[:at] + record.pack(values) + data[at + record.stride_bytes :]
    return read_back(whole, image, **memories)


def test_those_to_be_broken_are_sound() -> None:
    for whole in (REARMED, JUDGED, TIMED, FILLED):
        broken(whole)
    image = build_image(REARMED, ROOMY, HWMAP)
    assert [one["link"] for one in orders(image)] == [1, 2, 3, 4]
    judged = build_image(JUDGED, ROOMY, HWMAP)
    rows = [(one["rule"], one["threshold"]) for one in records(judged, "trigger")]
    assert rows == [(1, 50), (1, 51), (2, 7), (0, 99), (0, 100), (0, 100)]
    assert [one["order"] for one in records(judged, "trigger")] == [1, 3, 0, 2, 0, 4]


@pytest.mark.parametrize(
    ("whole", "changes", "message"),
    [
        (REARMED, [("fire_count", 2, {"fires": MOST})], "a watch never hits"),
        (REARMED, [("fire_count", 0, {"fires": 1})], "a rule begins with fires"),
        (REARMED, [("live", 0, {"triggers": 0b0111})], "is live that waits"),
        (REARMED, [("link", 1, {"first": 3, "last": 3})], "does not revive its own watch"),
        (REARMED, [("link", 1, {"arms": 0})], "does not revive its own watch when it is to"),
        (REARMED, [("link", 2, {"arms": 1})], "does not revive its own watch when it is to"),
        (REARMED, [("link", 3, {"first": 1, "last": 1})], "does not do what it is for"),
        (REARMED, [("link", 3, {"revives": 0})], "is live that waits|does not do what it is for"),
        (REARMED, [("order", 2, {"qty": WATCH_QTY + 1})], "a watch has a quantity"),
        (REARMED, [("order", 2, {"price": 1})], "what only an order can have"),
        (REARMED, [("order", 3, {"valid": 0})], "a watch is not in use"),
        (REARMED, [("order", 3, {"link": 0})], "links that no order has"),
        (REARMED, [("trigger", 2, {"rule": 1})], "two watches for the same|not do what it is for"),
        (TIMED, [("rearm", 2, {"pending": 1})], "waits to be armed again at load"),
        (TIMED, [("rearm", 2, {"due": 1})], "waits to be armed again at load"),
        (TIMED, [("rearm", 0, {"last": 1})], "that nothing waits in is not empty"),
        (TIMED, [("rearm", 2, dict.fromkeys(SLOT, 0)), ("rearm", 4, SLOT)], "is not that of its trigger"),
        (TIMED, [("rearm", 2, {"last": 1})], "a watch never hits"),
        (TIMED, [("rearm", 2, {"again": 0})], "a watch never hits"),
        (TIMED, [("rearm", 2, {"instrument": 1})], "waits for another instrument"),
        (TIMED, [("rearm", 2, {"order": 3})], "another order than its trigger"),
        (TIMED, [("rearm", 2, {"trigger": 3})], "no chain or more than one"),
        (TIMED, [("rearm", 2, {"trigger": 4})], "by a trigger that is not there"),
        (TIMED, [("trigger", 2, {"rule": 1})], "at two times|not do what it is for"),
        (TIMED, [("trigger", 3, {"rule": 0})], "at two times|not do what it is for"),
        (TIMED, [("link", 1, {"arms": 1})], "does not revive its own watch when it is to"),
        (TIMED, [("link", 1, {"first": 3, "last": 3})], "does not revive its own watch"),
        (TIMED, [("link", 3, {"revives": 0})], "that fills arm waits for something else"),
        (FILLED, [("link", 1, {"arms": 0})], "does not do what it is for"),
        (FILLED, [("link", 1, {"revives": 1})], "a watch never hits|has no place for them"),
        (FILLED, [("rearm", 2, {"after": 1})], "waits for something else"),
        (FILLED, [("dormant", 0, {"triggers": 0}), ("live", 0, {"triggers": 0b011})], "that fills are to arm"),
        (TIMED, [("fire_count", 2, {"fires": MOST})], "begins with hits"),
        (TIMED, [("live", 0, {"triggers": 0b0111})], "at load|that begins no rule"),
        (JUDGED, [("trigger", 1, {"threshold": 52})], "another condition"),
        (JUDGED, [("trigger", 3, {"threshold": 98})], "another condition"),
        (JUDGED, [("trigger", 5, {"threshold": 101})], "another condition"),
        (JUDGED, [("live", 0, {"triggers": 0b100110})], "is live that waits"),
        (JUDGED, [("fire_count", 3, {"fires": 1})], "begins with hits"),
    ],
)  # fmt: skip
def test_what_is_watched_wrongly_is_refused(whole, changes, message) -> None:
    with pytest.raises(ImageReadError, match=message):
        broken(whole, *changes)
