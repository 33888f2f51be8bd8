# SPDX-License-Identifier: Apache-2.0
"""Runs the Verilated fabric over many cases at once."""

import json
import os
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fixaccel.data import data_path
from fixaccel.diagnostics.text import printable
from fixaccel.emit.bundle import MANIFEST, not_ours, write_bundle
from fixaccel.emit.rules import BundleRules
from fixaccel.hwmap.hwmap import Hwmap
from fixaccel.image.image import Image
from fixaccel.image.unpack.watches import watch_triggers
from fixaccel.language.placements import FABRIC
from fixaccel.language.rules import RearmAfter, Strategy
from fixaccel.language.terms import Board
from fixaccel.semantics.messages import EXECUTIONS, Fire, Kind, Message
from fixaccel.simulate.engines import EngineError, NotPlayableError, Progress
from fixaccel.simulate.rtl.check import Results
from fixaccel.simulate.rtl.merge import with_runtime_fires
from fixaccel.simulate.rtl.pcap import PcapError, read_pcap, write_pcap
from fixaccel.simulate.rtl.stream import Reported, Traffic, make_traffic

BINARY_VARIABLE = "FIXACCEL_RTLSIM"
_BINARY = "build/release/runtime/board/fixaccel-rtlsim"
_HOW_TO_BUILD = (
    f"build it with `cmake --preset release && cmake --build --preset release`, or name it in {BINARY_VARIABLE}"
)


_TICK_SECONDS = 0.5
Job = dict[str, Any]

# What a run leaves in its folder.
_BUNDLE, _FRAMES, _ORDERS, _RING, _JOBS = "bundle", "frames.pcap", "orders.pcap", "ring.jsonl", "jobs.jsonl"


def _no_progress(_: int) -> None:
    pass


@dataclass(frozen=True)
class Case:
    """One strategy with the events to run it over; ``shape`` varies the frames."""

    strategy: Strategy
    image: Image
    messages: Sequence[Message]
    shape: int | None = None


class RtlEngine:
    """The fabric's RTL. ``files`` keeps bundle, frames and orders of the run; without it they are thrown away."""

    def __init__(
        self, image: Image, strategy: Strategy, board: Board, hwmap: Hwmap, shape: int | None, files: Path | None
    ) -> None:
        self._image = image
        self._strategy = strategy
        self._board = board
        self._hwmap = hwmap
        self._shape = shape
        self._files = files

    def run(self, messages: Sequence[Message], progress: Progress) -> list[Fire]:
        """All fires in firing order, each order checked byte by byte. Raises EngineError."""
        case = Case(self._strategy, self._image, messages, self._shape)
        if self._files is not None:
            self._files.mkdir(parents=True, exist_ok=True)
            (fires,) = run_cases([case], self._board, self._hwmap, self._files, progress)
        else:
            with tempfile.TemporaryDirectory(prefix="fixaccel-rtl-") as folder:
                (fires,) = run_cases([case], self._board, self._hwmap, Path(folder), progress)
        progress(len(messages))
        return fires


def find_rtlsim() -> Path:
    """The simulator's program. Raises EngineError that says how to get it."""
    named = os.environ.get(BINARY_VARIABLE)
    path = Path(named) if named else data_path(_BINARY)
    if not path.is_file() or not os.access(path, os.X_OK):
        raise EngineError(f"the engine rtl needs {path.name}, which is not at {path}: {_HOW_TO_BUILD}")
    return path


def run_cases(
    cases: Sequence[Case], board: Board, hwmap: Hwmap, folder: Path, progress: Progress = _no_progress
) -> list[list[Fire]]:
    """Fires of each case, in one run of the simulator; files go below ``folder``. Raises EngineError."""
    program = find_rtlsim()
    jobs: list[Job] = []
    traffics: list[Traffic] = []
    places = [folder / str(number) if len(cases) > 1 else folder for number in range(len(cases))]
    for case, place in zip(cases, places, strict=True):
        traffics.append(traffic_of(case))
        if case.messages:
            jobs.append(job_of(case, traffics[-1], board, place))
    if jobs:
        run_jobs(program, jobs, folder, progress, ("--interface", board.interface))
    return [
        with_runtime_fires(_results(place, case.strategy, traffic, hwmap), case.strategy, case.messages)
        if case.messages
        else []
        for case, place, traffic in zip(cases, places, traffics, strict=True)
    ]


def traffic_of(case: Case) -> Traffic:
    """The case's messages as frames. Raises NotPlayableError for events that frames do not carry."""
    _refuse_other_kinds(case)
    session, strategy = case.strategy.venue.session, case.strategy
    arms, ahead = arms_by_fills(strategy), strategy.venue.commit != "frame"
    return make_traffic(session, case.messages, case.shape, timed=counts_time(strategy), ahead=ahead, arms=arms)


def job_of(case: Case, traffic: Traffic, board: Board, place: Path) -> Job:
    """Writes bundle and frames below ``place``: the job that plays them, as the simulator's program takes it."""
    write_bundle(case.image, case.strategy, board, place / _BUNDLE)
    write_pcap(place / _FRAMES, traffic.frames)
    return {
        "bundle": str(place / _BUNDLE),
        "in": str(place / _FRAMES),
        "orders": str(place / _ORDERS),
        "ring": str(place / _RING),
        "bad_fcs": [damaged.frame for damaged in traffic.damaged if damaged.bad_fcs],
        **({"executions": [_execution(one) for one in traffic.executions]} if traffic.executions else {}),
    }


