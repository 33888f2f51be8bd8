# SPDX-License-Identifier: Apache-2.0
"""The examples of the standard's third appendix: value, state before, presence bits, bytes."""

from dataclasses import dataclass

import pytest
from fast_support import decode, one

from fixaccel.fast.encoder import Encoder
from fixaccel.fast.messages import Fields, Message
from fixaccel.fast.model import Scaled, Value

_OPTIONAL = 'presence="optional"'


@dataclass(frozen=True)
class Step:
    """A message of one field: the presence bits behind the identifier's, the field's bytes and its value."""

    value: Value | None
    bits: str
    data: str


def _field(tag: str, content: str = "", presence: str = "") -> str:
    return f'<{tag} name="Value" id="1" {presence}>{content}</{tag}>'


_ONE_STEP: list[tuple[str, Value | None, str]] = [
    (_field("int32", presence=_OPTIONAL), 942755, "39 45 a4"),
    (_field("int32"), 942755, "39 45 a3"),
    (_field("int32", presence=_OPTIONAL), -942755, "46 3a dd"),
    (_field("int32"), -7942755, "7c 1b 1b 9d"),
    (_field("int32"), 8193, "00 40 81"),
    # The standard's table has 73 in front; its bits, and two's complement, say 7f.
    (_field("int32"), -8193, "7f 3f ff"),
    (_field("uInt32", presence=_OPTIONAL), None, "80"),
    (_field("uInt32", presence=_OPTIONAL), 0, "81"),
    (_field("uInt32", presence=_OPTIONAL), 1, "82"),
    (_field("uInt32", presence=_OPTIONAL), 942755, "39 45 a4"),
    (_field("uInt32"), 0, "80"),
    (_field("uInt32"), 1, "81"),
    (_field("uInt32"), 942755, "39 45 a3"),
    (_field("string", presence=_OPTIONAL), None, "80"),
    (_field("string", presence=_OPTIONAL), b"ABC", "41 42 c3"),
    (_field("string", presence=_OPTIONAL), b"", "00 80"),
    (_field("string"), b"ABC", "41 42 c3"),
    (_field("string"), b"", "80"),
    (_field("byteVector", presence=_OPTIONAL), None, "80"),
    (_field("byteVector", presence=_OPTIONAL), b"ABC", "84 41 42 43"),
    (_field("byteVector", presence=_OPTIONAL), b"", "81"),
    (_field("byteVector"), b"ABC", "83 41 42 43"),
    (_field("byteVector"), b"", "80"),
    (_field("decimal"), Scaled(2, 942755), "82 39 45 a3"),
    (_field("decimal"), Scaled(1, 9427550), "81 04 3f 34 de"),
    (_field("decimal", presence=_OPTIONAL), Scaled(2, 942755), "83 39 45 a3"),
    (_field("decimal"), Scaled(-2, 942755), "fe 39 45 a3"),
    (_field("decimal", presence=_OPTIONAL), Scaled(-2, -942755), "fe 46 3a dd"),
    # As above: 7f where the standard's table has 73.
    (_field("decimal", presence=_OPTIONAL), Scaled(-3, -8193), "fd 7f 3f ff"),
    # Section 10.6.1: nullable, 33 bits.
    (_field("uInt32", presence=_OPTIONAL), 4294967295, "10 00 00 00 80"),
    (_field("int32"), 64, "00 c0"),
]

_STEPS: list[tuple[str, list[Step]]] = [
    (_field("decimal", "<copy/>", _OPTIONAL), [Step(Scaled(-2, 942755), "1", "fe 39 45 a3")]),
    (
        _field("decimal", "<exponent><copy/></exponent><mantissa><delta/></mantissa>", _OPTIONAL),
        [Step(Scaled(-2, 942755), "1", "fe 39 45 a3")],
    ),
    (_field("uInt32", '<constant value="0"/>'), [Step(0, "", "")]),
    (_field("uInt32", '<constant value="0"/>', _OPTIONAL), [Step(0, "1", ""), Step(None, "0", "")]),
    (_field("uInt32", '<default value="0"/>'), [Step(0, "0", ""), Step(1, "1", "81")]),
    (_field("uInt32", "<default/>", _OPTIONAL), [Step(None, "0", "")]),
    (
        _field("string", "<copy/>"),
        [Step(b"CME", "1", "43 4d c5"), Step(b"CME", "0", ""), Step(b"ISE", "1", "49 53 c5")],
    ),
    (
        _field("uInt32", '<increment value="1"/>'),
        [Step(1, "0", ""), Step(2, "0", ""), Step(4, "1", "84"), Step(5, "0", "")],
    ),
    (
        _field("int32", "<delta/>"),
        [Step(942755, "", "39 45 a3"), Step(942750, "", "fb"), Step(942745, "", "fb"), Step(942745, "", "80")],
    ),
    (
        _field("decimal", "<delta/>"),
        [
            Step(Scaled(-2, 942755), "", "fe 39 45 a3"),
            Step(Scaled(-2, 942751), "", "80 fc"),
            Step(Scaled(-2, 942746), "", "80 fb"),
        ],
    ),
    (
        _field("decimal", '<delta value="12000"/>'),
        [
            Step(Scaled(1, 1210), "", "fe 09 ae"),
            Step(Scaled(1, 1215), "", "80 85"),
            Step(Scaled(1, 1220), "", "80 85"),
        ],
    ),
    (
        _field("string", "<delta/>"),
        [
            Step(b"GEH6", "", "80 47 45 48 b6"),
            Step(b"GEM6", "", "82 4d b6"),
            Step(b"ESM6", "", "fd 45 d3"),
            Step(b"RSESM6", "", "ff 52 d3"),
        ],
    ),
    (
        # The standard's bytes for this mantissa are one too high: the mantissa is mandatory.
        _field("decimal", "<exponent><copy/></exponent><mantissa><copy/></mantissa>", _OPTIONAL),
        [
            Step(Scaled(-2, 942755), "11", "fe 39 45 a3"),
            Step(Scaled(-2, 942760), "01", "39 45 a8"),
            Step(None, "1", "80"),
        ],
    ),
]


def _stream(steps: list[Step]) -> str:
    parts = []
    for at, step in enumerate(steps):
        bits = ("1" if at == 0 else "0") + step.bits
        parts += [f"{int(bits.ljust(7, '0'), 2) | 0x80:02x}", "81" if at == 0 else "", step.data]
    return " ".join(parts)


_CASES = [*_STEPS, *((items, [Step(value, "", data)]) for items, value, data in _ONE_STEP)]


@pytest.mark.parametrize(("items", "steps"), _CASES)
def test_both_ways(items: str, steps: list[Step]) -> None:
    found = one(items)
    wanted: list[Fields] = [{} if step.value is None else {"Value": step.value} for step in steps]
    decoded = decode(found, _stream(steps))
    assert [message.fields for message in decoded.messages] == wanted
    assert not decoded.counts
    encoded = Encoder().datagram(Message(found.all[0], fields) for fields in wanted)
    assert encoded == bytes.fromhex(_stream(steps))


def test_empty_copy_of_an_optional_string() -> None:
    # The standard sends null where the previous value is undefined; a clear bit says the same, and is shorter.
    found = one(_field("string", "<copy/>", _OPTIONAL))
    decoded = decode(found, "e0 81 80 80 a0 43 4d c5")
    assert [message.fields for message in decoded.messages] == [{}, {}, {"Value": b"CME"}]
