# SPDX-License-Identifier: Apache-2.0
"""The interpreter in C++ and the Verilated fabric behind their programs, and what they say in the form of Python's."""

import json
import subprocess
from collections.abc import Collection
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

from fixaccel.built import find_built
from fixaccel.fast.errors import Counts, Fault
from fixaccel.fast.layout import FEED
from fixaccel.fast.model import Scaled
from fixaccel.fast.program.image import to_bytes
from fixaccel.fast.program.interpreter import Event, Outcome, Stopped, What
from fixaccel.fast.program.program import Program


class _Built(NamedTuple):
    name: str
    variable: str  # of the environment, which names another one


_INTERPRETER = _Built("fixaccel-feed-decode", "FIXACCEL_FEED_DECODE")
_FABRIC = _Built("fixaccel-feed-fabric", "FIXACCEL_FEED_FABRIC")
_FAULTS = {FEED.constant(f"code_{fault.name.lower()}"): fault for fault in Fault}
_COUNTED = (Fault.R6, Fault.R7, Fault.R8, Fault.R9)


def find_interpreter() -> Path:
    """Where the program lies. Raises OSError."""
    return _find(_INTERPRETER)


def _find(one: _Built) -> Path:
    return find_built(f"build/release/runtime/feed/{one.name}", one.variable, one.name)


class NativeError(Exception):
    """The program is not there, or ended; the text is for the user."""


class Native:
    """`fixaccel-feed-decode`, running until `close`, or until a `with` ends. Raises NativeError."""

    _built = _INTERPRETER

    def __init__(self, *arguments: str) -> None:
        pipe = subprocess.PIPE
        try:
            self._process = subprocess.Popen([_find(self._built), *arguments], stdin=pipe, stdout=pipe, text=True)
        except OSError as error:
            reason = str(error) if isinstance(error, FileNotFoundError) else f"{self._built.name}: {error.strerror}"
            raise NativeError(reason) from None
        self._loaded: tuple[Program, Collection[int | bytes]] | None = None
        self.cycles = 0  # of the fabric, from the last datagram's first byte to what was told last

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def load(self, image: bytes, known: Collection[int | bytes] = ()) -> str | None:
        """Why a file is refused, None where it is not. ``known``: the venue's instruments, by number or by symbol."""
        numbers = sorted(one for one in known if isinstance(one, int))
        symbols = sorted(one for one in known if isinstance(one, bytes))
        self._ask(" ".join(["numbers", *map(str, numbers)]))
        self._ask(" ".join(["symbols", *(one.hex() for one in symbols)]))
        refused = self._ask(f"program {image.hex()}").get("refused")
        return None if refused is None else str(refused)

    def datagram(self, program: Program, data: bytes, known: Collection[int | bytes] = ()) -> Outcome:
        """What it says of one datagram."""
        # Compared by identity: whoever decodes many datagrams keeps one program.
        if self._loaded is None or self._loaded[0] is not program or self._loaded[1] is not known:
            if (refused := self.load(to_bytes(program), known)) is not None:
                raise NativeError(f"{self._built.name} refuses the program: {refused}")
            self._loaded = program, known
        answer = self._ask(f"data {data.hex()}")
        self.cycles = answer.get("cycles", 0)
        return _outcome(program, answer)

    def _ask(self, line: str) -> dict[str, Any]:
        assert self._process.stdin
        assert self._process.stdout
        try:
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
            answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        except (OSError, ValueError):
            raise NativeError(f"{self._built.name} ended with exit code {self._process.wait(timeout=10)}") from None
        return answer

    def close(self) -> None:
        """Ends it."""
        self._process.communicate(timeout=10)


class Fabric(Native):
    """`fixaccel-feed-fabric`: the decoder of the fabric, Verilated. ``gaps``: bytes come with gaps, by this seed.

    It does not know the venue's instruments: a message that names too many is not refused (U4).
    """

    _built = _FABRIC

    def __init__(self, gaps: int | None = None) -> None:
        super().__init__(*([] if gaps is None else ["--gaps", str(gaps)]))


def _outcome(program: Program, answer: dict[str, Any]) -> Outcome:
    counts = Counts({fault: count for fault, count in zip(_COUNTED, answer["counts"], strict=True) if count})
    if "fault" in answer:
        code, byte, at, routine, *calls = answer["fault"]
        begun = None if routine < 0 else routine
        return Outcome((), counts, Stopped(_FAULTS[code], byte, at, tuple(calls), begun))
    return Outcome(tuple(_event(program, *event) for event in answer["events"]), counts)


def _event(program: Program, what: str, at: int, value: Any = None) -> Event:  # noqa: ANN401 - what JSON can hold
    if isinstance(value, list):
        value = Scaled(*value)
    elif isinstance(value, str):
        value = bytes.fromhex(value)
    if what == What.MESSAGE.value:
        assert isinstance(value, int)
        at = program.routines[value].target
    return Event(What(what), at, value)
