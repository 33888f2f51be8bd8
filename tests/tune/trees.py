# SPDX-License-Identifier: Apache-2.0
"""Made-up machines: trees of files as sysfs, procfs and drivers show them."""

import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from fixaccel.tune.forms import list_text, mask_text

CARD, VETH = "enp65s0f0", "cl0"
_OURS = ("fixaccel/tune", "run/fixaccel-tune.json")  # records, and the verdict for the daemon


@dataclass(frozen=True)
class Made:
    """A machine. ``threads`` are of each core; ``nodes`` are NUMA nodes; ``ruled``: files of cpufreq are there."""

    name: str
    cores: int
    threads: int = 1
    nodes: int = 1
    ruled: bool = True
    idle: int = 4
    card: bool = True
    nested: bool = True  # cgroup v2
    extra: Mapping[str, str] = field(default_factory=dict)


_BALANCED = {"run/systemd/system/made": "", "systemd/irqbalance.service": "active\n"}
INTEL = Made("intel", 8, threads=2, extra=_BALANCED)
AMD = Made("amd", 6, extra={"sys/devices/system/cpu/cpufreq/boost": "1\n"})
VIRTUAL = Made("virtual", 2, ruled=False, idle=0, card=False, extra={"sys/hypervisor/type": "kvm\n"})
TWO_SOCKETS = Made("two-sockets", 12, nodes=2, extra={"proc/sys/kernel/numa_balancing": "1\n"} | _BALANCED)
OLD_GROUPS = Made("old-groups", 4, nested=False, idle=3)
BARE = Made("bare", 4, ruled=False)
MACHINES = (INTEL, AMD, VIRTUAL, TWO_SOCKETS, OLD_GROUPS, BARE)


def make(made: Made, root: Path) -> Path:
    """Writes its files below ``root``."""
    for place, text in files(made).items():
        path = root / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root


def files(made: Made) -> dict[str, str]:
    found = _kernel(made) | _processor(made) | _link(VETH, hardware=False)
    found |= _link(CARD, hardware=True, node=made.nodes - 1) if made.card else {}
    return found | _groups(made) | dict(made.extra)


def contents(root: Path) -> dict[str, bytes]:
    """All files but those of `tune` itself, and the folders of control groups, which end with a slash."""
    groups = [path for path in (root / "sys/fs/cgroup").rglob("*") if path.is_dir()]
    return {f"{path.relative_to(root).as_posix()}/": b"" for path in groups} | {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        # A file that was to take the place of another stays where its writer was killed.
        if path.is_file() and not any(ours in path.as_posix() for ours in _OURS) and not path.name.startswith(".")
    }


def scratch() -> "tempfile.TemporaryDirectory[str]":
    """In memory where that can be: records are synced, and nothing here is about disks."""
    memory = Path("/dev/shm")
    return tempfile.TemporaryDirectory(dir=memory if os.access(memory, os.W_OK) else None)


def _groups(made: Made) -> dict[str, str]:
    base = "sys/fs/cgroup"
    if made.nested:
        return {f"{base}/cgroup.controllers": "cpuset cpu\n", f"{base}/cgroup.subtree_control": "cpuset cpu\n"}
    return {f"{base}/cpuset/cpuset.cpus": f"0-{made.cores - 1}\n", f"{base}/cpuset/cpuset.mems": "0\n",
            f"{base}/cpuset/cpuset.cpu_exclusive": "1\n", f"{base}/cpuset/cpuset.sched_load_balance": "1\n",
            f"{base}/cpuset/cgroup.procs": "1\n"}  # fmt: skip


