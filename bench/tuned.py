# SPDX-License-Identifier: Apache-2.0
"""What `fixaccel tune` does to an order: T1 to T4 of the product as installed and as set, in pairs of runs."""

import os
import subprocess
import sys
import tempfile
import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np

import inner
import path as software_path
from fixaccel.board.control import ControlClient
from fixaccel.lab.namespaces import LabError
from fixaccel.lab.processes import Process
from fixaccel.latency.order_rows import Order, all_orders
from fixaccel.latency.stages import FIRST, SECOND
from fixaccel.tune.host import Machine
from fixaccel.tune.measured.effect import Judged, judge
from fixaccel.tune.measured.noise import Listening, Noise, mean, quiet
from fixaccel.tune.measured.show import change_text
from lab.desk import Desk
from lab.scenario import finish
from report import Figure, figure, others

KNOBS = (
    "process.poll",
    "process.core",
    "process.lock-memory",
    "net.tcp-autocorking",
    "net.tcp-slow-start-after-idle",
    "net.tcp-rmem",
    "net.tcp-wmem",
)
NOTE = (
    "No board. Before: as installed. After: `fixaccel tune apply` of the knobs below on the daemon's settings and its "
    "network namespace, the daemon alone on its core, and venue, trader and whatever measures on the others. Six pairs "
    "of runs, each with 1,000 orders at 50 a second, half of the pairs with the former first, in an order of chance; "
    "of more orders a second one run of either kind, and the capacity is the highest rate whose p99 is below twice "
    "that at 50 a second. Times by the kernel's stamps, so the wake-up is in them. Orders by hand are cancelled at "
    f"once. Verdicts as of `fixaccel tune run`. tmpfs is not durable. Knobs: {', '.join(KNOBS)}."
)
BEFORE, AFTER = "before", "after"
PARTS = {"inner": "inner", "t1_t2": "T1 to T2", "t3_t4": "T3 to T4"}
STAGES = (*FIRST, *SECOND)
RATE = 50
_PAIRS, _EACH, _SEED = 6, 1000, 1
_RATES = ((200, 2000), (500, 3000), (1000, 4000), (2000, 4000), (5000, 4000), (10_000, 4000))  # of rules
_DONE = (0, 3)  # exit codes of `tune apply` where nothing failed
_UNTUNED = '[cpu]\nstamps = "kernel"\n'
_PLAN = "fixaccel-tune: 1\nprofile: low-latency\ninterface: cl0\n"

Times = dict[str, list[float]]  # microseconds, by part and by stage


def _fall(desk: Desk, config: Path, rate: int, count: int) -> Process:
    daemon = software_path.start_armed(desk, config, rate, count)
    software_path.let_fall(desk)
    return daemon


# Name -> what the daemon calls it, and what sends so many at a rate; the daemon is still there.
_PATHS: dict[str, tuple[str, Callable[[Desk, Path, int, int], Process]]] = {
    "rules": ("rule", _fall),
    "by hand": ("desk", inner.send_by_hand),
}


def _run(path: str, folder: Path, rate: int, count: int, *, is_tuned: bool) -> tuple[Times, float]:
    """Times of the last so many orders, and how many there were in a second."""
    kind, send = _PATHS[path]
    with tempfile.TemporaryDirectory(prefix="fixaccel-bench-", dir=folder) as name, Desk(Path(name)) as desk:
        config = desk.folder / "fixacceld.toml"
        config.write_text(_UNTUNED, encoding="utf-8")
        if is_tuned:
            _tune(desk, config)
        with _others_off(config):
            daemon = send(desk, config, rate, count)
            with ControlClient(desk.control) as client:
                orders = list(all_orders(lambda after: client.ask("latency", after=after)))
            finish(desk, daemon)
    measured = [order for order in orders if order["path"] == kind][-count:]
    times = _times(measured)
    if len(times["inner"]) != count:
        raise LabError(f"{len(times['inner'])} of {count} orders have been answered")
    sent = sorted(order["t2_ns"] for order in measured)
    return times, (count - 1) * 1e9 / (sent[-1] - sent[0])


def _tune(desk: Desk, config: Path) -> None:
    """Applies the knobs as a user does, from the daemon's network namespace."""
    plan = desk.folder / "desk.tune.yaml"
    plan.write_text(_PLAN, encoding="utf-8")
    only = [word for knob in KNOBS for word in ("--only", knob)]
    at = ["--state", str(desk.folder / "tune"), "--config", str(config)]
    command = [sys.executable, "-m", "fixaccel", "tune", "apply", str(plan), *only, *at]
    done = subprocess.run(desk.inside(desk.wire.client, *command), capture_output=True, text=True, check=False)
    if done.returncode not in _DONE:
        raise LabError(f"`fixaccel tune apply` ended with {done.returncode}: {done.stdout}{done.stderr}")


