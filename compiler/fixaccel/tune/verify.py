# SPDX-License-Identifier: Apache-2.0
"""Whether a machine still is as a run left it."""

from dataclasses import dataclass
from enum import Enum

from fixaccel.tune.forms import same
from fixaccel.tune.host import Host, NeedsError, NotHereError
from fixaccel.tune.record import ALREADY, CLAMPED, SET, WRITING, Entry, Record
from fixaccel.tune.take_back import is_of_another_boot


class Verdict(Enum):
    """What became of a value."""

    OK = "ok"
    DRIFTED = "drifted"
    LOST = "lost at boot"
    GONE = "gone"
    ELSEWHERE = "in another network namespace"


@dataclass(frozen=True)
class Verified:
    """An entry, the verdict, and what it is now."""

    entry: Entry
    verdict: Verdict
    now: str | None = None
    detail: str = ""


def verify(record: Record, host: Host) -> list[Verified]:
    """Each value that the run set or found set, in its order."""
    lost = is_of_another_boot(record, host)
    return [_one(record, entry, host, lost=lost) for entry in record.entries if entry.state in _HELD]


_HELD = {SET, CLAMPED, ALREADY, WRITING}


def _one(record: Record, entry: Entry, host: Host, *, lost: bool) -> Verified:
    in_network = entry.scope in {"namespace", "device"}
    if in_network and record.namespace != host.namespace:
        return Verified(entry, Verdict.LOST if lost else Verdict.ELSEWHERE)
    try:
        now = host.read(entry.place, entry.form)
    except (NotHereError, NeedsError, OSError) as error:
        return Verified(entry, Verdict.LOST if lost else Verdict.GONE, None, str(error))
    if now is not None and same(entry.form, now, entry.ours):
        return Verified(entry, Verdict.OK, now)
    return Verified(entry, Verdict.LOST if lost and entry.scope != "process" else Verdict.DRIFTED, now)
