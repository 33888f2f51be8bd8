# SPDX-License-Identifier: Apache-2.0
"""Reads a capture of the wire with tshark and re-verifies every order in it."""

import csv
import io
import subprocess
from dataclasses import dataclass
from pathlib import Path

from lab.namespaces import LabError

_SOH = b"\x01"
_VERIFY = (
    "eth.check_fcs:TRUE",
    "ip.check_checksum:TRUE",
    "tcp.check_checksum:TRUE",
    "tcp.reassemble_out_of_order:TRUE",
)


@dataclass(frozen=True)
class Segment:
    """One TCP segment with payload. ``time_s``: since 1970, as it was captured."""

    frame: int
    time_s: float
    source: str
    payload: bytes


@dataclass(frozen=True)
class Findings:
    """What tshark says of a capture. ``orders`` holds the FIX messages of type D from the client, in
    wire order; ``heartbeats`` counts its heartbeats; ``with_fcs`` counts frames whose FCS was captured, and is right.
    """

    frames: int
    with_fcs: int
    bad_checksums: list[str]
    retransmissions: list[int]
    resets: list[int]
    malformed: list[int]
    orders: list[bytes]
    heartbeats: int

    def faults(self) -> list[str]:
        """A line for each thing that a clean session must not show."""
        found: dict[str, list[int] | list[str]] = {
            "bad FCS, IP or TCP checksum": self.bad_checksums,
            "retransmission or lost segment": self.retransmissions,
            "reset": self.resets,
            "malformed frame": self.malformed,
        }
        lines = [f"{what} in frame {', '.join(map(str, frames))}" for what, frames in found.items() if frames]
        return lines + [line for order in self.orders for line in fix_faults(order)]


def fix_faults(message: bytes) -> list[str]:
    """What is wrong with BodyLength(9) and CheckSum(10) of one FIX message."""
    head, _, rest = message.partition(_SOH)
    length, _, _ = rest.partition(_SOH)
    start = len(head) + 1 + len(length) + 1
    faults = []
    if not length.startswith(b"9=") or int(length[2:]) != len(message) - start - len(b"10=000\x01"):
        faults.append(f"BodyLength wrong: {message!r}")
    if message[-7:-1] != b"10=%03d" % (sum(message[:-7]) % 256):
        faults.append(f"CheckSum wrong: {message!r}")
    return faults


def split_messages(stream: bytes) -> list[bytes]:
    """FIX messages of a byte stream; the stream must begin and end at a message's border."""
    messages = []
    while stream:
        end = stream.find(b"\x0110=")
        if end < 0 or len(stream) < end + 8:
            raise LabError(f"not a whole FIX message: {stream[:80]!r}")
        messages.append(stream[: end + 8])
        stream = stream[end + 8 :]
    return messages


def _tshark(pcap: Path, display_filter: str, *fields: str) -> list[list[str]]:
    options = [x for preference in _VERIFY for x in ("-o", preference)]
    wanted = [x for field in fields for x in ("-e", field)]
    # Heuristics off: the port of the session is not the registered one of another protocol.
    command = [
        "tshark",
        "-n",
        "-r",
        str(pcap),
        *options,
        "-Y",
        display_filter,
        "-T",
        "fields",
        "-E",
        "separator=/t",
        *wanted,
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise LabError(f"tshark could not read {pcap}: {done.stderr.strip()}")
    return list(csv.reader(io.StringIO(done.stdout), delimiter="\t"))


def _frames(pcap: Path, display_filter: str) -> list[int]:
    return [int(row[0]) for row in _tshark(pcap, display_filter, "frame.number")]


def _bad_checksums(pcap: Path) -> list[str]:
    """Each frame with a wrong one, which, and what it is. Linux sends a TCP checksum of 0xFFFF for zero where no
    hardware sums, once in 65,536 segments; to the receiver that is the same (RFC 1624, 3), to tshark it is a fault.
    """
    sums = ("eth.fcs", "ip.checksum", "tcp.checksum")
    wanted = [name for field in sums for name in (f"{field}.status", field)]
    bad = "eth.fcs.status == 0 || ip.checksum.status == 0 || (tcp.checksum.status == 0 && !tcp.checksum.ffff)"
    rows = _tshark(pcap, bad, "frame.number", "frame.len", *wanted)
    return [f"{frame} of {length} bytes ({', '.join(values)})" for frame, length, *values in rows]


def segments(pcap: Path, source: str) -> list[Segment]:
    """Segments with payload that ``source`` (an IP address) sent, in capture order."""
    fields = ("frame.number", "frame.time_epoch", "ip.src", "tcp.payload")
    return [
        Segment(int(frame), float(time_s), address, bytes.fromhex(payload.replace(":", "")))
        for frame, time_s, address, payload in _tshark(pcap, f"tcp.len > 0 && ip.src == {source}", *fields)
    ]


def examine(pcap: Path, client: str) -> Findings:
    """Everything that the tests ask of a capture; ``client`` is the IP address that sends orders."""
    sent = split_messages(b"".join(s.payload for s in segments(pcap, client)))
    lost = "tcp.analysis.retransmission || tcp.analysis.fast_retransmission || tcp.analysis.lost_segment"
    return Findings(
        frames=len(_frames(pcap, "frame")),
        with_fcs=len(_frames(pcap, "eth.fcs.status == 1")),
        bad_checksums=_bad_checksums(pcap),
        retransmissions=_frames(pcap, lost),
        resets=_frames(pcap, "tcp.flags.reset == 1"),
        malformed=_frames(pcap, "_ws.malformed && !fix"),
        orders=[m for m in sent if b"\x0135=D\x01" in m],
        heartbeats=sum(b"\x0135=0\x01" in m for m in sent),
    )
