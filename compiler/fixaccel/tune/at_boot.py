# SPDX-License-Identifier: Apache-2.0
"""What sets a machine anew at each boot: units of systemd, and a drop-in of the boot loader or a profile of TuneD."""

import re
import shutil
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from fixaccel.tune.bind import Bound
from fixaccel.tune.catalogue import SLICE, catalogue
from fixaccel.tune.exports import boot_options_of, tuned
from fixaccel.tune.forms import list_text
from fixaccel.tune.host import Host
from fixaccel.tune.installed import File
from fixaccel.tune.plan_file import INTERFACE
from fixaccel.tune.survey import Outcome, Step

PLAN = "etc/fixaccel/tune.yaml"
BOOT_LINE = "etc/default/grub.d/60-fixaccel-tune.cfg"
PROFILE = "etc/tuned/fixaccel/tuned.conf"
DROP_IN = "etc/systemd/system/fixacceld.service.d/60-fixaccel-tune.conf"
_UNITS = "etc/systemd/system"
_NAME = "fixaccel-tune"
_VERIFY_EVERY = "10min"
# The daemon's user may not open the device, and its unit hides it.
UDEV = "etc/udev/rules.d/60-fixaccel-tune.rules"
_RULE = 'KERNEL=="cpu_dma_latency", GROUP="fixaccel", MODE="0660"'
_MADE = "# Written by `fixaccel tune install`; `fixaccel tune uninstall` takes it away.\n"
# A word of a boot line that the boot loader's shell takes as it stands.
_PLAIN = re.compile(r"[A-Za-z0-9_.,:=+-]+\Z")


class CannotInstallError(Exception):
    """A file cannot be made here; the text says why, and what to do in its place."""


def files(bound: Bound, plan: str, steps: Sequence[Step], *, with_tuned: bool) -> list[File]:
    """All that is to be there. ``plan`` is the text of the plan, ``steps`` those that it asks for.

    Raises CannotInstallError.
    """
    has_slice = _has_slice(bound)
    found = [File(PLAN, _fixed(plan, bound)), *_units(with_tuned=with_tuned, has_slice=has_slice)]
    if has_slice:
        found.append(File(f"{_UNITS}/{SLICE}", _slice(bound)))
    drop_in = _drop_in(steps, bound)
    if drop_in:
        found.append(File(DROP_IN, drop_in))
    if _wants_awake(steps):
        found.append(File(UDEV, f"{_MADE}{_RULE}\n"))
    if with_tuned:
        found.append(File(PROFILE, _MADE + tuned(steps)))
    elif boot_options_of(steps):
        found.append(File(BOOT_LINE, _boot_line(bound.host, boot_options_of(steps))))
    return found


def next_steps(made: Iterable[File], *, gone: bool = False) -> list[str]:
    """Commands that make the system see what was written, or that it is ``gone``."""
    places = [file.place for file in made]
    commands = ["systemctl daemon-reload"] if any(place.startswith(_UNITS) for place in places) else []
    if UDEV in places:
        commands.append("udevadm control --reload; udevadm trigger --sysname-match=cpu_dma_latency")
    if PROFILE in places:
        commands.append("tuned-adm off" if gone else "tuned-adm profile fixaccel")
    return [*commands, "update-grub"] if BOOT_LINE in places else commands


def _fixed(plan: str, bound: Bound) -> str:
    """The plan with the interface that was chosen today: at boot others may be up."""
    text = plan if plan.endswith("\n") else plan + "\n"
    if bound.plan.interface is None and bound.interface is not None:
        if text.lstrip().startswith("{"):
            raise CannotInstallError("name the interface in the plan: at boot another may be the one that is free")
        text += f"{INTERFACE.name}: {bound.interface}\n"
    return _MADE + text


def _has_slice(bound: Bound) -> bool:
    """Whether the daemon is to be in the group of its cores. With version 1 systemd gives no cores to groups."""
    is_asked = bound.wanted(catalogue()["host.cpuset"]) is not None
    return is_asked and bound.groups.version == 2 and bool(bound.cores.apart)


def _slice(bound: Bound) -> str:
    return f"""{_MADE}[Unit]
Description=The cores of fixaccel's daemon and board

[Slice]
# systemd makes the group with these cores; `fixaccel tune apply` makes a partition of it.
AllowedCPUs={list_text(bound.cores.apart)}
"""


