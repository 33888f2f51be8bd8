# SPDX-License-Identifier: Apache-2.0
"""The decoder of the fabric, Verilated, beside the interpreter: the same events, counts and faults, and its cycles."""

import random
from collections.abc import Iterator

import pytest
from fast_support import one, templates
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from program_support import program_of, run
from strategies import files, message_lists

from fixaccel.fast.encoder import Encoder
from fixaccel.fast.model import Item, Reference
from fixaccel.fast.program.cost import costs
from fixaccel.fast.program.interest import everything
from fixaccel.fast.program.interpreter import Outcome, What
from fixaccel.fast.program.native import Fabric
from fixaccel.fast.program.program import Program
from fixaccel.fast.program.words import RawWord, Role

pytestmark = pytest.mark.rtl
# First byte to the field of the last one, both counted: two for the registers in which bytes wait and for the
# identifier, four for the operators.
PIPELINE = 6


@pytest.fixture(scope="module")
def fabric() -> Iterator[Fabric]:
    with Fabric(gaps=1) as found:
        yield found


def agree(fabric: Fabric, program: Program, *streams: str | bytes) -> list[Outcome]:
    """Asserts that the fabric does as the interpreter; returns what both say."""
    outcomes = []
    for stream in streams:
        data = stream if isinstance(stream, bytes) else bytes.fromhex(stream)
        outcomes.append(run(program, data))
        assert fabric.datagram(program, data) == outcomes[-1], data.hex(" ")
    return outcomes


@seed(1)
@given(files(), st.data(), st.booleans())
@settings(
    max_examples=40, database=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck), deadline=None
)
def test_it_says_the_same(fabric: Fabric, text: str, data: st.DataObject, all_of_it: bool) -> None:
    def some(item: Item) -> bool:
        return not isinstance(item, Reference) and item.id in {"1", "4", "6"}

    found = templates(text)
    program = program_of(found, everything if all_of_it else some)
    chance = random.Random(data.draw(st.integers(0, 1 << 32)))
    for _ in range(4):
        stream = Encoder(needless=lambda: chance.random() < 0.2).datagram(data.draw(message_lists(found)))
        agree(fabric, program, stream)
        for _ in range(4):
            damaged = bytearray(stream)
            for _ in range(chance.randint(1, 3) if damaged else 0):
                damaged[chance.randrange(len(damaged))] = chance.randrange(256)
            agree(fabric, program, bytes(damaged), bytes(damaged[: chance.randint(0, len(damaged))]))


@pytest.mark.parametrize("reset", [False, True])
@pytest.mark.parametrize("big", [False, True])
@pytest.mark.parametrize("size", [1, 4, 8])
def test_raw_bytes_in_front_are_read(fabric: Fabric, reset: bool, big: bool, size: int) -> None:
    raw = (RawWord(15), RawWord(size, big, role=Role.NUMBER))
    program = program_of(one('<uInt32 name="A"><increment/></uInt32>'), raw=raw, reset_each_message=reset)
    front = "ff" * 15 + bytes(range(0x81, 0x81 + size)).hex()
    agree(fabric, program, front + "e0 81 85 80", "ff 01 02", front, front + "e0 81 85 e0 81 85", front + "e0 81 85 80")


TEXTS = one(
    '<string name="A" presence="optional"><delta value="base"/></string>'
    '<string name="B" presence="optional"><tail/></string>'
    '<byteVector name="C" presence="optional"><copy/></byteVector>'
)


