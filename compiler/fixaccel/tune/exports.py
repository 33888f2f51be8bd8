# SPDX-License-Identifier: Apache-2.0
"""A plan's steps in the words of others: a shell script to read, and a profile for TuneD."""

import shlex
from collections.abc import Iterable, Sequence

from fixaccel.tune import units
from fixaccel.tune.catalogue import FOLDER
from fixaccel.tune.survey import Outcome, Step, boot_option, is_tuneds

_SYSCTL = "proc/sys/"
_SWITCHES = {
    "rx-gro": "gro",
    "rx-lro": "lro",
    "tx-tcp-segmentation": "tso",
    "tx-generic-segmentation": "gso",
    "tx-checksum-ip-generic": "tx-checksum-ip-generic",
}
_COALESCE = {
    "rx_coalesce_usecs": "rx-usecs",
    "tx_coalesce_usecs": "tx-usecs",
    "use_adaptive_rx_coalesce": "adaptive-rx",
}


def shell(steps: Iterable[Step]) -> str:
    """Commands that do the same, each with what was there before. Nothing is recorded and nothing read back."""
    lines = [
        "#!/bin/sh",
        "# What `fixaccel tune apply` would do; it also records, reads back and takes back.",
        "set -e",
    ]
    for step in steps:
        if step.outcome is Outcome.WOULD_SET and step.wanted is not None:
            lines.append(f"{_command(step, step.wanted)}  # was {step.now}")
        elif not step.outcome.is_done:
            lines.append(f"# {step.knob.id}: {step.says}{f', {step.detail}' if step.detail else ''}")
    return "\n".join(lines) + "\n"


def tuned(steps: Sequence[Step]) -> str:
    """`tuned.conf` of a profile that builds on `network-latency`: the machine's knobs, which are TuneD's own."""
    asked = [step for step in steps if step.knob.scope != "boot" and is_tuneds(step.knob) and step.wanted is not None]
    known = [step for step in asked if step.outcome is not Outcome.NOT_HERE]
    sysctl = [step for step in known if step.place.startswith(_SYSCTL)]
    sysfs = [step for step in known if step.place.startswith("sys/")]
    lines = ["[main]", "summary=The machine of a desk, as `fixaccel tune` would set it", "include=network-latency"]
    lines += ["", "[sysctl]"]
    lines += [f"{step.place.removeprefix(_SYSCTL).replace('/', '.')}={step.wanted}" for step in sysctl]
    lines += ["", "[sysfs]", *(f"/{step.place}={step.wanted}" for step in sysfs)]
    options = boot_options_of(steps)
    return "\n".join([*lines, *(["", "[bootloader]", f"cmdline={' '.join(options)}"] if options else [])]) + "\n"


def boot_options_of(steps: Iterable[Step]) -> list[str]:
    """Options that a plan wants in the boot line, also those that are there: they are to stay."""
    return [
        boot_option(step.place, step.wanted) for step in steps if step.knob.scope == "boot" and step.wanted is not None
    ]


def _command(step: Step, value: str) -> str:
    kind, _, rest = step.place.partition("/")
    if kind == "systemd":
        return shlex.join(["systemctl", "start" if value == units.ACTIVE else "stop", rest])
    if step.knob.form == FOLDER:
        return shlex.join(["mkdir", f"/{step.place}"])
    if kind != "ethtool":
        file = f"/{step.place}" if kind != "toml" else None
        if file is None:
            return f": in the daemon's settings: {shlex.quote(f'{rest} = {value}')}"
        return f"echo {shlex.quote(value)} > {shlex.quote(file)}"
    interface, group, name = rest.split("/", 2)
    if group == "link":
        return shlex.join(["ip", "link", "set", "dev", interface, "txqueuelen", value])
    word = {
        "features": ("-K", _SWITCHES.get(name, name)),
        "coalesce": ("-C", _COALESCE.get(name, name)),
        "rings": ("-G", name),
        "channels": ("-L", name.removesuffix("_count")),
        "eee": ("--set-eee", "eee"),
        "pause": ("-A", name),
    }[group]
    shown = {"0": "off", "1": "on"}.get(value, value) if name.startswith("use_adaptive") else value
    return shlex.join(["ethtool", word[0], interface, word[1], shown])
