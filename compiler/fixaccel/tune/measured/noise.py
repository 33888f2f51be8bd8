# SPDX-License-Identifier: Apache-2.0
"""What else the machine did: before a pair is measured, and while it was."""

import re
import time
from collections.abc import Callable
from dataclasses import dataclass

from fixaccel.tune.host import Host

LOOK_S = 2.0
PRESSED = 20.0  # percent of the time in which somebody waited for a core
STOLEN = 1.0  # percent of the time that the host of a virtual machine took
_LOOKS = 5
_STEAL = 7  # its column in /proc/stat


@dataclass(frozen=True)
class Noise:
    """Percentages, and events in a second; None for what this kernel does not count.

    ``pressure`` is of the seconds before. ``interrupts`` are those of the core, of all cores where none is named.
    """

    pressure: float | None = None
    steal: float | None = None
    interrupts: float | None = None
    switches: float | None = None
    mhz: float | None = None

    @property
    def is_loud(self) -> bool:
        """Whether what was measured meanwhile says nothing."""
        return (self.pressure or 0) > PRESSED or (self.steal or 0) > STOLEN


@dataclass(frozen=True)
class _Counts:
    at: float
    all: float | None
    stolen: float | None
    interrupts: float | None
    switches: float | None


class Listening:
    """Counts from when it is made."""

    def __init__(self, host: Host, core: int | None, pressure: float | None) -> None:
        self._host, self._core, self._pressure = host, core, pressure
        self._begun = _counts(host, core)

    def heard(self) -> Noise:
        """What was counted so far."""
        begun, now = self._begun, _counts(self._host, self._core)
        seconds = max(now.at - begun.at, 1e-9)
        ticks = _added(begun.all, now.all)
        stolen = _added(begun.stolen, now.stolen)
        return Noise(
            self._pressure,
            100 * stolen / ticks if stolen is not None and ticks else None,
            _rate(begun.interrupts, now.interrupts, seconds),
            _rate(begun.switches, now.switches, seconds),
            _mhz(self._host, self._core),
        )


def quiet(host: Host, say: Callable[[str], object] = lambda _: None) -> float | None:
    """Waits for a quiet machine, not for ever; returns the pressure that is left, None where none is told."""
    found: float | None = None
    for look in range(_LOOKS):
        found = pressure(host)
        if found is None or found <= PRESSED:
            break
        say(f"the processor is wanted by others, {found:.0f} % of the time; waits for quiet ({look + 1} of {_LOOKS})")
    return found


def pressure(host: Host) -> float | None:
    """Of the next two seconds, the part in which somebody waited for a core; None, at once, where none is told."""
    before = _waited(host)
    if before is None:
        return None
    started = time.monotonic()
    time.sleep(LOOK_S)
    after = _waited(host)
    return None if after is None else (after - before) / (time.monotonic() - started) / 1e4


def mean(heard: list[Noise]) -> Noise:
    """Of several, each figure's mean; of pressure and steal, which withhold a verdict, the most."""
    found = {name: [v for one in heard if (v := getattr(one, name)) is not None] for name in vars(Noise())}
    means = {name: sum(values) / len(values) for name, values in found.items() if values}
    return Noise(**means | {name: max(found[name]) for name in ("pressure", "steal") if found[name]})


def _waited(host: Host) -> float | None:
    """Microseconds since boot, of `some`."""
    found = re.search(r"^some .*\btotal=(\d+)", host.text("proc/pressure/cpu") or "", re.MULTILINE)
    return float(found[1]) if found else None


def _counts(host: Host, core: int | None) -> _Counts:
    stat = {line.split()[0]: line.split()[1:] for line in (host.text("proc/stat") or "").splitlines() if line.strip()}
    times = [float(number) for number in stat.get("cpu" if core is None else f"cpu{core}", [])]
    switches = stat.get("ctxt", [])
    return _Counts(
        time.monotonic(),
        sum(times[: _STEAL + 1]) if len(times) > _STEAL else None,
        times[_STEAL] if len(times) > _STEAL else None,
        _interrupts(host, core),
        float(switches[0]) if switches else None,
    )


def _interrupts(host: Host, core: int | None) -> float | None:
    lines = (host.text("proc/interrupts") or "").splitlines()
    if not lines:
        return None
    heads = lines[0].split()
    columns = [at for at, head in enumerate(heads, 1) if core is None or head == f"CPU{core}"]
    return float(
        sum(
            int(words[at])
            for words in (line.split() for line in lines[1:])
            for at in columns
            if at < len(words) and words[at].isdigit()
        )
    )


def _mhz(host: Host, core: int | None) -> float | None:
    text = (host.text(f"sys/devices/system/cpu/cpu{core or 0}/cpufreq/scaling_cur_freq") or "").strip()
    if text.isdigit():
        return int(text) / 1000
    found = re.findall(r"^cpu MHz\s*:\s*([0-9.]+)", host.text("proc/cpuinfo") or "", re.MULTILINE)
    return float(found[core or 0]) if len(found) > (core or 0) else None


def _added(before: float | None, after: float | None) -> float | None:
    return None if before is None or after is None else after - before


def _rate(before: float | None, after: float | None, seconds: float) -> float | None:
    added = _added(before, after)
    return None if added is None else added / seconds
