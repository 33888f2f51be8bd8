# SPDX-License-Identifier: Apache-2.0
"""What `fixaccel tune run` finds on this machine: round trips before, with each stage, and with what has stayed."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from fixaccel.lab.namespaces import LabError, Wire
from fixaccel.tune.catalogue import catalogue
from fixaccel.tune.measured.effect import Difference
from fixaccel.tune.measured.show import change_text
from report import Figure, others

# The machine's own settings are changed, and taken back, only where this is "1": on one that is there for it.
HOST = "FIXACCEL_BENCH_HOST"
NOTE = (
    "`fixaccel tune run` in a network namespace: the daemon's settings, the machine's where FIXACCEL_BENCH_HOST is 1, "
    "the network's. A round trip is 128 bytes there and back over TCP between two namespaces, from when it was due. Of "
    "a stage: before and after, each the geometric mean over eight pairs of blocks, with the change's 95 % interval."
)
_SEED, _PAIRS = 1, 8
_DONE = (0, 3)  # exit codes of `tune run` where nothing failed
_FIELDS = [field.name for field in fields(Difference)]
_PLAN = "fixaccel-tune: 1\nprofile: low-latency\ninterface: cl0\n"

Json = dict[str, Any]


def _ran(folder: Path) -> Json:
    """What the command says of a run that is taken back."""
    scopes = {"process", "namespace", "device"} | ({"host"} if os.environ.get(HOST) == "1" else set())
    only = [word for knob in catalogue().values() if knob.scope in scopes for word in ("--only", knob.id)]
    (folder / "plan.yaml").write_text(_PLAN, encoding="utf-8")
    (folder / "fixacceld.toml").write_text('[cpu]\nstamps = "app"\n', encoding="utf-8")
    at = ["--state", str(folder / "tune"), "--config", str(folder / "fixacceld.toml")]
    tune = [sys.executable, "-m", "fixaccel", "tune"]
    course = ["--yes", "--json", "--seed", str(_SEED), "--pairs", str(_PAIRS), "--journal", str(folder)]
    with Wire() as wire:
        try:
            done = subprocess.run(
                wire.inside(wire.client, *tune, "run", str(folder / "plan.yaml"), *course, *only, *at),
                stdout=subprocess.PIPE, text=True, check=False,
            )  # fmt: skip
        finally:
            subprocess.run(
                wire.inside(wire.client, *tune, "rollback", *at), stdout=subprocess.DEVNULL, text=True, check=False
            )
    if done.returncode not in _DONE:
        raise LabError(f"`fixaccel tune run` ended with {done.returncode}")
    found: Json = json.loads(done.stdout)
    return found


def _whole(name: str, measurement: Json) -> Iterator[Figure]:
    """Of the time before the first stage, or behind the last."""
    for one in measurement["figures"]:
        yield Figure(
            f"{name}: {one['name']}", "us", one["count"], one["min"], one["p50"], one["p99"], one["p999"], one["max"],
            mean=one["mean"], said=others(measurement["noise"]),
        )  # fmt: skip


def _stage(trial: Json, pairs: int) -> Iterator[Figure]:
    """Before and after of a stage, by the pace of its round trips; samples are pairs of blocks."""
    if not trial["differences"]:
        return
    found: dict[str, dict[str, Difference]] = {}
    for one in (Difference(**{key: each[key] for key in _FIELDS}) for each in trial["differences"]):
        found.setdefault(one.point, {})[one.statistic] = one
    for number, (point, by) in enumerate(found.items()):
        p50, p99 = by["p50"], by["p99"]
        changes = ", ".join(f"{one.statistic} {change_text(one)}" for one in (p50, p99))
        # The verdict is of the stage: once, with the first pace.
        words = [f"{trial['verdict']}, {trial['fate']}"] * (number == 0) + [changes]
        words += [others(trial["noise"])] * (number == 0)
        name = f"{trial['stage']}, {{}}: {point}"
        yield Figure(name.format("before"), "us", pairs, None, p50.before, p99.before, None, None)
        ratio = p50.after / p50.before
        yield Figure(
            name.format("after"), "us", pairs, None, p50.after, p99.after, None, None, ratio, said="; ".join(words)
        )


def figures(ran: Json) -> list[Figure]:
    """Of what the command has said."""
    trials = ran["trials"]
    rows = list(_whole("at first", trials["before"]))
    for trial in trials["trials"]:
        rows += _stage(trial, trials["pairs"])
    return rows + (list(_whole("with what was kept", trials["after"])) if trials["after"] else [])


def measure() -> Sequence[Figure]:
    """Takes about 20 minutes, in which the machine should have nothing else to do."""
    with tempfile.TemporaryDirectory(prefix="fixaccel-bench-", dir="/var/tmp") as name:
        return figures(_ran(Path(name)))
