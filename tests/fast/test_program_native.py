# SPDX-License-Identifier: Apache-2.0
"""The interpreter in C++ beside the one in Python: the same events, counts and faults, and the same files refused."""

import random
from collections.abc import Iterator

import pytest
from fast_support import one
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from program_support import program_of, run
from strategies import cases

from fixaccel.fast.encoder import Encoder
from fixaccel.fast.messages import Message
from fixaccel.fast.model import Item, Reference, Templates
from fixaccel.fast.program.image import ImageError, from_bytes, to_bytes
from fixaccel.fast.program.interest import everything
from fixaccel.fast.program.native import Native
from fixaccel.fast.program.words import RawWord, Role


@pytest.fixture(scope="module")
def native() -> Iterator[Native]:
    with Native() as found:
        yield found


@given(cases(), st.randoms(use_true_random=False), st.booleans())
@settings(max_examples=80, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_both_say_the_same(
    native: Native, case: tuple[Templates, list[Message]], chance: random.Random, all_of_it: bool
) -> None:
    found, messages = case

    def some(item: Item) -> bool:
        return not isinstance(item, Reference) and item.id in {"1", "4", "6"}

    program = program_of(found, everything if all_of_it else some)
    stream = bytearray(Encoder(needless=lambda: chance.random() < 0.2).datagram(messages))
    streams = [bytes(stream)]
    for _ in range(4):
        damaged = bytearray(stream)
        for _ in range(chance.randint(1, 3) if damaged else 0):
            damaged[chance.randrange(len(damaged))] = chance.randrange(256)
        streams += [bytes(damaged), bytes(damaged[: chance.randint(0, len(damaged))])]
    for data in streams:
        assert native.datagram(program, data) == run(program, data)


@pytest.mark.parametrize("reset", [False, True])
@pytest.mark.parametrize("big", [False, True])
def test_raw_bytes_in_front_are_read(native: Native, reset: bool, big: bool) -> None:
    raw = (RawWord(1), RawWord(4, big, role=Role.NUMBER))
    found = one('<uInt32 name="A"><increment/></uInt32>')
    program = program_of(found, raw=raw, reset_each_message=reset)
    for stream in ("ff 01 02 03 04 e0 81 85 80", "ff 01 02", "ff 01 02 03 04", "ff 01 02 03 04 e0 81 85 e0 81 85"):
        data = bytes.fromhex(stream)
        assert native.datagram(program, data) == run(program, data)
    first = run(program, bytes.fromhex("ff 01 02 03 04")).events[0].value
    assert first == (0x01020304 if big else 0x04030201)
    again = run(program, bytes.fromhex("ff 01 02 03 04 e0 81 85 80"))
    # A second message without anything of its own: after a reset it has no identifier.
    assert (again.stopped is not None) is reset


@given(st.data())
@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_both_refuse_the_same_files(native: Native, data: st.DataObject) -> None:
    found = one(
        '<sequence name="S"><length name="L"><copy value="2"/></length><int32 name="A"><delta/></int32>'
        '<group name="G" presence="optional"><string name="B"><tail value="x"/></string></group></sequence>'
        '<decimal name="P" presence="optional"><exponent><default value="-2"/></exponent>'
        "<mantissa><delta/></mantissa></decimal>"
    )
    program = program_of(found)
    image = bytearray(to_bytes(program))
    names = len(image) - len(to_bytes(program).partition(b'{"templates"')[2])
    for _ in range(data.draw(st.integers(1, 2))):
        # Where most is decided: the head and the words.
        place = data.draw(st.one_of(st.integers(0, 31 + 8 * len(program.words)), st.integers(0, names - 20)))
        image[place] = data.draw(st.integers(0, 255))
    try:
        from_bytes(bytes(image))
        sound = True
    except ImageError:
        sound = False
    assert (native.load(bytes(image)) is None) is sound
    native.load(to_bytes(program))
