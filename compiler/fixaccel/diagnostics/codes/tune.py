# SPDX-License-Identifier: Apache-2.0
"""FX12: tuning plans, on the machine that they are for."""

from fixaccel.diagnostics.report import Code, Example, Severity

E, W = Severity.ERROR, Severity.WARNING

_HEAD = "fixaccel-tune: 1\n"


def _plan(text: str) -> Example:
    return Example("tune", _HEAD + text)


TUNE_KNOB = Code(
    "FX1201", "tune-knob", E, "A tuning plan names a knob that there is not",
    "`skip` and `set` have ids of the catalogue, which `fixaccel tune inspect` lists. One knob cannot be in both.",
    _plan("skip: [boot.idle-pol]\n"),
)  # fmt: skip
TUNE_VALUE = Code(
    "FX1202", "tune-value", E, "A value that a knob cannot have",
    "Values are written as the kernel has them. Firmware and security are told and never set.",
    _plan("set: {nic.rx-usecs: none}\n"),
)  # fmt: skip
TUNE_CORE = Code(
    "FX1203", "tune-core", E, "A core that is not online on this machine",
    "Cores are numbered as the kernel numbers them, from 0.",
    _plan("cores: {daemon: 12}\n"),
)  # fmt: skip
TUNE_INTERFACE = Code(
    "FX1204", "tune-interface", E, "An interface that is not there, in this network namespace",
    "Interfaces are those of the namespace in which the command runs.",
    _plan("interface: eth7\n"),
)  # fmt: skip
TUNE_LOGIN = Code(
    "FX1205", "tune-login", W, "The interface carries the default route or your login",
    "It is taken because the plan names it. What resets the link may end the login with which it is set.",
    _plan("interface: eth0\n"),
)  # fmt: skip
TUNE_FEW = Code(
    "FX1206", "tune-few-cores", W, "The machine has fewer than three cores",
    "The daemon, the card's interrupts and all others want a core each. With fewer the daemon has the last and all "
    "else core 0; little is gained.",
    _plan("profile: low-latency\n"),
)  # fmt: skip
TUNE_SHARED = Code(
    "FX1207", "tune-shared-core", W, "The daemon's core is shared",
    "Interrupts, housekeeping, the board or a thread on an SMT sibling hold up the daemon, at times that nobody knows "
    "beforehand.",
    _plan("cores: {daemon: 2, interrupts: 2}\n"),
)  # fmt: skip
TUNE_FIFO = Code(
    "FX1208", "tune-fifo-spin", W, "A real-time daemon that spins is throttled",
    "Of each second the kernel keeps a part for others (`sched_rt_runtime_us`, 50 ms as it comes), and takes the core "
    "from a real-time thread that never rests, in one piece.",
    _plan("set: {process.policy: 'fifo:50', process.poll: 0}\n"),
)  # fmt: skip
TUNE_NOHZ = Code(
    "FX1209", "tune-nohz", W, "A core without ticks for two threads",
    "`nohz_full` stops the tick where one thread can run. With a second one there the kernel needs the tick to share.",
    _plan("cores: {daemon: 2, board: 2, interrupts: 1, housekeeping: [0]}\nset: {boot.nohz-full: '2'}\n"),
)  # fmt: skip
TUNE_IDLE = Code(
    "FX1210", "tune-idle-poll", W, "`idle=poll` with SMT",
    "An idle thread that polls takes the units of its core from the sibling that works.",
    _plan("profile: paper\n"),
)  # fmt: skip
TUNE_BUSY = Code(
    "FX1211", "tune-busy-poll", W, "Busy polling of an interface that cannot be polled",
    "A program polls a queue by its NAPI id. A veth has none, so that polling takes time and gains nothing.",
    _plan("interface: veth0\nset: {host.busy-poll: 50}\n"),
)  # fmt: skip
TUNE_IRQBALANCE = Code(
    "FX1212", "tune-irqbalance", W, "irqbalance moves interrupts that are given a core",
    "irqbalance spreads interrupts over all cores, every ten seconds. It leaves alone those that it is told to.",
    _plan("interface: eth0\nset: {nic.irq-core: 1}\n"),
)  # fmt: skip
