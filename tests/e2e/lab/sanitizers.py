# SPDX-License-Identifier: Apache-2.0
"""Reports of sanitizers, from whatever program of a run was built with one: where they go, and what they say."""

import os
from pathlib import Path

from fixaccel.lab.namespaces import LabError

_TOOLS = ("ASAN", "LSAN", "TSAN", "UBSAN")
_EXIT_CODE = 86  # of a program that was reported
# A preloaded clock of the laboratory's comes before the sanitizer's library, and need not.
_COMMON = f"exitcode={_EXIT_CODE}:print_stacktrace=1:halt_on_error=1:verify_asan_link_order=0"


class Reports:
    """Those of all programs that are started while it is open, each in a file of its own below ``folder``."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "sanitizer"
        self._before: dict[str, str | None] = {}

    def open(self) -> None:
        """From now on programs write there. Options that are set already hold, too."""
        self._folder.mkdir(exist_ok=True)
        for report in self._folder.iterdir():
            report.unlink()
        for tool in _TOOLS:
            name = f"{tool}_OPTIONS"
            self._before[name] = os.environ.get(name)
            given = f"{self._before[name]}:" if self._before[name] else ""
            os.environ[name] = f"{given}{_COMMON}:log_path={self._folder / tool.lower()}"

    def close(self) -> None:
        """Once all of them have ended. Raises LabError with what was reported, if anything was."""
        for name, value in self._before.items():
            os.environ.pop(name)
            if value is not None:
                os.environ[name] = value
        found = [path.read_text(encoding="utf-8", errors="replace") for path in sorted(self._folder.iterdir())]
        if found:
            raise LabError("\n".join(["a sanitizer has reported:", *found]))
