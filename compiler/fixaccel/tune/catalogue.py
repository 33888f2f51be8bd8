# SPDX-License-Identifier: Apache-2.0
"""The catalogue of knobs, which is data: `catalogue.yaml`, in the order in which they are set."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import yaml

FILE = Path(__file__).parent / "catalogue.yaml"
FOLDER = "folder"  # the form of a group that is to be there
GROUPS = "sys/fs/cgroup"
SLICE = "fixaccel.slice"
# What {cpuset} stands for, by the version of control groups. With version 2 systemd has the whole tree, and takes this
# one for its slice.
CPUSETS = {1: f"{GROUPS}/cpuset/fixaccel", 2: f"{GROUPS}/{SLICE}"}

SCOPES = {
    "process": "settings of the daemon, which it reads when it starts",
    "namespace": "the network namespace in which the command runs",
    "device": "the interface to the venue",
    "host": "the whole machine",
    "boot": "the kernel's boot line",
    "firmware": "firmware and hardware",
}
CLASSES = {
    "required": "sharing the session needs it; the daemon looks at it too",
    "advice": "advised",
    "paper": "set by the paper, and by its profile alone",
    "told": "seen, never set",
}
PROFILES = {
    "low-latency": "what is required and what is advised",
    "paper": "exactly the list of the paper",
    "process": "what is required and advised, but nothing outside of our processes and namespaces",
}
KINDS = ("veth", "tap", "card")


@dataclass(frozen=True)
class Knob:
    """``where`` and ``wanted`` may name parts of a plan in braces.

    ``paper`` is the value of the paper's profile; ``kinds`` are the interfaces for which a profile wants it; ``cuts``:
    it resets the link, or moves the daemon; ``fine`` are values of what is told that are as good as ``wanted``.
    ``follows``: a knob without which it is not set; ``cgroup``: the version of control groups that has it, 0 for any.
    """

    id: str
    scope: str
    cls: str
    where: str
    why: str
    cost: str
    source: str
    form: str = "text"
    wanted: str | None = None
    paper: str | None = None
    needs: str = ""
    kinds: frozenset[str] = field(default_factory=lambda: frozenset(KINDS))
    cuts: bool = False
    fine: tuple[str, ...] = ()
    follows: str = ""
    cgroup: int = 0

    @property
    def is_group(self) -> bool:
        """Whether it is a control group's."""
        return self.where.startswith((GROUPS, "{cpuset}"))

    def value(self, profile: str) -> str | None:
        """What a profile wants, None where it leaves the knob alone."""
        if profile == "paper":
            return self.paper
        if profile == "process" and self.scope not in {"process", "namespace", "device"}:
            return None
        return self.wanted if self.cls in {"required", "advice"} else None

    def covers(self, place: str) -> bool:
        """Whether ``place`` is one that ``where`` may mean."""
        wheres = [self.where.replace("{cpuset}", group) for group in CPUSETS.values()]
        return any(_fits(where, place) for where in dict.fromkeys(wheres)) and "/../" not in place


@cache
def catalogue() -> Mapping[str, Knob]:
    """All knobs by id, in the order in which they are set."""
    entries = yaml.safe_load(FILE.read_text(encoding="utf-8"))
    return {entry["id"]: _knob(entry) for entry in entries}


def _fits(where: str, place: str) -> bool:
    parts = re.split(r"\{\w+\}|\[[^]]*\]|\*", where)
    return bool(re.match("[^/]+".join(map(re.escape, parts)) + r"\Z", place))


def _knob(entry: dict[str, Any]) -> Knob:
    lists = {"kinds": frozenset, "fine": tuple}
    known = {key: lists[key](value) if key in lists else value for key, value in entry.items()}
    return Knob(cls=known.pop("class"), **known)
