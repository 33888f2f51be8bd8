# SPDX-License-Identifier: Apache-2.0
"""Runs models: spin makes a program of it that goes through every state, and says which rule breaks."""

import re
import shutil
import subprocess
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from deliberate import with_fault

DEADLOCK = 16  # the rule that the checker itself looks at
_TIME_S = 900
_MEMORY_MIB = 4000
_DEPTH = 1_000_000
_WHO = r"fabric|guard|gate|daemon|kernel|wire|venue|operator|side \d"
_KEYS = {"file", "title", "runs", "faults", "open"}


class ToolError(Exception):
    """A tool did not run, or said what it never says."""


@dataclass(frozen=True)
class Run:
    """``settings``: what happens how often at most. ``long`` are those of half a minute or more."""

    name: str
    says: str
    settings: Mapping[str, int]
    long: bool = False


@dataclass(frozen=True)
class Fault:
    """A deliberate fault: ``text``, which stands in a file once, and what it ``becomes``; ``rule`` breaks in ``run``.

    It is called what it ``says``.
    """

    says: str
    run: Run
    rule: int
    file: str
    text: str
    becomes: str


@dataclass(frozen=True)
class Open:
    """What may happen in the product as it is: ``rule`` breaks in this run."""

    run: Run
    rule: int


@dataclass(frozen=True)
class Model:
    file: str
    title: str
    runs: Mapping[str, Run]
    faults: tuple[Fault, ...]
    open: tuple[Open, ...]


@dataclass(frozen=True)
class Result:
    """How a check ended: the ``rule`` that broke, None if all hold, and what was ``reached``, by its number.

    ``text`` is the checker's own account.
    """

    rule: int | None
    reached: frozenset[int]
    states: int
    depth: int
    mib: float
    seconds: float
    text: str


def load(file: Path) -> dict[str, Model]:
    """The models by their files. Raises ValueError for a key that is none, and for a run whose name another one has."""
    models = [_model(file, given) for given in yaml.safe_load_all(file.read_text(encoding="utf-8"))]
    names = [name for model in models for name in model.runs]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise ValueError(f"{file}: more than one run {', '.join(twice)}")
    return {model.file: model for model in models}


def _model(file: Path, given: dict[str, Any]) -> Model:
    if unknown := given.keys() - _KEYS:
        raise ValueError(f"{file}: no key {', '.join(sorted(unknown))}")
    runs = {name: _run(name, entry) for name, entry in given["runs"].items()}
    faults = [Fault(run=runs[entry.pop("in")], **entry) for entry in given["faults"]]
    still_open = [Open(_run(entry["name"], entry), entry["rule"]) for entry in given["open"]]
    return Model(given["file"], given["title"], runs, tuple(faults), tuple(still_open))


def _run(name: str, entry: Mapping[str, Any]) -> Run:
    return Run(name, entry["says"], entry["with"], entry.get("long", False))


def head_lists(text: str) -> list[dict[int, str]]:
    """The numbered lists at the head of a model, in their order; a list ends where the numbers begin anew."""
    lists: list[dict[int, str]] = []
    for line in text.splitlines():
        if not line.startswith("//"):
            break
        if match := re.match(r"//\s+(\d+)\. (.*)", line):
            number = int(match[1])
            if number == 1:
                lists.append({})
            lists[-1][number] = match[2]
    return lists


class Checker:
    """Checks a model in ``folder``; programs and trails stay in ``scratch``."""

    def __init__(self, folder: Path, file: str, scratch: Path) -> None:
        self._folder = folder
        self._file = file
        self._scratch = scratch

    def check(self, run: Run, fault: Fault | None = None, only: int | None = None) -> Result:
        """Goes through all states of a run. ``only``: ends at the first that breaks this rule. Raises ToolError."""
        place = self._scratch / (run.name.replace(" ", "-") if fault is None else "broken")
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
        for source in self._folder.glob("*.pml"):
            text = source.read_text(encoding="utf-8")
            if fault is not None and fault.file == source.name:
                try:
                    text = with_fault(source, fault.text, fault.becomes)
                except ValueError as error:
                    raise ToolError(str(error)) from None
            (place / source.name).write_text(text, encoding="utf-8")
        settings = {**run.settings, **({} if only is None else {"ONLY": only})}
        _do(place, "spin", "-a", *(f"-D{name}={value}" for name, value in settings.items()), self._file)
        # A short run, or one that a fault breaks, has ended sooner than it would be compiled well.
        optimise = "-O2" if run.long and only is None else "-O0"
        _do(
            place,
            "gcc",
            "-w",
            optimise,
            "-DSAFETY",
            "-DNOREDUCE",
            "-DCOLLAPSE",
            f"-DMEMLIM={_MEMORY_MIB}",
            "-o",
            "pan",
            "pan.c",
        )
        began = time.monotonic()
        # -E: no deadlocks, where only another rule is looked at.
        options = ["-E"] if only not in (None, DEADLOCK) else []
        text = _do(place, "./pan", "-n", f"-m{_DEPTH}", *options)
        return _result(text, time.monotonic() - began)

    def words(self, run: Run) -> list[str]:
        """What happened on the way to the rule that broke last in a run, a line a step."""
        place = self._scratch / run.name.replace(" ", "-")
        settings = [f"-D{name}={value}" for name, value in run.settings.items()]
        text = _do(place, "spin", "-t", *settings, self._file, fails=True)
        return [line.strip() for line in text.splitlines() if re.match(rf"\s+(({_WHO}):|the) ", line)]


def _do(place: Path, *command: str, fails: bool = False) -> str:
    """What a command says. Raises ToolError if it ends in error, unless that is its way, or takes too long."""
    try:
        done = subprocess.run(
            command, cwd=place, capture_output=True, text=True, check=False, timeout=_TIME_S
        )  # fmt: skip
    except FileNotFoundError:
        raise ToolError(f"there is no {command[0]}: `make setup` installs it") from None
    except subprocess.TimeoutExpired:
        raise ToolError(f"{' '.join(command)} took more than {_TIME_S} s in {place}") from None
    text = done.stdout + done.stderr
    if done.returncode and not fails:
        raise ToolError(f"{' '.join(command)} failed in {place}:\n{text[-2000:]}")
    return text


def _result(text: str, seconds: float) -> Result:
    errors = _figure(text, r"errors: (\d+)")
    if ("Search not completed" in text and not errors) or "max search depth too small" in text:
        raise ToolError(f"not every state was looked at:\n{text[-2000:]}")
    rule = None
    if errors:
        broken = re.search(r"assertion violated .*\|\|\((\d+)<0\)", text)
        if broken is None and not re.search(r"pan:\d+: invalid end state", text):
            raise ToolError(f"the model itself is wrong:\n{text[-2000:]}")
        rule = DEADLOCK if broken is None else int(broken[1])
    reached = frozenset(int(number) for number in re.findall(r"^reached (\d+)$", text, re.MULTILINE))
    return Result(
        rule,
        reached,
        int(_figure(text, r"([\d.e+]+) states, stored")),
        int(_figure(text, r"depth reached (\d+)")),
        _figure(text, r"([\d.]+)\s+total actual memory usage"),
        seconds,
        text,
    )


def _figure(text: str, pattern: str) -> float:
    found = re.search(pattern, text)
    if found is None:
        raise ToolError(f"the checker has not said how it ended:\n{text[-2000:]}")
    return float(found[1])
