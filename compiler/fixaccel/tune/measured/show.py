# SPDX-License-Identifier: Apache-2.0
"""Measurements and trials as tables for people, objects for programs and a page in Markdown."""

from collections.abc import Sequence
from typing import Any

from fixaccel.tune.measured.effect import Difference, Judged
from fixaccel.tune.measured.figures import Measurement, as_object
from fixaccel.tune.measured.noise import Noise
from fixaccel.tune.measured.trials import Trial, Trials

_FIGURES = ["us", "count", "min", "mean", "p50", "p99", "p99.9", "max", ""]
_MUCH = 9.0
_CHANGE = "change, 95 % interval"
_DIFFERENCES = ["stage", "round trip", "", "before", "after", _CHANGE, "verdict", "pressure", "steal", ""]

Rows = list[list[str]]


def figure_rows(measurement: Measurement) -> Rows:
    """A row for each figure, below their heads."""
    return [_FIGURES] + [
        [
            one.name,
            str(one.count),
            *(_us(v) for v in (one.min, one.mean, one.p50, one.p99, one.p999, one.max)),
            one.said,
        ]
        for one in measurement.figures
    ]


def about(measurement: Measurement) -> str:
    """Where and when, in a line."""
    machine = measurement.machine
    on = "virtual, " if machine.get("virtual") else ""
    name = f"{measurement.kind} {measurement.id}".strip()
    return (
        f"{name}, {measurement.started}: {machine.get('processor') or 'a processor'}, {on}"
        f"cores {machine.get('cores')}, kernel {measurement.kernel}, over {measurement.way}; "
        + noise_text(measurement.noise)
    )


def noise_text(noise: Noise) -> str:
    """In words, what is known of it."""
    parts = (
        ("pressure", noise.pressure, "%"), ("steal", noise.steal, "%"), ("interrupts", noise.interrupts, "/s"),
        ("switches", noise.switches, "/s"), ("clock", noise.mhz, "MHz"),
    )  # fmt: skip
    known = [f"{name} {value:.3g} {unit}" for name, value, unit in parts if value is not None]
    return ", ".join(known) or "what else the machine did is not told here"


def change_text(one: Difference) -> str:
    """The change and its interval, in percent of what was before."""
    return f"{_part(one.change)} [{_part(one.low)}, {_part(one.high)}]"


def difference_rows(trials: Trials) -> Rows:
    """Of each trial, a row for each statistic that was compared."""
    return [_DIFFERENCES] + [row for trial in trials.trials for row in _rows(trial)]


def judged_rows(judged: Judged) -> Rows:
    """Of two measurements that were not taken in turn."""
    head = ["round trip", "", "before", "now", _CHANGE, ""]
    return [head, *([*_difference(one), one.effect.value] for one in judged.differences)]


def difference_objects(differences: Sequence[Difference]) -> list[dict[str, Any]]:
    """For JSON."""
    return [vars(one) | {"change": one.change, "effect": one.effect.value} for one in differences]


def verdicts(trials: Trials | None) -> dict[str, str]:
    """By knob, that of its trial."""
    found = {knob: trial for trial in (trials.trials if trials else ()) for knob in trial.knobs}
    return {knob: trial.effect.value if trial.effect else trial.fate for knob, trial in found.items()}


def trial_object(trial: Trial) -> dict[str, Any]:
    """For JSON."""
    return {
        "stage": trial.stage,
        "knobs": trial.knobs,
        "verdict": trial.effect.value if trial.effect else None,
        "fate": trial.fate,
        "differences": difference_objects(trial.differences),
        "orders": trial.orders,
        "noise": vars(trial.noise),
        "said": trial.said,
    }


def trials_object(trials: Trials) -> dict[str, Any]:
    """For JSON."""
    return {
        "run": trials.run,
        "started": trials.started,
        "seed": trials.seed,
        "pairs": trials.pairs,
        "way": trials.way,
        "each": trials.each,
        "trials": [trial_object(trial) for trial in trials.trials],
        "unreached": trials.unreached,
        "skip": trials.not_kept,
        "before": as_object(trials.before) if trials.before else None,
        "after": as_object(trials.after) if trials.after else None,
    }


def notes(trials: Trials) -> list[str]:
    """What has to be known besides: what could not be, what was not measured, and how it is done again."""
    found = [f"{trial.stage}: {said}" for trial in trials.trials for said in trial.said]
    if trials.before:
        found += trials.before.notes
    if trials.unreached:
        found.append(f"not in what is measured, and left: {', '.join(trials.unreached)}")
    if trials.not_kept:
        found.append(
            f"for the plan, so that `apply` leaves out what did not help: skip: [{', '.join(trials.not_kept)}]"
        )
    return [*found, f"{trials.pairs} pairs in an order made of --seed {trials.seed}, over {trials.way}"]


def trials_markdown(trials: Trials) -> str:
    """The part of a page."""
    lines = ["", "## Verdicts", "", *_markdown(difference_rows(trials))]
    for title, one in (("Before", trials.before), ("After", trials.after)):
        if one:
            lines += ["", f"## {title}", "", about(one) + ".", "", *_markdown(figure_rows(one))]
    return "\n".join([*lines, "", *(f"* {note}" for note in notes(trials))]) + "\n"


def _markdown(rows: Rows) -> list[str]:
    made = ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows]
    return [made[0], "|" + " - |" * len(rows[0]), *made[1:]]


def _rows(trial: Trial) -> Rows:
    effect = trial.effect.value if trial.effect else "-"
    noise = [_percent(trial.noise.pressure), _percent(trial.noise.steal)]
    if not trial.differences:
        return [[trial.stage, "-", "", "-", "-", "-", effect, *noise, trial.fate]]
    heads = [[trial.stage, effect, *noise, trial.fate]] + [["", "", "", "", ""]] * (len(trial.differences) - 1)
    return [[head[0], *_difference(one), *head[1:]] for head, one in zip(heads, trial.differences, strict=True)]


def _difference(one: Difference) -> list[str]:
    return [one.point.removeprefix("round trip, "), one.statistic, _us(one.before), _us(one.after), change_text(one)]


def _us(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f}"


def _part(value: float) -> str:
    """A change: in percent, or how many times as much."""
    return f"{100 * value:+.1f} %" if value < _MUCH else f"x {1 + value:.3g}"


def _percent(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f} %"
