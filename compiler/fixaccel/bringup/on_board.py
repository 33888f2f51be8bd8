# SPDX-License-Identifier: Apache-2.0
"""What runs on the board itself: carries a plan out, step by step, and takes it back where a step fails.

It stands alone: the Python that has `pynq` there is older than the one that `fixaccel` needs, and has nothing else of
it. The connection that it was started by goes away when the Ethernet controller changes hands, so it leaves what came
of it in a file.

Usage: on_board.py PLAN RESULT [--root DIR]. The result is JSON: `steps`, each with `name` and `did`; and where one has
failed, `failed` with `name`, `expected`, `found` and `to_do`, and `undone`. Exit code 0, or 1 where one has failed.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

Plan = dict[str, Any]
_UIO = "uio_pdrv_genirq"
_WAIT_S = 5.0
_PAUSE_S = 0.05
_CLOCK_S = 0.2
_CLOCK_SHARE = 0.01  # a fabric that runs at another frequency of the PLL is off by far more


class StepError(Exception):
    """A step has failed."""

    def __init__(self, expected: str, found: str, to_do: str) -> None:
        super().__init__(f"expected {expected}, found {found}")
        self.expected, self.found, self.to_do = expected, found, to_do


def run(*command: str) -> str:
    """What it prints. Raises StepError."""
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    except FileNotFoundError:
        raise StepError("a program " + command[0], "none", "install the package that has it") from None
    said = done.stdout.decode("utf-8", "replace")
    if done.returncode:
        last = (said.strip().splitlines() or ["nothing said"])[-1]
        raise StepError("`" + " ".join(command) + "` to succeed", last, "run it by hand on the board")
    return said


class Setup:
    """The steps, in their order, and what takes them back."""

    def __init__(self, plan: Plan, folder: Path, root: str) -> None:
        self.plan = plan
        self.folder = folder  # of the plan's files
        self.root = root
        self.pynq: Any = None
        self.undo: list[tuple[str, Callable[[], object]]] = []
        self.clocks: dict[int, int] = {}
        self.addresses: list[str] = []
        self.gateway = ""
        self.mac = ""

    def steps(self) -> list[tuple[str, str, Callable[[], str]]]:
        """Name, what it does, how."""
        plan, controller = self.plan, self.plan["controller"]
        services = " and ".join(plan["services"])
        return [
            ("board", "look at the machine: root, pynq, overlays of the device tree, UIO, systemd", self.look),
            ("services", f"stop {services} where they run", self.stop_services),
            ("bitstream", f"load {plan['bit']} with pynq", self.load),
            ("device tree", f"insert {plan['dtbo']}", self.insert),
            ("devices", f"bind {' and '.join(plan['devices'])} to {_UIO}", self.bind),
            ("check", "compare magic, hwmap hash, capacities and clock with the board file", self.check),
            (
                "controller",
                f"take {controller['device']} from its driver, its clocks on, and bind it to {_UIO}",
                self.take,
            ),
            (
                "network",
                f"start fixaccel-gemd with the addresses of {controller['interface']} on {plan['tap']}",
                self.join,
            ),
            ("daemon", "start fixacceld, if /etc/fixaccel/fixacceld.toml is there", self.start),
        ]

    # The steps

    def look(self) -> str:
        if os.geteuid() != 0 and not self.root:
            raise StepError("to be root", f"user {os.geteuid()}", "run it with sudo")
        try:
            self.pynq = importlib.import_module("pynq")
        except Exception as error:  # noqa: BLE001 - it asks for its devices while it is imported
            raise StepError(
                "the Python package pynq",
                f"{type(error).__name__}: {error}",
                "name the Python of the image that has it with --python",
            ) from None
        overlays = self.path("/sys/kernel/config/device-tree/overlays")
        if not overlays.is_dir():
            raise StepError(
                f"{overlays}",
                "no such folder",
                "mount configfs; a kernel without OF_CONFIGFS takes no overlay, PYNQ's has it",
            )
        if not self.path(f"/sys/bus/platform/drivers/{_UIO}").is_dir():
            run("modprobe", _UIO)
        for unit in self.plan["services"]:
            if run("systemctl", "list-unit-files", "--no-legend", f"{unit}.service").strip():
                continue
            raise StepError(
                f"unit {unit}", "none", "install the package of fixaccel for the board: dpkg -i fixaccel_*_armhf.deb"
            )
        missing = [
            name
            for name in (self.plan["bit"], self.plan["hwh"], self.plan["dtbo"])
            if not (self.folder / name).is_file()
        ]
        if missing:
            raise StepError(f"{missing[0]} in {self.folder}", "no such file", "start again: files are copied first")
        return f"pynq {getattr(self.pynq, '__version__', 'of no version')}"

    def stop_services(self) -> str:
        self._remember_addresses()
        running = [unit for unit in self.plan["services"] if self._is_active(unit)]
        if "fixaccel-gemd" in running:
            # Whatever becomes of the fabric, the network does not need it.
            self.undo.append(self._way_back())
        for unit in running:
            run("systemctl", "stop", unit)
        return f"stopped {', '.join(running)}" if running else "none ran"

    def load(self) -> str:
        # The clocks as a link has them; the driver switches them off when it goes.
        slcr = self.plan["slcr"]
        registers = self.pynq.MMIO(slcr["base"], slcr["bytes"])
        self.clocks = {offset: registers.read(offset) for offset in slcr["clocks"]}
        bit = str(self.folder / self.plan["bit"])
        try:
            self.pynq.Overlay(bit, download=False).download()
        except Exception as error:  # noqa: BLE001 - whatever the package raises
            raise StepError(
                f"pynq to load {bit}",
                f"{type(error).__name__}: {error}",
                "is the bitstream for this part, with its .hwh beside it?",
            ) from None
        return f"{(self.folder / self.plan['bit']).stat().st_size} bytes"

    def insert(self) -> str:
        # Its own class inserts and reads back; a segment of that name from before goes first.
        tree = importlib.import_module("pynq.devicetree")
        segment = tree.DeviceTreeSegment(str(self.folder / self.plan["dtbo"]))
        segment.remove()
        try:
            segment.insert()
        except Exception as error:  # noqa: BLE001
            segment.remove()
            raise StepError(
                f"the kernel to take {self.plan['dtbo']}",
                f"{type(error).__name__}: {error}",
                "`dmesg` says why: a node of that name, or a base tree without symbols",
            ) from None
        self.undo.append((f"{self.plan['dtbo']} out of the device tree", segment.remove))
        return f"{self.plan['dtbo']} is in the device tree"

    def bind(self) -> str:
        return ", ".join(f"{name} is {self._to_uio(device)}" for name, device in self.plan["devices"].items())

    def check(self) -> str:
        for window in self.plan["windows"]:
            memory = self.pynq.MMIO(window["base"], window["bytes"])
            for name, (offset, expected, to_do) in window["words"].items():
                found = memory.read(offset)
                if found != expected:
                    raise StepError(
                        f"{name} = {_number(name, expected)} at 0x{window['base'] + offset:08X}",
                        _number(name, found),
                        to_do,
                    )
        return f"{sum(len(window['words']) for window in self.plan['windows'])} words and {self._clock()}"

    def take(self) -> str:
        controller = self.plan["controller"]
        device, slcr = controller["device"], self.plan["slcr"]
        at = self.path(f"/sys/bus/platform/devices/{device}")
        if not at.is_dir():
            raise StepError(f"{at}", "no such device", "is that the controller's name? `ls /sys/bus/platform/devices`")
        driver = (at / "driver").resolve().name if (at / "driver").exists() else ""
        if driver == _UIO:
            return "as it was"
        self.undo.append(self._way_back())
        if driver:
            (at / "driver" / "unbind").write_text(device)
        registers = self.pynq.MMIO(slcr["base"], slcr["bytes"])
        registers.write(slcr["unlock"], slcr["unlock_key"])
        for offset, value in self.clocks.items():
            registers.write(offset, value)
        bound = self._to_uio(device)
        return f"{device} from {driver or 'no driver'}, now {bound}"

    def join(self) -> str:
        tap = self.plan["tap"]
        self.undo.append(("fixaccel-gemd", lambda: run("systemctl", "stop", "fixaccel-gemd")))
        # Neighbours go on knowing the board by its address.
        settings = self.path("/run/fixaccel-board/gemd.env")
        settings.parent.mkdir(parents=True, exist_ok=True)
        settings.write_text(f"GEMD_OPTIONS=--mac {self.mac}\n" if self.mac else "", encoding="utf-8")
        run("systemctl", "start", "fixaccel-gemd")
        self._give_addresses(tap, "`journalctl -u fixaccel-gemd` says what it misses")
        return f"{tap} has {', '.join(self.addresses) or 'no address: the interface before had none'}"

    def start(self) -> str:
        if not self.path("/etc/fixaccel/fixacceld.toml").exists():
            return "not started: /etc/fixaccel/fixacceld.toml is not there yet"
        run("systemctl", "start", "fixacceld")
        return "started"

    # What they are made of

    def path(self, name: str) -> Path:
        return Path(self.root + name)

    def _is_active(self, unit: str) -> bool:
        done = subprocess.run(["systemctl", "is-active", "--quiet", unit], check=False)
        return done.returncode == 0

    def _wait(self, what: str, holds: Callable[[], bool], to_do: str) -> None:
        end = time.monotonic() + _WAIT_S
        while not holds():
            if time.monotonic() > end:
                raise StepError(what, f"none within {_WAIT_S:g} s", to_do)
            time.sleep(_PAUSE_S)

    def _bind(self, device: str, driver: str) -> None:
        """From whatever it is bound to, to ``driver``; the name of a driver overrides what its node says."""
        at = self.path(f"/sys/bus/platform/devices/{device}")
        if (at / "driver").exists():
            (at / "driver" / "unbind").write_text(device)
        (at / "driver_override").write_text(driver if driver == _UIO else "\n")
        self.path(f"/sys/bus/platform/drivers/{driver}/bind").write_text(device)

    def _to_uio(self, device: str) -> str:
        """The UIO device that it is then."""
        at = self.path(f"/sys/bus/platform/devices/{device}")
        self._wait(f"{at}", at.is_dir, "`dmesg` says what has become of the device tree's node")

        def found() -> list[str]:
            return sorted(entry.name for entry in at.glob("uio/uio*"))

        if not found():
            try:
                self._bind(device, _UIO)
            except OSError as error:
                raise StepError(f"{device} bound to {_UIO}", f"{error.strerror}", "`dmesg` says why") from None
        self._wait(f"a device in {at}/uio", lambda: bool(found()), "`dmesg` says why the driver did not take it")
        return found()[0]

    def _remember_addresses(self) -> None:
        """Those of the interface in use now, for the one in its place."""
        names = (self.plan["tap"], self.plan["controller"]["interface"])
        there = [name for name in names if self.path(f"/sys/class/net/{name}").exists()]
        if not there:
            return
        self.mac = self.path(f"/sys/class/net/{there[0]}/address").read_text().strip()
        for link in json.loads(run("ip", "-j", "-4", "addr", "show", "dev", there[0]) or "[]"):
            self.addresses += [f"{one['local']}/{one['prefixlen']}" for one in link.get("addr_info", [])]
        for route in json.loads(run("ip", "-j", "-4", "route", "show", "default", "dev", there[0]) or "[]"):
            self.gateway = self.gateway or route.get("gateway", "")

    def _give_addresses(self, interface: str, to_do: str) -> None:
        self._wait(f"interface {interface}", self.path(f"/sys/class/net/{interface}").exists, to_do)
        run("ip", "link", "set", interface, "up")
        for address in self.addresses:
            run("ip", "addr", "replace", address, "dev", interface)
        if self.gateway:
            run("ip", "route", "replace", "default", "via", self.gateway, "dev", interface)

    def _way_back(self) -> tuple[str, Callable[[], object]]:
        controller = self.plan["controller"]

        def give_back() -> None:
            self._bind(controller["device"], controller["driver"])
            self._give_addresses(controller["interface"], "dmesg")

        return f"{controller['device']} back to {controller['driver']}", give_back

    def _clock(self) -> str:
        """The fabric's own count of cycles against the machine's clock. Raises StepError."""
        clock = self.plan["clock"]
        memory = self.pynq.MMIO(clock["base"], clock["bytes"])
        begun = time.monotonic()
        first = memory.read(clock["cycle"])
        rested = time.monotonic()
        time.sleep(_CLOCK_S)
        woken = time.monotonic()
        cycles = (memory.read(clock["cycle"]) - first) & 0xFFFFFFFF
        ended = time.monotonic()
        # When within its call a read was, nobody knows.
        least, most = cycles / (ended - begun), cycles / (woken - rested)
        hz = cycles / ((ended + woken - begun - rested) / 2)
        if not least * (1 - _CLOCK_SHARE) < clock["hz"] < most * (1 + _CLOCK_SHARE):
            raise StepError(
                f"a clock of {clock['hz'] / 1e6:g} MHz",
                f"{hz / 1e6:.3f} MHz",
                "the .hwh says to pynq how FCLK0 is divided: is it the one of this bitstream?",
            )
        return f"a clock of {hz / 1e6:.3f} MHz"


def _number(name: str, value: int) -> str:
    return str(value) if name.startswith("cap_") else f"0x{value:08X}"


def carry_out(setup: Setup, told: Callable[[str], object]) -> dict[str, Any]:
    """The result. Where a step fails, those before it are taken back, the last one first."""
    done: list[dict[str, str]] = []
    for name, what, step in setup.steps():
        told(f"{name}: {what}")
        try:
            done.append({"name": name, "did": step()})
        except Exception as error:  # noqa: BLE001 - of whatever kind: the board is to be reached again
            known = (
                error
                if isinstance(error, StepError)
                else StepError(what, f"{type(error).__name__}: {error}", "run it by hand on the board, as root")
            )
            undone = []
            for thing, undo in reversed(setup.undo):
                with contextlib.suppress(Exception):
                    undo()
                    undone.append(thing)
            failed = {"name": name, "expected": known.expected, "found": known.found, "to_do": known.to_do}
            return {"steps": done, "failed": failed, "undone": undone}
    return {"steps": done}


def main(arguments: list[str] | None = None) -> int:
    """Carries the plan out."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("plan", type=Path)
    parser.add_argument("result", type=Path)
    parser.add_argument("--root", default="", help="where /sys and /etc lie; a test has its own")
    options = parser.parse_args(arguments)
    plan = json.loads(options.plan.read_text(encoding="utf-8"))
    setup = Setup(plan, options.plan.resolve().parent, options.root)
    result = carry_out(setup, lambda line: print(line, flush=True))
    part = options.result.with_suffix(".part")
    part.write_text(json.dumps(result, indent=1), encoding="utf-8")
    part.replace(options.result)  # whole, once it is there
    return 1 if "failed" in result else 0


if __name__ == "__main__":
    sys.exit(main())
