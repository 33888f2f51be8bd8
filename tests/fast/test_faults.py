# SPDX-License-Identifier: Apache-2.0
"""Streams that are wrong: which code, at which byte, of which field; and what is counted."""

import pytest
from fast_support import decode, one, templates

from fixaccel.fast.decoder import Decoder
from fixaccel.fast.errors import Fault
from fixaccel.fast.layout import KEPT_BYTES
from fixaccel.fast.model import Scaled

_OPTIONAL = 'presence="optional"'
_EMPTY = f'<uInt32 name="A" {_OPTIONAL}><copy/></uInt32>'  # its previous value is, once it is absent
_COPY = '<uInt32 name="A"><copy/></uInt32>'


@pytest.mark.parametrize(
    ("items", "stream", "fault", "at", "field"),
    [
        ('<uInt32 name="A"/>', "c0 81 10 00 00 00 80", Fault.D2, 2, "A"),
        ('<int32 name="A"/>', "c0 81 08 00 00 00 80", Fault.D2, 2, "A"),
        (f'<uInt64 name="A" {_OPTIONAL}/>', "c0 81 02 00 00 00 00 00 00 00 00 81", Fault.D2, 2, "A"),
        ('<byteVector name="A"/>', "c0 81 10 00 00 00 80", Fault.D2, 2, "A"),
        (_COPY, "c0 81", Fault.D5, 2, "A"),
        ('<uInt32 name="A"><increment/></uInt32>', "c0 81", Fault.D5, 2, "A"),
        ('<string name="A"><tail/></string>', "c0 81", Fault.D6, 2, "A"),
        (f'{_EMPTY}<uInt32 name="B"><copy key="A"/></uInt32>', "c0 81", Fault.D6, 2, "B"),
        (
            f'<string name="A" {_OPTIONAL}><tail/></string><string name="B"><tail key="A"/></string>',
            "c0 81", Fault.D7, 2, "B",
        ),
        (f'{_EMPTY}<uInt32 name="B"><delta key="A"/></uInt32>', "c0 81 80", Fault.D6, 2, "B"),
        ('<string name="A"><delta/></string>', "c0 81 81 c1", Fault.D7, 2, "A"),
        ('<string name="A"><delta/></string>', "c0 81 fe c1", Fault.D7, 2, "A"),
        ('<string name="A"><delta/></string>', "c0 81 08 00 00 00 80 c1", Fault.D7, 2, "A"),
        ("", "c0 82", Fault.D9, 1, None),
        ("", "80", Fault.D5, 1, None),
        ('<decimal name="A"/>', "c0 81 00 c0 81", Fault.R1, 2, "A"),
        ('<decimal name="A"/>', "c0 81 08 00 00 00 80 81", Fault.D2, 2, "A"),
        ('<decimal name="A"><delta value="1"/></decimal>', "c0 81 00 c0 81", Fault.R1, 2, "A"),
        ('<decimal name="A"><delta value="1"/></decimal>', "c0 81 80 00 7f 7f 7f 7f 7f 7f 7f 7f ff", Fault.R1, 2, "A"),
        ('<decimal name="A"><exponent><delta value="63"/></exponent></decimal>', "c0 81 81 81", Fault.R1, 2, "A"),
        ('<uInt32 name="A"><delta/></uInt32>', "c0 81 ff", Fault.R4, 2, "A"),
        ('<int64 name="A"><delta value="9223372036854775807"/></int64>', "c0 81 81", Fault.R4, 2, "A"),
        ('<uInt32 name="A"/>', "c0 81 01 02", Fault.U1, 2, "A"),
        ('<byteVector name="A"/>', "c0 81 84 01 02 03", Fault.U1, 2, "A"),
        ('<sequence name="S"><uInt32 name="A"/></sequence>', "c0 81 83 81 82", Fault.U1, 5, "S.A"),
        ("", "00 00", Fault.U1, 0, None),
        ('<string name="A"><copy/></string>', "e0 81" + "41" * KEPT_BYTES + "c1", Fault.U2, 2, "A"),
        ('<uInt64 name="A"/>', "c0 81" + "00" * 10 + "80", Fault.U3, 2, "A"),
        ("", "00" * 10 + "80", Fault.U3, 0, None),
    ],
)  # fmt: skip
def test_fatal(items: str, stream: str, fault: Fault, at: int, field: str | None) -> None:
    decoded = decode(one(items), stream)
    assert decoded.error
    assert (decoded.error.fault, decoded.error.at, decoded.error.field) == (fault, at, field)
    assert decoded.messages == ()
    assert fault.name in str(decoded.error)


