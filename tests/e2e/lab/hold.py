# SPDX-License-Identifier: Apache-2.0
"""Holds a program up: its main thread and none of its others, as a system call that hangs would, or all of it."""

import ctypes
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress

_SEIZE, _INTERRUPT, _DETACH = 0x4206, 0x4207, 17
_ALL = 0x40000000  # __WALL
_libc = ctypes.CDLL(None, use_errno=True)


@contextmanager
def held(pid: int) -> Iterator[None]:
    """While it is entered, the main thread of ``pid`` does nothing. Raises OSError."""
    _trace(_SEIZE, pid)
    _trace(_INTERRUPT, pid)
    os.waitpid(pid, _ALL)
    try:
        yield
    finally:
        _trace(_DETACH, pid)


@contextmanager
def stopped(pid: int) -> Iterator[None]:
    """While it is entered, nothing of ``pid`` runs; it may be killed meanwhile."""
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGCONT)


def _trace(request: int, pid: int) -> None:
    if _libc.ptrace(request, pid, None, None):
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))
