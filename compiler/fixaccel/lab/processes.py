# SPDX-License-Identifier: Apache-2.0
"""Processes of the laboratory: started with a log of their own, waited for, ended by process id."""

import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

from fixaccel.lab.namespaces import LabError

_POLL_S = 0.01
_GRACE_S = 10.0


def wait_until(
    what: str, condition: Callable[[], bool], timeout_s: float, alive: Callable[[], None] | None = None
) -> None:
    """Waits until ``condition()`` holds. Raises LabError naming ``what`` after ``timeout_s`` seconds."""
    end = time.monotonic() + timeout_s
    while True:
        begin = time.monotonic()
        if condition():
            return
        if alive is not None:
            alive()
        if time.monotonic() > end:
            raise LabError(f"waited {timeout_s:g} s for {what}")
        # A costly condition must not take the core from what it waits for.
        time.sleep(max(_POLL_S, time.monotonic() - begin))


# It ends with whoever has started it, also where that is killed.
_WITH_US = ("setpriv", "--pdeathsig", "KILL")


class Process:
    """One program; standard output and error go to ``log``.

    It is a session of its own: Linux shares the cores out by sessions (sched_autogroup), and else a board, a daemon and
    an exchange would have the part of one, beside all that the test run itself does.
    """

    def __init__(self, name: str, command: list[str], log: Path) -> None:
        self.name, self.log = name, log
        with log.open("wb") as out:
            self._popen = subprocess.Popen(
                [*_WITH_US, *command],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                cwd=log.parent,
                start_new_session=True,
            )

    @property
    def pid(self) -> int:
        return self._popen.pid

    @property
    def exit_code(self) -> int | None:
        """None while it runs."""
        return self._popen.poll()

    def text(self) -> str:
        """Everything that it has printed so far."""
        return self.log.read_text(encoding="utf-8", errors="replace")

    def check_alive(self) -> None:
        """Raises LabError with the end of the log if it has ended."""
        if self.exit_code is not None:
            tail = "\n".join(self.text().splitlines()[-15:])
            raise LabError(f"{self.name} ended with exit code {self.exit_code}:\n{tail}")

    def wait_line(self, line: str, timeout_s: float = 20.0) -> None:
        """Waits until a line of its output begins with ``line``."""
        wait_until(
            f"{self.name} to say {line!r}",
            lambda: any(said.startswith(line) for said in self.text().splitlines()),
            timeout_s,
            self.check_alive,
        )

    def wait_exit(self, timeout_s: float) -> int:
        """Waits for its end and returns the exit code. Raises LabError when it takes longer."""
        try:
            return self._popen.wait(timeout_s)
        except subprocess.TimeoutExpired:
            raise LabError(f"{self.name} still runs after {timeout_s:g} s") from None

    def stop(self) -> int:
        """Asks it to end (SIGTERM), then makes it end; returns the exit code."""
        if self.exit_code is None:
            self._popen.send_signal(signal.SIGTERM)
            try:
                return self._popen.wait(_GRACE_S)
            except subprocess.TimeoutExpired:
                self._popen.kill()
        return self._popen.wait()

    def kill(self) -> None:
        """Ends it without warning (SIGKILL), as a crash would."""
        self._popen.kill()
        self._popen.wait()


class Processes:
    """The programs of one run; on exit whatever still runs is stopped, the last started first."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._started: list[Process] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for process in reversed(self._started):
            process.stop()

    def last(self, name: str) -> Process:
        """The one of that name that was started last."""
        return next(process for process in reversed(self._started) if process.name == name)

    def start(self, name: str, command: list[str], kind: type[Process] = Process) -> Process:
        """Starts ``command``; its log is ``NAME.log`` in the folder of the run, numbered from the second start on."""
        count = sum(p.name == name for p in self._started)
        process = kind(name, command, self.folder / f"{name}{f'-{count + 1}' if count else ''}.log")
        self._started.append(process)
        return process
