# SPDX-License-Identifier: Apache-2.0
"""The four frame ports of fixaccel_core: two sources and two sinks, moved on once a cycle."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from cocotb.triggers import Event
from drivers import Seen


@dataclass
class Frame:
    """A frame as seen on a port: bytes with FCS, cycles of its first and last byte, its error flag."""

    data: bytes
    first_cycle: int
    last_cycle: int
    error: bool
    gaps: int


def _always(_cycle: int) -> bool:
    return True


class Sink:
    """Collects the frames of the port ``prefix``; ``ready`` says for a cycle whether a byte would be taken.

    ``work`` is set when it says something else from now on.
    """

    def __init__(self, dut, prefix: str, work: Event, *, has_error: bool) -> None:
        self.last, self.data, self.take = (getattr(dut, f"{prefix}_{name}") for name in ("last", "data", "ready"))
        self.valid = Seen(getattr(dut, f"{prefix}_valid"))
        self.error = getattr(dut, f"{prefix}_err") if has_error else None
        self.clock = dut.cycle
        self._ready: Callable[[int], bool] = _always
        self._work = work
        self.frames: list[Frame] = []
        self._part: list[int] = []
        self._first = self._gaps = 0
        self._taking = True

    @property
    def ready(self) -> Callable[[int], bool]:
        return self._ready

    @ready.setter
    def ready(self, ready: Callable[[int], bool]) -> None:
        self._ready = ready
        self._work.set()

    @property
    def idle(self) -> bool:
        """Until the port is valid nothing is to be done for it."""
        return self._ready is _always and self._taking and not self._part and not self.valid.value

    def forget(self) -> None:
        self.frames, self._part, self._gaps = [], [], 0

    def step(self, count: int) -> None:
        if self._taking:
            self._see()
        if self._taking != self._ready(count):
            self._taking = not self._taking
            self.take.value = self._taking

    def _see(self) -> None:
        if not self.valid.value:
            self._gaps += bool(self._part)
            return
        if not self._part:
            self._first = int(self.clock.value)
        self._part.append(int(self.data.value))
        if self.last.value:
            error = self.error is not None and bool(self.error.value)
            self.frames.append(Frame(bytes(self._part), self._first, int(self.clock.value), error, self._gaps))
            self._part, self._gaps = [], 0


class NetSource:
    """Frames from the exchange, a byte a cycle. A stubbed receive side gets a frame's verdict with its last byte."""

    def __init__(self, dut) -> None:
        self.dut = dut
        self.queue: deque[tuple[int, bool, bool, int] | None] = deque()
        self.verdict_port = None
        self.last_cycles: list[int] = []
        self._busy = self._last = False
        self._ends: tuple[bool, bool] | None = None  # what is driven beside the byte: it rarely changes

    @property
    def idle(self) -> bool:
        return not (self.queue or self._busy or self._last)

    def step(self) -> None:
        if self._last:
            self.last_cycles.append(int(self.dut.cycle.value))
            if self.verdict_port is not None:
                self.verdict_port.value = 0
        beat = self.queue.popleft() if self.queue else None
        self._last = False
        if beat is not None:
            data, self._last, error, verdict = beat
            self.dut.net_rx_data.value = data
            if self._ends != (self._last, error):
                self._ends = (self._last, error)
                self.dut.net_rx_last.value, self.dut.net_rx_err.value = self._ends
            if self._last and self.verdict_port is not None:
                self.verdict_port.value = verdict
        if (beat is not None) != self._busy:
            self._busy = beat is not None
            self.dut.net_rx_valid.value = self._busy


class CpuSource:
    """Frames from the CPU, with back pressure."""

    def __init__(self, dut) -> None:
        self.dut = dut
        self.queue: deque[tuple[int, bool]] = deque()
        self._busy = False
        self._shown = False  # on the port

    @property
    def idle(self) -> bool:
        return not (self.queue or self._busy or self._shown)

    def step(self) -> None:
        if self._busy and self.dut.cpu_tx_ready.value:
            self.queue.popleft()
            self._busy = False
        if self.queue and not self._busy:
            self.dut.cpu_tx_data.value, self.dut.cpu_tx_last.value = self.queue[0]
            self.dut.cpu_tx_valid.value = 1
            self._busy = self._shown = True
        if not self.queue and self._shown:
            self.dut.cpu_tx_valid.value = 0
            self._shown = False
