# SPDX-License-Identifier: Apache-2.0
"""What is a fault in a capture, and what is none."""

from pathlib import Path

from scapy.layers.inet import IP, TCP
from scapy.layers.l2 import Ether
from scapy.utils import wrpcap

from fixaccel.lab.capture import examine

_CLIENT, _EXCHANGE = "10.0.0.2", "10.0.0.1"


def _segment(seq: int, window: int, **checksum: int) -> Ether:
    tcp = TCP(sport=40001, dport=9878, seq=seq, ack=1, flags="A", window=window, **checksum)
    return Ether(src="02:00:00:00:00:02", dst="02:00:00:00:00:01") / IP(src=_CLIENT, dst=_EXCHANGE) / tcp


def test_minus_zero_is_no_wrong_checksum(tmp_path: Path) -> None:
    check = Ether(bytes(_segment(100, 0)))[TCP].chksum
    zero = Ether(bytes(_segment(100, check)))
    assert zero[TCP].chksum == 0
    minus_zero = _segment(100, check, chksum=0xFFFF)
    wrong = [_segment(100, check, chksum=1), _segment(100, check - 1, chksum=0xFFFF)]
    capture = tmp_path / "wire.pcap"
    wrpcap(str(capture), [zero, minus_zero, *wrong])
    findings = examine(capture, _CLIENT)
    assert [text.split()[0] for text in findings.bad_checksums] == ["3", "4"]
    assert findings.frames == 4


def _message(seq: int, text: bytes) -> Ether:
    head = Ether(src="02:00:00:00:00:02", dst="02:00:00:00:00:01") / IP(src=_CLIENT, dst=_EXCHANGE)
    return head / TCP(sport=40001, dport=9878, seq=seq, ack=1, flags="PA", window=9000) / text


def test_each_fault_is_told_with_its_frame(tmp_path: Path) -> None:
    heartbeat = b"8=FIX.4.4\x019=5\x0135=0\x0110=163\x01"
    size = len(heartbeat)
    reset = _segment(100 + 2 * size, 9000)
    reset[TCP].flags = "R"
    torn = Ether(bytes(_segment(100 + 2 * size, 9000)))
    torn[TCP].dataofs = 15  # a header that is longer than the frame
    frames = [_message(100, heartbeat), _message(100 + size, heartbeat), _message(100 + size, heartbeat), torn, reset]
    capture = tmp_path / "wire.pcap"
    wrpcap(str(capture), frames[:2])
    assert examine(capture, _CLIENT).faults() == []
    assert examine(capture, _CLIENT).heartbeats == 2
    wrpcap(str(capture), frames)
    findings = examine(capture, _CLIENT)
    assert findings.retransmissions == [3]
    assert findings.resets == [5]
    assert findings.malformed == [4]
    assert findings.with_fcs == 0
