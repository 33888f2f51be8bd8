# SPDX-License-Identifier: Apache-2.0
"""Ethernet, IPv4 and TCP: frames built for the fabric, and its own read back with every check."""

import struct
from dataclasses import dataclass
from ipaddress import IPv4Address

from fixaccel.image.templates.template import tcp_sum

_ETHERTYPE_IPV4 = 0x0800
_TCP = 6
_DONT_FRAGMENT = 0x4000
_IP_HEADER = struct.Struct(">BBHHHBBH4s4s")
_TCP_HEADER = struct.Struct(">HHIIBBHHH")
_ETHERNET_HEADER = struct.Struct(">6s6sH")
_LEAST_FRAME = 60

ACK = 0x10
PSH = 0x08
SYN = 0x02


class FrameError(ValueError):
    """A frame that a receiver would drop."""


@dataclass(frozen=True)
class Endpoint:
    mac: bytes
    ip: IPv4Address
    port: int


@dataclass(frozen=True)
class Segment:
    """A TCP segment; sequence numbers are taken modulo 2^32."""

    source: Endpoint
    target: Endpoint
    seq: int
    ack: int
    flags: int
    window: int
    payload: bytes


def build(segment: Segment, identification: int, damage: int = 0) -> bytes:
    """The frame without FCS, padded to the least size. ``damage`` is added to the TCP checksum."""
    header = _TCP_HEADER.pack(
        segment.source.port,
        segment.target.port,
        segment.seq % 2**32,
        segment.ack % 2**32,
        _TCP_HEADER.size // 4 << 4,
        segment.flags,
        segment.window,
        0,
        0,
    )
    source, target = segment.source.ip.packed, segment.target.ip.packed
    length = len(header) + len(segment.payload)
    checksum = 0xFFFF - tcp_sum(_pseudo_header(source, target, length) + header + segment.payload)
    header = header[:16] + ((checksum + damage) % 2**16).to_bytes(2, "big") + header[18:]
    fields = (0x45, 0, _IP_HEADER.size + length, identification % 2**16, _DONT_FRAGMENT, 64, _TCP)
    ip = _IP_HEADER.pack(*fields, 0, source, target)
    ip = _IP_HEADER.pack(*fields, 0xFFFF - tcp_sum(ip), source, target)
    ethernet = _ETHERNET_HEADER.pack(segment.target.mac, segment.source.mac, _ETHERTYPE_IPV4)
    return (ethernet + ip + header + segment.payload).ljust(_LEAST_FRAME, b"\0")


def parse(frame: bytes) -> Segment:
    """Reads a frame without FCS, with all checksums and lengths. Raises FrameError."""
    if len(frame) < _LEAST_FRAME:
        raise FrameError(f"{len(frame)} bytes, the least is {_LEAST_FRAME}")
    target_mac, source_mac, ethertype = _ETHERNET_HEADER.unpack_from(frame)
    packet = frame[_ETHERNET_HEADER.size :]
    if ethertype != _ETHERTYPE_IPV4 or packet[0] != 0x45 or packet[9] != _TCP:
        raise FrameError("not TCP over IPv4 without options")
    total = int.from_bytes(packet[2:4], "big")
    if not _IP_HEADER.size + _TCP_HEADER.size <= total <= len(packet):
        raise FrameError(f"IP length {total} in a frame of {len(frame)} bytes")
    if any(packet[total:]) or len(frame) > max(_LEAST_FRAME, _ETHERNET_HEADER.size + total):
        raise FrameError("bytes behind the IP packet that are no padding")
    ip, tcp = packet[: _IP_HEADER.size], packet[_IP_HEADER.size : total]
    if tcp_sum(ip) != 0xFFFF:
        raise FrameError("IP checksum")
    source, target = ip[12:16], ip[16:20]
    if tcp_sum(_pseudo_header(source, target, len(tcp)) + tcp) != 0xFFFF:
        raise FrameError("TCP checksum")
    source_port, target_port, seq, ack, offset, flags, window, _, _ = _TCP_HEADER.unpack_from(tcp)
    start = (offset >> 4) * 4
    if not _TCP_HEADER.size <= start <= len(tcp):
        raise FrameError(f"TCP data offset {start}")
    return Segment(
        Endpoint(source_mac, IPv4Address(source), source_port),
        Endpoint(target_mac, IPv4Address(target), target_port),
        seq,
        ack,
        flags,
        window,
        tcp[start:],
    )


def _pseudo_header(source: bytes, target: bytes, length: int) -> bytes:
    return source + target + bytes((0, _TCP)) + length.to_bytes(2, "big")
