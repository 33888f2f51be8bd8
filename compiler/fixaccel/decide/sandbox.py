# SPDX-License-Identifier: Apache-2.0
"""Runs a trader's function in a process of its own, within bounds of time, memory and output.

It guards against mistakes, not against malice: the function may do what the user who compiles may do.
"""

import contextlib
import math
import mmap
import os
import resource
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import fixaccel
from fixaccel.decide.request import Failure, Fault, Outcome, Request
from fixaccel.decide.worker import PROGRESS_BYTES
from fixaccel.settings import DECIDE_SECONDS

PRINTED_BYTES = 64 << 10
RESULT_BYTES = 64 << 20
FILE_BYTES = 64 << 20
_CHUNK = 1 << 16


@dataclass(frozen=True)
class Bounds:
    """Seconds of processor time, so that a busy machine changes nothing; and bytes of address space.

    ``clock`` seconds pass at most: what waits uses no processor.
    """

    seconds: float = DECIDE_SECONDS
    memory: int = 2 << 30
    clock: float | None = None  # None: ten times as many

    @property
    def longest(self) -> float:
        return 10 * self.seconds if self.clock is None else self.clock


@dataclass
class _Stream:
    """What came through a pipe, up to a bound; the rest is read and dropped."""

    descriptor: int
    most: int
    data: bytearray

    def read(self) -> bool:
        """Whether there may be more."""
        chunk = os.read(self.descriptor, _CHUNK)
        self.data += chunk[: max(self.most - len(self.data), 0)]
        return bool(chunk)


def decide(request: Request, bounds: Bounds | None = None, progress: Callable[[int], None] | None = None) -> Outcome:
    """Asks the function for every point; whatever it does ends in an `Outcome`.

    ``progress`` is told from time to time how many points it was asked for.
    """
    bounds = bounds or Bounds()
    shared = os.memfd_create("progress")
    result, result_end = os.pipe()
    printed, printed_end = os.pipe()
    try:
        os.ftruncate(shared, PROGRESS_BYTES)
        place = mmap.mmap(shared, PROGRESS_BYTES)

        def asked() -> int:
            return int.from_bytes(place[:PROGRESS_BYTES], sys.byteorder)

        process = _start(request, bounds, result_end, printed_end, shared)
        os.close(result_end)
        os.close(printed_end)
        streams = (_Stream(result, RESULT_BYTES, bytearray()), _Stream(printed, PRINTED_BYTES, bytearray()))
        furthest = 0

        def tell() -> None:
            # Some points are asked for again at the end.
            nonlocal furthest
            furthest = max(furthest, asked())
            if progress:
                progress(furthest)

        in_time = _follow(process, streams, bounds, tell)
        at = asked()
    finally:
        for descriptor in (shared, result, printed):
            os.close(descriptor)
    text = streams[1].data.decode("utf-8", "replace")
    if not in_time:
        message = f"it did not end within {bounds.longest:g} seconds"
        return Outcome(failure=Failure(Fault.TIME, message, at), printed=text)
    return _outcome(streams[0].data, text, process.returncode, at, bounds)


def _start(request: Request, bounds: Bounds, result: int, printed: int, shared: int) -> "subprocess.Popen[bytes]":
    def limit() -> None:
        seconds = math.ceil(bounds.seconds)
        for kind, value, most in (
            (resource.RLIMIT_AS, bounds.memory, bounds.memory),
            # At the second bound the kernel kills without a word; at the first it says why.
            (resource.RLIMIT_CPU, seconds, seconds + 1),
            (resource.RLIMIT_FSIZE, FILE_BYTES, FILE_BYTES),
            (resource.RLIMIT_CORE, 0, 0),
        ):
            resource.setrlimit(kind, (value, most))

    command = [sys.executable, "-s", "-B", "-P", "-m", "fixaccel.decide.worker", str(result), str(shared)]
    environment = {
        "PATH": os.environ.get("PATH", os.defpath),
        "LC_ALL": "C.UTF-8",
        "PYTHONPATH": str(Path(fixaccel.__file__).parent.parent),
        # The same answers whenever it is compiled.
        "PYTHONHASHSEED": "0",
        "TZ": "UTC",
        # Each thread of a numeric library takes address space.
        "OPENBLAS_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
    }
    return subprocess.Popen(
        [*command, request.as_json()],
        stdin=subprocess.DEVNULL,
        stdout=printed,
        stderr=printed,
        pass_fds=(result, shared),
        cwd=request.folder,
        env=environment,
        start_new_session=True,  # a group of its own, so that all it started can be ended
        preexec_fn=limit,  # noqa: PLW1509 - the compiler has no threads that hold locks here
    )


def _follow(
    process: "subprocess.Popen[bytes]", streams: tuple[_Stream, _Stream], bounds: Bounds, tell: Callable[[], None]
) -> bool:
    """Reads until the process ends; whether it did so in time. Nothing of it is left running."""
    deadline = time.monotonic() + bounds.longest
    selector = selectors.DefaultSelector()
    for stream in streams:
        os.set_blocking(stream.descriptor, False)
        selector.register(stream.descriptor, selectors.EVENT_READ, stream)
    try:
        while process.poll() is None and (left := deadline - time.monotonic()) > 0:
            tell()
            # Pipes may stay open in processes that it started: its own end is what counts.
            for key, _ in selector.select(min(left, 0.05) if selector.get_map() else None):
                if not key.data.read():
                    selector.unregister(key.fd)
            if not selector.get_map():
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(max(deadline - time.monotonic(), 0))
                break
        in_time = process.poll() is not None
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        selector.close()
    for stream in streams:
        with contextlib.suppress(BlockingIOError):
            for _ in range(RESULT_BYTES // _CHUNK):
                if not stream.read():
                    break
    return in_time


def _outcome(result: bytearray, printed: str, status: int, at: int, bounds: Bounds) -> Outcome:
    try:
        outcome = Outcome.of_json(result.decode("utf-8"), printed)
    except (ValueError, KeyError, TypeError):
        how = f"signal {-status}" if status < 0 else f"exit status {status}"
        if status == -signal.SIGXCPU:
            message = f"it used up its processor time, {bounds.seconds:g} seconds"
            return Outcome(failure=Failure(Fault.TIME, message, at), printed=printed)
        return Outcome(failure=Failure(Fault.ENDED, f"it ended without an answer ({how})", at), printed=printed)
    return replace(outcome, printed=printed)
