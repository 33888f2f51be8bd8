# SPDX-License-Identifier: Apache-2.0
"""Chains of `confirm: 2` in the fabric's memories: what is packed, what comes out again, and what is refused."""

from dataclasses import replace

import numpy as np
import pytest
from image_cases import BOARD, HWMAP, LAYOUT, LEFT_OUT, MSFT, build, read_back, records, rule, strategy

from fixaccel.image.pack.pack import build_image
from fixaccel.image.unpack.read_error import ImageReadError
from fixaccel.language.terms import Direction, Source

FALLS, RISES = (LAYOUT.chain(0, Source.LAST, direction) for direction in Direction)
MID = LAYOUT.chain(0, Source.MID, Direction.LE)


def confirmed(index, when):
    """A rule that takes two observations."""
    block = rule(index, when)
    return replace(block, form=replace(block.form, confirm=np.full(1, 2, np.uint8)))


RULES = [confirmed(0, "last <= 5"), confirmed(1, "last <= 7"), rule(2, "last >= 8"), rule(3, "mid <= 1")]


def test_the_chain_says_what_it_takes():
    chains = records(build(RULES), "chain")
    assert [chains[place]["confirms"] for place in (FALLS, RISES, MID)] == [1, 0, 0]
    assert [chains[place]["last"] - chains[place]["first"] for place in (FALLS, RISES)] == [1, 0]


def test_what_was_packed_comes_out():
    whole = strategy(RULES)
    found, packed = read_back(whole, build_image(whole, BOARD, HWMAP))
    assert found["part.confirm"].tolist() == [2, 2, 1, 1]
    for name in packed.columns:
        if not name.startswith(LEFT_OUT):
            assert np.array_equal(found[name], packed[name]), name


@pytest.mark.parametrize(
    ("number", "fields", "message"),
    [
        (MID, {"confirms": 1}, "on `mid` wants a confirmation"),
        (RISES, {"confirms": 1, "kind": HWMAP.constant("kind_decide")}, "a decision wants a confirmation"),
    ],
)
def test_what_the_fabric_would_do_wrongly_is_refused(number, fields, message):
    whole = strategy(RULES)
    image = build_image(whole, BOARD, HWMAP)
    record, data = LAYOUT.record("chain"), image.memories["chain"]
    at = number * record.stride_bytes
    changed = record.pack(record.unpack(data[at : at + record.stride_bytes]) | fields)
    with pytest.raises(ImageReadError, match=message):
        read_back(whole, image, chain=data[:at] + changed + data[at + record.stride_bytes :])


@pytest.mark.parametrize(("lowest", "refused"), [("7.01", False), ("7", True), ("6", True)])
def test_what_would_fire_out_of_turn_is_refused(lowest, refused):
    whole = strategy([confirmed(0, "last <= 7"), rule(1, f"last >= {lowest}", on=MSFT)])
    image = build_image(whole, BOARD, HWMAP)
    if refused:
        with pytest.raises(ImageReadError, match="and one `>=` that does not"):
            read_back(whole, image)
    else:
        read_back(whole, image)
