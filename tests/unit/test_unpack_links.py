# SPDX-License-Identifier: Apache-2.0
"""Links read back from the memories: groups and parents come out, and lists that contradict themselves are refused."""

from dataclasses import replace
from functools import partial

import image_cases
import numpy as np
import pytest
from hypothesis import example, given
from image_cases import HWMAP, LAYOUT, records
from link_cases import INSTRUMENTS, ROOMY, block, linked, linked_strategies
from test_links import BRACKET, NESTED, PAIRS

from fixaccel.image.layout import Layout
from fixaccel.image.pack.pack import build_image
from fixaccel.image.software.columns import NONE
from fixaccel.image.unpack.read_error import ImageReadError
from fixaccel.language.terms import Direction, Source

WIDE = Layout(HWMAP, ROOMY.capacity)
read_back = partial(image_cases.read_back, board=ROOMY)


def siblings(columns):
    """For each part, those of its group; a group of one is none."""
    group = columns["part.group"]
    return [set(np.flatnonzero(group == one).tolist()) - {n} if one != NONE else set() for n, one in enumerate(group)]


def parents(columns):
    """For each part, those that arm it; None: armed at load."""
    found = []
    for row in columns["part.parents"].tolist():
        if row == NONE:
            found.append(None)
            continue
        first, count = columns["parents.first"][row], columns["parents.count"][row]
        ranges = zip(columns["parent.first"][first:][:count], columns["parent.count"][first:][:count], strict=True)
        found.append({n for low, length in ranges for n in range(low, low + length)})
    return found


@given(linked_strategies())
@example(PAIRS)
@example(BRACKET)
@example(NESTED)
def test_groups_and_parents_come_out(whole) -> None:
    found, packed = read_back(whole, build_image(whole, ROOMY, HWMAP))
    assert siblings(found) == siblings(packed)
    assert parents(found) == parents(packed)


@given(linked_strategies(), linked_strategies())
@example(PAIRS, PAIRS)
def test_groups_of_joined_columns_stay_apart(whole, other) -> None:
    """The software table's groups are not the fabric's, whatever numbers both have."""
    (found, packed), (more, _) = (read_back(one, build_image(one, ROOMY, HWMAP)) for one in (whole, other))
    later = replace(more, columns={**more.columns, "part.index": more["part.index"] + len(packed)})
    joined = found.join(later)
    behind = [{n + len(found) for n in one} for one in siblings(more)]
    assert siblings(joined) == siblings(found) + behind


# Triggers: 0 stop, 1 profit, 2 up, 3 down, 4 entry, 5 last.
WHOLE = linked(
    [
        block(0, [10], direction=1),
        block(1, [20], direction=1, source=0, qty=2, oco=[0], parents=(range(1),)),
        block(2, [5], source=0, qty=3, oco=[0], parents=(range(1),)),
        block(3, [5], source=1, qty=4, oco=[1]),
        block(4, [9], direction=1, source=1, qty=5, oco=[1]),
        block(5, [50], direction=1, qty=6, parents=(range(3, 4),)),
    ]
)
ENTRY_CHAIN = LAYOUT.chain(0, Source.LAST, Direction.GE)
STOP_CHAIN = LAYOUT.chain(0, Source.BID, Direction.LE)


def broken(*changes, whole=WHOLE):
    """``whole`` with fields of records changed: (memory, number, fields) each."""
    image = build_image(whole, ROOMY, HWMAP)
    memories = dict(image.memories)
    for memory, number, fields in changes:
        record, data = WIDE.record(memory), memories[memory]
        at = number * record.stride_bytes
        values = record.unpack(data[at : at + record.stride_bytes]) | fields
        memories[memory] = data[:at] + record.pack(values) + data[at + record.stride_bytes :]
    return read_back(whole, image, **memories)


def test_the_links_to_be_broken_are_sound() -> None:
    image = build_image(WHOLE, ROOMY, HWMAP)
    assert image.trigger.tolist() == [4, 1, 0, 2, 3, 5]
    assert [tuple(one.values())[:4] for one in records(image, "link")] == [
        (0, 0, 0, 0), (0, 1, 1, 0), (0, 1, 0, 0), (2, 3, 0, 1), (5, 5, 1, 0), (2, 3, 0, 0)
    ]  # fmt: skip
    assert records(image, "live") == [{"triggers": 0b011100}]
    broken()