@contextmanager
def _others_off(config: Path) -> Iterator[None]:
    """All that is started in it keeps off the daemon's core, where the settings name one; the daemon goes there."""
    all_ = os.sched_getaffinity(0)
    core = tomllib.loads(config.read_text(encoding="utf-8"))["cpu"].get("core")
    os.sched_setaffinity(0, all_ - {core} or all_)
    try:
        yield
    finally:
        os.sched_setaffinity(0, all_)


def _times(orders: Sequence[Order]) -> Times:
    found: Times = defaultdict(list)
    for order in orders:
        if "t4_ns" not in order:
            continue
        whole = {
            "inner": order["inner_ns"],
            "t1_t2": order["t2_ns"] - order["t1_ns"],
            "t3_t4": order["t4_ns"] - order["t3_ns"],
        }
        for name, ns in (whole | order["stages"]).items():
            found[name].append(ns / 1000)
    return found


def _paired(path: str, where: str, folder: Path) -> Iterator[Figure]:
    """Before and after in turn, at the rate of a desk."""
    host = Machine()
    both: dict[str, list[Times]] = {BEFORE: [], AFTER: []}
    heard: list[Noise] = []
    orders = np.random.default_rng(_SEED).permutation([(BEFORE, AFTER), (AFTER, BEFORE)] * (_PAIRS // 2))
    for number, order in enumerate(orders, 1):
        print(f"{path}, {where}: pair {number} of {_PAIRS}", file=sys.stderr, flush=True)
        listening = Listening(host, None, quiet(host))
        for side in order:
            times, _ = _run(path, folder, RATE, _EACH, is_tuned=side == AFTER)
            both[side].append(times)
        heard.append(listening.heard())
    noise = mean(heard)
    pairs = [
        {"inner": (np.array(before["inner"]), np.array(after["inner"]))}
        for before, after in zip(both[BEFORE], both[AFTER], strict=True)
    ]
    judged = judge(pairs, _SEED, noisy=any(one.is_loud for one in heard))
    for key, text in (PARTS | {stage: stage for stage in STAGES}).items():
        rows: dict[str, Figure] = {}
        for side, blocks in both.items():
            samples = [us for block in blocks for us in block.get(key, ())]
            if not samples:
                continue
            is_told = key == "inner" and side == AFTER
            rows[side] = figure(
                f"{path}, {where}, {side}: {text}", "us", samples, rows.get(BEFORE), _verdict(judged, noise) * is_told
            )
        yield from rows.values()


def _verdict(judged: Judged, noise: Noise) -> str:
    changes = ", ".join(f"{one.statistic} {change_text(one)}" for one in judged.differences)
    return f"{judged.effect.value}: {changes}; {others(vars(noise))}"


def _at_rates(where: str, folder: Path, at_rest: dict[str, Figure]) -> Iterator[Figure]:
    """More orders of rules a second than a desk sends, once each, and what rate the machine can have."""
    for side in (BEFORE, AFTER):
        capacity = 0.0
        for rate, count in _RATES:
            print(f"rules, {where}, {side}: {rate} a second", file=sys.stderr, flush=True)
            times, achieved = _run("rules", folder, rate, count, is_tuned=side == AFTER)
            row = figure(f"rules, {where}, {side}, {achieved:,.0f} orders/s: inner", "us", times["inner"])
            if (row.p99 or 0) < 2 * (at_rest[side].p99 or 0):
                capacity = max(capacity, achieved)
            yield row
        yield figure(f"rules, {where}, {side}: capacity", "orders/s", [capacity])


def measure() -> Sequence[Figure]:
    """Runs the product in a laboratory of its own, its journal in memory and on disk; takes half an hour."""
    rows: list[Figure] = []
    for where, folder in software_path.PLACES:
        for path in _PATHS:
            rows += _paired(path, where, folder)
        at_rest = {side: _named(rows, f"rules, {where}, {side}: inner") for side in (BEFORE, AFTER)}
        rows += _at_rates(where, folder, at_rest)
    return rows


def _named(rows: Sequence[Figure], name: str) -> Figure:
    return next(row for row in rows if row.name == name)
