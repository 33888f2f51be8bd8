# SPDX-License-Identifier: Apache-2.0
"""Stands in for PYNQ's package on a machine without its board: memory is a file, or the sockets of a virtual board.

PYNQ_STAND_IN names a folder: `bad` in it has the bitstream refused, `clock.json` is its clock. `sockets` names those of
a virtual board, by base address; where there are none, `memory.json` has the words.
"""

import json
import os
import socket
import struct
import time
from pathlib import Path

__version__ = "0 (stand-in)"
FOLDER = Path(os.environ["PYNQ_STAND_IN"])
_READ, _WRITE = 1, 2


def note(line: str) -> None:
    with (FOLDER / "record").open("a") as record:
        record.write(line + "\n")


class Overlay:
    def __init__(self, bitfile_name: str, dtbo: str | None = None, download: bool = True) -> None:
        assert dtbo is None
        assert not download
        self.bitfile_name = bitfile_name

    def download(self, dtbo: str | None = None) -> None:
        assert dtbo is None
        assert Path(self.bitfile_name).with_suffix(".hwh").is_file(), "the handoff lies beside it"
        if (FOLDER / "bad").exists():
            raise RuntimeError("the part is another")
        note(f"download {Path(self.bitfile_name).name}")


class MMIO:
    def __init__(self, base_addr: int, length: int = 4) -> None:
        self._base, self._length = base_addr, length

    def read(self, offset: int = 0, length: int = 4) -> int:
        assert length == 4
        self._check(offset)
        plan = json.loads((FOLDER / "clock.json").read_text()) if (FOLDER / "clock.json").exists() else {}
        if self._base + offset == plan.get("at"):
            return int(time.monotonic() * plan["hz"]) & 0xFFFFFFFF
        sockets = json.loads((FOLDER / "sockets").read_text()) if (FOLDER / "sockets").exists() else {}
        if path := sockets.get(str(self._base)):
            return _over(path, _READ, offset, 1)[0]
        words = json.loads((FOLDER / "memory.json").read_text())
        return int(words.get(str(self._base + offset), 0))

    def _check(self, offset: int) -> None:
        assert offset % 4 == 0
        assert 0 <= offset < self._length

    def write(self, offset: int, value: int) -> None:
        self._check(offset)
        note(f"write 0x{self._base + offset:08X} 0x{value:X}")


def _over(path: str, op: int, addr: int, count: int) -> list[int]:
    with socket.socket(socket.AF_UNIX) as board:
        board.settimeout(20)
        board.connect(path)
        board.sendall(struct.pack("<3I", op, addr, count))
        status, words = struct.unpack("<2I", board.recv(8, socket.MSG_WAITALL))
        assert (status, words) == (0, count)
        return list(struct.unpack(f"<{count}I", board.recv(4 * count, socket.MSG_WAITALL)))