def _units(*, with_tuned: bool, has_slice: bool) -> list[File]:
    command = _program()
    behind = " tuned.service" if with_tuned else ""
    behind += f" {SLICE}" if has_slice else ""
    wants = f" {SLICE}" if has_slice else ""
    apply = f"""{_MADE}[Unit]
Description=The machine as fixaccel's tuning plan has it
Wants=network-online.target{wants}
# What was started before it can be stopped.
After=network-online.target irqbalance.service{behind}
# Links may be reset as long as no session runs over them.
Before=fixacceld.service

[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart={command} tune apply /{PLAN}
# Some of what was asked for cannot be set here: it is set as far as it goes, and the journal names the rest.
SuccessExitStatus=3

[Install]
WantedBy=multi-user.target
"""
    verify = f"""{_MADE}[Unit]
Description=Whether the machine still is as it was tuned

[Service]
Type=oneshot
ExecStart={command} tune verify
SuccessExitStatus=3
"""
    timer = f"""{_MADE}[Unit]
Description=Looks whether the machine still is as it was tuned

[Timer]
OnBootSec={_VERIFY_EVERY}
OnUnitActiveSec={_VERIFY_EVERY}

[Install]
WantedBy=timers.target
"""
    return [
        File(f"{_UNITS}/{_NAME}.service", apply),
        File(f"{_UNITS}/{_NAME}-verify.service", verify),
        File(f"{_UNITS}/{_NAME}-verify.timer", timer),
        # As `systemctl enable` makes them.
        File(f"{_UNITS}/multi-user.target.wants/{_NAME}.service", f"../{_NAME}.service", link=True),
        File(f"{_UNITS}/timers.target.wants/{_NAME}-verify.timer", f"../{_NAME}-verify.timer", link=True),
    ]


def _program() -> str:
    """This command, as a unit names it: absolute, and without what systemd would take for its own."""
    found = shutil.which("fixaccel")
    words = [str(Path(found).absolute())] if found else [sys.executable, "-m", "fixaccel"]
    return " ".join('"' + word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%") + '"' for word in words)


def _asked(steps: Iterable[Step]) -> dict[str, str]:
    return {step.knob.id: step.wanted or "" for step in steps if step.outcome is not Outcome.NOT_HERE}


def _wants_awake(steps: Iterable[Step]) -> bool:
    return "process.wake" in _asked(steps)


def _drop_in(steps: Iterable[Step], bound: Bound) -> str:
    """What the daemon's unit has to say for what its settings ask for; empty if nothing is missing."""
    asked = _asked(steps)
    lines = []
    fifo = asked.get("process.policy", "").strip('"')
    if fifo.startswith("fifo:"):
        lines += [f"LimitRTPRIO={fifo.removeprefix('fifo:')}", "RestrictRealtime=no"]
    if asked.get("process.lock-memory") == "true":
        lines.append("LimitMEMLOCK=infinity")
    if "process.wake" in asked:
        lines += ["PrivateDevices=no", "DeviceAllow=/dev/cpu_dma_latency w"]
    nodes = bound.machine.nodes
    if "process.core" in asked and len(set(nodes.values())) > 1 and bound.cores.daemon in nodes:
        # Memory of its own node; of another where that is full, for the daemon is not to end for it.
        lines += ["NUMAPolicy=preferred", f"NUMAMask={nodes[bound.cores.daemon]}"]
    if _has_slice(bound):
        lines.append(f"Slice={SLICE}")
    return "\n".join([f"{_MADE}[Service]", *lines]) + "\n" if lines else ""


def _boot_line(host: Host, options: Sequence[str]) -> str:
    by_hand = f"add `{' '.join(options)}` to the kernel's boot line by hand, and leave it out here: `--skip-boot`"
    if not (host.root / "etc/default/grub").is_file():
        raise CannotInstallError(f"there is no /etc/default/grub, so the boot loader is not known: {by_hand}")
    odd = [option for option in options if not _PLAIN.match(option)]
    if odd:
        raise CannotInstallError(f"`{odd[0]}` is not to be had in a file of shell variables: {by_hand}")
    return f'{_MADE}GRUB_CMDLINE_LINUX_DEFAULT="$GRUB_CMDLINE_LINUX_DEFAULT {" ".join(options)}"\n'
