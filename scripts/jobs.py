# SPDX-License-Identifier: Apache-2.0
"""Commands side by side: each with a log of its own, all of them ended together."""

import os
import signal
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
_GRACE_S = 20.0
_POLL_S = 0.1
_NICENESS = "10"  # a tenth of a core's time where others want all of it
_NICE = ("nice", "-n", _NICENESS)
_received: list[int] = []  # signals


class Job:
    """One command in ROOT, started at once; what it prints goes to ``log``. ``aside``: others' work goes first."""

    def __init__(self, name: str, command: Sequence[str], log: Path, *, aside: bool = False) -> None:
        self.name, self.command, self.log = name, [*(_NICE if aside else ()), *command], log
        self.exit_code: int | None = None
        self.seconds = 0.0  # wall clock, once it has ended
        self.cpu_seconds = 0.0  # user and system, its children included, once it has ended
        self._begin = time.monotonic()
        log.parent.mkdir(parents=True, exist_ok=True)
        with log.open("wb") as out:
            # A session of its own: a signal reaches all that it has started.
            self._popen = subprocess.Popen(
                self.command,
                cwd=ROOT, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT, start_new_session=True,
            )  # fmt: skip
        if aside:
            # Where the kernel shares the cores among sessions, niceness counts within each alone.
            with suppress(OSError):
                Path("/proc", str(self._popen.pid), "autogroup").write_text(_NICENESS, encoding="ascii")

    def ended(self) -> bool:
        """Whether it has ended, without waiting."""
        if self.exit_code is None:
            pid, status, usage = os.wait4(self._popen.pid, os.WNOHANG)
            if pid:
                self.exit_code = self._popen.returncode = os.waitstatus_to_exitcode(status)
                self.seconds = time.monotonic() - self._begin
                self.cpu_seconds = usage.ru_utime + usage.ru_stime
        return self.exit_code is not None

    def text(self) -> str:
        """What it has printed so far."""
        return self.log.read_text(encoding="utf-8", errors="replace").rstrip()

    def signal(self, number: int) -> None:
        """Sends a signal to it and to all that it has started, also when it has ended itself."""
        with suppress(ProcessLookupError):
            os.killpg(self._popen.pid, number)


def any_ended(jobs: Sequence[Job]) -> Job:
    """Waits until one of ``jobs`` has ended. Raises KeyboardInterrupt after a signal."""
    while True:
        if _received:
            raise KeyboardInterrupt
        for job in jobs:
            if job.ended():
                return job
        time.sleep(_POLL_S)


def stop(jobs: Sequence[Job]) -> None:
    """Interrupts ``jobs`` as Ctrl-C would, and kills what takes no notice."""
    for job in jobs:
        job.signal(signal.SIGINT)
    end = time.monotonic() + _GRACE_S
    while time.monotonic() < end and not all(job.ended() for job in jobs):
        time.sleep(_POLL_S)
    for job in jobs:
        job.signal(signal.SIGKILL)


def heed_signals() -> None:
    """From now on `any_ended` raises KeyboardInterrupt once SIGINT or SIGTERM has come.

    Raised by the signal itself it could come between the start of a job and its entry in a list, and leave it behind.
    """
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda received, _: _received.append(received))


def minutes(seconds: float) -> str:
    """A duration as people read it: `4 s`, `3 min 20 s`."""
    whole = round(seconds)
    return f"{whole // 60} min {whole % 60} s" if whole >= 60 else f"{whole} s"
