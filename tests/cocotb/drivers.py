# SPDX-License-Identifier: Apache-2.0
"""Tasks that move a design's ports: those of one bench at a time, and not in cycles in which nothing is to be done."""

from collections.abc import Coroutine

import cocotb
from cocotb.clock import Clock
from cocotb.task import Task
from cocotb.triggers import Event, RisingEdge

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
