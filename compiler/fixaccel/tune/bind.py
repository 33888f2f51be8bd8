# SPDX-License-Identifier: Apache-2.0
"""A plan on a machine: which interface and which cores it means there, and what is unwise about it."""

from dataclasses import dataclass, field, replace

from fixaccel.diagnostics.codes import tune as codes
from fixaccel.diagnostics.report import Report
from fixaccel.tune import cores, network, units
from fixaccel.tune.catalogue import Knob, catalogue
from fixaccel.tune.cores import Cores, Topology
from fixaccel.tune.forms import list_text
from fixaccel.tune.groups import Groups, groups_of
from fixaccel.tune.host import Host, NeedsError, NotHereError
from fixaccel.tune.plan_file import CORES, INTERFACE, PROFILE, Plan


@dataclass(frozen=True)
class Bound:
    """``interface`` is None where none could be chosen, and ``without`` says why."""

    plan: Plan
    host: Host
    machine: Topology
    cores: Cores
    interface: str | None
    without: str
    groups: Groups
    values: dict[str, str] = field(default_factory=dict)

    @property
    def kind(self) -> str:
        """The kind of the interface, empty without one."""
        return network.kind_of(self.host, self.interface) if self.interface else ""

    def wanted(self, knob: Knob) -> str | None:
        """The value that is asked for, None where nothing is."""
        if knob.id in self.plan.skip or knob.cls == "told":
            return None
        if knob.id in self.plan.set:
            return self.plan.set[knob.id]
        if knob.follows:
            return self._followed(knob)
        value = knob.value(self.plan.profile)
        if value is None or (self.kind and self.kind not in knob.kinds):
            return None
        if self.plan.profile == "process" and not self._is_ours(knob):
            return None
        return self.filled(value)

    def filled(self, text: str) -> str:
        """``text`` with the parts of the plan that it names."""
        for name, value in self.values.items():
            text = text.replace(f"{{{name}}}", value)
        return text

    def places(self, knob: Knob) -> list[str]:
        """All files that a knob stands for; none where there are none."""
        patterns = [self.filled(knob.where)]
        if "{irq}" in knob.where:
            found = network.interrupts_of(self.host, self.interface) if self.interface else []
            patterns = [patterns[0].replace("{irq}", number) for number in found]
        elif "{quiet}" in knob.where:
            patterns = [patterns[0].replace("{quiet}", str(core)) for core in self.cores.quiet]
        elif "{interface}" in patterns[0] or "{cpuset}" in patterns[0]:
            return []
        return [place for pattern in patterns for place in self.host.matching(pattern)]

    def _followed(self, knob: Knob) -> str | None:
        """Of one that is set with another."""
        leads = self.wanted(catalogue()[knob.follows]) is not None and not self.groups.lacks
        is_here = knob.cgroup in {0, self.groups.version}
        return self.filled(knob.wanted) if leads and is_here and knob.wanted is not None else None

    def _is_ours(self, knob: Knob) -> bool:
        """Whether it is a process's or a namespace's of our own."""
        if knob.scope == "namespace":
            return not self.host.is_initial
        return knob.scope != "device" or (not self.host.is_initial and self.kind != "card")


def bind(plan: Plan, host: Host, venue: str | None, report: Report, skip: frozenset[str] = frozenset()) -> Bound | None:
    """None if the plan cannot be meant for this machine; what is wrong or unwise is reported.

    ``venue`` is the address of one, for a plan that names no interface; ``skip`` are further knobs to leave alone.
    """
    plan = replace(plan, skip=plan.skip | skip)
    interface, without = plan.interface, ""
    if interface is None:
        interface, without = network.choose(host, venue)
    elif interface not in network.interfaces(host):
        known = ", ".join(network.interfaces(host)) or "none but loopback"
        report.add(
            codes.TUNE_INTERFACE, f"there is no interface `{interface}` here", plan.place(INTERFACE.name),
            help=f"there is {known}; /sys has to be of this network namespace",
        )  # fmt: skip
    machine = cores.topology(host)
    _check_online(plan, machine, report)
    if report.failed:
        return None
    node = network.node_of(host, interface) if interface else None
    chosen = cores.choose(machine, node, plan.cores)
    groups = groups_of(host, chosen)
    values = chosen.values() | groups.values() | ({"interface": interface} if interface else {})
    bound = Bound(plan, host, machine, chosen, interface, without, groups, values)
    for check in (_spared, _few, _shared, _fifo_spin, _nohz, _idle_poll, _busy_poll, _irqbalance):
        check(bound, report)
    return bound


def _check_online(plan: Plan, machine: Topology, report: Report) -> None:
    if plan.cores is None:
        return
    ours = plan.cores
    named = [core for core in (ours.daemon, ours.board, ours.interrupts) if core]
    named += ours.housekeeping.value if ours.housekeeping else []
    for core in named:
        if core.value not in machine.online:
            online = list_text(machine.online)
            report.add(codes.TUNE_CORE, f"core {core.value} is not online", core.span, help=f"{online} are")


