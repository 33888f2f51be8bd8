# SPDX-License-Identifier: Apache-2.0
"""Tasks that move a design's ports: those of one bench at a time, and not in cycles in which nothing is to be done."""

from collections.abc import Coroutine

import cocotb
from cocotb.clock import Clock
from cocotb.task import Task
from cocotb.triggers import Event, FallingEdge, RisingEdge, Timer, ValueChange

_running: list[Task] = []


def drive(clock: Clock, *drivers: Coroutine) -> None:
    """Starts the clock and the drivers of a bench; those of the bench before it end."""
    for task in _running:
        task.cancel()
    _running[:] = [clock.start(), *map(cocotb.start_soon, drivers)]


async def watch(output, work: Event) -> None:
    """Sets ``work`` whenever ``output`` rises."""
    edge = RisingEdge(output)
    while True:
        await edge
        work.set()


class Seen:
    """The value of an output, read anew only where it has changed: to read one takes longer than to simulate it."""

    def __init__(self, output) -> None:
        self._output = output
        self._changed, self._value = True, 0

    async def follow(self) -> None:
        """For ever; without it the value stays what it was at first."""
        change = ValueChange(self._output)
        while True:
            await change
            self._changed = True

    @property
    def value(self) -> int:
        if self._changed:
            self._changed, self._value = False, int(self._output.value)
        return self._value


async def cycles(edge: RisingEdge | FallingEdge, count: int, ns_per_cycle: int = 8) -> None:
    """Waits for that many edges from one of them on, and for the last of them only."""
    if count > 1:
        await Timer((count - 1) * ns_per_cycle + ns_per_cycle // 4, unit="ns")
    if count > 0:
        await edge
