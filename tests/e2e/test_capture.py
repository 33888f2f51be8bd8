# SPDX-License-Identifier: Apache-2.0
"""What is a fault in a capture, and what is none."""

from pathlib import Path

from scapy.layers.inet import IP, TCP
from scapy.layers.l2 import Ether
from scapy.utils import wrpcap

from lab.capture import examine

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
