# SPDX-License-Identifier: Apache-2.0
"""UDP datagrams in captures (pcap, pcapng): which frames are datagrams of a feed, and frames made of datagrams."""

import socket
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from enum import Enum
from io import BytesIO
from pathlib import Path

import dpkt

from fixaccel.files import write_atomically
from fixaccel.language.terms import Group

_ETHERNET = 1  # LINKTYPE_ETHERNET
_FIRST_TYPE = 0x0600  # below it the field is a length, not a type
_SECOND = 10**9
_HEADERS = 14 + 20 + 8


class Passed(Enum):
    """Why a frame is no datagram of a feed."""

    OTHER = "not IPv4 over untagged Ethernet"
    OPTIONS = "IPv4 with options"
    FRAGMENT = "a fragment"
    NOT_UDP = "not UDP"
    LENGTH = "lengths that do not fit"
    IP_SUM = "a wrong IPv4 checksum"
    UDP_SUM = "a wrong UDP checksum"
    CUT = "cut by the capture"
    ELSEWHERE = "another group or port"
    SENDER = "another sender"


class CaptureError(Exception):
    """A file that is no capture, or one of another link."""


@dataclass(frozen=True)
class Captured:
    """``number`` counts frames from 1, ``time`` is in nanoseconds since 1970."""

    number: int
    time: int
    group: Group
    payload: bytes


@dataclass
class Capture:
    """A file, open. Iterating gives the datagrams; ``passed`` counts the other frames as they go by."""

    path: Path
    groups: frozenset[Group] = frozenset()  # none: all
    senders: Mapping[Group, str] = field(default_factory=dict)  # of a group that has only one

    def __post_init__(self) -> None:
        self.passed: Counter[Passed] = Counter()

    def __iter__(self) -> Iterator[Captured]:
        """Raises CaptureError, OSError."""
        with self.path.open("rb") as file:
            try:
                reader = dpkt.pcap.UniversalReader(file)
            except (ValueError, dpkt.UnpackError) as error:
                raise CaptureError(f"{self.path} is neither pcap nor pcapng") from error
            if reader.datalink() != _ETHERNET:
                raise CaptureError(f"{self.path} is not of Ethernet: its link type is {reader.datalink()}")
            frames = enumerate(reader, 1)
            while True:
                try:
                    number, (time, frame) = next(frames)
                except StopIteration:
                    return
                except (ValueError, dpkt.UnpackError) as error:
                    raise CaptureError(f"{self.path} ends in the middle of a frame, or is damaged") from error
                found = self._datagram(bytes(frame))
                if isinstance(found, Passed):
                    self.passed[found] += 1
                else:
                    yield Captured(number, round(Decimal(time) * _SECOND), *found)

    def _datagram(self, frame: bytes) -> tuple[Group, bytes] | Passed:  # noqa: PLR0911 - a reason each
        kind = int.from_bytes(frame[12:14])
        if len(frame) < _HEADERS or kind < _FIRST_TYPE or kind != dpkt.ethernet.ETH_TYPE_IP or frame[14] >> 4 != 4:
            return Passed.OTHER
        ip, length = frame[14:], int.from_bytes(frame[16:18])
        if ip[0] & 15 != 5:
            return Passed.OPTIONS
        if ip[9] != socket.IPPROTO_UDP:
            return Passed.NOT_UDP
        if int.from_bytes(ip[6:8]) & 0x3FFF:
            return Passed.FRAGMENT
        if length > len(ip):
            return Passed.CUT
        udp = ip[20:length]
        if len(udp) < 8 or int.from_bytes(udp[4:6]) != len(udp):
            return Passed.LENGTH
        if dpkt.in_cksum(ip[:20]):
            return Passed.IP_SUM
        pseudo = ip[12:20] + bytes([0, socket.IPPROTO_UDP]) + udp[4:6]
        if udp[6:8] != b"\0\0" and dpkt.in_cksum(pseudo + udp):
            return Passed.UDP_SUM
        group = Group(socket.inet_ntoa(ip[16:20]), int.from_bytes(udp[2:4]))
        if self.groups and group not in self.groups:
            return Passed.ELSEWHERE
        if self.senders.get(group, source := socket.inet_ntoa(ip[12:16])) != source:
            return Passed.SENDER
        return group, udp[8:]


def frame_of(group: Group, source: Group, payload: bytes, number: int) -> bytes:
    """The Ethernet frame of a datagram; ``number`` becomes the identification of its IPv4 packet."""
    udp = dpkt.udp.UDP(sport=source.port, dport=group.port, data=payload, ulen=8 + len(payload))
    to = socket.inet_aton(group.address)
    ip = dpkt.ip.IP(
        src=socket.inet_aton(source.address), dst=to, p=socket.IPPROTO_UDP, ttl=16, id=number & 0xFFFF, data=udp
    )
    ip.len = 20 + 8 + len(payload)
    # RFC 1112: the low 23 bits of the group are the frame's address.
    mac = b"\x01\x00\x5e" + bytes([to[1] & 0x7F]) + to[2:] if 224 <= to[0] < 240 else b"\x02\0" + to
    frame = dpkt.ethernet.Ethernet(dst=mac, src=b"\x02\0" + socket.inet_aton(source.address), data=ip)
    return bytes(frame)


def write_capture(path: Path, frames: Iterable[tuple[int, bytes]]) -> int:
    """Writes pairs of time (nanoseconds since 1970) and frame as pcap; returns how many. Raises OSError."""
    out = BytesIO()
    writer = dpkt.pcap.Writer(out, nano=True)
    count = 0
    for time, frame in frames:
        writer.writepkt_time(frame, Decimal(time) / _SECOND)
        count += 1
    write_atomically(path, out.getvalue())
    return count
