# SPDX-License-Identifier: Apache-2.0
"""Malformed and truncated frames and FIX messages: nothing fires, and the session goes on unharmed."""

import time
from dataclasses import replace
from ipaddress import IPv4Address
from pathlib import Path

import pytest
from scapy.layers.inet import IP, TCP
from scapy.layers.l2 import Ether
from scapy.utils import rdpcap

from fixaccel.lab.namespaces import CLIENT_IP, EXCHANGE_IP
from fixaccel.lab.processes import wait_until
from fixaccel.simulate.rtl.frames import ACK, PSH, Endpoint, Segment, build
from lab.desk import Desk
from lab.hostile_venue import header, message, snapshot
from lab.venue import PORT, say, start

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

# Would fire three rules if it were taken for a message of the session.
_TRIGGER = message(header("W", 99) + snapshot("MSFT", "1100"))


def bad_messages() -> list[str]:
    """Lines for the venue; the good ones among them carry no price that counts."""
    wrong_sum = _TRIGGER[:-4] + b"%03d\x01" % ((int(_TRIGGER[-4:-1]) + 1) % 256)
    wrong_length = _TRIGGER.replace(b"\x019=", b"\x019=1", 1)
    no_length = _TRIGGER.replace(b"\x019=", b"\x019=x", 1)
    cut = _TRIGGER[: len(_TRIGGER) // 2]
    return [
        *(f"bytes {data.hex()}" for data in (wrong_sum, no_length, cut, b"garbage", wrong_length)),
        *(f"good W {snapshot('MSFT', price)}" for price in ("11x0", "-", "+1100", "1100.001", "", "1" * 40)),
        f"good W {snapshot('NOSUCH', '1100')}",
        "good W 55=MSFT|268=1|269=7|270=1100|",
    ]


def settled(pcap: Path) -> bool:
    """Whether the capture holds something and has not grown for longer than it is written late."""
    size = pcap.stat().st_size
    time.sleep(0.6)
    return bool(rdpcap(str(pcap))) and pcap.stat().st_size == size


def bad_frames(pcap: Path) -> list[str]:
    """The trigger in frames that must not count, right behind the bytes of the captured session."""
    seen = [packet for packet in rdpcap(str(pcap)) if TCP in packet and packet[IP].src == CLIENT_IP]
    last = seen[-1]
    venue = Endpoint(bytes.fromhex(last[Ether].dst.replace(":", "")), IPv4Address(EXCHANGE_IP), PORT)
    client = Endpoint(bytes.fromhex(last[Ether].src.replace(":", "")), IPv4Address(CLIENT_IP), last[TCP].sport)
    good = Segment(venue, client, last[TCP].ack, last[TCP].seq + len(last[TCP].payload), ACK | PSH, 65535, _TRIGGER)
    frame = build(good, 7)
    ip_sum = frame[:24] + bytes((frame[24] ^ 0xFF,)) + frame[25:]
    forged = [
        build(good, 7, damage=1),
        ip_sum,
        frame[:-20],
        frame[:60],
        frame[:40],
        frame[:14],
        frame[:14] + b"\x4f" + frame[15:],  # an IP header of 60 bytes
        frame[:46] + b"\xf0" + frame[47:],  # a TCP header of 60 bytes
        build(replace(good, seq=(good.seq - len(_TRIGGER)) % 2**32), 7),  # bytes that were here already
        build(replace(good, target=replace(client, port=client.port ^ 1)), 7),
        b"\xff" * 64,
    ]
    return [f"frame {data.hex()}" for data in forged]


def test_nothing_fires_and_the_session_goes_on(desk: Desk, bundle: Path) -> None:
    desk.start_capture()
    desk.start_board()
    venue = start(desk)
    daemon = desk.start_daemon(bundle)
    desk.wait_armed(daemon)

    wait_until("the capture to catch up", lambda: settled(desk.pcap), 20)
    say(desk, venue, bad_frames(desk.pcap))
    say(desk, venue, ["good 1 112=FRAMES|"])
    wait_until("a heartbeat after the frames", lambda: "|112=FRAMES|" in venue.text(), 30, daemon.check_alive)

    say(desk, venue, [*bad_messages(), "good 1 112=MESSAGES|"])
    wait_until("a heartbeat after the messages", lambda: "|112=MESSAGES|" in venue.text(), 30, daemon.check_alive)
    counters = desk.status()["fabric"]["counters"]
    # It saw them, each for what it is.
    seen = ("frames_bad", "segments_old", "bad_checksum", "desync", "prices_invalid")
    assert {name: counters[name] for name in seen if not counters[name]} == {}, counters
    assert desk.fires() == []
    assert "|35=D|" not in venue.text()

    # The same trigger, said properly, does fire: the silence above was no deafness.
    wait_until("the parser to be in step", lambda: bool(desk.status()["fabric"]["synced"]), 30, daemon.check_alive)
    assert desk.status()["armed"]
    say(desk, venue, [f"good W {snapshot('MSFT', '1179')}"])
    wait_until("the order", lambda: "|35=D|" in venue.text(), 30, daemon.check_alive)
    (fire,) = desk.wait_for_fires(1)
    assert fire["rule"] == "protect-msft"