def test_a_list_need_not_cancel_its_own_trigger() -> None:
    pair = linked([block(0, [5], oco=[0]), block(1, [7], oco=[0], qty=2)])
    # Records 1 and 2 in place of the shared one.
    image = build_image(pair, ROOMY, HWMAP)
    link, order = WIDE.record("link"), WIDE.record("order")
    values = [{}, {"first": 0, "last": 0}, {"first": 1, "last": 1}]
    rows = [order.unpack(image.memories["order"][n * order.stride_bytes :][: order.stride_bytes]) for n in range(2)]
    trigger = image.trigger.tolist()
    found, packed = read_back(
        pair,
        image,
        link=b"".join(link.pack({"first": 0, "last": 0, "arms": 0, "more": 0} | one) for one in values),
        order=b"".join(order.pack(row | {"link": 2 - trigger[n]}) for n, row in enumerate(rows)),
    )
    assert siblings(found) == siblings(packed) == [{1}, {0}]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ([("live", 0, {"triggers": 0b111100})], "both live and dormant"),
        ([("dormant", 0, {"triggers": 0b000011})], "neither live nor dormant"),
        ([("dormant", 0, {"triggers": 0b1100011})], "not there is live or dormant"),
        ([("live", 0, {"triggers": 0b111100}), ("dormant", 0, {"triggers": 0b000011})], "that does not wait"),
        ([("live", 0, {"triggers": 0b001100}), ("dormant", 0, {"triggers": 0b110011})], "no order arms it"),
        ([("link", 0, {"first": 1, "last": 1})], "record 0 of the links"),
        ([("link", 1, {"last": 6})], "does not lie in the trigger memory"),
        ([("link", 1, {"first": 1, "last": 0})], "does not lie in the trigger memory"),
        ([("link", 5, {"more": 1})], "does not end"),
        ([("link", 3, {"arms": 1, "first": 5, "last": 5}), ("link", 4, {"arms": 0})], "behind what it arms"),
        ([("link", 4, {"arms": 0, "first": 3, "last": 3})], "do not rise"),
        ([("link", 3, {"more": 0})], "links that no order has"),
        ([("link", 4, {"first": 3})], "that does not wait"),
        ([("link", 4, {"first": 1, "last": 1})], "no order arms it"),
        ([("link", 2, {"last": 0})], "do not cancel the same"),
        ([("link", 5, {"last": 4})], "whose order does not cancel its own"),
        ([("link", 5, {"first": 3})], "whose order does not cancel its own"),
        ([("order", 1, {"link": 6})], "links that are not there"),
        ([("order", 4, {"link": 0})], "links that no order has"),
        ([("order", 4, {"link": 3})], "links that no order has"),
        ([("order", 0, {"link": 2})], "links that no order has"),
        ([("order", 5, {"link": 2})], "do not cancel the same"),
        ([("chain", ENTRY_CHAIN, {"arms": 0})], "whether its orders arm"),
        ([("chain", STOP_CHAIN, {"arms": 1})], "whether its orders arm"),
    ],
)  # fmt: skip
def test_links_that_contradict_themselves_are_refused(changes, message) -> None:
    with pytest.raises(ImageReadError, match=message):
        broken(*changes)


@pytest.mark.parametrize("memory", ["live", "dormant", "link"])
def test_cut_memories_are_refused(memory) -> None:
    image = build_image(WHOLE, ROOMY, HWMAP)
    data = image.memories[memory]
    for cut in (1, WIDE.record(memory).stride_bytes, len(data)):
        with pytest.raises(ImageReadError):
            read_back(WHOLE, image, **{memory: data[:-cut]})


def test_more_than_the_board_has_room_for_is_refused() -> None:
    image = build_image(WHOLE, ROOMY, HWMAP)
    with pytest.raises(ImageReadError, match="more links than the board holds"):
        read_back(WHOLE, image, link=image.memories["link"] + bytes(8 * WIDE.depth("link")))
    whole = linked([block(0, [9, 8, 7]), block(3, [1], parents=(range(3),)), block(4, [2], on=INSTRUMENTS[1])])
    kept = HWMAP.constants["deferred_links"]
    for room in (3, 2):
        hwmap = replace(HWMAP, constants={**HWMAP.constants, "deferred_links": replace(kept, value=room)})
        if room == 3:
            read_back(whole, build_image(whole, ROOMY, HWMAP), hwmap=hwmap)
            continue
        with pytest.raises(ImageReadError, match="more orders of an instrument arm"):
            read_back(whole, build_image(whole, ROOMY, HWMAP), hwmap=hwmap)
