# SPDX-License-Identifier: Apache-2.0
"""Registers of the virtual board, read past the daemon."""

import socket
import struct
import time
from collections.abc import Iterator
from contextlib import contextmanager

from fixaccel.hwmap import load_hwmap
from lab.desk import Desk
from lab.hold import stopped
from lab.namespaces import LabError
from lab.processes import Process

_READ = 1
_TRIES, _PAUSE_S = 200, 0.05


def register(desk: Desk, name: str) -> int:
    """The 32 bits of register ``name``."""
    address = load_hwmap().registers[name].address
    with socket.socket(socket.AF_UNIX) as board:
        board.settimeout(20)
        board.connect(str(desk.board_socket))
        board.sendall(struct.pack("<3I", _READ, address, 1))
        code, count, word = struct.unpack("<3I", board.recv(12, socket.MSG_WAITALL))
    assert (code, count) == (0, 1)
    return int(word)


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