@pytest.mark.parametrize(
    "streams",
    [
        ("f0 81 85 41 c2 43 c4 80", "f0 81 82 41 c2 80 81"),  # behind three and two characters of the base
        ("c0 81 fd 41 c2", "c0 81 ff c1", "c0 81 fa c1"),  # in front: of one character, of none, of more than there are
        # A string that grows to what a slot holds, and by one more.
        ("c0 81 81 " + "41 " * 27 + "c1", "c0 81 81 " + "41 " * 28 + "c1", "c0 81 81 " + "41 " * 40 + "c1"),
        ("d0 81 80 00 80", "d0 81 80 00 00 80", "d0 81 80 00 00 c1", "d0 81 80 80 80"),  # empty, null, needless zeros
        # Lengths: of more than there is, of more than a number may have, and the largest one that is nullable.
        ("c8 81 80 86 41 42", "c8 81 80 10 00 00 00 82 41", "c8 81 80 10 00 00 00 80 41", "c8 81 80 81", "c8 81 80 80"),
        ("c8 81 80 " + "a2" + "41 " * 33, "c8 81 80 a1" + "41 " * 32),
        # Two messages: the second one has what the first one had.
        ("d8 81 82 41 c2 43 c4 83 01 02 80 81 41 c2", "f8 81 80 80 80 80 80", "f8 81 82 c1 c2 82 00 b0 80 c2"),
    ],
)
def test_strings(fabric: Fabric, streams: tuple[str, ...]) -> None:
    agree(fabric, program_of(TEXTS), *streams)


DECIMALS = one(
    '<decimal name="A"><delta value="9223372036854775807"/></decimal>'
    '<decimal name="B" presence="optional"><copy/></decimal>'
    '<decimal name="C" presence="optional"><exponent><delta/></exponent><mantissa><copy/></mantissa></decimal>'
)
WIDE = "01 00 00 00 00 00 00 00 00 80"  # 2^63, and five bytes of it 2^28 and more


@pytest.mark.parametrize(
    ("streams", "faults"),
    [
        (("f0 81 80 80 81 82 83 83", "f0 81 80 80 80 80", "f0 81 80 80 81 82 83 83 80 80 80 ff"), ("", "", "")),
        (("e0 81 80 81", "e0 81 00 bf 80 80 80", "e0 81 00 c0 80", "e0 81 01 80 80"), ("R1", "", "R1", "R1")),
        ((f"e0 81 {WIDE} 80", "e0 81 80 ff 00 c0 81 80", "e0 81 80 ff 00 c1 81"), ("R1", "", "R1")),
        (("e0 81 80 ff 10 00 00 00 80 81", f"e0 81 80 ff {WIDE} 81"), ("D2", "D2")),
        ((f"e0 81 80 ff 81 {WIDE} 81", "e0 81 80 ff 20 00 00 00 81 81 80"), ("D2", "D2")),
        (("d0 81 80 80 00 c0 81", "d0 81 80 80 00 c1 81", f"d0 81 80 80 {WIDE} 81"), ("", "R1", "R4")),
        (("c0 81 80 80 80 c0 81 80 80 80", "e0 81 80 80 80 80 e0 81 80 80 80 80", "d0 81 80 80 82"), ("", "", "U1")),
    ],
)
def test_decimals(fabric: Fabric, streams: tuple[str, ...], faults: tuple[str, ...]) -> None:
    outcomes = agree(fabric, program_of(DECIMALS), *streams)
    assert [one.stopped.fault.name if one.stopped else "" for one in outcomes] == [*faults]


def test_a_slot_that_has_just_been_written(fabric: Fabric) -> None:
    fields = "".join(f'<int32 name="F{at}"><{what} key="K"/></int32>' for at, what in enumerate(["copy", "delta"] * 4))
    for apart in range(6):
        others = "".join(f'<int32 name="G{at}"/>' for at in range(apart))
        program = program_of(one(fields.replace('<int32 name="F5">', others + '<int32 name="F5">')))
        agree(
            fabric,
            program,
            "ff 81 85 81 86 82 87 83" + "81" * apart + "88 84",
            "e0 81 85 81 82 83" + "81" * apart + "84",
        )


