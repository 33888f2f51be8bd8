# SPDX-License-Identifier: Apache-2.0
"""A folder that stands in for a board's /sys and /etc, with as much of a kernel as drivers need to be bound."""

import json
import os
import shutil
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

STAND_IN = Path(__file__).parent / "stand_in"
COMMANDS = ("systemctl", "ip", "modprobe", "sudo", "systemd-run")
_PAUSE_S = 0.005
UIO, MACB = "uio_pdrv_genirq", "macb"


class Board:
    """``root`` has /sys and /etc, ``state`` what is noted of it and what is wrong with it."""

    def __init__(self, folder: Path, plan: Mapping[str, Any]) -> None:
        self.root, self.state = folder / "root", folder / "state"
        self.device = plan["controller"]["device"]
        self._net = self.root / "sys/class/net" / plan["controller"]["interface"]
        self._devices = self.root / "sys/bus/platform/devices"
        self._drivers = self.root / "sys/bus/platform/drivers"
        for made in (self.state, folder / "bin", self._net, self.root / "sys/kernel/config/device-tree/overlays"):
            made.mkdir(parents=True)
        (self._devices / self.device).mkdir(parents=True)
        (self._devices / self.device / "driver_override").touch()
        for name in (UIO, MACB):
            (self._drivers / name).mkdir(parents=True)
            (self._drivers / name / "bind").touch()
            (self._drivers / name / "unbind").touch()
        (self.state / "record").touch()
        for name in COMMANDS:
            (folder / "bin" / name).symlink_to(STAND_IN / "bin" / "stand_in")
        words = {w["base"] + at: value for w in plan["windows"] for at, value, _ in w["words"].values()}
        self.words = {str(at): value for at, value in words.items()}
        slcr = plan["slcr"]
        self.words |= {str(slcr["base"] + at): 0x100 + number for number, at in enumerate(slcr["clocks"])}
        self.remember()
        self.clock(plan["clock"]["base"] + plan["clock"]["cycle"], plan["clock"]["hz"])
        self.settings = {
            "PATH": f"{folder / 'bin'}:{os.environ['PATH']}",
            "PYTHONPATH": str(STAND_IN),
            "PYNQ_STAND_IN": str(self.state),
            "PYNQ_STAND_IN_ROOT": str(self.root),
        }
        self.environment = os.environ | self.settings
        self._bind(self.device, MACB)
        self._ends = threading.Event()
        self._kernel = threading.Thread(target=self._run)

    def remember(self) -> None:
        """What memory reads from now on."""
        (self.state / "memory.json").write_text(json.dumps(self.words))

    def clock(self, at: int, hz: float) -> None:
        (self.state / "clock.json").write_text(json.dumps({"at": at, "hz": hz}))

    def wrong(self, name: str) -> None:
        (self.state / name).touch()

    def record(self) -> list[str]:
        return (self.state / "record").read_text().splitlines()

    def driver(self) -> str:
        """Of the Ethernet controller."""
        link = self._devices / self.device / "driver"
        return link.resolve().name if link.exists() else ""

    def __enter__(self) -> Self:
        self._kernel.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ends.set()
        self._kernel.join()

    def _run(self) -> None:
        while not self._ends.is_set():
            for way, does in (("unbind", self._unbind), ("bind", self._bind)):
                for name in (UIO, MACB):
                    asked = self._drivers / name / way
                    device = asked.read_text().strip()
                    # A kernel answers each write before the next one comes: what is bound is let go first.
                    waits = way == "bind" and (self._devices / device / "driver").is_symlink()
                    if device and not waits:
                        asked.write_text("")
                        does(device, name)
            time.sleep(_PAUSE_S)

    def _bind(self, device: str, driver: str) -> None:
        at = self._devices / device
        (at / "driver").symlink_to(self._drivers / driver)
        if driver == UIO:
            count = len(list(self._devices.glob("*/uio")))
            (at / "uio" / f"uio{count}").mkdir(parents=True)
        else:
            self._net.mkdir(exist_ok=True)
            (self._net / "address").write_text("02:00:00:00:00:07\n")

    def _unbind(self, device: str, driver: str) -> None:
        at = self._devices / device
        if (at / "driver").resolve().name != driver:
            return
        (at / "driver").unlink()
        if driver == UIO:
            for entry in (at / "uio").iterdir():
                entry.rmdir()
            (at / "uio").rmdir()
        else:
            shutil.rmtree(self._net)
