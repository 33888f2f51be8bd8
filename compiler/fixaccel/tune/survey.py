# SPDX-License-Identifier: Apache-2.0
"""What each knob is now, what it is to be, and what stands between the two."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from fixaccel.tune.bind import Bound
from fixaccel.tune.catalogue import FOLDER, Knob, catalogue
from fixaccel.tune.forms import MISSING, same
from fixaccel.tune.host import Host, NeedsError, NotHereError


class Outcome(Enum):
    """How a knob ends."""

    SET = "set"
    CLAMPED = "clamped"
    ALREADY = "already"
    WOULD_SET = "would set"
    NEEDS = "needs"
    NOT_HERE = "not here"
    OWNED = "owned by TuneD"
    AT_NEXT_BOOT = "at next boot"
    BY_HAND = "firmware: change by hand"
    REFUSED = "refused"
    TOLD = "told"

    @property
    def is_done(self) -> bool:
        """Whether nothing is left of what was asked."""
        return self in {Outcome.SET, Outcome.ALREADY, Outcome.TOLD, Outcome.BY_HAND}


@dataclass(frozen=True)
class Step:
    """One place of a knob. ``now`` and ``wanted`` are None where there is no value."""

    knob: Knob
    place: str
    now: str | None
    wanted: str | None
    outcome: Outcome
    detail: str = ""

    @property
    def says(self) -> str:
        """The outcome in words: `needs CAP_NET_ADMIN`."""
        return f"{self.outcome.value} {self.detail}" if self.outcome is Outcome.NEEDS else self.outcome.value


@dataclass(frozen=True)
class Circumstances:
    """What is going on that keeps hands off: why links must not be reset, empty if they may be; whether TuneD is.

    ``options`` are those that were installed for the boot line.
    """

    session: str = ""
    tuned: bool = False
    options: frozenset[str] = frozenset()


def is_tuned_active(host: Host) -> bool:
    """Whether TuneD has a profile in force."""
    number = (host.text("run/tuned/tuned.pid") or "").strip()
    return number.isdigit() and host.text(f"proc/{number}/status") is not None


def survey(bound: Bound, around: Circumstances, only: frozenset[str] = frozenset()) -> list[Step]:
    """A step for each place, in the order in which they are set; told ones where ``only`` names none."""
    steps: list[Step] = []
    for knob in catalogue().values():
        if only and only.isdisjoint({knob.id, knob.follows}):
            continue
        wanted = bound.wanted(knob)
        if wanted is not None:
            steps += _asked(bound, around, knob, wanted, steps)
        elif knob.cls == "told" and knob.id not in bound.plan.skip:
            steps += _told(bound, knob)
    return steps


def unasked(bound: Bound) -> list[Knob]:
    """Knobs that the plan leaves alone."""
    return [knob for knob in catalogue().values() if knob.cls != "told" and bound.wanted(knob) is None]


def _asked(bound: Bound, around: Circumstances, knob: Knob, wanted: str, before: Sequence[Step]) -> list[Step]:
    if knob.is_group and bound.groups.lacks:
        return [Step(knob, bound.filled(knob.where), None, wanted, Outcome.NOT_HERE, bound.groups.lacks)]
    if knob.scope == "device" and bound.interface is None:
        return [Step(knob, knob.where, None, wanted, Outcome.NOT_HERE, bound.without)]
    places = bound.places(knob)
    if not places:
        what = "the card has no interrupts of its own" if "{irq}" in knob.where else "this machine or kernel has none"
        return [Step(knob, bound.filled(knob.where), None, wanted, Outcome.NOT_HERE, what)]
    coming = {step.place: step for step in before if step.now == MISSING and step.knob.form == FOLDER}
    steps = []
    for place in places:
        folder = coming.get(place.rpartition("/")[0])
        if folder:
            # It will be there once that is.
            ended = (folder.outcome, folder.detail)
            if folder.outcome is Outcome.WOULD_SET:
                ended = _between(bound.host, around, knob, place, wanted)
            steps.append(Step(knob, place, None, wanted, *ended))
        else:
            steps.append(_step(bound.host, around, knob, place, wanted))
    return steps


def _step(host: Host, around: Circumstances, knob: Knob, place: str, wanted: str) -> Step:
    try:
        now = host.read(place, knob.form)
    except NeedsError as error:
        return Step(knob, place, None, wanted, Outcome.NEEDS, str(error))
    except (NotHereError, OSError) as error:
        return Step(knob, place, None, wanted, Outcome.NOT_HERE, str(error))
    if now is not None and same(knob.form, now, wanted):
        return Step(knob, place, now, wanted, Outcome.ALREADY)
    return Step(knob, place, now, wanted, *_between(host, around, knob, place, wanted))


def _between(host: Host, around: Circumstances, knob: Knob, place: str, wanted: str) -> tuple[Outcome, str]:
    """What stands between a value and the wanted one."""
    if around.tuned and is_tuneds(knob):
        return Outcome.OWNED, "`tune plan --format tuned` writes a profile for it"
    if knob.scope == "boot":
        option = boot_option(place, wanted)
        if option in around.options:
            return Outcome.AT_NEXT_BOOT, f"`{option}` is installed: it takes `update-grub` and a boot"
        return Outcome.AT_NEXT_BOOT, f"`fixaccel tune install` adds `{option}` to the boot line"
    if knob.cuts and around.session:
        return Outcome.REFUSED, around.session
    lacks = host.lacks(place)
    return (Outcome.NEEDS, knob.needs if lacks == "permission" else lacks) if lacks else (Outcome.WOULD_SET, "")


def is_tuneds(knob: Knob) -> bool:
    """Whether a profile of TuneD that builds on `network-latency` can set it."""
    kernels = knob.where.startswith(("proc/sys/", "sys/")) and not knob.is_group
    return knob.scope == "boot" or (knob.scope == "host" and kernels)


def boot_option(place: str, wanted: str) -> str:
    """As it stands in a boot line."""
    name = place.partition("/")[2]
    return f"{name}={wanted}" if wanted else name


def _told(bound: Bound, knob: Knob) -> list[Step]:
    steps = []
    for place in bound.places(knob):
        try:
            now = bound.host.read(place, knob.form)
        except (NotHereError, NeedsError, OSError):
            continue
        differs = knob.wanted is not None and now is not None and now not in (knob.wanted, *knob.fine)
        outcome = Outcome.BY_HAND if differs and knob.scope == "firmware" else Outcome.TOLD
        steps.append(Step(knob, place, now, knob.wanted, outcome, knob.why if differs else ""))
    return steps
