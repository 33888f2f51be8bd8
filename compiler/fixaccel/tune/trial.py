# SPDX-License-Identifier: Apache-2.0
"""The loop of the paper: one stage after the other is set and set back in turn, measured, and kept if it helps."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field

import numpy as np

from fixaccel.tune.apply import finish
from fixaccel.tune.bind import Bound
from fixaccel.tune.catalogue import Knob, catalogue
from fixaccel.tune.measured.effect import Effect, Samples, judge
from fixaccel.tune.measured.figures import pace_name
from fixaccel.tune.measured.noise import Listening, Noise, mean, quiet
from fixaccel.tune.measured.scene import MeasureError, Scene, stand_in
from fixaccel.tune.measured.store import keep_trials
from fixaccel.tune.measured.trials import BACK, KEPT, REQUIRED, SKIPPED, Trial, Trials
from fixaccel.tune.measured.whole import Extent, Say, measure
from fixaccel.tune.record import APPLIED, TAKEN_BACK, UNCONFIRMED, Record, RecordError, Records
from fixaccel.tune.survey import Circumstances, Outcome, Step, survey
from fixaccel.tune.switch import Switch, SwitchError, entry_of, is_held
from fixaccel.tune.take_back import Backed, take_back

# In the order in which they are tried, as in the paper; the scopes of each.
STAGES = {"process": ("process",), "host": ("host",), "network": ("namespace", "device")}


@dataclass(frozen=True)
class Stage:
    """What is tried at once. ``is_measured`` is false for what is required and not in what is measured."""

    name: str
    steps: tuple[Step, ...]
    is_measured: bool = True

    @property
    def knobs(self) -> list[str]:
        """Their ids."""
        return list(dict.fromkeys(step.knob.id for step in self.steps))


@dataclass(frozen=True)
class Course:
    """How it is tried. ``seed`` makes the orders and the intervals."""

    pairs: int
    seed: int
    extent: Extent
    each: bool = False


@dataclass(frozen=True)
class Ran:
    """What came of it; ``record`` is None where there was nothing to try."""

    steps: list[Step]
    trials: Trials
    record: Record | None = None
    failure: str = ""
    backed: list[Backed] = field(default_factory=list)
    finished: Record | None = None
    earlier: list[Backed] = field(default_factory=list)


def stages(steps: Iterable[Step], reaches: Callable[[Knob], bool], *, each: bool) -> tuple[list[Stage], list[str]]:
    """What is to be tried, and knobs that are not in what is measured."""
    open_ = [step for step in steps if step.outcome is Outcome.WOULD_SET]
    far = [step for step in open_ if not reaches(step.knob)]
    required = tuple(step for step in far if step.knob.cls == "required")
    found = [Stage("required", required, is_measured=False)] if required else []
    for name, scopes in STAGES.items():
        near = [step for step in open_ if step.knob.scope in scopes and step not in far]
        by_knob: dict[str, list[Step]] = {}
        for step in near:
            by_knob.setdefault(step.knob.id if each else name, []).append(step)
        found += [Stage(title, tuple(together)) for title, together in by_knob.items()]
    return found, list(dict.fromkeys(step.knob.id for step in far if step not in required))


def run(
    bound: Bound,
    around: Circumstances,
    records: Records,
    scene: Scene,
    course: Course,
    only: frozenset[str],
    ask: Callable[[Stage], bool],
    say: Say,
) -> Ran:
    """Tries all of a plan; the caller holds the lock and has entered the scene.

    All is one run of the records, begun until the end: whatever ends this process, `rollback` takes all of it back.
    Raises RecordError and MeasureError while nothing is written.
    """
    finished, earlier = finish(records, bound.host, around.session)
    waiting = records.last(UNCONFIRMED, APPLIED)
    if waiting and waiting.state == UNCONFIRMED:
        raise RecordError(f"run {waiting.id} waits to be confirmed: `fixaccel tune confirm`, or `rollback`")
    steps = survey(bound, around, only)
    todo, unreached = stages(steps, scene.reaches, each=course.each)
    already = [entry_of(step) for step in steps if step.outcome is Outcome.ALREADY]
    record = records.new(bound.host, bound.plan.profile, bound.interface, already)
    trials = Trials(record.id, record.started, course.seed, course.pairs, scene.way, course.each)
    trials.unreached = unreached
    if not todo:
        return Ran(steps, trials, finished=finished, earlier=earlier)
    say("baseline")
    trials.before = measure("run", bound, scene, course.extent, say)
    loop = _Loop(bound, records, record, scene, course, say)
    failure, backed = "", []
    try:
        for number, stage in enumerate(todo):
            trials.trials.append(loop.tried(stage, number) if ask(stage) else Trial(stage.name, stage.knobs, SKIPPED))
            keep_trials(trials, records)
        if loop.holds:
            say("what stays")
            trials.after = measure("run", bound, scene, course.extent, say)
        keep_trials(trials, records)
        loop.end()
    except (SwitchError, MeasureError, RecordError) as error:
        failure, backed = str(error), loop.undo(around)
    except BaseException:
        loop.undo(around)
        raise
    return Ran(steps, trials, record, failure, backed, finished, earlier)


class _Loop:
    def __init__(self, bound: Bound, records: Records, record: Record, scene: Scene, course: Course, say: Say) -> None:
        self._host, self._records, self._record, self._scene = bound.host, records, record, scene
        self._course, self._say = course, say
        self._is_begun = False

    @property
    def holds(self) -> bool:
        """Whether anything that was tried has stayed."""
        return any(map(is_held, self._record.entries))

    def tried(self, stage: Stage, number: int) -> Trial:
        """Raises SwitchError, MeasureError, RecordError: then all of the run is to be taken back."""
        self._is_begun = True
        switch = Switch(self._host, self._records, self._record, [entry_of(step) for step in stage.steps])
        refused = switch.begin()
        trial = Trial(stage.name, stage.knobs, BACK, said=refused)
        if not switch.entries:
            trial.fate = SKIPPED
        elif not stage.is_measured:
            trial.fate = REQUIRED
            trial.said.append("not in what is measured")
        else:
            self._measured(trial, switch, number)
        keeps = trial.fate in {KEPT, REQUIRED}
        required = [knob for knob in trial.knobs if catalogue()[knob].cls == "required"]
        if required and not keeps:
            trial.said.append(f"kept, for it is required: {', '.join(required)}")
        switch.end(lambda entry: keeps or catalogue()[entry.knob].cls == "required")
        return trial

    def _measured(self, trial: Trial, switch: Switch, number: int) -> None:
        orders = self._orders(number)
        paces = self._course.extent.paces(self._course.pairs)
        pairs: list[dict[str, tuple[Samples, Samples]]] = []
        heard: list[Noise] = []
        for count, order in enumerate(orders, 1):
            self._say(f"{trial.stage}: pair {count} of {len(orders)}")
            listening = Listening(self._host, stand_in(self._host)["core"], quiet(self._host, self._say))
            blocks = {}
            for side in order:
                (switch.on if side == "B" else switch.off)()
                blocks[side] = self._scene.block(paces)
                trial.said += [said for said in blocks[side].said if said not in trial.said]
            heard.append(listening.heard())
            sides = (blocks["A"].samples, blocks["B"].samples)
            pairs.append({pace_name(pace): (sides[0][at], sides[1][at]) for at, pace in enumerate(paces)})
        judged = judge(pairs, self._course.seed, noisy=any(noise.is_loud for noise in heard))
        trial.effect, trial.differences = judged.effect, list(judged.differences)
        trial.orders, trial.noise = orders, mean(heard)
        all_required = all(catalogue()[knob].cls == "required" for knob in trial.knobs)
        trial.fate = KEPT if judged.effect is Effect.HELPS else REQUIRED if all_required else BACK

    def _orders(self, number: int) -> list[str]:
        """As many one way as the other, in an order of chance."""
        pairs = self._course.pairs
        both = ["AB", "BA"] * (pairs // 2) + ["AB"] * (pairs % 2)
        return [str(order) for order in np.random.default_rng([self._course.seed, number]).permutation(both)]

    def end(self) -> None:
        """What stayed is in force from here on."""
        if self._is_begun:
            self._record.state = APPLIED if self.holds else TAKEN_BACK
            self._records.save(self._record)

    def undo(self, around: Circumstances) -> list[Backed]:
        """Takes all of the run back."""
        if not self._is_begun:
            return []
        backed = take_back(self._record, self._host, session=around.session)
        # Where it cannot be saved, the next run finds this one unfinished, and nothing of it left to take back.
        with suppress(RecordError):
            self._records.save(self._record)
        return backed
