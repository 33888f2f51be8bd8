# SPDX-License-Identifier: Apache-2.0
"""An overlay of the device tree: its nodes become platform devices of the folder that stands in for a board's."""

import os
import shutil
import subprocess
from pathlib import Path

from pynq import FOLDER, note


class DeviceTreeSegment:
    def __init__(self, dtbo_path: str) -> None:
        self.dtbo_path = dtbo_path
        self.dtbo_name = Path(dtbo_path).stem
        self._devices = Path(os.environ["PYNQ_STAND_IN_ROOT"]) / "sys/bus/platform/devices"

    def _names(self) -> list[str]:
        command = ["dtc", "-q", "-I", "dtb", "-O", "dts", self.dtbo_path]
        text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        inside = text[text.index("__overlay__") : text.index("__fixups__")]
        nodes = [line.strip().removesuffix(" {") for line in inside.splitlines() if "@" in line and line.endswith("{")]
        return [f"{address}.{name}" for name, _, address in (node.partition("@") for node in nodes)]

    def insert(self) -> None:
        if (FOLDER / "no-symbols").exists():
            raise RuntimeError(f"Device tree {self.dtbo_name} cannot be applied.")
        for name in self._names():
            (self._devices / name).mkdir(parents=True)
            (self._devices / name / "driver_override").touch()
        note(f"insert {self.dtbo_name}")

    def remove(self) -> None:
        for name in self._names():
            shutil.rmtree(self._devices / name, ignore_errors=True)
        note(f"remove {self.dtbo_name}")