def test_all_or_nothing() -> None:
    decoded = decode(one('<uInt32 name="A"/>'), "c0 81 85 80 86 80")
    assert decoded.messages == ()
    assert decoded.error
    assert decoded.error.fault is Fault.U1


@pytest.mark.parametrize(
    ("items", "stream", "fault", "value"),
    [
        ('<uInt32 name="A"/>', "c0 81 00 85", Fault.R6, 5),
        ('<int32 name="A"/>', "c0 81 00 85", Fault.R6, 5),
        ('<int32 name="A"/>', "c0 81 7f fb", Fault.R6, -5),
        (f'<uInt32 name="A" {_OPTIONAL}/>', "c0 81 00 80", Fault.R6, None),
        ('<uInt32 name="A"/>', "40 80 81 85", Fault.R7, 5),
        ('<uInt32 name="A"/>', "d0 81 85", Fault.R8, 5),
        ('<string name="A"/>', "c0 81 00 c1", Fault.R9, b"A"),
        (f'<string name="A" {_OPTIONAL}/>', "c0 81 00 c1", Fault.R9, b"A"),
        (f'<string name="A" {_OPTIONAL}/>', "c0 81 00 00 c1", Fault.R9, b"A"),
    ],
)
def test_counted(items: str, stream: str, fault: Fault, value: object) -> None:
    decoded = decode(one(items), stream)
    assert decoded.error is None
    assert decoded.counts[fault] == 1
    assert decoded.messages[0].fields == ({} if value is None else {"A": value})


@pytest.mark.parametrize(
    ("presence", "stream", "value"),
    [
        ("", "00 80", b"\0"),
        ("", "00 00 c1", b"\0A"),
        (_OPTIONAL, "00 00 80", b"\0"),
        (_OPTIONAL, "00 00 00 c1", b"\0A"),
    ],
)
def test_zeros_in_strings(presence: str, stream: str, value: bytes) -> None:
    decoded = decode(one(f'<string name="A" {presence}/>'), f"c0 81 {stream}")
    assert decoded.messages[0].fields == {"A": value}
    assert not decoded.counts


def test_a_group_whose_only_bits_are_a_decimals() -> None:
    found = one(
        f'<group name="G" {_OPTIONAL}><decimal name="A" {_OPTIONAL}><exponent><copy/></exponent>'
        "<mantissa><copy/></mantissa></decimal></group>"
    )
    decoded = decode(found, "e0 81 e0 fe 85 a0 80")
    assert [message.fields for message in decoded.messages] == [{"G": {"A": Scaled(-2, 5)}}] * 2


def test_nothing_is_carried_over_a_datagram() -> None:
    found = one('<uInt32 name="A"><delta/></uInt32>')
    decoder = Decoder(found)
    for _ in range(2):
        decoded = decoder.datagram(bytes.fromhex("c081858081"))
        assert [message.fields for message in decoded.messages] == [{"A": 5}, {"A": 6}]


def test_the_maximum_wraps() -> None:
    found = one('<int32 name="A"><increment value="2147483647"/></int32>')
    decoded = decode(found, "c0 81 80")
    assert [message.fields for message in decoded.messages] == [{"A": 2147483647}, {"A": -2147483648}]


def test_dynamic_references_nest_four_deep() -> None:
    found = templates(
        '<templates><template name="T" id="1"><templateRef/></template><template name="E" id="2"/></templates>'
    )
    good = decode(found, "c0 81" + "80" * 3 + "c0 82")
    assert good.error is None
    bad = decode(found, "c0 81" + "80" * 4 + "c0 82")
    assert bad.error
    assert bad.error.fault is Fault.U5
