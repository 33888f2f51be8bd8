# SPDX-License-Identifier: Apache-2.0
"""Registers of the virtual board, read and written past the daemon."""

import socket
import struct
import time
from collections.abc import Iterator
from contextlib import contextmanager

from fixaccel.hwmap import load_hwmap
from fixaccel.lab.namespaces import LabError
from fixaccel.lab.processes import Process
from lab.desk import Desk
from lab.hold import stopped

_READ, _WRITE = 1, 2
_TRIES, _PAUSE_S = 200, 0.05


def register(desk: Desk, name: str) -> int:
    """The 32 bits of register ``name``."""
    (word,) = _access(desk, _READ, name)
    return word


def write(desk: Desk, name: str, word: int) -> None:
    """Sets register ``name``, behind the daemon's back."""
    _access(desk, _WRITE, name, word)


def _access(desk: Desk, what: int, name: str, *written: int) -> tuple[int, ...]:
    """The words that were read: one, or none of a write."""
    address = load_hwmap().registers[name].address
    with socket.socket(socket.AF_UNIX) as board:
        board.settimeout(20)
        board.connect(str(desk.board_socket))
        board.sendall(struct.pack(f"<{3 + len(written)}I", what, address, 1, *written))
        code, count = struct.unpack("<2I", board.recv(8, socket.MSG_WAITALL))
        assert (code, count) == (0, 1 - len(written))
        return struct.unpack(f"<{count}I", board.recv(4 * count, socket.MSG_WAITALL)) if count else ()


def bit(desk: Desk, name: str, field: str) -> bool:
    """A field of one bit of register ``name``."""
    (lsb,) = (found.lsb for found in load_hwmap().registers[name].fields if found.name == field)
    return bool(register(desk, name) >> lsb & 1)


@contextmanager
def stopped_without_lease(desk: Desk, daemon: Process) -> Iterator[None]:
    """While it is entered, nothing of ``daemon`` runs, and it is not about to send: with the lease the fabric fires
    nothing, and disarms soon. Raises LabError.
    """
    for _ in range(_TRIES):
        with stopped(daemon.pid):
            if not (bit(desk, "status", "lease_requested") or bit(desk, "status", "lease_held")):
                yield
                return
        time.sleep(_PAUSE_S)
    raise LabError("the daemon never let go of the lease")
