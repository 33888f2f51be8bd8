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
from fixaccel.emit.bundle import write_bundle
from fixaccel.emit.rules import BundleRules
from fixaccel.hwmap.model import Hwmap
from fixaccel.image.model import Image
from fixaccel.language.model import Board
from fixaccel.language.rules import Strategy
from fixaccel.semantics.messages import Fire, Kind, Message
from fixaccel.simulate.engines import EngineError, Progress
from fixaccel.simulate.rtl.check import Results
from fixaccel.simulate.rtl.merge import with_runtime_fires
from fixaccel.simulate.rtl.pcap import PcapError, read_pcap, write_pcap
from fixaccel.simulate.rtl.stream import Traffic, make_traffic

BINARY_VARIABLE = "FIXACCEL_RTLSIM"
_BINARY = "build/release/runtime/board/fixaccel-rtlsim"
_HOW_TO_BUILD = (
    f"build it with `cmake --preset release && cmake --build --preset release`, or name it in {BINARY_VARIABLE}"
)


_TICK_SECONDS = 0.5


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
    jobs: list[dict[str, str]] = []
    traffics: list[Traffic] = []
    places = [folder / str(number) if len(cases) > 1 else folder for number in range(len(cases))]
    for case, place in zip(cases, places, strict=True):
        _refuse_other_kinds(case)
        session = case.strategy.venue.session
        traffics.append(make_traffic(session, case.messages, case.shape, timed=_counts_time(case.strategy)))
        if not case.messages:
            continue
        write_bundle(case.image, case.strategy, board, place / "bundle")
        write_pcap(place / "frames.pcap", traffics[-1].frames)
        jobs.append(
            {
                "bundle": str(place / "bundle"),
                "in": str(place / "frames.pcap"),
                "orders": str(place / "orders.pcap"),
                "ring": str(place / "ring.jsonl"),
            }
        )
    if jobs:
        _simulate(program, jobs, folder, progress)
    return [
        with_runtime_fires(_results(place, case.strategy, traffic, hwmap), case.strategy, case.messages)
        if case.messages
        else []
        for case, place, traffic in zip(cases, places, traffics, strict=True)
    ]


def _refuse_other_kinds(case: Case) -> None:
    played = {Kind.SNAPSHOT: "snapshots (35=W)", Kind.UPDATE: "updates (35=X)"}
    for message in case.messages:
        if message.kind not in played:
            raise EngineError(
                f"event {message.event} is of kind `{message.kind.value}`: the engine rtl plays "
                f"{' and '.join(played.values())} only; use --engine rules or --engine image"
            )


def _counts_time(strategy: Strategy) -> bool:
    """Whether it matters when a message comes."""
    return strategy.limits.orders_per_second is not None or any(block.during for block in strategy.blocks)


def _simulate(program: Path, jobs: Sequence[dict[str, str]], folder: Path, progress: Progress) -> None:
    batch = folder / "jobs.jsonl"
    batch.write_text("".join(json.dumps(job) + "\n" for job in jobs), encoding="utf-8")
    with subprocess.Popen(
        [program, "--batch", batch], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
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


def _wait(run: "subprocess.Popen[str]", progress: Progress) -> tuple[str, str]:
    """Output and errors of the run. The simulator does not tell how far it is, but that it runs can be shown."""
    while True:
        try:
            return run.communicate(timeout=_TICK_SECONDS)
        except subprocess.TimeoutExpired:
            progress(0)


def _results(place: Path, strategy: Strategy, traffic: Traffic, hwmap: Hwmap) -> list[Fire]:
    manifest: dict[str, Any] = json.loads((place / "bundle" / "manifest.json").read_text(encoding="utf-8"))
    rules = BundleRules(manifest, (place / "bundle" / manifest["rules"]["file"]).read_bytes())
    records = [json.loads(line) for line in (place / "ring.jsonl").read_text(encoding="utf-8").splitlines()]
    try:
        return Results(manifest, rules, strategy, traffic, hwmap).fires(records, _frames(place / "orders.pcap"))
    except PcapError as error:
        raise EngineError(str(error)) from None


def _frames(path: Path) -> Iterator[bytes]:
    return (frame for _, frame in read_pcap(path))