def _kernel(made: Made) -> dict[str, str]:
    sysctl = {
        "net/ipv4/tcp_timestamps": "1", "net/ipv4/tcp_autocorking": "1", "net/ipv4/tcp_slow_start_after_idle": "1",
        "net/ipv4/tcp_rmem": "4096\t131072\t6291456", "net/ipv4/tcp_wmem": "4096\t16384\t4194304",
        "net/core/busy_poll": "0", "net/core/busy_read": "0", "net/core/dev_weight": "64",
        "kernel/timer_migration": "1", "kernel/watchdog": "1", "kernel/sched_rt_runtime_us": "950000",
        "kernel/random/boot_id": "5b1c1b0c-0000-4000-8000-000000000001", "kernel/osrelease": "6.1.0-18-amd64",
        "vm/swappiness": "60", "vm/stat_interval": "1",
    }  # fmt: skip
    found = {f"proc/sys/{name}": f"{value}\n" for name, value in sysctl.items()}
    header = "Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\tMTU\tWindow\tIRTT\n"
    to_venue = CARD if made.card else VETH
    routes = (
        f"eth0\t00000000\t010200C0\t0003\t0\t0\t0\t00000000\t0\t0\t0\n{to_venue}\t00004D0A\t0\t1\t0\t0\t0\t00FFFFFF\n"
    )
    return found | {
        "proc/cmdline": "BOOT_IMAGE=/vmlinuz root=/dev/sda1 quiet isolcpus=1 -- isolcpus=9\n",
        "proc/net/route": header + routes,
        "proc/cpuinfo": f"model name\t: A {made.name} processor\nflags\t\t: fpu\n",
        "sys/kernel/mm/transparent_hugepage/enabled": "always [madvise] never\n",
        "sys/kernel/mm/ksm/run": "0\n",
        "sys/devices/virtual/workqueue/cpumask": f"{mask_text(range(made.cores)).rjust(8, '0')}\n",
        "sys/devices/system/clocksource/clocksource0/current_clocksource": "tsc\n",
        "sys/class/net/lo/type": "772\n", "sys/class/net/eth0/type": "1\n", "sys/class/net/eth0/flags": "0x1003\n",
        "sys/class/net/eth0/device/numa_node": "-1\n",
        "etc/fixaccel/fixacceld.toml": '# ours\nrole = "desk"\n\n[limits]\npoll_us = 500  # as it came\n',
    }  # fmt: skip


def _processor(made: Made) -> dict[str, str]:
    base = "sys/devices/system/cpu"
    found = {f"{base}/online": f"{list_text(range(made.cores))}\n", f"{base}/vulnerabilities/l1tf": "Not affected\n"}
    real = made.cores // made.threads
    for core in range(made.cores):
        siblings = list_text(n for n in range(made.cores) if n % real == core % real)
        found[f"{base}/cpu{core}/topology/thread_siblings_list"] = f"{siblings}\n"
        for state in range(made.idle):
            found[f"{base}/cpu{core}/cpuidle/state{state}/disable"] = "0\n"
            found[f"{base}/cpu{core}/cpuidle/state{state}/name"] = f"C{state}\n"
            found[f"{base}/cpu{core}/cpuidle/state{state}/latency"] = f"{state * 40}\n"
        if made.ruled:
            found[f"{base}/cpufreq/policy{core}/scaling_governor"] = "powersave\n"
        found[f"sys/devices/system/machinecheck/machinecheck{core}/ignore_ce"] = "0\n"
    each = made.cores // made.nodes
    for node in range(made.nodes):
        cores = list_text(range(node * each, (node + 1) * each))
        found[f"sys/devices/system/node/node{node}/cpulist"] = f"{cores}\n"
    return found


def _link(name: str, *, hardware: bool, node: int = 0) -> dict[str, str]:
    net, driver = f"sys/class/net/{name}", f"ethtool/{name}"
    found = {f"{net}/type": "1\n", f"{net}/flags": "0x1003\n", f"{net}/mtu": "1500\n",
             f"{driver}/link/tx_queue_len": "1000\n",
             f"{net}/threaded": "0\n", f"{net}/napi_defer_hard_irqs": "0\n", f"{net}/gro_flush_timeout": "0\n",
             f"{net}/queues/rx-0/rps_cpus": "00000000\n", f"{net}/queues/tx-0/xps_cpus": "00000000\n"}  # fmt: skip
    for feature in ("rx-gro", "tx-tcp-segmentation", "tx-generic-segmentation", "tx-checksum-ip-generic"):
        found[f"{driver}/features/{feature}"] = "on\n"
    if not hardware:
        return found | {f"{driver}/channels/rx_count": "1\n"}
    found |= {f"{net}/device/numa_node": f"{node}\n", f"{net}/device/uevent": "DRIVER=sfc\n",
              f"{driver}/features/rx-lro": "on\n", f"{driver}/coalesce/rx_coalesce_usecs": "49\n",
              f"{driver}/coalesce/use_adaptive_rx_coalesce": "1\n", f"{driver}/rings/rx": "1024\n",
              f"{driver}/rings/tx": "512\n", f"{driver}/channels/combined_count": "8\n",
              f"{driver}/eee/enabled": "on\n"}  # fmt: skip
    for irq in (64, 65):
        found |= {f"{net}/device/msi_irqs/{irq}": "msix\n", f"proc/irq/{irq}/smp_affinity_list": "0-3\n"}
    return found