def test_a_slot_that_is_looked_at_behind_a_jump(fabric: Fabric) -> None:
    """A sequence without elements, whose first field would have had to wait."""
    part = (
        '<decimal name="F1" id="1" presence="optional"><exponent><increment value="-38" dictionary="d1" key="int32"/>'
        '</exponent><mantissa><constant value="888372"/></mantissa></decimal>'
    )
    first = (
        '<templateRef name="Part"/><sequence name="F3" id="3">'
        '<string name="F4" id="4"><default value="BBB B   "/></string>'
        '<decimal name="F5" id="5" presence="optional"><copy dictionary="d1" key="decimal"/></decimal>'
        '<int32 name="F3E" id="3"/></sequence><int32 name="F6" id="6" presence="optional">'
        '<increment value="-2147483647" dictionary="template"/></int32>'
        '<group name="F7" id="7"><string name="F8" id="8"><tail dictionary="type" key="string"/></string></group>'
    )
    second = '<templateRef name="Part"/><templateRef name="Part"/>'
    found = templates(
        f'<templates><template name="Part">{part}</template><template name="First" id="200">{first}</template>'
        f'<template name="Second" id="2000000">{second}</template></templates>'
    )
    stream = (
        "f0 01 c8 7f ff 81 80 07 7f 7f 7f fe 80 c0 45 6f 6f a0 a0 ad 80 c0 25 1f 04 52 06 3b 4d b0 60 80 7a 09 80 80"
    )
    wanted = {"1", "3", "6", "10"}
    program = program_of(found, lambda item: not isinstance(item, Reference) and item.id in wanted)
    agree(fabric, program, stream)


def test_references_as_deep_as_they_go(fabric: Fabric) -> None:
    program = program_of(one('<uInt32 name="A"/><templateRef/>'))
    for depth in range(7):
        agree(fabric, program, "c0 81 81" * depth + "c0 81")


def test_long_sequences_and_large_numbers(fabric: Fabric) -> None:
    program = program_of(
        one(
            '<sequence name="S" presence="optional"><length name="L"><increment/></length>'
            '<uInt64 name="A"><delta/></uInt64></sequence>'
        )
    )
    whole = "01 7f 7f 7f 7f 7f 7f 7f 7f ff"
    agree(
        fabric, program, "e0 81 83 81 81 80 81 81 81", "e0 81 82 " + whole, "e0 81 83 " + whole + "81", "e0 81 82 ff",
        "e0 81 10 00 00 00 80 81", "e0 81 10 00 00 00 81 81", "e0 81 81", "e0 81 80 80", "e0 81 82 00 " + whole,
    )  # fmt: skip


@seed(2)
@given(files(), st.data())
@settings(
    max_examples=30, database=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck), deadline=None
)
def test_no_message_takes_longer_than_a_listing_says(text: str, data: st.DataObject) -> None:
    found = templates(text)
    program = program_of(found)
    with Fabric() as fabric:
        for _ in range(8):
            messages = data.draw(message_lists(found))[:1]
            if not messages:
                continue
            stream = Encoder().datagram(messages)
            outcome = run(program, stream)
            if any(event.what is What.CALL for event in outcome.events):
                continue
            begin = outcome.events[0].at
            found_costs = costs(program, begin)
            behind = found_costs.message.behind + sum(
                event.value * found_costs.elements[event.at].behind
                for event in outcome.events
                if event.what is What.SEQUENCE and isinstance(event.value, int)
            )
            assert fabric.datagram(program, stream) == outcome
            assert fabric.cycles <= len(stream) + max(behind, 0) + PIPELINE


def test_a_message_is_decoded_with_the_wire() -> None:
    """85 bytes, two of them map and identifier: cycles from the first byte to the last field."""
    fields = "".join(f'<uInt32 name="F{at}"/>' for at in range(83))
    program = program_of(one(fields))
    with Fabric() as fabric:
        first = fabric.datagram(program, bytes.fromhex("c0 81" + "81" * 83))
        fabric.datagram(program, bytes.fromhex("c0 81" + "81" * 83))
    assert first.stopped is None
    assert fabric.cycles == 85 + PIPELINE
