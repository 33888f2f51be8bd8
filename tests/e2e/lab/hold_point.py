# SPDX-License-Identifier: Apache-2.0
"""Holds a program up in the very moment in which it reads from its session."""

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fixaccel.lab.processes import Process, wait_until


class HoldPoint:
    """Of the programs that begin with its ``prefix``."""

    def __init__(self, folder: Path) -> None:
        self._library, self._file = folder / "hold_point.so", folder / "hold"
        source = Path(__file__).with_name("hold_point.c")
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", self._library, source], check=True)

    def prefix(self) -> list[str]:
        """What goes before a command."""
        return ["env", f"LD_PRELOAD={self._library}", f"HOLD_FILE={self._file}"]

    @contextmanager
    def reading(self, process: Process) -> Iterator[None]:
        """While it is entered, nothing of ``process`` runs: it has seen that there is something to read."""
        self._file.touch()
        wait_until("it to read", lambda: _state(process) == "T", 30, process.check_alive)
        try:
            yield
        finally:
            os.kill(process.pid, signal.SIGCONT)


def _state(process: Process) -> str:
    return Path(f"/proc/{process.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0]