def _spared(bound: Bound, report: Report) -> None:
    kept = network.spared(bound.host)
    if bound.plan.interface in kept:
        report.add(
            codes.TUNE_LOGIN, f"`{bound.plan.interface}` {kept[bound.plan.interface]}",
            bound.plan.place(INTERFACE.name), help="`apply --confirm 60s` takes all back unless you confirm it",
        )  # fmt: skip


def _few(bound: Bound, report: Report) -> None:
    online = bound.machine.online
    if len(online) < cores.ENOUGH and bound.plan.profile != "process":
        text = f"{len(online)} cores: the daemon has core {bound.cores.daemon}, all else core 0"
        report.add(codes.TUNE_FEW, text, bound.plan.place(CORES.name, PROFILE.name), help="three are needed to gain")


def _shared(bound: Bound, report: Report) -> None:
    ours, online = bound.cores, bound.machine.online
    if len(online) < cores.ENOUGH:
        return
    place = bound.plan.place("daemon", CORES.name)
    siblings = bound.machine.siblings.get(ours.daemon, frozenset()) - {ours.daemon}
    shared = [
        ("the card's interrupts", ours.interrupts == ours.daemon),
        ("housekeeping", ours.daemon in ours.housekeeping),
        ("the board", ours.board == ours.daemon),
    ]
    for what, is_so in shared:
        if is_so:
            report.add(codes.TUNE_SHARED, f"the daemon's core {ours.daemon} is shared with {what}", place,
                       help="give each a core of its own")  # fmt: skip
    for what, used in (("interrupts", {ours.interrupts}), ("housekeeping", ours.housekeeping), ("board", {ours.board})):
        if siblings & used:
            text = f"core {min(siblings & used)}, of {what}, is an SMT sibling of the daemon's core {ours.daemon}"
            report.add(codes.TUNE_SHARED, text, place, help="leave the sibling idle, or switch SMT off in the firmware")


def _fifo_spin(bound: Bound, report: Report) -> None:
    asked = bound.plan.set
    if not asked.get("process.policy", "").startswith("fifo") or asked.get("process.poll", "0") != "0":
        return
    limit = (bound.host.text("proc/sys/kernel/sched_rt_runtime_us") or "-1").strip()
    if asked.get("host.rt-runtime", limit) != "-1":
        report.add(
            codes.TUNE_FIFO,
            "a real-time daemon that spins is taken off its core for a part of each second",
            bound.plan.place("process.policy"),
            help="leave `process.policy` at `other`, or let it rest with `process.poll`",
        )


def _nohz(bound: Bound, report: Report) -> None:
    if bound.wanted(catalogue()["boot.nohz-full"]) and bound.cores.board == bound.cores.daemon:
        report.add(
            codes.TUNE_NOHZ,
            "daemon and board can both run on a core without ticks, which then ticks",
            bound.plan.place("boot.nohz-full", "daemon", CORES.name),
            help="give the board a core of its own",
        )


def _idle_poll(bound: Bound, report: Report) -> None:
    asks = bound.plan.profile == "paper" or "boot.idle-poll" in bound.plan.set
    if asks and "boot.idle-poll" not in bound.plan.skip and bound.machine.has_smt:
        report.add(codes.TUNE_IDLE, "with `idle=poll` an idle thread takes half of its SMT sibling's core",
                   bound.plan.place("boot.idle-poll", PROFILE.name), help="skip it, or switch SMT off")  # fmt: skip


def _busy_poll(bound: Bound, report: Report) -> None:
    for name in ("host.busy-poll", "host.busy-read"):
        if name in bound.plan.set and bound.kind == "veth":
            text = f"`{bound.interface}` has no NAPI queue that a program could poll"
            report.add(codes.TUNE_BUSY, text, bound.plan.place(name), help=f"leave `{name}` out")


def _irqbalance(bound: Bound, report: Report) -> None:
    """Its socket is there as long as it runs."""
    runs = any(name.endswith(".sock") for name in bound.host.names("run/irqbalance"))
    if runs and bound.interface and bound.wanted(catalogue()["nic.irq-core"]) and not _is_stopped(bound):
        bans = " ".join(f"--banirq={number}" for number in network.interrupts_of(bound.host, bound.interface))
        alone = f', or write IRQBALANCE_ARGS="{bans}" into /etc/default/irqbalance and restart it' if bans else ""
        report.add(
            codes.TUNE_IRQBALANCE, "irqbalance runs, and moves the card's interrupts off their core again",
            bound.plan.place("nic.irq-core", INTERFACE.name, PROFILE.name),
            help=f"`systemctl disable --now irqbalance`{alone}",
        )  # fmt: skip


def _is_stopped(bound: Bound) -> bool:
    """Whether the plan does so, and can."""
    knob = catalogue()["host.irqbalance"]
    try:
        bound.host.read(knob.where, knob.form)
    except (NotHereError, NeedsError, OSError):
        return False
    return bound.wanted(knob) == units.INACTIVE
