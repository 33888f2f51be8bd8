# SPDX-License-Identifier: Apache-2.0
"""Capture files with nanosecond times, Ethernet frames without FCS."""

import struct
from collections.abc import Iterable, Iterator
from pathlib import Path

_MAGIC_NS = 0xA1B23C4D
_SNAP_LENGTH = 65535
_ETHERNET = 1
_FILE_HEADER = struct.Struct("<IHHiIII")
_FRAME_HEADER = struct.Struct("<IIII")
_BILLION = 10**9


class PcapError(ValueError):
    """Not a capture of the kind written here."""


def write_pcap(path: Path, frames: Iterable[tuple[int, bytes]]) -> None:
    """Writes (time in ns since the epoch, frame) pairs. Raises OSError."""
    with path.open("wb") as file:
        file.write(_FILE_HEADER.pack(_MAGIC_NS, 2, 4, 0, 0, _SNAP_LENGTH, _ETHERNET))
        for time_ns, frame in frames:
            seconds, rest = divmod(time_ns, _BILLION)
            # Seconds have 32 bits; events may lie beyond 2106.
            file.write(_FRAME_HEADER.pack(seconds % 2**32, rest, len(frame), len(frame)))
            file.write(frame)


def read_pcap(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yields (time in ns, frame) pairs. Raises PcapError, OSError."""
    data = path.read_bytes()
    if len(data) < _FILE_HEADER.size or _FILE_HEADER.unpack_from(data)[0] != _MAGIC_NS:
        raise PcapError(f"{path.name} is no nanosecond capture")
    at = _FILE_HEADER.size
    while at < len(data):
        if at + _FRAME_HEADER.size > len(data):
            raise PcapError(f"{path.name} ends inside a frame header")
        seconds, rest, kept, length = _FRAME_HEADER.unpack_from(data, at)
        at += _FRAME_HEADER.size
        if kept != length or at + kept > len(data):
            raise PcapError(f"{path.name} holds a frame that was cut off")
        yield seconds * _BILLION + rest, data[at : at + kept]
        at += kept
