# SPDX-License-Identifier: Apache-2.0
"""Blocks of round trips, from the side of the command: what stands for the daemon, and a link as the machine's is."""

import json
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

import numpy as np

from fixaccel.tune.bind import Bound
from fixaccel.tune.catalogue import Knob, catalogue
from fixaccel.tune.host import Host, Machine, NeedsError, NotHereError
from fixaccel.tune.measured.effect import Samples
from fixaccel.tune.measured.pingpong import Pace

NAMESPACES, LOOPBACK, PEER = "namespaces", "loopback", "peer"
_OURS = "-"
SETTINGS = ("limits.poll_us", "cpu.core", "cpu.policy", "cpu.lock_memory", "cpu.busy_poll_us", "cpu.wake_us")


class MeasureError(Exception):
    """It cannot be measured; the text says why, and what to do."""


@dataclass(frozen=True)
class Block:
    """Microseconds of each round trip, by pace; what the stand-in could not take, and what the link could not be."""

    samples: list[Samples]
    said: list[str]
    left: dict[str, str]


class Scene:
    """Two ends of a connection, for as long as it is entered. ``way`` is one of the three, ``says`` why it is loopback.

    ``peer`` is ADDRESS:PORT of `fixaccel tune echo`, None for namespaces of our own.
    """

    def __init__(self, bound: Bound, peer: str | None = None) -> None:
        self._bound = bound
        self._peer = peer
        self._process: subprocess.Popen[str] | None = None
        self.way = ""
        self.says = ""

    def __enter__(self) -> Self:
        words = [sys.executable, "-m", "fixaccel.tune.measured.inside", self._peer or _OURS]
        self._process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        found = self._answer()
        self.way, self.says = found["way"], found["says"]
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        process = self._process
        assert process
        with suppress(OSError):
            process.kill()
        process.communicate()

    def block(self, paces: Sequence[Pace]) -> Block:
        """Measures with the values that the host has now. Raises MeasureError."""
        process = self._process
        assert process
        assert process.stdin
        asked = {
            "settings": stand_in(self._bound.host),
            "places": self._mirrored(),
            "paces": [[pace.rate, pace.count] for pace in paces],
        }
        try:
            process.stdin.write(json.dumps(asked) + "\n")
            process.stdin.flush()
        except OSError as error:
            raise MeasureError(f"what measures has ended: {error.strerror}") from error
        found = self._answer()
        if found["failure"]:
            where = f" with {self._peer}: does `fixaccel tune echo` run there?" if self._peer else ""
            raise MeasureError(f"no round trip{where} ({found['failure']})")
        samples = [np.array(one, dtype=np.float64) / 1000 for one in found["samples"]]
        return Block(samples, found["said"], found["left"])

    def reaches(self, knob: Knob) -> bool:
        """Whether a value of the knob is in what is measured."""
        is_here = isinstance(self._bound.host, Machine)
        if knob.scope == "process":
            return knob.where.removeprefix("toml/") in SETTINGS
        if self.way == PEER:
            return is_here and knob.scope in {"namespace", "device", "host"} and not knob.is_group
        if knob.scope == "namespace":
            return is_here or self.way == NAMESPACES
        if knob.scope == "device":
            return self.way == NAMESPACES and self._bound.kind == "veth"
        # What stands for the daemon is not in its group.
        return knob.scope == "host" and is_here and "{irq}" not in knob.where and not knob.is_group

    def _mirrored(self) -> dict[str, tuple[str, str]]:
        """Values of the namespace, and of the interface where that is a link too, by place."""
        found = {}
        for knob in catalogue().values():
            if knob.scope not in {"namespace", "device"} or not self.reaches(knob):
                continue
            for place in self._bound.places(knob):
                value = _value(self._bound.host, place, knob.form)
                if value is not None:
                    found[place.replace(f"/{self._bound.interface}/", "/{interface}/")] = (knob.form, value)
        return found

    def _answer(self) -> dict[str, Any]:
        process = self._process
        assert process
        assert process.stdout
        line = process.stdout.readline()
        if not line:
            raise MeasureError("what measures has ended, and what it has said is above")
        found: dict[str, Any] = json.loads(line)
        return found


def stand_in(host: Host) -> dict[str, Any]:
    """The daemon's settings of time, as its file has them now."""
    core, policy, poll = (_setting(host, name) for name in ("cpu.core", "cpu.policy", "limits.poll_us"))
    busy, lock, wake = (_setting(host, name) for name in ("cpu.busy_poll_us", "cpu.lock_memory", "cpu.wake_us"))
    return {
        "core": int(core) if core and core.isdigit() else None,
        "policy": policy or "other",
        "spins": poll == "0",
        "lock_memory": lock == "true",
        "busy_poll_us": int(busy) if busy and busy.isdigit() else 0,
        "wake_us": int(wake) if wake and wake.isdigit() else None,
    }


def _setting(host: Host, name: str) -> str | None:
    value = _value(host, f"toml/{name}", "text")
    return None if value is None else value.strip().strip("\"'")


def _value(host: Host, place: str, form: str) -> str | None:
    try:
        return host.read(place, form)
    except (NotHereError, NeedsError, OSError):
        return None
