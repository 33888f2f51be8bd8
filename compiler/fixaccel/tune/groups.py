# SPDX-License-Identifier: Apache-2.0
"""A set of cores of our own, as a control group: where it is on a machine, and what keeps it from being there."""

from dataclasses import dataclass

from fixaccel.tune.catalogue import CPUSETS, GROUPS, SLICE
from fixaccel.tune.cores import Cores
from fixaccel.tune.forms import list_text, parse_list
from fixaccel.tune.host import Host

_OLD = f"{GROUPS}/cpuset"
_OURS = CPUSETS[1].rpartition("/")[2]
_OF_OTHERS = "fixaccel-others"


@dataclass(frozen=True)
class Groups:
    """``version`` is 0 where cores cannot be given to groups; ``lacks`` says what is missing, empty if nothing is."""

    version: int
    lacks: str
    memory: str = ""

    def values(self) -> dict[str, str]:
        """What a catalogue's text may name."""
        return {"cpuset": CPUSETS[self.version], "memory": self.memory} if self.version else {}


def groups_of(host: Host, cores: Cores) -> Groups:
    """What the machine has of them for these cores."""
    if host.text(f"{_OLD}/cpuset.cpus") is not None:
        memory = (host.text(f"{_OLD}/cpuset.mems") or "0").strip()
        return Groups(1, _without(cores) or _taken(host, cores), memory)
    controllers = host.text(f"{GROUPS}/cgroup.controllers")
    if controllers is None:
        return Groups(0, f"there are no control groups below /{GROUPS}")
    if "cpuset" not in controllers.split():
        return Groups(0, "control groups have no cpuset controller")
    delegated = (host.text(f"{GROUPS}/cgroup.subtree_control") or "").split()
    way_out = f"systemd does so for {SLICE}, which `fixaccel tune install` writes"
    return Groups(2, _without(cores) or ("" if "cpuset" in delegated else f"cpuset is not delegated: {way_out}"))


def holds(host: Host, place: str) -> str:
    """What is in a group, in words; empty if nothing is."""
    processes = (host.text(f"{place}/cgroup.procs") or "").split()
    if processes:
        more = f" and {len(processes) - 1} others" if len(processes) > 1 else ""
        return f"process {processes[0]}{more} in it: end it, or move it"
    inner = [name for name in host.names(place) if host.text(f"{place}/{name}/cgroup.procs") is not None]
    return f"the group {inner[0]} is in it: end what runs there" if inner else ""


def _without(cores: Cores) -> str:
    return "" if cores.apart else "neither the daemon nor the board has a core of its own"


def _taken(host: Host, cores: Cores) -> str:
    """Two sets of version 1 cannot have a core alone."""
    for name in host.names(_OLD):
        theirs = parse_list(host.text(f"{_OLD}/{name}/cpuset.cpus") or "")
        if theirs & cores.apart and name not in {_OURS, _OF_OTHERS}:
            return f"the set {name} has core {list_text(theirs & cores.apart)} too"
    return ""
