# SPDX-License-Identifier: Apache-2.0
"""Whether a machine still is as a run left it."""

from dataclasses import dataclass
from enum import Enum

from fixaccel.tune.catalogue import catalogue
from fixaccel.tune.forms import same
from fixaccel.tune.host import Host, NeedsError, NotHereError, boot_options
from fixaccel.tune.installed import Installation
from fixaccel.tune.record import ALREADY, CLAMPED, SET, WRITING, Entry, Record, boot_of
from fixaccel.tune.take_back import is_of_another_boot


class Verdict(Enum):
    """What became of a value."""

    OK = "ok"
    DRIFTED = "drifted"
    LOST = "lost at boot"
    GONE = "gone"
    ELSEWHERE = "in another network namespace"
    AT_NEXT_BOOT = "at next boot"


@dataclass(frozen=True)
class Verified:
    """An entry, the verdict, and what it is now."""

    entry: Entry
    verdict: Verdict
    now: str | None = None
    detail: str = ""


def verify(record: Record | None, host: Host, installed: Installation) -> list[Verified]:
    """Each value that the run set or found set, in its order, then what was installed for the boot line."""
    lost = record is not None and is_of_another_boot(record, host)
    held = [entry for entry in record.entries if entry.state in _HELD] if record else []
    return [_one(record, entry, host, lost=lost) for entry in held if record] + _of_boot_line(installed, host)


def _of_boot_line(installed: Installation, host: Host) -> list[Verified]:
    now = boot_options(host.text("proc/cmdline") or "")
    is_new = bool(installed.boot) and installed.boot == boot_of(host)
    places = {knob.where.partition("/")[2]: knob for knob in catalogue().values() if knob.scope == "boot"}
    found = []
    for option in installed.options:
        name, _, wanted = option.partition("=")
        knob = places[name]
        entry = Entry(knob.id, knob.where, knob.form, knob.scope, None, wanted, ALREADY)
        if name in now and same(knob.form, now[name], wanted):
            found.append(Verified(entry, Verdict.OK, now[name]))
        elif is_new:
            found.append(Verified(entry, Verdict.AT_NEXT_BOOT, now.get(name)))
        else:
            found.append(Verified(entry, Verdict.DRIFTED, now.get(name), "the boot line lacks it: `update-grub`?"))
    return found


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
