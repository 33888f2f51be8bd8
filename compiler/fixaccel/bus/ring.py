# SPDX-License-Identifier: Apache-2.0
"""The ring in shared memory: its layout, from which the C++ header is generated, and a reader of it.

All is in words of 64 bits, little endian. The header comes first; then `capacity` bytes that the daemon writes round
and round. Positions count bytes from the daemon's start and never fall. A record at position p begins at p modulo
`capacity`; it is overwritten as soon as `reserved` is more than p + `capacity`.
"""

import mmap
import struct
from dataclasses import dataclass
from pathlib import Path

MAGIC = int.from_bytes(b"FXRING1\0", "little")
HEADER_BYTES = 4096  # a page: what a relay writes is on a line of its own in it

# Word of the header -> number, meaning.
WORDS: dict[str, tuple[int, str]] = {
    "magic": (0, "that it is a ring, of this layout"),
    "capacity": (1, "bytes behind the header, a power of two"),
    "run": (2, "when the daemon began it, nanoseconds of UTC"),
    "process": (3, "of the daemon"),
    "reserved": (8, "position up to which the daemon may be writing"),
    "committed": (9, "position up to which records are whole"),
    "records": (10, "number of the last record, from 1"),
    "quotes": (11, "messages with market data among them"),
    "beat_ns": (16, "when the daemon was last seen, nanoseconds of UTC"),
    "durable": (17, "number of the last record of the journal that survives a loss of power"),
    "fires": (18, "fires recorded since the daemon's start"),
    "reports": (19, "execution reports recorded since the daemon's start"),
    "flags": (20, "bits: see FLAGS"),
    "phase": (21, "of the session, as text of at most 16 bytes, zeros behind it"),
    "sleeping": (64, "1: a relay sleeps until it is woken; the one word that a relay writes"),
}
FLAGS = ("armed", "dry", "killed", "connected")  # by bit
PHASE_BYTES = 16

# Of a record: words before its bytes.
RECORD_WORDS: dict[str, tuple[int, str]] = {
    "what": (0, "kind in the lowest byte, number of bytes above it"),
    "number": (1, "from 1, without a hole: what is missing was lost"),
    "time_ns": (2, "when the daemon had it, nanoseconds of UTC"),
}
KINDS: dict[str, tuple[int, str]] = {
    "quotes": (1, "a FIX message with market data, as it came"),
    "unknown": (2, "nothing is known of the market from here on; no bytes"),
}
WORD = 8


class RingError(Exception):
    """There is no ring, or it is of another layout; the text names the file."""


@dataclass(frozen=True)
class RingState:
    """The header, as it was at one moment."""

    run: int
    process: int
    records: int
    quotes: int
    beat_ns: int
    durable: int
    fires: int
    reports: int
    phase: str
    flags: frozenset[str]


def read_state(path: Path) -> RingState:
    """What the header of the ring at ``path`` says. Raises RingError."""
    try:
        with path.open("rb") as file:
            head = file.read(HEADER_BYTES)
    except OSError as error:
        raise RingError(f"{path}: {error.strerror}; a daemon with [bus] in its settings makes it") from error
    if len(head) < HEADER_BYTES or _word(head, "magic") != MAGIC:
        raise RingError(f"{path} is no ring of this version")
    at = WORDS["phase"][0] * WORD
    flags = _word(head, "flags")
    return RingState(
        **{
            name: _word(head, name)
            for name in ("run", "process", "records", "quotes", "beat_ns", "durable", "fires", "reports")
        },
        phase=head[at : at + PHASE_BYTES].rstrip(b"\0").decode("ascii", "replace"),
        flags=frozenset(name for bit, name in enumerate(FLAGS) if flags >> bit & 1),
    )


def _word(head: bytes, name: str) -> int:
    value: int = struct.unpack_from("<Q", head, WORDS[name][0] * WORD)[0]
    return value


@dataclass(frozen=True)
class RingRecord:
    kind: str
    number: int
    time_ns: int
    payload: bytes


class RingReader:
    """Reads records, from those that come after it was opened, or with ``oldest`` from the first that is whole.

    For tests and for people: a relay is in C++.
    """

    def __init__(self, path: Path, *, oldest: bool = False) -> None:
        read_state(path)
        with path.open("rb") as file:
            self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self._capacity = _word(self._map[:HEADER_BYTES], "capacity")
        self._position = 0 if oldest else self._now("committed")
        self._due = 1 if oldest else self._now("records") + 1
        self.lost = 0

    def close(self) -> None:
        self._map.close()

    def next(self) -> RingRecord | None:
        """The next record, None if there is none yet. ``lost`` counts those that were overwritten unread."""
        while self._now("committed") > self._position:
            words = len(RECORD_WORDS)
            what, number, time_ns = struct.unpack(f"<{words}Q", self._bytes(self._position, words * WORD))
            size = what >> 8
            payload = self._bytes(self._position + words * WORD, size) if size <= self._capacity else b""
            if self._now("reserved") > self._position + self._capacity:
                # It was overwritten meanwhile; nothing in between is known to begin a record.
                self._position = self._now("committed")
                last = self._now("records")
                self.lost += last + 1 - self._due
                self._due = last + 1
                continue
            self._position += words * WORD + -(-size // WORD) * WORD
            self.lost += number - self._due
            self._due = number + 1
            kind = next((name for name, (code, _) in KINDS.items() if code == what & 0xFF), "?")
            return RingRecord(kind, number, time_ns, payload)
        return None

    def _now(self, name: str) -> int:
        at = WORDS[name][0] * WORD
        value: int = struct.unpack_from("<Q", self._map, at)[0]
        return value

    def _bytes(self, position: int, size: int) -> bytes:
        at = position % self._capacity
        first = min(size, self._capacity - at)
        begin = HEADER_BYTES + at
        return self._map[begin : begin + first] + self._map[HEADER_BYTES : HEADER_BYTES + size - first]
