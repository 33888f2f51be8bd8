# SPDX-License-Identifier: Apache-2.0
"""The fabric loaded anew while armed and while messages arrive, against the rules."""

import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from changes import change
from choices import Choices
from engine_law import DisagreementError, Played, side_by_side
from spoiled import Spoiled
from strategy_cases import BOARD, HWMAP, Case, fabric_case, loads

from fixaccel.emit.bundle import write_bundle
from fixaccel.image.collar import share_of
from fixaccel.image.image import Image
from fixaccel.image.limits_left import limits_entry
from fixaccel.image.pack.pack import build_image
from fixaccel.language.placements import PLACEMENTS, Placement
from fixaccel.language.rules import Strategy, Through
from fixaccel.semantics.identity import meaning
from fixaccel.semantics.messages import Fire
from fixaccel.semantics.reference import Interpreter
from fixaccel.simulate.rtl.check import Results
from fixaccel.simulate.rtl.run import (
    Case as RtlCase,
)
from fixaccel.simulate.rtl.run import (
    Job,
    counts_time,
    find_rtlsim,
    job_of,
    order_frames,
    read_rules,
    read_watches,
    ring_records,
    run_jobs,
    traffic_of,
)
from fixaccel.simulate.rtl.stream import Traffic

_TRIES = 20
_GENERATION = 1  # of the first bundle; the one that follows has the next


@dataclass(frozen=True)
class LoadCase:
    """A case, what follows it, in which of its frames, and how many cycles into that."""

    case: Case
    changed: Case
    place: float
    within: int
    shape: int | None


def load_case(choices: Choices, shape: int | None, make: Callable[[Choices], Case] = fabric_case) -> LoadCase:
    """One that the fabric runs before and after, and that need not be disarmed for."""
    for _ in range(_TRIES):
        case = make(choices).without_rolls()  # of two bundles only one can be told by the simulator
        changed = change(choices, case).without_rolls()
        if case.events and loads(changed) and _hot(Played.of(case).strategy, Played.of(changed).strategy):
            place, within = choices.number(0, 99) / 100, choices.pick([0, 1, 40, 90, 130, 200, 400])
            return LoadCase(case, changed, place, within, shape)
    raise RuntimeError("no strategy that can be loaded while armed")


def _hot(before: Strategy, after: Strategy) -> bool:
    """Whether one may follow the other while armed, all of both in the fabric."""
    in_fabric = all(np.all(one.placement == PLACEMENTS.index(Placement.FABRIC)) for one in (before, after))
    if not in_fabric or share_of(before.limits.collar) != share_of(after.limits.collar):
        return False
    images = [build_image(one, BOARD, HWMAP) for one in (before, after)]
    new_windows = [window for window in images[1].windows if window not in images[0].windows]
    same = limits_entry(before) == limits_entry(after)
    there = {meaning(before, rule) for rule in before.rules}
    judged = any(
        rule.block.through is not Through.FIRE and meaning(after, rule) not in there for rule in after.rules
    )  # at the load, by what is known then
    return same and not new_windows and not judged and all(image.banked for image in images)


def check_rtl_over_loads(cases: list[LoadCase], outcomes: Counter[str] | None = None) -> tuple[int, int]:
    """Compares rules and rtl, in one run of the simulator. Returns the number of fires, and of those behind a load.

    ``outcomes`` counts how they ended.
    """
    with tempfile.TemporaryDirectory() as folder:
        places = [Path(folder) / str(number) for number in range(len(cases))]
        plays = [_Play.of(one, place) for one, place in zip(cases, places, strict=True)]
        said = run_jobs(find_rtlsim(), [play.job() for play in plays], Path(folder))
        results = [play.check(answer["load"]) for play, answer in zip(plays, said, strict=True)]
    fires = [fire for seen, _ in results for fire in seen]
    if outcomes is not None:
        outcomes.update(fire.outcome for fire in fires)
    return len(fires), sum(behind for _, behind in results)


@dataclass(frozen=True)
class _Play:
    one: LoadCase
    before: Played
    after: Strategy
    image: Image
    traffic: Traffic
    place: Path

    @classmethod
    def of(cls, one: LoadCase, place: Path) -> "_Play":
        before, after = Played.of(one.case), Played.of(one.changed).strategy
        image = build_image(before.strategy, BOARD, HWMAP)
        timed = after if counts_time(after) else before.strategy
        traffic = traffic_of(RtlCase(timed, image, before.messages, one.shape))
        return cls(one, before, after, image, traffic, place)

    def job(self) -> Job:
        case = RtlCase(self.before.strategy, self.image, self.before.messages, self.one.shape)
        write_bundle(build_image(self.after, BOARD, HWMAP), self.after, BOARD, self.place / "next")
        (self.place / "journal").mkdir()
        frame = int(self.one.place * len(self.traffic.frames))
        load = {"bundle": str(self.place / "next"), "journal": str(self.place / "journal"), "after": frame}
        return job_of(case, self.traffic, BOARD, self.place) | {"load": load | {"within": self.one.within}}

    def check(self, load: Job) -> tuple[list[Fire], int]:
        """``load`` is what the simulator says of it: from which message on."""
        first = load["first_seq_num"] or len(self.traffic.numbered) + 1
        earlier = sum(len(events) for events in self.traffic.numbered[: first - 1])
        results = Results(self.traffic, order_frames(self.place), HWMAP)
        records = ring_records(self.place)
        old = [record for record in records if record["generation"] == _GENERATION]
        watches = [read_watches(self.place / name, HWMAP) for name in ("bundle", "next")]
        results.load(*read_rules(self.place / "bundle"), self.before.strategy, watches=watches[0])
        before = results.fires(old)
        results.load(*read_rules(self.place / "next"), self.after, load["instruments"], watches[1])
        behind = results.fires(records[len(old) :])
        results.end()
        rules, seen = list(self._rules(earlier, before, behind)), before + behind
        if rules != seen:
            text = f"rules and rtl differ, when after event {earlier} this is loaded:\n{self.one.changed.strategy_text}"
            how = f"frame at {self.one.place}, {self.one.within} cycles in, shape {self.one.shape}"
            raise DisagreementError(f"{text}\n{how}\n{side_by_side(rules, seen)}", self.one.case, self.one.shape)
        return seen, len(records) - len(old)

    def _rules(self, earlier: int, before: list[Fire], behind: list[Fire]) -> Iterator[Fire]:
        """``before`` and ``behind``: what the fabric fired under each bundle, and so what bad frames have spent."""
        strategy, spoiled = self.before.strategy, Spoiled(self.traffic, before)
        interpreter = Interpreter(strategy)
        for number, message in enumerate(self.before.messages):
            yield from spoiled.ahead_of(message, interpreter, strategy)
            if number == earlier:
                strategy, spoiled = self.after, Spoiled(self.traffic, behind)
                interpreter.load(strategy)
                yield from spoiled.ahead_of(message, interpreter, strategy)
            yield from interpreter.process(message)
