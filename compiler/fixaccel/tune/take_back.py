# SPDX-License-Identifier: Apache-2.0
"""Takes back what a run has set, last first, and only where the value is still the one that it set."""

from dataclasses import dataclass
from enum import Enum

from fixaccel.tune.catalogue import FOLDER, catalogue
from fixaccel.tune.forms import MISSING, same
from fixaccel.tune.groups import holds
from fixaccel.tune.host import Host, NeedsError, NotHereError
from fixaccel.tune.record import ALREADY, BACK, LEFT, LOST, PENDING, TAKEN_BACK, Entry, Record, boot_of


class Back(Enum):
    """How an entry ends."""

    BACK = "taken back"
    CHANGED = "changed by others"
    GONE = "gone"
    ELSEWHERE = "in another network namespace"
    LOST = "lost at boot"
    REFUSED = "refused"
    FAILED = "failed"

    @property
    def is_done(self) -> bool:
        """Whether nothing is left to do."""
        return self in {Back.BACK, Back.LOST}


@dataclass(frozen=True)
class Backed:
    """An entry, how it ended, and what was found there."""

    entry: Entry
    outcome: Back
    detail: str = ""


def is_of_another_boot(record: Record, host: Host) -> bool:
    """Whether the machine has been started anew since; False where that cannot be told."""
    return bool(record.boot) and record.boot != (boot_of(host) or record.boot)


def take_back(record: Record, host: Host, *, session: str = "", force: bool = False) -> list[Backed]:
    """Writes former values and marks the record, which the caller saves. With ``force`` also over others' values.

    ``session`` says why links must not be reset.
    """
    lost = is_of_another_boot(record, host)
    found: list[Backed] = []
    made = [entry for entry in record.entries if entry.form == FOLDER and _is_made(entry)]
    for entry in reversed(record.entries):
        if entry.state in {PENDING, ALREADY, BACK}:
            continue
        # The daemon's settings are a file, and outlive a boot.
        if lost and entry.scope != "process":
            backed = Backed(entry, Back.LOST)
        elif entry.scope in {"namespace", "device"} and record.namespace != host.namespace:
            backed = Backed(entry, Back.ELSEWHERE, "run it there")
        elif catalogue()[entry.knob].cuts and session and not force:
            backed = Backed(entry, Back.REFUSED, session)
        else:
            group = next((one for one in made if (entry.place + "/").startswith(one.place + "/")), None)
            kept = _kept(entry, group, record, host) if group and not force else None
            backed = kept or back(entry, host, force=force)
        entry.state = BACK if backed.outcome.is_done else LEFT
        found.append(backed)
    record.state = LOST if lost else TAKEN_BACK
    return found


def _is_made(entry: Entry) -> bool:
    return entry.former == MISSING and entry.state not in {PENDING, ALREADY, BACK}


def _kept(entry: Entry, group: Entry, record: Record, host: Host) -> Backed | None:
    """An entry of a group that this run has made, if that is gone, in use or not as it was left."""
    if _is_as_before(group, host):
        return Backed(entry, Back.BACK)
    use = holds(host, group.place)
    if use:
        return Backed(entry, Back.REFUSED, use)
    if entry is not group:
        return None
    inside = [one for one in record.entries if one.place.startswith(group.place + "/") and one.former is not None]
    # What had to come back is back by now, and what was never written has not changed.
    left = [one.place for one in inside if not _is_as_before(one, host)]
    return Backed(entry, Back.CHANGED, f"/{left[0]} is not as it was") if left else None


def _is_as_before(entry: Entry, host: Host) -> bool:
    try:
        return _equal(entry.form, host.read(entry.place, entry.form), entry.former)
    except (NotHereError, NeedsError, OSError):
        return False


def back(entry: Entry, host: Host, *, force: bool = False) -> Backed:
    """Writes one former value, whatever the record says of it."""
    try:
        now = host.read(entry.place, entry.form)
        if not force and not is_ours(entry, now):
            return Backed(entry, Back.CHANGED, f"it is {now}")
        if not _equal(entry.form, now, entry.former):
            host.write(entry.place, entry.form, entry.former)
            now = host.read(entry.place, entry.form)
    except NotHereError as error:
        return Backed(entry, Back.GONE, str(error))
    except (NeedsError, OSError) as error:
        return Backed(entry, Back.FAILED, str(error))
    is_back = _equal(entry.form, now, entry.former)
    return Backed(entry, *((Back.BACK,) if is_back else (Back.FAILED, f"it is {now} after {entry.former} was written")))


def is_ours(entry: Entry, now: str | None) -> bool:
    """Whether the value is what was there before, or what we have made of it."""
    ours = [value for value in (entry.former, entry.wanted, entry.read) if value is not None or now is None]
    return any(_equal(entry.form, now, value) for value in ours)


def _equal(form: str, one: str | None, other: str | None) -> bool:
    return one == other if one is None or other is None else same(form, one, other)