def _execution(told: Reported) -> Job:
    assert told.message.execution is not None
    kind, execution = told.message.kind.value, told.message.execution
    return {"after": told.after, "until": told.until, "rule": execution.part, "kind": kind, "qty": execution.qty}


def not_of_a_run(folder: Path) -> str | None:
    """What stands against the files of a run in ``folder``; None where an earlier run has left all that is there."""
    if folder.is_dir():
        strange = sorted({path.name for path in folder.iterdir()} - {_BUNDLE, _FRAMES, _ORDERS, _RING, _JOBS})
        if strange:
            return f"{folder} holds {printable(strange[0])}"
    held = not_ours(folder / _BUNDLE)
    return f"{folder / _BUNDLE} {held}" if held else None


def _refuse_other_kinds(case: Case) -> None:
    played = {Kind.SNAPSHOT: "snapshots (35=W)", Kind.UPDATE: "updates (35=X)"}
    if any(message.kind in EXECUTIONS for message in case.messages):
        refuse_divided(case.strategy)
    for message in case.messages:
        if message.kind not in played and message.kind not in EXECUTIONS:
            raise NotPlayableError(
                f"event {message.event} is of kind `{message.kind.value}`: the engine rtl plays "
                f"{' and '.join(played.values())} only; use --engine rules or --engine image"
            )


def refuse_divided(strategy: Strategy) -> None:
    """The runtime's rules are played by themselves: they know nothing of the fabric's orders, nor these of theirs."""
    there = strategy.placement == FABRIC
    for block in strategy.blocks:
        goes_by = [*block.cancels, *(block.parents or () if block.by_fills or block.form.orders.filled else ())]
        own = there[block.first : block.first + len(block)]
        for others in (there[reach.start : reach.stop] for reach in goes_by):
            if own.any() != own.all() or others.any() != others.all() or (own.any() != others.any()):
                raise NotPlayableError(
                    f"`{block.id}` goes by orders of rules of which not all run where it does: with executions among "
                    "the events the engine rtl plays such rules only together; use --engine rules or --engine image"
                )


def arms_by_fills(strategy: Strategy) -> dict[int, list[str]]:
    """By part, the instruments of the fabric's rules that its fills arm."""
    there = strategy.placement == FABRIC
    arms: dict[int, list[str]] = {}
    for block in strategy.blocks:
        if block.by_fills and there[block.first : block.first + len(block)].any():
            for part in {part for parents in block.parents or () for part in parents}:
                arms[part] = sorted({*arms.get(part, ()), block.instrument.symbol})
    return arms


def counts_time(strategy: Strategy) -> bool:
    """Whether it matters when a message comes."""
    limits = strategy.limits
    counts = limits.self_trade or limits.orders_per_second is not None
    counts = counts or strategy.venue.day_roll is not None
    return counts or any(block.during or isinstance(block.rearm, RearmAfter) for block in strategy.blocks)


def run_jobs(
    program: Path, jobs: Sequence[Job], folder: Path, progress: Progress = _no_progress, options: Sequence[str] = ()
) -> list[dict[str, Any]]:
    """What the simulator says of each job; ``options`` are of its command line. Raises EngineError if one failed."""
    batch = folder / _JOBS
    batch.write_text("".join(json.dumps(job) + "\n" for job in jobs), encoding="utf-8")
    with subprocess.Popen(
        [program, "--batch", batch, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as run:
        try:
            stdout, stderr = _wait(run, progress)
        except BaseException:
            run.kill()
            raise
    lines = [json.loads(line) for line in stdout.splitlines() if line.startswith("{")]
    for number, line in enumerate(lines):
        if "error" in line:
            raise EngineError(f"{program.name}: {line['error']} (job {number + 1} of {len(jobs)})")
    if run.returncode != 0 or len(lines) != len(jobs):
        raise EngineError(f"{program.name} ended with {run.returncode}: {stderr.strip()[-2000:]}")
    return lines


def _wait(run: "subprocess.Popen[str]", progress: Progress) -> tuple[str, str]:
    """Output and errors of the run. The simulator does not tell how far it is, but that it runs can be shown."""
    while True:
        try:
            return run.communicate(timeout=_TICK_SECONDS)
        except subprocess.TimeoutExpired:
            progress(0)


def _results(place: Path, strategy: Strategy, traffic: Traffic, hwmap: Hwmap) -> list[Fire]:
    try:
        results = Results(traffic, order_frames(place), hwmap)
        results.load(*read_rules(place / _BUNDLE), strategy, watches=read_watches(place / _BUNDLE, hwmap))
        found = results.fires(ring_records(place))
        results.end()
        return found
    except PcapError as error:
        raise EngineError(str(error)) from None


def read_rules(bundle: Path) -> tuple[dict[str, Any], BundleRules]:
    """The manifest of a bundle, and its rules."""
    manifest: dict[str, Any] = json.loads((bundle / MANIFEST).read_text(encoding="utf-8"))
    return manifest, BundleRules(manifest, lambda name: (bundle / name).read_bytes())


def read_watches(bundle: Path, hwmap: Hwmap) -> dict[int, int | None]:
    """The rule of each trigger of a bundle that is a watch; None: its hits do not tell it."""
    memories = {name: (bundle / "image" / f"{name}.bin").read_bytes() for name in ("trigger", "order", "rearm")}
    return watch_triggers(memories, hwmap)


def ring_records(place: Path) -> list[dict[str, Any]]:
    """The ring records of a job, the oldest first."""
    return [json.loads(line) for line in (place / _RING).read_text(encoding="utf-8").splitlines()]


def order_frames(place: Path) -> Iterator[bytes]:
    """The order frames of a job."""
    return (frame for _, frame in read_pcap(place / _ORDERS))
