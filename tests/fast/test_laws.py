# SPDX-License-Identifier: Apache-2.0
"""What holds for every template, message and stream."""

import json

from fast_support import templates
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import cases, files

from fixaccel.fast.decoder import Decoder
from fixaccel.fast.encoder import Encoder
from fixaccel.fast.errors import Fault
from fixaccel.fast.messages import Message, from_json, to_json
from fixaccel.fast.model import Templates

_LENGTHS = {Fault.R6, Fault.R7}


@given(cases())
def test_decoding_gives_back_what_was_encoded(case: tuple[Templates, list[Message]]) -> None:
    found, messages = case
    decoded = Decoder(found).datagram(Encoder().datagram(messages))
    assert decoded.error is None
    assert list(decoded.messages) == messages
    assert not decoded.counts  # the shortest encoding has nothing needless


@given(cases(), st.randoms(use_true_random=False))
def test_needless_bytes_change_nothing(case: tuple[Templates, list[Message]], random: object) -> None:
    found, messages = case
    encoder = Encoder(needless=lambda: random.random() < 0.3)  # type: ignore[attr-defined]
    decoded = Decoder(found).datagram(encoder.datagram(messages))
    assert decoded.error is None
    assert list(decoded.messages) == messages
    assert set(decoded.counts) <= _LENGTHS | {Fault.R8}


@given(cases())
def test_json_holds_all_of_a_message(case: tuple[Templates, list[Message]]) -> None:
    found, messages = case
    for message in messages:
        assert from_json(json.loads(json.dumps(to_json(message))), found) == message


@given(cases(), st.data())
def test_damaged_streams_end(case: tuple[Templates, list[Message]], data: st.DataObject) -> None:
    found, messages = case
    stream = bytearray(Encoder().datagram(messages))
    for _ in range(data.draw(st.integers(1, 4))):
        if stream:
            stream[data.draw(st.integers(0, len(stream) - 1))] = data.draw(st.integers(0, 255))
    del stream[data.draw(st.integers(0, len(stream))) :]
    decoded = Decoder(found).datagram(bytes(stream))
    if decoded.error:
        assert decoded.messages == ()
        assert 0 <= decoded.error.at <= len(stream)
    else:
        # What was understood can be said again, and means the same.
        again = Decoder(found).datagram(Encoder().datagram(decoded.messages))
        assert again.messages == decoded.messages


@given(files(), st.binary(max_size=60))
@settings(max_examples=200)
def test_any_bytes_end(text: str, stream: bytes) -> None:
    decoded = Decoder(templates(text)).datagram(stream)
    assert decoded.error is None or 0 <= decoded.error.at <= len(stream)
