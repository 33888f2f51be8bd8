# SPDX-License-Identifier: Apache-2.0
"""What a machine is, as far as it can be seen without rights."""

import os
import re
from pathlib import Path
from typing import Any

from fixaccel.tune import network
from fixaccel.tune.bind import Bound
from fixaccel.tune.forms import list_text, selected
from fixaccel.tune.host import Host
from fixaccel.tune.record import kernel_of

_CPU = "sys/devices/system/cpu"
_JOURNAL = "var/lib/fixaccel"


def facts(bound: Bound, journal_disk: str | None = None) -> dict[str, Any]:
    """Facts by what they are about, for JSON; what is not to be seen is None."""
    host, machine = bound.host, bound.machine
    idle = f"{_CPU}/cpu{min(machine.online)}/cpuidle"
    siblings = sorted({list_text(together) for together in machine.siblings.values() if len(together) > 1})
    return {
        "processor": _field(host.text("proc/cpuinfo"), "model name"),
        "virtual": _is_virtual(host),
        "cores": list_text(machine.online),
        "smt": siblings,
        "numa": {str(node): list_text(c for c, n in machine.nodes.items() if n == node)
                 for node in sorted(set(machine.nodes.values()))},
        "isolated": _line(host, f"{_CPU}/isolated"),
        "caches": _caches(host, min(machine.online)),
        "idle_states": [
            f"{_line(host, f'{idle}/{name}/name')} {_line(host, f'{idle}/{name}/latency')} us"
            for name in host.names(idle)
        ],
        "clock_source": _line(host, "sys/devices/system/clocksource/clocksource0/current_clocksource"),
        "kernel": kernel_of(host) or None,
        "boot_line": _line(host, "proc/cmdline"),
        "interface": _card(bound),
        "disk": _disk(host, journal_disk or _disk_below(host)),
        "use": {"daemon": bound.cores.daemon, "board": bound.cores.board, "interrupts": bound.cores.interrupts,
                "housekeeping": list_text(bound.cores.housekeeping)},
    }  # fmt: skip


def _card(bound: Bound) -> dict[str, Any] | None:
    host, name = bound.host, bound.interface
    if name is None:
        return None
    queues = host.names(f"sys/class/net/{name}/queues")
    return {
        "name": name,
        "kind": bound.kind,
        "driver": _field(host.text(f"sys/class/net/{name}/device/uevent"), "DRIVER"),
        "numa": network.node_of(host, name),
        "mtu": _line(host, f"sys/class/net/{name}/mtu"),
        "receive_queues": sum(queue.startswith("rx-") for queue in queues),
        "transmit_queues": sum(queue.startswith("tx-") for queue in queues),
        "interrupts": network.interrupts_of(host, name),
    }


def _disk_below(host: Host) -> str | None:
    """The disk on which the daemon's journal lies, or will."""
    folder = host.root / _JOURNAL
    while not folder.exists():
        folder = folder.parent
    device = folder.stat().st_dev
    block = host.root / f"sys/dev/block/{os.major(device)}:{os.minor(device)}"
    found = Path(os.path.realpath(block))
    # A partition's folder lies within its disk's.
    return next((one.name for one in (found, found.parent) if (one / "queue").is_dir()), None)


def _disk(host: Host, name: str | None) -> dict[str, Any] | None:
    if name is None:
        return None
    queue = f"sys/block/{name}/queue"
    scheduler = host.text(f"{queue}/scheduler")
    cache = _line(host, f"{queue}/write_cache")
    return {"name": name, "scheduler": selected(scheduler) if scheduler else None, "write_cache": cache}


def _caches(host: Host, core: int) -> list[str]:
    found = []
    for name in host.names(f"{_CPU}/cpu{core}/cache"):
        level, kind, size = (_line(host, f"{_CPU}/cpu{core}/cache/{name}/{what}") for what in ("level", "type", "size"))
        if level and size:
            found.append(f"L{level} {kind or ''} {size}")
    return found


def _is_virtual(host: Host) -> bool:
    flags = _field(host.text("proc/cpuinfo"), "flags") or ""
    return "hypervisor" in flags.split() or host.text("sys/hypervisor/type") is not None


def _line(host: Host, place: str) -> str | None:
    text = host.text(place)
    return text.strip() if text is not None else None


def _field(text: str | None, name: str) -> str | None:
    found = re.search(rf"^{re.escape(name)}\s*[:=]\s*(.*)$", text or "", re.MULTILINE)
    return found[1].strip() if found else None
