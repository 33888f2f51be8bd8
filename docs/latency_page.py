# SPDX-License-Identifier: Apache-2.0
"""Makes the page of the times of orders from the daemon's own table of their stages."""

import re
from pathlib import Path

_TABLE = Path("runtime/daemon/order_times.cpp")
_PART = re.compile(r'Part\{"(?P<name>\w+)", "(?P<from>T\d)",\s*(?P<what>"[^"]*"(?:\s*"[^"]*")*)\}')
_HEAD = """# Times of orders

What [`fixaccel latency`](../howto/latency.md) and the `latency` command of [the control API](control.md) tell: where
the time of an order goes that the runtime sends, in nanoseconds, since the daemon was started.

| | order of a rule | order by hand |
| --- | --- | --- |
| T1 | the segment arrives that completes the message with the price | the request arrives at the control socket |
| T2 | the last byte of the order is with the network driver | the same |
| T3 | the segment arrives with the venue's first ExecutionReport on the order | the same |
| T4 | the report is in the journal, and noted for whoever watches | it is written to those that watch |

T1 to T2 and T3 to T4 are what is spent here; between T2 and T3 lie the wire and the venue.

| part | from | |
| --- | --- | --- |
"""
_TAIL = """
An order is in each stage as often as it comes there: the journal is written ahead of the engine and behind it, and
counts as one. So the stages of an order add up to T1 to T2 and T3 to T4, to the nanosecond. Several orders of one
message have its T1.

## Who says when

`cpu.stamps` of [the daemon's settings](daemon.md):

| | T1, T3 | T2 | costs |
| --- | --- | --- | --- |
| `"off"` | no times are taken | | nothing |
| `"app"` | the daemon has stopped waiting: waking is not in it | the call to send has returned | looks at the clock |
| `"kernel"` | the kernel has the segment: waking is in it | the driver gets it | a system call an order besides |

The kernel's stamps are those of `SO_TIMESTAMPING`, in software. In `stamps` of the answer each moment is counted by
whoever has said it:

| | |
| --- | --- |
| `kernel` | the kernel, of this message |
| `shared` | the kernel, of the last segment of a read that had more behind the message, which may have come earlier |
| `app` | the daemon's clock: no stamp was there in time, or the system's clock was set meanwhile |

The kernel has no stamps for a Unix socket, and of TLS it knows no messages: T1 of an order by hand is when the poll of
the control sockets returned. Where a stamp of T2 is not there when the call returns, as with a queue in front of the
driver, T2 is the call's return.

## What is counted

| | |
| --- | --- |
| `orders` | that were written to the connection |
| `answered` | with all four moments: `inner` and T3 to T4 are of these alone |
| `rejected` | whose first answer was a rejection |
| `resent` | that were sent once more before an answer: nobody can tell which one is answered |
| `untold` | by hand, and nobody watched when the answer came: there is no T4 |
| `unanswered` | that wait for the answer, or for T4; or are not among the last 65,536 any more |
| `without_t1` | of rules `at` a time: nothing arrived. They have no times |

Each part has `count`, `sum_ns`, `min_ns`, `p50_ns`, `p99_ns`, `p999_ns` and `max_ns`, of buckets as HdrHistogram has
them with three significant digits: exact below 2,048 ns, to a thousandth above, up to 68 s. With `"worst": N`, at
most 1,000, the slowest of the last 65,536 orders come as `worst`, each with its ClOrdID, its four moments in UTC, who
has said them, and its stages. The room for that, 15 MB, is taken at the start: an order takes no memory.

The thread that trades answers: that takes it some tenths of a millisecond, and with `worst` some milliseconds.
"""


def page(root: Path) -> str:
    """The page in Markdown."""
    text = (root / _TABLE).read_text(encoding="utf-8")
    rows = [_row(match) for match in _PART.finditer(text)]
    assert len(rows) == text.count("Part{"), "a line of the table is not understood"
    return _HEAD + "".join(rows) + _TAIL


def _row(match: re.Match[str]) -> str:
    what = "".join(re.findall(r'"([^"]*)"', match["what"]))
    return f"| `{match['name']}` | {match['from']} | {what} |\n"
