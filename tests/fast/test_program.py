# SPDX-License-Identifier: Apache-2.0
"""The program of templates beside the reference decoder: the same values, the same code at the same byte."""

import random
from collections.abc import Iterator

from fast_support import templates
from hypothesis import given, settings
from hypothesis import strategies as st
from program_support import program_of, run, said, told
from strategies import cases, files

from fixaccel.fast.decoder import Datagram, Decoder
from fixaccel.fast.encoder import Encoder
from fixaccel.fast.errors import Fault
from fixaccel.fast.messages import Content, Fields, Message
from fixaccel.fast.model import Group, Item, Reference, Repeated, Scalar, SplitDecimal, Templates
from fixaccel.fast.program.interpreter import What
from fixaccel.fast.program.program import Program
from fixaccel.fast.program.words import Op


def agree(found: Templates, program: Program, stream: bytes) -> Datagram:
    """Asserts that the program, which tells everything, does as the reference decoder; returns what both say."""
    reference = Decoder(found).datagram(stream)
    assert said(told(found, program, run(program, stream))) == said(reference)
    return reference


@given(cases(), st.randoms(use_true_random=False))
def test_it_decodes_as_the_reference_does(case: tuple[Templates, list[Message]], chance: random.Random) -> None:
    found, messages = case
    stream = Encoder(needless=lambda: chance.random() < 0.2).datagram(messages)
    assert list(agree(found, program_of(found), stream).messages) == messages


@given(cases(), st.data())
@settings(max_examples=60)
def test_damaged_streams_end_alike(case: tuple[Templates, list[Message]], data: st.DataObject) -> None:
    found, messages = case
    stream = bytearray(Encoder().datagram(messages))
    for _ in range(data.draw(st.integers(1, 4))):
        if stream:
            stream[data.draw(st.integers(0, len(stream) - 1))] = data.draw(st.integers(0, 255))
    del stream[data.draw(st.integers(0, len(stream))) :]
    agree(found, program_of(found), bytes(stream))


@given(files(), st.binary(max_size=60))
@settings(max_examples=40)
def test_any_bytes_end_alike(text: str, stream: bytes) -> None:
    found = templates(text)
    agree(found, program_of(found), stream)


# Faults that a field which nobody wants may have without being looked at; its bytes are all that count.
_OF_VALUES = {Fault.D2, Fault.D5, Fault.D6, Fault.D7, Fault.R1, Fault.R4, Fault.U2, Fault.U3}


@given(cases(), st.data(), st.booleans())
@settings(max_examples=60)
def test_what_nobody_wants_changes_nothing(
    case: tuple[Templates, list[Message]],
    data: st.DataObject,
    damaged: bool,
) -> None:
    found, messages = case
    wanted = data.draw(st.sets(st.sampled_from(["1", "2", "3", "5", "8", "11"])))
    program = program_of(found, lambda item: not isinstance(item, Reference) and item.id in wanted)
    stream = bytearray(Encoder().datagram(messages))
    if damaged and stream:
        stream[data.draw(st.integers(0, len(stream) - 1))] = data.draw(st.integers(0, 255))
    reference, outcome = Decoder(found).datagram(bytes(stream)), run(program, bytes(stream))
    if reference.error:
        assert outcome.stopped or reference.error.fault in _OF_VALUES
        return
    assert outcome.stopped is None
    values = [event.value for event in outcome.events if event.what is What.VALUE]
    assert values == [value for one in reference.messages for value in _values(one.template.items, one.fields, wanted)]


def _values(items: tuple[Item, ...], fields: Fields, wanted: set[str]) -> Iterator[Content]:
    """The values of wanted fields in the order of the stream."""
    for item in items:
        content = fields.get(item.label)
        match item, content:
            case Reference(), Message():
                yield from _values(content.template.items, content.fields, wanted)
            case Group(), dict():
                yield from _values(item.items, content, wanted)
            case Repeated(), list():
                for element in content:
                    yield from _values(item.items, element, wanted)
            case Scalar() | SplitDecimal(), _ if content is not None and item.id in wanted:
                yield content


def test_a_tail_takes_the_place_of_as_many_characters() -> None:
    field = '<string name="A"><tail value="abcd"/></string>'
    found = templates(f'<templates><template name="T" id="1">{field}</template></templates>')
    stream = bytes.fromhex("e0 81 58 d9 a0 da a0 41 42 43 44 c5")
    assert [one.fields["A"] for one in agree(found, program_of(found), stream).messages] == [b"abXY", b"abXZ", b"ABCDE"]


def test_what_nobody_wants_takes_hardly_a_word() -> None:
    fields = "".join(f'<uInt32 name="F{at}" id="{at}"><copy/></uInt32>' for at in range(24))
    found = templates(f'<templates><template name="T" id="1">{fields}</template></templates>')
    program = program_of(found, lambda item: False)
    assert [word.op for word in program.words] == [Op.END, Op.SKIP, Op.SKIP, Op.END]
    assert program.numbers == 0
