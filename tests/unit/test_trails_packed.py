# SPDX-License-Identifier: Apache-2.0
"""Trails in the fabric's memories: what is packed, what comes out again, what is refused, which have room."""

import numpy as np
import pytest
from image_cases import BOARD, HWMAP, LAYOUT, LEFT_OUT, read_back

from fixaccel.image.pack.pack import build_image
from fixaccel.image.unpack.read_error import ImageReadError
from fixaccel.language.placements import Placement
from fixaccel.placement.trails import MOST_OF_AN_INSTRUMENT, MOST_TRAILS

MARKET = "order: {side: sell, qty: 1, type: market}"
NUMBERED = ("part.group", "part.trail", "parents.", "part.parents", "parent.", "trail.")
NAMES = ("waits", "source", "direction", "threshold", "relative")
RULES = (
    f"- {{id: last, instrument: MSFT, trail: {{source: last, by: 10}}, {MARKET}}}\n"
    f"- {{id: stop, instrument: MSFT, when: last <= 5, {MARKET}, armed_by: mid}}\n"
    f"- {{id: bid, instrument: MSFT, trail: {{source: bid, by: 3 ticks, activate: ask >= 70}}, {MARKET}, oco: g}}\n"
    f"- {{id: mid, instrument: MSFT, trail: {{source: mid, by: 1}}, {MARKET}, oco: g}}\n"
    f"- {{id: oil, instrument: CLZ6, trail: {{source: ask, by: 2}}, {MARKET.replace('sell', 'buy')}}}\n"
)


def trail(name: str, symbol: str, by: str = "10", more: str = "") -> str:
    return f"- {{id: {name}, instrument: {symbol}, trail: {{source: last, by: {by}{more}}}, {MARKET}}}\n"


@pytest.fixture
def strategy(desk):
    return desk.load(RULES)[0]


def trails(image) -> list[dict[str, int]]:
    record, data = LAYOUT.record("trail"), image.memories["trail"]
    size = record.stride_bytes
    return [record.unpack(data[at : at + size]) for at in range(0, len(data), size)]


def test_a_list_is_by_source_and_as_declared(strategy) -> None:
    assert [strategy.placed(part) for part in range(5)] == [Placement.FABRIC] * 5
    image = build_image(strategy, BOARD, HWMAP)
    found = trails(image)
    names = ("bid", "last", "mid", "ask")
    assert [one["source"] for one in found] == [HWMAP.constant(f"source_{name}") for name in names]
    assert [one["more"] for one in found] == [1, 1, 0, 0]
    assert [one["arms"] for one in found] == [0, 0, 1, 0]
    assert [one["sell"] for one in found] == [1, 1, 1, 0]
    assert [one["trigger"] for one in found] == [int(image.trigger[part]) for part in (2, 0, 3, 4)]


def test_what_was_packed_comes_out(strategy) -> None:
    found, packed = read_back(strategy, build_image(strategy, BOARD, HWMAP))
    for name in packed.columns:
        if not name.startswith((*LEFT_OUT, *NUMBERED)):
            assert np.array_equal(found[name], packed[name]), name
    own, whole = ([one[f"trail.{name}"][one["part.trail"][2]] for name in NAMES] for one in (found, packed))
    assert own == whole
    assert [int(found["trail.value"][found["part.trail"][part]]) for part in (0, 2, 3, 4)] == [1000, 3, 200, 200]


@pytest.mark.parametrize(
    ("number", "fields", "message"),
    [
        (0, {"more": 0}, "no list or more than one reaches"),
        (3, {"more": 1}, "a list of trails does not end"),
        (0, {"stop": 1}, "trails share a stop"),
        (0, {"source": HWMAP.constant("source_mid")}, "are not in firing order"),
        (2, {"arms": 0}, "whether its order arms"),
        (3, {"sell": 1}, "follows the other extreme"),
        (1, {"distance": 0}, "a stop stands at the extreme"),
    ],
)
def test_what_the_fabric_would_do_wrongly_is_refused(strategy, number, fields, message) -> None:
    image = build_image(strategy, BOARD, HWMAP)
    record, data = LAYOUT.record("trail"), image.memories["trail"]
    at = number * record.stride_bytes
    changed = record.pack(record.unpack(data[at : at + record.stride_bytes]) | fields)
    with pytest.raises(ImageReadError, match=message):
        read_back(strategy, image, trail=data[:at] + changed + data[at + record.stride_bytes :])


@pytest.mark.parametrize(
    ("text", "where"),
    [
        (trail("a", "MSFT"), Placement.FABRIC),
        (trail("a", "MSFT", "3 ticks"), Placement.FABRIC),
        (trail("a", "MSFT", "1%"), Placement.TRAIL_BY),
        (trail("a", "MSFT", "3 ticks").replace("last", "mid"), Placement.TRAIL_BY),
        (trail("a", "MSFT").replace("market", "limit, price: trigger - 1 ticks"), Placement.TRAIL_PRICE),
    ],
)
def test_which_the_fabric_follows(desk, text, where) -> None:
    assert desk.load(text)[0].placed(0) is where


def test_there_is_room_for_so_many(desk) -> None:
    """Those of an instrument that are declared first have it."""
    text = "".join(trail(f"t{n}", "MSFT", str(n + 1)) for n in range(MOST_OF_AN_INSTRUMENT + 2)) + trail("oil", "CLZ6")
    found = desk.load(text)[0]
    places = [found.placed(part) for part in range(len(found.rules))]
    assert places == [Placement.FABRIC] * MOST_OF_AN_INSTRUMENT + [Placement.TRAILS] * 2 + [Placement.FABRIC]
    assert MOST_TRAILS >= 2 * MOST_OF_AN_INSTRUMENT
