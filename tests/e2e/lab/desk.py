# SPDX-License-Identifier: Apache-2.0
"""The desk of the tests: programs of any build and by any clock, and what a sanitizer reports is a fault."""

import os
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Self

from fixaccel.lab import desk
from fixaccel.lab.desk import BUILD_VARIABLE, WIRE
from fixaccel.lab.namespaces import LabError
from fixaccel.lab.processes import Process
from lab.clock import AnyClock
from lab.sanitizers import Reports

ROOT = Path(__file__).resolve().parents[3]
TWO_SESSIONS = ROOT / "strategies" / "venues" / "two-sessions.yaml"
BUILD = Path(os.environ.get(BUILD_VARIABLE, ROOT / "build" / "release"))
INTERFACE = os.environ.get("FIXACCEL_INTERFACE", WIRE)  # of runs that do not say


def _journal_options() -> list[str]:
    """With FIXACCEL_SEGMENT_BYTES every run has a journal of such small segments."""
    segment = os.environ.get("FIXACCEL_SEGMENT_BYTES")
    return ["--journal-segment-bytes", segment] if segment else []


def two_sessions(folder: Path) -> "Desk":
    """A desk whose venue gives market data on a session of their own."""
    return Desk(folder, venue=TWO_SESSIONS, market_client="CLIENT1-MD")


@dataclass
class Desk(desk.Desk):
    """One run of a test."""

    interface: str = INTERFACE
    clock: AnyClock | None = None  # of the programs started from now on; none: the machine's
    before_daemon: list[str] = field(default_factory=list)  # what its command line begins with

    def __post_init__(self) -> None:
        super().__post_init__()
        self.reports = Reports(self.folder)

    def __enter__(self) -> Self:
        super().__enter__()
        self.reports.open()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            super().__exit__(kind, error, trace)
        finally:
            self.reports.close()
        if error is None:
            self._check_phases()

    def start_daemon(self, bundle: Path, *options: str, config: Path | None = None) -> Process:
        return super().start_daemon(bundle, *_journal_options(), *options, config=config)

    def daemon_command(self, bundle: Path, *options: str, config: Path | None = None) -> list[str]:
        return [*self.before_daemon, *super().daemon_command(bundle, *options, config=config)]

    def inside(self, namespace: str, *command: str) -> list[str]:
        """By the laboratory's clock."""
        return super().inside(namespace, *(self.clock.prefix() if self.clock else []), *command)

    def _check_phases(self) -> None:
        """Raises LabError if a daemon went from one phase to another as its table does not have it."""
        for log in sorted(self.folder.glob("daemon*.log")):
            for line in log.read_text(encoding="utf-8", errors="replace").splitlines():
                if "was not foreseen" in line:
                    raise LabError(f"{log.name}: {line}")
