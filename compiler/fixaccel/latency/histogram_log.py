# SPDX-License-Identifier: Apache-2.0
"""A daemon's histograms as a log of HdrHistogram, which its tools in any language read.

https://github.com/HdrHistogram/HdrHistogram, the log's format 1.3 with histograms of encoding V2. A daemon counts in
the buckets of HdrHistogram with three significant digits, from a nanosecond to 2^36 of them, so nothing is rounded.
"""

import base64
import struct
import zlib
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Any

Buckets = Iterable[tuple[int, int]]

DIGITS, LEAST, MOST = 3, 1, (1 << 36) - 1
_EXACT_BITS = 11  # of a duration that its bucket keeps
_BLOCK = 1 << (_EXACT_BITS - 1)
_COOKIE, _COMPRESSED = 0x1C849313, 0x1C849314
_NS = 10**9
_NS_PER_MS = 10**6


def log_text(answer: dict[str, Any], until_ns: int) -> str:
    """The log of a daemon's ``answer`` with buckets: a line with a tag `PATH.PART` for each that has counted anything.

    ``until_ns``: when it answered, UTC. Times of the log are in seconds, the longest duration in milliseconds.
    """
    since_s = answer["since_ns"] / _NS
    lasted_s = max(0, until_ns - answer["since_ns"]) / _NS
    began = f"{datetime.fromtimestamp(since_s, UTC):%Y-%m-%d %H:%M:%S} UTC"
    lines = [
        "#[Histogram log format version 1.3]",
        "#Times of orders in nanoseconds, by fixaccel latency; tags are path and part",
        f"#[StartTime: {since_s:.3f} (seconds since epoch), {began}]",
        f"#[BaseTime: {since_s:.3f} (seconds since epoch)]",
        '"StartTimestamp","Interval_Length","Interval_Max","Interval_Compressed_Histogram"',
    ]
    for path, parts in ((name, path["parts"]) for name, path in answer["paths"].items()):
        lines += [
            f"Tag={path}.{name},0.000,{lasted_s:.3f},{part['max_ns'] / _NS_PER_MS:.6f},{encoded(part['buckets'])}"
            for name, part in parts.items()
            if part["count"]
        ]
    return "\n".join(lines) + "\n"


def encoded(buckets: Buckets) -> str:
    """A histogram of ``buckets``, each the least duration that is in it and how many are, the shortest first."""
    counts = b"".join(_counts(buckets))
    body = struct.pack(">IIIIQQd", _COOKIE, len(counts), 0, DIGITS, LEAST, MOST, 1.0) + counts
    packed = zlib.compress(body)
    return base64.b64encode(struct.pack(">II", _COMPRESSED, len(packed)) + packed).decode("ascii")


def _counts(buckets: Buckets) -> Iterator[bytes]:
    """Each bucket's count; of those that are empty in between how many these are, below zero."""
    following = 0
    for least, count in buckets:
        at = _index(least)
        if at > following:
            yield _signed(following - at)
        yield _signed(count)
        following = at + 1


def _index(ns: int) -> int:
    shift = max(0, ns.bit_length() - _EXACT_BITS)
    return shift * _BLOCK + (ns >> shift)


def _signed(value: int) -> bytes:
    """ZigZag LEB128."""
    rest = 2 * value if value >= 0 else -2 * value - 1
    out = bytearray()
    while rest >= 0x80:
        out.append(rest & 0x7F | 0x80)
        rest >>= 7
    return bytes([*out, rest])
