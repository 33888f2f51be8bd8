# SPDX-License-Identifier: Apache-2.0
"""Ethernet, IPv4, TCP and FIX as bytes, for tests of the fabric. Written apart from the RTL so that both must agree."""

import struct
import zlib
from dataclasses import dataclass, field, replace

FIN, SYN, RST, PSH, ACK = 0x01, 0x02, 0x04, 0x08, 0x10
SOH = b"\x01"
FCS_BYTES = 4
MAX_FRAME_BYTES = 1522  # with FCS: 802.3 with a VLAN tag


def fcs(frame: bytes) -> bytes:
    """Frame check sequence of ``frame``, as it goes over the wire."""
    return struct.pack("<I", zlib.crc32(frame))


def with_fcs(frame: bytes) -> bytes:
    """``frame`` padded to 60 bytes, with its FCS."""
    padded = frame.ljust(60, b"\0")
    return padded + fcs(padded)


def ones_sum(data: bytes) -> int:
    """One's complement sum over 16-bit big-endian words."""
    total = sum(struct.unpack(f">{(len(data) + 1) // 2}H", data + b"\0" * (len(data) % 2)))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return total


@dataclass(frozen=True)
class Flow:
    """The session's connection, seen from the CPU."""

    local_ip: int = 0x0A000002
    remote_ip: int = 0x0A000001
    local_port: int = 40001
    remote_port: int = 9878
    local_mac: bytes = bytes.fromhex("020000000002")
    remote_mac: bytes = bytes.fromhex("020000000001")


@dataclass(frozen=True)
class Segment:
    """A TCP segment. ``outgoing``: from the CPU to the exchange."""

    outgoing: bool
    seq: int
    ack: int = 0
    flags: int = ACK
    window: int = 65535
    payload: bytes = b""
    flow: Flow = field(default_factory=Flow)
    tcp_options: bytes = b""
    ip_options: bytes = b""
    ip_id: int = 1
    fragment: int = 0x4000
    minus_zero: bool = False  # a TCP checksum of zero goes out as 0xFFFF, as Linux has it where no hardware sums

    def that_sums_to_zero(self) -> "Segment":
        """The same with the window with which its TCP checksum is zero."""
        check = int.from_bytes(replace(self, window=0).ip_packet()[self._ip_bytes() + 16 :][:2], "big")
        return replace(self, window=check)

    def _ip_bytes(self) -> int:
        return 20 + len(self.ip_options)

    def ip_packet(self) -> bytes:
        """IPv4 packet with right checksums."""
        flow = self.flow
        ends = [(flow.local_ip, flow.local_port), (flow.remote_ip, flow.remote_port)]
        (src, sport), (dst, dport) = ends if self.outgoing else ends[::-1]
        offset = 5 + len(self.tcp_options) // 4
        tcp = struct.pack(
            ">HHIIBBHHH", sport, dport, self.seq % 2**32, self.ack % 2**32, offset << 4, self.flags, self.window, 0, 0
        )
        tcp += self.tcp_options + self.payload
        check = 0xFFFF ^ ones_sum(struct.pack(">IIHH", src, dst, 6, len(tcp)) + tcp)
        if self.minus_zero and check == 0:
            check = 0xFFFF
        tcp = tcp[:16] + struct.pack(">H", check) + tcp[18:]
        ihl = self._ip_bytes() // 4
        total = ihl * 4 + len(tcp)
        ip = struct.pack(">BBHHHBBHII", 0x40 | ihl, 0, total, self.ip_id, self.fragment, 64, 6, 0, src, dst)
        ip += self.ip_options
        ip = ip[:10] + struct.pack(">H", 0xFFFF ^ ones_sum(ip)) + ip[12:]
        return ip + tcp

    def frame(self) -> bytes:
        """Ethernet frame with padding and FCS."""
        macs = [self.flow.remote_mac, self.flow.local_mac]
        dst, src = macs if self.outgoing else macs[::-1]
        return with_fcs(dst + src + b"\x08\x00" + self.ip_packet())


@dataclass(frozen=True)
class Parsed:
    """A TCP frame taken apart; ``problems`` names every wrong checksum or length."""

    dst_mac: bytes
    src_mac: bytes
    ip_id: int
    seq: int
    ack: int
    flags: int
    window: int
    tcp_checksum: int
    payload: bytes
    problems: tuple[str, ...]


def parse(frame: bytes) -> Parsed:
    """Takes an Ethernet frame with FCS apart and checks it."""
    problems = []
    if len(frame) < 64:
        problems.append(f"{len(frame)} bytes")
    if frame[-4:] != fcs(frame[:-4]):
        problems.append("FCS")
    if frame[12:14] != b"\x08\x00":
        problems.append("type")
    ihl = (frame[14] & 15) * 4
    total = int.from_bytes(frame[16:18], "big")
    packet = frame[14 : 14 + total]
    if len(frame) - 4 != max(60, 14 + total):
        problems.append("length")
    if ones_sum(packet[:ihl]) != 0xFFFF:
        problems.append("IP checksum")
    tcp = packet[ihl:]
    if ones_sum(packet[12:20] + struct.pack(">HH", packet[9], len(tcp)) + tcp) != 0xFFFF:
        problems.append("TCP checksum")
    _, _, seq, ack, offset, flags, window, check, _ = struct.unpack(">HHIIBBHHH", tcp[:20])
    return Parsed(
        frame[0:6], frame[6:12], int.from_bytes(packet[4:6], "big"), seq, ack, flags, window, check,
        tcp[(offset >> 4) * 4 :], tuple(problems),
    )  # fmt: skip


def fix(fields: list[tuple[int, str]], begin: str = "FIX.4.4") -> bytes:
    """A FIX message of ``fields`` (35 first) with BeginString, BodyLength and CheckSum around them."""
    body = b"".join(b"%d=%s" % (tag, value.encode()) + SOH for tag, value in fields)
    head = b"8=%s" % begin.encode() + SOH + b"9=%d" % len(body) + SOH
    message = head + body
    return message + b"10=%03d" % (sum(message) % 256) + SOH


def fix_fields(message: bytes) -> list[tuple[int, str]]:
    """Fields of a FIX message in order. Raises ValueError if BodyLength or CheckSum is wrong."""
    if not message.endswith(SOH):
        raise ValueError("no SOH at the end")
    pairs = [part.split(b"=", 1) for part in message[:-1].split(SOH)]
    fields = [(int(tag), value.decode()) for tag, value in pairs]
    start = message.index(SOH, message.index(b"9=")) + 1
    end = message.rindex(b"10=")
    if int(dict(fields)[9]) != end - start:
        raise ValueError(f"BodyLength {dict(fields)[9]}, but {end - start} bytes")
    if dict(fields)[10] != f"{sum(message[:end]) % 256:03d}":
        raise ValueError(f"CheckSum {dict(fields)[10]}, but {sum(message[:end]) % 256:03d}")
    return fields


def behind(payload: bytes, field: bytes) -> int:
    """Bytes of the frame behind the last field of this text; all of it, where that stands in a frame before."""
    return len((SOH + payload).rpartition(SOH + field + SOH)[2]) + FCS_BYTES
