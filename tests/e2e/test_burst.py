# SPDX-License-Identifier: Apache-2.0
"""A thousand orders and market data at line rate, and that its judges would notice one wrong byte."""

from dataclasses import replace
from pathlib import Path

import pytest

from burst import ORDERS, Burst, faults, line_of, record
from fixaccel.lab.capture import Findings, examine
from fixaccel.simulate.rtl.pcap import read_pcap

pytestmark = [pytest.mark.e2e, pytest.mark.rtl, pytest.mark.slow]

_FILE_HEADER, _FRAME_HEADER = 24, 16


@pytest.fixture(scope="module")
def burst(tmp_path_factory: pytest.TempPathFactory) -> Burst:
    return record(tmp_path_factory.mktemp("burst"))


@pytest.fixture(scope="module")
def findings(burst: Burst) -> Findings:
    return examine(burst.wire, burst.client)


def judged(burst: Burst, findings: Findings | None = None) -> list[str]:
    return faults(burst, findings or examine(burst.wire, burst.client), line_of(burst))


def order_places(burst: Burst) -> list[tuple[int, bytes]]:
    """Where in the file each order's frame begins, and the frame."""
    places, at = [], _FILE_HEADER
    for _, frame in read_pcap(burst.wire):
        at += _FRAME_HEADER
        if b"\x0135=D\x01" in frame:
            places.append((at, frame))
        at += len(frame)
    return places


def test_a_thousand_orders_at_line_rate_are_valid(burst: Burst, findings: Findings) -> None:
    assert len(burst.expected) == ORDERS
    assert {fire.outcome for fire in burst.expected} == {"sent"}
    assert judged(burst, findings) == []
    line = line_of(burst)
    assert line.orders == ORDERS
    assert line.meanwhile > ORDERS / 2


@pytest.mark.parametrize("place", [0, 16, -6, -1], ids=["MAC", "IP", "CheckSum", "FCS"])
def test_a_wrong_byte_is_noticed(burst: Burst, tmp_path: Path, place: int) -> None:
    at, frame = order_places(burst)[ORDERS // 2]
    data = bytearray(burst.wire.read_bytes())
    data[at + place % len(frame)] ^= 1
    wire = tmp_path / "wire.pcap"
    wire.write_bytes(data)
    assert judged(replace(burst, wire=wire)) != []


def test_an_order_that_lacks_is_noticed(burst: Burst, tmp_path: Path) -> None:
    at, frame = order_places(burst)[ORDERS // 2]
    data = burst.wire.read_bytes()
    wire = tmp_path / "wire.pcap"
    wire.write_bytes(data[: at - _FRAME_HEADER] + data[at + len(frame) :])
    assert any("MsgSeqNum" in fault for fault in judged(replace(burst, wire=wire)))


def test_an_order_that_the_reference_does_not_have_is_noticed(burst: Burst, findings: Findings) -> None:
    other = replace(burst.expected[7], price="1")
    assert len(judged(replace(burst, expected=[*burst.expected[:7], other, *burst.expected[8:]]), findings)) == 1
    assert len(judged(replace(burst, expected=burst.expected[:-1]), findings)) == 1


def test_a_pause_is_noticed(burst: Burst, findings: Findings, tmp_path: Path) -> None:
    """The second half of the capture a microsecond later."""
    data = bytearray(burst.wire.read_bytes())
    at = _FILE_HEADER
    for number, (_, frame) in enumerate(read_pcap(burst.wire)):
        if number > 1000:
            data[at + 4 : at + 8] = (int.from_bytes(data[at + 4 : at + 8], "little") + 1000).to_bytes(4, "little")
        at += _FRAME_HEADER + len(frame)
    wire = tmp_path / "wire.pcap"
    wire.write_bytes(data)
    assert any("line rate" in fault for fault in judged(replace(burst, wire=wire), findings))
