# SPDX-License-Identifier: Apache-2.0
"""A message of market data that names more of the venue's instruments than the board holds: U4, on all decoders."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from fast_support import templates
from program_support import program_of, said, told

from fixaccel.fast.decoder import Datagram, Decoder
from fixaccel.fast.errors import Fault
from fixaccel.fast.layout import MESSAGE_INSTRUMENTS
from fixaccel.fast.model import Templates
from fixaccel.fast.observed import Instruments
from fixaccel.fast.program.interest import Found, Interest, everything
from fixaccel.fast.program.interpreter import Interpreter
from fixaccel.fast.program.native import Native

_ENTRIES = '<sequence name="Entries"><length name="N" id="268"/>{}</sequence>'
_FILE = (
    '<templates><template name="Update" id="1"><string name="MsgType" id="35"><constant value="X"/></string>{0}'
    '</template><template name="List" id="2"><string name="MsgType" id="35"><constant value="y"/></string>{0}'
    '</template><template name="Whole" id="3"><string name="MsgType" id="35"><constant value="W"/></string>'
    "<templateRef/><templateRef/></template></templates>"
)
NUMBERS = templates(_FILE.format(_ENTRIES.format('<uInt64 name="SecurityID" id="48"/>')))
SIGNED = templates(_FILE.format(_ENTRIES.format('<int64 name="SecurityID" id="48"/>')))
SYMBOLS = templates(_FILE.format(_ENTRIES.format('<string name="Symbol" id="55"/>')))
KNOWN: Instruments = frozenset(range(1, 33))
MOST = MESSAGE_INSTRUMENTS
UPDATE, LIST = "c0 81", "c0 82"  # map and identifier


@pytest.fixture(scope="module")
def native() -> Iterator[Native]:
    with Native() as found:
        yield found


def entries(*numbers: int) -> str:
    return f"{0x80 | len(numbers):02x}" + "".join(f"{0x80 | number:02x}" for number in numbers)


def decode(native: Native, found: Templates, stream: str, known: Instruments = KNOWN) -> Datagram:
    """What reference decoder and both interpreters say alike."""
    interest = Interest(tagged=everything)
    data = bytes.fromhex(stream)
    reference = Decoder(found, observed=Found(interest, found).observed(found, known)).datagram(data)
    program = program_of(found)
    outcome = Interpreter(program, known).datagram(data)
    assert native.datagram(program, data, known) == outcome
    assert said(told(found, program, outcome)) == said(reference)
    return reference


def test_one_more_is_too_many(native: Native) -> None:
    stream = UPDATE + entries(*range(1, MOST + 2))
    decoded = decode(native, NUMBERS, stream)
    assert decoded.error
    assert (decoded.error.fault, decoded.error.at) == (Fault.U4, 3 + MOST)
    assert (decoded.error.template, decoded.error.field) == ("Update", "Entries.SecurityID")
    assert decoded.messages == ()
    assert decode(native, NUMBERS, stream, frozenset()).error is None


@pytest.mark.parametrize(
    "stream",
    [
        UPDATE + entries(*range(1, MOST + 1)),
        UPDATE + entries(*range(1, MOST + 1), *range(1, MOST + 1)),  # each of them twice
        UPDATE + entries(*range(1, MOST + 1), 40, 41, 42),  # which the venue has not
        UPDATE + entries(*range(1, MOST + 1)) + UPDATE + entries(*range(17, 33)),  # a message each
        LIST + entries(*range(1, 33)),  # no market data
    ],
)
def test_what_is_not_too_many(native: Native, stream: str) -> None:
    assert decode(native, NUMBERS, stream).error is None


def test_what_is_called_counts_for_the_message(native: Native) -> None:
    whole = "c0 83" + LIST + entries(*range(1, 10)) + UPDATE
    assert decode(native, NUMBERS, whole + entries(*range(10, MOST + 1))).error is None
    bad = decode(native, NUMBERS, whole + entries(*range(10, MOST + 2)))
    assert bad.error
    assert (bad.error.fault, bad.error.template) == (Fault.U4, "Update")


def test_symbols_count_likewise(native: Native) -> None:
    known: Instruments = frozenset(bytes([65 + at]) for at in range(20))
    good, bad = (entries(*range(65, 65 + MOST)), entries(*range(65, 66 + MOST)))
    assert decode(native, SYMBOLS, UPDATE + good, known).error is None
    error = decode(native, SYMBOLS, UPDATE + bad, known).error
    assert error
    assert error.fault is Fault.U4
    assert decode(native, SYMBOLS, UPDATE + bad, frozenset(range(100))).error is None


def test_a_number_below_zero_is_no_large_one(native: Native) -> None:
    known: Instruments = frozenset((1 << 64) - at for at in range(1, 30))
    below = entries(*(0x80 - at for at in range(1, 30)))
    assert decode(native, SIGNED, UPDATE + below, known).error is None


def test_the_core_holds_as_many() -> None:
    package = Path(__file__).resolve().parents[2] / "rtl" / "parse" / "receive_pkg.sv"
    slots = re.search(r"localparam int SLOTS = (\d+);", package.read_text())
    assert slots
    assert int(slots[1]) == MESSAGE_INSTRUMENTS
