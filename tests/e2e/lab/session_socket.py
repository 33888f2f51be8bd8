# SPDX-License-Identifier: Apache-2.0
"""The socket that a daemon has its session on, in the hands of a test."""

import ctypes
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fixaccel.lab.processes import Process
from lab.venue import PORT

_PIDFD_GETFD = 438


@contextmanager
def session_of(process: Process) -> Iterator[socket.socket]:
    """The very socket on which ``process`` has its session."""
    rows = [line.split() for line in Path(f"/proc/{process.pid}/net/tcp").read_text().splitlines()[1:]]
    (inode,) = (row[9] for row in rows if row[2].endswith(f":{PORT:04X}"))
    links = Path(f"/proc/{process.pid}/fd").iterdir()
    (number,) = (int(link.name) for link in links if str(link.readlink()) == f"socket:[{inode}]")
    libc = ctypes.CDLL(None, use_errno=True)
    pidfd = os.pidfd_open(process.pid)
    try:
        got = libc.syscall(_PIDFD_GETFD, pidfd, number, 0)
    finally:
        os.close(pidfd)
    assert got >= 0, os.strerror(ctypes.get_errno())
    with socket.socket(fileno=got) as session:
        yield session


def waiting_in(session: socket.socket) -> bytes:
    """What has come and nobody has read; it stays there."""
    try:
        return session.recv(1 << 20, socket.MSG_PEEK | socket.MSG_DONTWAIT)
    except BlockingIOError:
        return b""
