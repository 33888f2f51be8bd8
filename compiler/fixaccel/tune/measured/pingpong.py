# SPDX-License-Identifier: Apache-2.0
"""A message there and back over TCP, many times: what stands for the daemon, and what answers it.

Run in a process of its own, without the interpreter's rests, and with the settings that the daemon would have.
"""

import ctypes
import gc
import os
import socket
import sys
import time
from array import array
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

SIZE = 128  # bytes, as of a short order
_WARM = 10  # round trips ahead of those that count
_BUSY_POLL = 46  # SO_BUSY_POLL, which the library lacks
_LOCK_ALL = 3  # MCL_CURRENT | MCL_FUTURE
_PATIENCE_S = 10.0
_AWAKE = "/dev/cpu_dma_latency"


@dataclass(frozen=True)
class StandIn:
    """The daemon's settings, as far as they are about time. ``policy`` is `other` or `fifo:N`."""

    core: int | None = None
    policy: str = "other"
    spins: bool = False
    lock_memory: bool = False
    busy_poll_us: int = 0
    wake_us: int | None = None


@dataclass(frozen=True)
class Pace:
    """So many round trips in a second, 0: as fast as it goes, and how many of them."""

    rate: int
    count: int


def take(settings: StandIn) -> list[str]:
    """This process becomes what the settings say; returns what it could not."""
    said = []
    if settings.core is not None:
        try:
            os.sched_setaffinity(0, {settings.core})
        except OSError as error:
            said.append(f"core {settings.core}: {error.strerror}")
    if settings.policy.startswith("fifo"):
        priority = settings.policy.partition(":")[2]
        try:
            os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(int(priority or 1)))
        except (OSError, ValueError) as error:
            said.append(f"policy {settings.policy}: {error}")
    if settings.lock_memory and ctypes.CDLL(None, use_errno=True).mlockall(_LOCK_ALL):
        said.append(f"lock_memory: {os.strerror(ctypes.get_errno())}")
    if settings.wake_us is not None:
        try:
            # Left open: the kernel keeps to it until this process ends.
            os.write(os.open(_AWAKE, os.O_WRONLY | os.O_CLOEXEC), settings.wake_us.to_bytes(4, sys.byteorder))
        except OSError as error:
            said.append(f"wake_us: {_AWAKE}: {error.strerror}")
    return said


def trips(address: tuple[str, int], settings: StandIn, paces: Sequence[Pace]) -> tuple[list["array[int]"], list[str]]:
    """Nanoseconds of each round trip by pace, and what of the settings could not be had. Raises OSError.

    A trip begins when it is due, not when the process came to it: so a core that was taken away is seen.
    """
    said = take(settings)
    with socket.create_connection(address, timeout=_PATIENCE_S) as line:
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if settings.busy_poll_us:
            try:
                line.setsockopt(socket.SOL_SOCKET, _BUSY_POLL, settings.busy_poll_us)
            except OSError as error:
                said.append(f"busy_poll_us: {error.strerror}")
        line.settimeout(None)
        line.setblocking(not settings.spins)
        gc.disable()
        return [_paced(line, pace, spins=settings.spins) for pace in paces], said


def _paced(line: socket.socket, pace: Pace, *, spins: bool) -> "array[int]":
    clock, message = time.perf_counter_ns, bytes(SIZE)
    step = 1_000_000_000 // pace.rate if pace.rate else 0
    found = array("q", bytes(8 * (pace.count + _WARM)))
    due = clock() + step
    for number in range(pace.count + _WARM):
        if step:
            _wait(due, spins=spins)
        line.sendall(message)
        _receive(line, spins=spins)
        now = clock()
        found[number] = now - due
        # As fast as it goes the next is due at once; a pace is kept, whatever the last has taken.
        due = due + step if step else now
    return found[_WARM:]


def _wait(due: int, *, spins: bool) -> None:
    clock = time.perf_counter_ns
    if not spins:
        left = due - clock()
        if left > 0:
            time.sleep(left / 1e9)
    while clock() < due:
        pass


def _receive(line: socket.socket, *, spins: bool) -> None:
    left = SIZE
    while left:
        try:
            got = len(line.recv(left))
        except BlockingIOError:
            if not spins:
                raise
            continue
        if not got:
            raise ConnectionError("the other side has closed the connection")
        left -= got


def echo(server: socket.socket) -> None:
    """Answers one connection after the other, until the socket is closed."""
    gc.disable()
    while True:
        try:
            line, _ = server.accept()
        except OSError:
            return
        with line, suppress(OSError):
            line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            while data := line.recv(4096):
                line.sendall(data)
