# SPDX-License-Identifier: Apache-2.0
"""Links: what stands in the memories is what `oco` and `armed_by` say of each part, and what does not fit is named."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given
from image_cases import BOARD, HWMAP, LAYOUT, placed, records
from link_cases import INSTRUMENTS, ROOMY, Effects, block, effects, linked, linked_strategies

from fixaccel.image.image import ImageError
from fixaccel.image.layout import Layout
from fixaccel.image.pack.pack import build_image

PAIRS = linked([block(0, [5], oco=[0]), block(1, [7], oco=[1]), block(2, [6], oco=[0]), block(3, [8], oco=[1])])
BRACKET = linked(
    [
        block(0, [10], direction=1),
        block(1, [20], direction=1, source=0, oco=[0], parents=(range(1),)),
        block(2, [5], source=0, oco=[0], parents=(range(1),)),
    ]
)
NESTED = linked(
    [
        block(0, [9, 8, 7]),
        block(3, [1, 2], source=1, parents=(range(3),)),
        block(5, [3], source=1, parents=(range(1, 2),), oco=[2]),
        block(6, [4, 6], source=1, parents=(range(1, 2), range(5, 6)), oco=[2, -1]),
    ]
)


def list_of(image, start):
    """The records of a list."""
    links = records(image, "link")
    found = [links[start]] if start else []
    while found and found[-1]["more"]:
        found.append(links[start + len(found)])
    return found


def triggers_of(ranges):
    return frozenset(trigger for one in ranges for trigger in range(one["first"], one["last"] + 1))


def bits(image, memory, count):
    return [bool(records(image, memory)[n // 32]["triggers"] >> n % 32 & 1) if image.memories[memory] else False
            for n in range(count)]  # fmt: skip


@given(linked_strategies())
@example(PAIRS)
@example(BRACKET)
@example(NESTED)
def test_lists_say_what_the_rules_say(whole) -> None:
    image = build_image(whole, ROOMY, HWMAP)
    orders = records(image, "order")
    part_of = {trigger: part for part, trigger in enumerate(image.trigger.tolist())}
    starts = {}
    for part, wanted in enumerate(effects(whole)):
        start = orders[image.order[part]]["link"]
        found = list_of(image, start)
        cancels, arms = [one for one in found if not one["arms"]], [one for one in found if one["arms"]]
        assert found == cancels + arms, "what is armed stands behind what is cancelled"
        cancelled = {part_of[trigger] for trigger in triggers_of(cancels)} - {part}
        seen = Effects(frozenset(cancelled), frozenset(part_of[trigger] for trigger in triggers_of(arms)))
        assert seen == wanted, part
        for ranges in (cancels, arms):
            assert all(one["last"] + 1 < two["first"] for one, two in pairwise(ranges)), "ranges could be fewer"
        starts[start] = found
    lists = [found for found in starts.values() if found]
    assert len(lists) == len({str(found) for found in lists}), "equal lists are shared"
    used = sum(map(len, lists))
    assert len(records(image, "link")) == (used + 1 if used else 0), "records that no list has"
    assert not any(any(one.values()) for one in records(image, "link")[:1])
    assert image.used["groups"] == (-(-(used + 1) // LAYOUT.constant("links_a_group")) if used else 0)


@given(linked_strategies())
@example(BRACKET)
@example(NESTED)
def test_what_waits_and_what_arms(whole) -> None:
    image = build_image(whole, ROOMY, HWMAP)
    waits = {image.trigger[rule.index] for rule in whole.rules if rule.block.parents is not None}
    count = len(whole.rules)
    assert bits(image, "dormant", count) == [trigger in waits for trigger in range(count)]
    assert bits(image, "live", count) == [trigger not in waits for trigger in range(count)]
    arming = {image.trigger[part] for part, effect in enumerate(effects(whole)) if effect.arms}
    for chain in records(image, "chain"):
        own = range(chain["first"], chain["last"] + 1) if chain["valid"] else ()
        assert chain["arms"] == any(trigger in arming for trigger in own)


def test_a_bracket() -> None:
    image = build_image(BRACKET, ROOMY, HWMAP)
    assert image.trigger.tolist() == [2, 1, 0]
    both = {"first": 0, "last": 1}
    assert records(image, "link")[1:] == [both | {"arms": arms, "more": 0, "revives": 0} for arms in (1, 0)]
    assert [order["link"] for order in records(image, "order")] == [1, 2]
    assert image.order.tolist() == [0, 1, 1]


def test_a_group_of_one_cancels_nothing() -> None:
    image = build_image(linked([block(0, [5], oco=[0]), block(1, [6], oco=[1])]), ROOMY, HWMAP)
    assert image.memories["link"] == b""
    assert image.order.tolist() == [0, 0]


def test_what_runs_in_the_runtime_has_no_links() -> None:
    image = build_image(placed(NESTED, *range(8)), ROOMY, HWMAP)
    assert (image.memories["link"], image.memories["dormant"], image.used["groups"]) == (b"", b"", 0)


def faults(whole, board, hwmap=HWMAP):
    with pytest.raises(ImageError) as caught:
        build_image(whole, board, hwmap)
    return [(d.code.slug, d.message, d.span.line) for d in caught.value.diagnostics]


def crossed(groups):
    """Pairs whose members lie apart: two records for each."""
    rows = [block(n, [n], oco=[n % groups]) for n in range(2 * groups)]
    return replace(linked(rows), groups=tuple(map(str, range(groups))))


def test_links_that_do_not_fit_are_named() -> None:
    tight = replace(ROOMY, capacity={**ROOMY.capacity, "groups": 2})
    assert records(build_image(crossed(3), tight, HWMAP), "link")[7:] == []
    # Record 0 is no list's, and each group has room for four: seven records fit, the eighth is of the last pair.
    assert faults(crossed(4), tight) == [("capacity", "board small has 2 groups, the strategy needs 3", 4)]
    assert build_image(crossed(4), replace(ROOMY, capacity={**ROOMY.capacity, "groups": 3}), HWMAP).used["groups"] == 3


def test_more_arming_parts_of_an_instrument_than_are_kept() -> None:
    kept = HWMAP.constants["deferred_links"]
    hwmap = replace(HWMAP, constants={**HWMAP.constants, "deferred_links": replace(kept, value=3)})
    both = [block(0, [9, 8, 7]), block(3, [9, 8], on=INSTRUMENTS[1])]
    child = block(5, [1], parents=(range(3), range(3, 5)))
    build_image(linked([*both, child]), ROOMY, hwmap)
    more = [*both, block(5, [6, 5]), block(7, [1], parents=(range(3), range(3, 5), range(5, 7)))]
    message = "5 parts and watches of MSFT arm, the fabric keeps 3 fires of a message"
    assert faults(linked(more), ROOMY, hwmap) == [("capacity", message, 6)]


def test_links_of_a_large_table_are_named() -> None:
    """Every row is in a group and arms a child."""
    rows = 200_000
    board = replace(BOARD, capacity={**BOARD.capacity, "triggers": 1 << 18, "orders": 1 << 10})
    many = block(0, np.arange(rows)[::-1], oco=np.arange(rows) % 3)
    whole = linked([many, block(rows, [1], parents=(range(rows),))])
    hwmap = replace(HWMAP, memories={n: replace(m, room=1 << 20) for n, m in HWMAP.memories.items()})
    assert Layout(hwmap, board.capacity).depth("live") == 1 << 13
    assert [code for code, *_ in faults(whole, board, hwmap)] == ["capacity", "capacity"]
