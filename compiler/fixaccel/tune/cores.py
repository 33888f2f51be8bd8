# SPDX-License-Identifier: Apache-2.0
"""The cores of a machine, and which of them is whose."""

from collections.abc import Mapping
from dataclasses import dataclass

from fixaccel.tune.forms import list_text, mask_text, parse_list
from fixaccel.tune.host import Host
from fixaccel.tune.plan_file import WrittenCores

_CPU = "sys/devices/system/cpu"
ENOUGH = 3  # for the daemon, for interrupts, and for all others


@dataclass(frozen=True)
class Topology:
    """Cores that are online, their siblings by SMT, and the NUMA node of each as far as it is known."""

    online: frozenset[int]
    siblings: Mapping[int, frozenset[int]]
    nodes: Mapping[int, int]

    @property
    def has_smt(self) -> bool:
        """Whether two of the cores are one."""
        return any(len(together) > 1 for together in self.siblings.values())


@dataclass(frozen=True)
class Cores:
    """Which core is whose. ``auto``: nobody has named them."""

    daemon: int
    board: int
    interrupts: int
    housekeeping: frozenset[int]
    online: frozenset[int]

    def values(self) -> dict[str, str]:
        """What a catalogue's text may name."""
        sets = {
            "daemon": {self.daemon},
            "board": {self.board},
            "interrupts": {self.interrupts},
            "housekeeping": self.housekeeping,
            "apart": self.apart,
            "rest": self.online - self.apart,
            "others": (self.online - {self.daemon, self.board}) or self.housekeeping,
        }
        lists = {name: list_text(cores) for name, cores in sets.items()}
        return lists | {f"{name}_mask": mask_text(cores) for name, cores in sets.items()}

    @property
    def apart(self) -> frozenset[int]:
        """Those that nobody else needs. The kernel has work for core 0 that it gives to no other."""
        return frozenset({self.daemon, self.board} & self.online) - self.housekeeping - {0}

    @property
    def quiet(self) -> list[int]:
        """Those that are to be awake and alone."""
        return sorted({self.daemon, self.board, self.interrupts})


def topology(host: Host) -> Topology:
    """As sysfs shows it; one core where it shows none."""
    online = parse_list(host.text(f"{_CPU}/online") or "") or frozenset({0})
    siblings = {
        core: parse_list(host.text(f"{_CPU}/cpu{core}/topology/thread_siblings_list") or "") & online
        or frozenset({core})
        for core in online
    }
    nodes: dict[int, int] = {}
    for name in host.names("sys/devices/system/node"):
        if name.startswith("node") and name[4:].isdigit():
            cores = parse_list(host.text(f"sys/devices/system/node/{name}/cpulist") or "")
            nodes |= dict.fromkeys(cores & online, int(name[4:]))
    return Topology(online, siblings, nodes)


def choose(machine: Topology, node: int | None, written: WrittenCores | None) -> Cores:
    """What ``written`` names, and the rest of the cores of ``node`` where they are enough: no siblings, core 0 last."""
    near = {core for core in machine.online if machine.nodes.get(core) == node} if node is not None else set()
    pool = near if len(near) >= ENOUGH else set(machine.online)
    taken = {written.daemon.value} if written else set()
    if written:
        taken |= {core.value for core in (written.board, written.interrupts) if core}
    free = _one_of_each(machine, pool, taken)
    last = max(machine.online)
    if len(machine.online) < ENOUGH or not free:
        ours = Cores(last, 0, 0, frozenset({0}), machine.online)
    else:
        rest = [core for core in free if core != 0] + [core for core in free if core == 0]
        interrupts = rest[0]
        daemon = rest[1] if len(rest) > 1 else rest[0]
        # The board has one of its own only where housekeeping keeps one too.
        board = rest[2] if len(rest) > 3 or (len(rest) > 2 and 0 not in rest) else 0
        ours = Cores(daemon, board, interrupts, frozenset(), machine.online)
    daemon = written.daemon.value if written else ours.daemon
    board = written.board.value if written and written.board else ours.board
    interrupts = written.interrupts.value if written and written.interrupts else ours.interrupts
    if written and written.housekeeping:
        keeping = frozenset(core.value for core in written.housekeeping.value)
    else:
        busy = {daemon, board, interrupts}
        beside = {sibling for core in busy for sibling in machine.siblings.get(core, ())}
        keeping = machine.online - busy - beside or frozenset({min(machine.online)})
    return Cores(daemon, board, interrupts, keeping, machine.online)


def _one_of_each(machine: Topology, pool: set[int], taken: set[int]) -> list[int]:
    """One core of each group of siblings, without those that are taken and their siblings."""
    near = {sibling for core in taken for sibling in machine.siblings.get(core, frozenset({core}))}
    return sorted({min(machine.siblings[core]) for core in pool if core not in near})
