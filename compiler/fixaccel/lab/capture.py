# SPDX-License-Identifier: Apache-2.0
"""Reads a capture of the wire with tshark and re-verifies every order in it."""

import csv
import io
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from fixaccel.lab.namespaces import LabError
from fixaccel.lab.processes import Process

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
    """What tshark says of a capture.

    ``orders`` holds the FIX messages of type D from the client, in wire order; ``heartbeats`` counts its heartbeats;
    ``with_fcs`` counts frames whose FCS was captured, and is right.
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


_READS_S = 0.75  # dumpcap waits up to a quarter of a second for more, and counts now and then


class Capture(Process):
    """dumpcap, which says how many frames it has. What it has not read when it ends is not in the file."""

    def stop(self) -> int:
        counted = None
        while self.exit_code is None and counted != self.text():
            counted = self.text()
            time.sleep(_READS_S)
        return super().stop()


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


def _tshark(pcap: Path, display_filter: str, fields: Sequence[str]) -> list[dict[str, str]]:
    """``fields`` of each frame that passes; what a frame does not have is empty."""
    options = [x for preference in _VERIFY for x in ("-o", preference)]
    wanted = [x for field in fields for x in ("-e", field)]
    # Heuristics off: the port of the session is not the registered one of another protocol.
    command = ["tshark", "-n", "-r", str(pcap), *options, "-Y", display_filter]
    command += ["-T", "fields", "-E", "separator=/t", *wanted]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise LabError(f"tshark could not read {pcap}: {done.stderr.strip()}")
    rows = csv.reader(io.StringIO(done.stdout), delimiter="\t", quoting=csv.QUOTE_NONE)
    return [dict(zip(fields, row, strict=True)) for row in rows]


_SUMS = ("eth.fcs", "ip.checksum", "tcp.checksum")
_BAD, _GOOD = "0", "1"  # what a status says
_SET = ("1", "True")  # a flag, by older versions and newer ones
_LOST = ("tcp.analysis.retransmission", "tcp.analysis.fast_retransmission", "tcp.analysis.lost_segment")
_PAYLOAD = ("frame.number", "frame.time_epoch", "ip.src", "tcp.payload")
_ASKED = (
    *_PAYLOAD, "frame.len", *_SUMS, *(f"{field}.status" for field in _SUMS), "tcp.checksum.ffff", *_LOST,
    "tcp.flags.reset", "_ws.malformed", "fix",
)  # fmt: skip


def _bad_checksum(frame: dict[str, str]) -> str | None:
    """Of a frame with a wrong one which it is, and what.

    Linux sends a TCP checksum of 0xFFFF for zero where no hardware sums, once in 65,536 segments; to the receiver that
    is the same (RFC 1624, 3), to tshark it is a fault.
    """
    bad = [field for field in _SUMS if frame[f"{field}.status"] == _BAD]
    if not bad or (bad == ["tcp.checksum"] and frame["tcp.checksum.ffff"]):
        return None
    values = ", ".join(f"{field} {frame[field]}" for field in bad)
    return f"{frame['frame.number']} of {frame['frame.len']} bytes ({values})"


def _segments(frames: list[dict[str, str]], source: str) -> list[Segment]:
    return [
        Segment(int(number), float(time_s), address, bytes.fromhex(payload.replace(":", "")))
        for number, time_s, address, payload in ([frame[field] for field in _PAYLOAD] for frame in frames)
        if payload and address == source
    ]


def segments(pcap: Path, source: str) -> list[Segment]:
    """Segments with payload that ``source`` (an IP address) sent, in capture order."""
    return _segments(_tshark(pcap, f"tcp.len > 0 && ip.src == {source}", _PAYLOAD), source)


def examine(pcap: Path, client: str) -> Findings:
    """Everything that the tests ask of a capture; ``client`` is the IP address that sends orders."""
    frames = _tshark(pcap, "frame", _ASKED)  # once: reading takes a third of a second of a core before the first frame
    sent = split_messages(b"".join(segment.payload for segment in _segments(frames, client)))

    def numbers(holds: Callable[[dict[str, str]], bool]) -> list[int]:
        return [int(frame["frame.number"]) for frame in frames if holds(frame)]

    return Findings(
        frames=len(frames),
        with_fcs=sum(frame["eth.fcs.status"] == _GOOD for frame in frames),
        bad_checksums=[text for text in map(_bad_checksum, frames) if text],
        retransmissions=numbers(lambda frame: any(frame[field] for field in _LOST)),
        resets=numbers(lambda frame: frame["tcp.flags.reset"] in _SET),
        malformed=numbers(lambda frame: frame["_ws.malformed"] != "" and frame["fix"] == ""),
        orders=[m for m in sent if b"\x0135=D\x01" in m],
        heartbeats=sum(b"\x0135=0\x01" in m for m in sent),
    )
