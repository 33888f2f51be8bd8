# SPDX-License-Identifier: Apache-2.0
"""The interpreter in C++ behind its program, and its word in the form of Python's."""

import json
import subprocess
from pathlib import Path
from typing import Any

from fixaccel.fast.errors import Counts, Fault
from fixaccel.fast.layout import FEED
from fixaccel.fast.model import Scaled
from fixaccel.fast.program.image import to_bytes
from fixaccel.fast.program.interpreter import Event, Outcome, Stopped, What
from fixaccel.fast.program.program import Program

DECODER = Path(__file__).resolve().parents[2] / "build" / "release" / "runtime" / "feed" / "fixaccel-feed-decode"
FAULTS = {FEED.constant(f"code_{fault.name.lower()}"): fault for fault in Fault}
_COUNTED = (Fault.R6, Fault.R7, Fault.R8, Fault.R9)


class Native:
    """`fixaccel-feed-decode`, running."""

    def __init__(self) -> None:
        self._process = subprocess.Popen([DECODER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._program: Program | None = None

    def _ask(self, line: str) -> dict[str, Any]:
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline())
        assert isinstance(answer, dict)
        return answer

    def load(self, image: bytes) -> str | None:
        """Why a file is refused, None where it is not."""
        refused = self._ask(f"program {image.hex()}").get("refused")
        return None if refused is None else str(refused)

    def datagram(self, program: Program, data: bytes) -> Outcome:
        """What it says of one datagram."""
        if program is not self._program:
            assert self.load(to_bytes(program)) is None
            self._program = program
        return _outcome(program, self._ask(f"data {data.hex()}"))

    def close(self) -> None:
        """Ends it."""
        self._process.communicate(timeout=10)
        assert self._process.returncode == 0


def _outcome(program: Program, answer: dict[str, Any]) -> Outcome:
    counts = Counts({fault: count for fault, count in zip(_COUNTED, answer["counts"], strict=True) if count})
    if "fault" in answer:
        code, byte, at, routine, *calls = answer["fault"]
        begun = None if routine < 0 else routine
        return Outcome((), counts, Stopped(FAULTS[code], byte, at, tuple(calls), begun))
    return Outcome(tuple(_event(program, *event) for event in answer["events"]), counts)


def _event(program: Program, what: str, at: int, value: Any = None) -> Event:
    if isinstance(value, list):
        value = Scaled(*value)
    elif isinstance(value, str):
        value = bytes.fromhex(value)
    if what == What.MESSAGE.value:
        assert isinstance(value, int)
        at = program.routines[value].target
    return Event(What(what), at, value)
