# SPDX-License-Identifier: Apache-2.0
"""What is different between two records, apart from times.

Sessions run side by side: lines of two clients, or of two kinds, lie in any order, those of one kind and client do not.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fixaccel.exchange.record import Line, read_record

# Of the clock, or of which port was free.
_TIMES = {"time_ns", "at_ns", "sending_time", "orig_sending_time", "transact_time", "listen"}
NUMBERS = {"msg_seq_num", "next_sender_msg_seq_num", "next_target_msg_seq_num"}
# Header, times and sum of a raw message: BodyLength, CheckSum, MsgSeqNum, SendingTime, TransactTime, OrigSendingTime.
_RAW_TIMES = re.compile(r"^(9|10|52|60|122)=")
_RAW_NUMBER = "34="
_HEARTBEAT = "0"


@dataclass(frozen=True)
class Stream:
    """Lines of one kind and client that only one record has."""

    event: str
    client: str
    same: int
    removed: Sequence[Line]
    added: Sequence[Line]


def compare(old: Path, new: Path, *, numbers: bool = False) -> list[Stream]:
    """The streams of both records that differ, in their order in ``old``.

    ``numbers`` compares sequence numbers too, which heartbeats take part in. Raises RecordError, OSError.
    """
    before, after = _streams(old, numbers), _streams(new, numbers)
    found = (_stream(key, before.get(key, []), after.get(key, [])) for key in dict.fromkeys([*before, *after]))
    return [stream for stream in found if stream.removed or stream.added]


def bare(line: Line, *, numbers: bool = False) -> Mapping[str, Any]:
    """The fields that are compared."""
    left_out = _TIMES if numbers else _TIMES | NUMBERS
    fields = {name: value for name, value in line.fields.items() if name not in left_out}
    for name, separator in (("raw", "|"), ("fields", None)):
        if name in fields:
            parts = fields[name].split(separator) if separator else fields[name]
            fields[name] = [part for part in parts if _is_compared(part, numbers)]
    return fields


def _is_compared(part: str, numbers: bool) -> bool:
    return not _RAW_TIMES.match(part) and (numbers or not part.startswith(_RAW_NUMBER))


_Compared = tuple[str, Line]


def _streams(path: Path, numbers: bool) -> dict[tuple[str, str], list[_Compared]]:
    streams: dict[tuple[str, str], list[_Compared]] = defaultdict(list)
    for line in _counted(read_record(path)):
        client = str(line.fields.get("copy_to") or line.fields.get("client") or "")
        text = json.dumps(bare(line, numbers=numbers), sort_keys=True)
        streams[line.event, client].append((text, line))
    return streams


def _counted(lines: Iterable[Line]) -> Iterable[Line]:
    """Those that the scenario and the clients decide: how many heartbeats there are, the clock does."""
    for line in lines:
        raw = str(line.fields.get("raw", ""))
        if line.fields.get("msg_type") != _HEARTBEAT and f"|35={_HEARTBEAT}|" not in raw:
            yield line


def _stream(key: tuple[str, str], old: Sequence[_Compared], new: Sequence[_Compared]) -> Stream:
    """Without what both begin and end with."""
    least = min(len(old), len(new))
    begin = 0
    while begin < least and old[begin][0] == new[begin][0]:
        begin += 1
    end = 0
    while end < least - begin and old[-1 - end][0] == new[-1 - end][0]:
        end += 1
    removed, added = (lines[begin : len(lines) - end] for lines in (old, new))
    return Stream(*key, begin + end, [line for _, line in removed], [line for _, line in added])
