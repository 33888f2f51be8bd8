# SPDX-License-Identifier: Apache-2.0
"""Makes the page of the times of orders from the daemon's own table of their stages."""

import re
from pathlib import Path

_TABLE = Path("runtime/daemon/order_report.cpp")
_PART = re.compile(r'Part\{"(?P<name>\w+)", "(?P<from>T\d)",\s*(?P<what>"[^"]*"(?:\s*"[^"]*")*)\}')
_HEAD = """# Times of orders

What [`fixaccel latency`](../howto/latency.md) and the `latency` command of [the control API](control.md) tell: where
the time of an order goes, in nanoseconds, since the daemon was started.

| path | T1 | T2 |
| --- | --- | --- |
| `rule`: an order of a rule | the segment arrives that completes the message | its last byte is with the driver |
| `desk`: an order by hand | the request arrives at the control socket | the same |
| `fabric`: one of the fabric | the last byte of the frame that completes the message | the last byte of its own frame |

| path | T3 | T4 |
| --- | --- | --- |
| all | the segment arrives with the venue's first ExecutionReport on the order | the report is in the journal, and \
noted for whoever watches; of `desk`: it is written to those that watch |

T1 to T2 and T3 to T4 are what is spent here; between T2 and T3 lie the wire and the venue.

`rule` is of the rules that the runtime runs, also where it stands in for the fabric.

## Cycles of the fabric

The fabric counts its own cycles, and each fire's record has four: the end of the message, the end of its frame, the
order's first byte and its last. T1 to T2 of `fabric` is made of these, and of nothing that a clock of this machine
says: `decide` to the order's first byte, `send` to its last. An order that [does not wait for the frame's
end](../explanation/fabric.md) has the end of its message as T1. All other stages count nothing.

The nanoseconds are the cycles at the clock of the board file that the bundle was compiled with: `fabric` of the answer
has that as `clock_hz`, 0 without a board or where the bundle does not say. `simulated` is true of a board that is
spoken to through a Unix socket, a virtual one: its cycles are those of the simulated fabric, as many as on a chip, and
take longer. T3 and T4 are real either way. In the list of orders T1 is the time that the fabric's clock had at the end
of the frame, which the daemon sets four times within `clock_max_age_ms`; beside T3 it is no better than that.

## Parts

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
| `"hardware"` | the card has the segment | it has left the card | the same |

The kernel's stamps are those of `SO_TIMESTAMPING`, in software. Those of the card are by its own clock (PHC), and of
use only where somebody keeps that by the system's: the daemon does not start with `"hardware"` unless `cpu.interface`
names an interface

* that has such a clock and stamps what it sends and what it receives (`ethtool -T`),
* that has been told to stamp all of it (`hwstamp_ctl`),
* whose clock can be read (`/dev/ptpN`) and is at most 10 us from the system's, as `phc2sys` keeps it; one that shows
  TAI is refused.

It is looked at once. A stamp of the card that cannot be, later than the kernel's of the same segment, is not taken, but
the kernel's. No machine of the project's tests has such a card: what is tested on a real interface is that it is
refused, all else on made-up cards.

In `stamps` of the answer each moment is counted by whoever has said it:

| | |
| --- | --- |
| `kernel` | the kernel, of this message |
| `card` | the card, of this message |
| `shared` | either, of the last segment of a read that had more behind the message, which may have come earlier |
| `app` | the daemon's clock: no stamp was there in time, or the system's clock was set meanwhile |
| `fabric` | the fabric's cycles |

The kernel has no stamps for a Unix socket, and of TLS it knows no messages: T1 of an order by hand is when the poll of
the control sockets returned. Where a stamp of T2 is not there when the call returns, as with a queue in front of the
driver, T2 is the call's return.

## What is counted

| | |
| --- | --- |
| `orders` | that were written to the connection, or that the fabric has sent |
| `answered` | with all four moments: `inner` and T3 to T4 are of these alone |
| `rejected` | whose first answer was a rejection |
| `resent` | that were sent once more before an answer: nobody can tell which one is answered |
| `untold` | by hand, and nobody watched when the answer came: there is no T4 |
| `unanswered` | that wait for the answer, or for T4; or are not among the last 65,536 any more |
| `without_t1` | of rules `at` a time: nothing arrived. Of the fabric: its bundle has no clock, or it was not seen to \
leave when its record was read. They have no times |

Each part has `count`, `sum_ns`, `min_ns`, `p50_ns`, `p99_ns`, `p999_ns` and `max_ns`, of buckets as HdrHistogram has
them with three significant digits: exact below 2,048 ns, to a thousandth above, up to 68 s. With `"worst": N`, at
most 1,000, the slowest of the last 65,536 orders come as `worst`, each with its ClOrdID, its four moments in UTC, who
has said them, and its stages. The room for that, 17 MB, is taken at the start: an order takes no memory.

With `"buckets": true` each part has `buckets`, too: the least duration of each that is not empty, and how many are in
it. With `"after": N` the orders behind the one of number N come as `orders`, at most 200, oldest first, answered or
not, each with its `number` and its `state`: `answered`, `unanswered`, `rejected`, `resent` or `untold`. Only one that
is `answered` has T3 and T4. `"after": 0` begins with the oldest that is kept. `fixaccel latency -o` asks for all of
that.

The thread that trades answers: that takes it some tenths of a millisecond, with `worst`, `buckets` or `after` some
milliseconds.

## Files

`-o FILE.hlog` is a log of HdrHistogram, format 1.3: a line with the tag `PATH.PART` for each part that has counted
anything, from when the daemon was started until now, in nanoseconds. Its buckets are the daemon's. `-o FILE.parquet`
has a row for each order that is kept: `number`, `cl_ord_id`, `path`, `state`, the moments `t1` to `t4` in UTC, by whom
(`t1_by` to `t3_by`), `t1_t2_ns`, `t3_t4_ns`, `inner_ns`, and each stage (`wake_ns` to `answer_out_ns`). What an order
does not have is null.
"""


def page(root: Path) -> str:
    """The page in Markdown."""
    text = (root / _TABLE).read_text(encoding="utf-8")
    rows = [_row(match) for match in _PART.finditer(text)]
    assert len(rows) == text.count(" Part{"), "a line of the table is not understood"
    return _HEAD + "".join(rows) + _TAIL


def _row(match: re.Match[str]) -> str:
    what = "".join(re.findall(r'"([^"]*)"', match["what"]))
    return f"| `{match['name']}` | {match['from']} | {what} |\n"
