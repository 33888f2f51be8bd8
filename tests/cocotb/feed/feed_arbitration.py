# SPDX-License-Identifier: Apache-2.0
"""feed_unit seen from its ports: numbers, verdicts and gaps as they are told, in the model's words."""

from dataclasses import dataclass, field

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge
from drivers import Seen, cycles
from feed_host import Host

from fixaccel.fast.arbitration import Cause, Copy, Done, Event, Gap, Outcome
from fixaccel.fast.layout import FEED
from fixaccel.fast.program.program import Program

_CAUSES = {FEED.constant(f"cause_{cause.value}"): cause for cause in Cause}
_NUMBER = 0  # TELLS_NUMBER
_ROLE = FEED.constant("role_number")


@dataclass(frozen=True)
class Told:
    """A datagram that counts: its line, its numbers, and its values with a tag."""

    line: int
    numbers: tuple[int, ...]
    values: tuple[int, ...]


@dataclass
class Monitor:
    """What is told at the ports of ``dut``, by channel; ``since`` counts cycles in which nothing was."""

    dut: object
    events: dict[int, list[Gap | Told]] = field(default_factory=lambda: {0: [], 1: []})
    since: int = 0
    bad: int = 0

    async def run(self) -> None:
        """For ever."""
        numbers: list[int] = []
        values: list[int] = []
        told, gap, verdict = (Seen(getattr(self.dut, name)) for name in ("field", "gap", "verdict"))
        for seen in (told, gap, verdict):
            cocotb.start_soon(seen.follow())
        edge = FallingEdge(self.dut.clk)
        while True:
            await edge
            self.since += 1
            bits = told.value
            if bits >> 125:
                self.since = 0
                tells, role, tag = bits >> 121 & 15, bits >> 109 & 15, bits >> 113 & 255
                if tells == _NUMBER:
                    value = bits >> 34 & (1 << 64) - 1
                    if role == _ROLE:
                        numbers.append(value)
                    if tag:
                        values.append(value)
            bits = gap.value
            if bits >> 67:
                self.since = 0
                cause = _CAUSES[bits >> 65 & 3]
                self.events[bits >> 64 & 1].append(Gap(cause, bits >> 32 & 0xFFFFFFFF, bits & 0xFFFFFFFF))
            bits = verdict.value
            if bits >> 4:
                self.since = 0
                line, bad, vain = bits & 3, bits >> 3 & 1, bits >> 2 & 1
                self.bad += bad
                if not bad and not vain:
                    self.events[line // 2].append(Told(line % 2, tuple(numbers), tuple(values)))
                numbers.clear()
                values.clear()

    async def rest(self, quiet: int = 260) -> None:
        """Until nothing was told for so long, from now on."""
        self.since = 0
        edge = FallingEdge(self.dut.clk)
        while self.since < quiet:
            await cycles(edge, quiet - self.since)

    def taken(self, channel: int = 0) -> list[Gap | Told]:
        """What was told of a channel since the last time."""
        found = self.events[channel]
        self.events[channel] = []
        return found


async def begun(
    dut, program: Program, *, lines: int, bits: int = 32, each_message: bool = False, silence: int = 0
) -> tuple[Host, Monitor]:
    """The unit with a program, on, and what is told at its ports."""
    cocotb.start_soon(Clock(dut.clk, 8, "ns").start())
    for name in ("request", "rx_data", "rx_valid", "rx_last", "rx_err"):
        getattr(dut, name).value = 0
    dut.rst.value = 1
    for _ in range(8):
        await FallingEdge(dut.clk)
    dut.rst.value = 0
    host, monitor = Host(dut), Monitor(dut)
    await host.filters(lines)
    await host.set("numbering", 1 | each_message << 1 | bits // 8 << 2)
    await host.set("wait_cycles", (1 << 24) - 1)
    await host.set("silence_ticks", silence)
    cocotb.start_soon(monitor.run())
    await host.load(program)
    return host, monitor


def as_told(events: list[Event]) -> list[Gap | Told]:
    """The model's events as the ports tell them; ``mark`` of a copy are its values."""
    return [
        event if isinstance(event, Gap) else Told(event.copy.line, event.copy.numbers, event.copy.mark or ())
        for event in events
        if isinstance(event, Gap) or event.outcome is Outcome.TAKEN
    ]


def tally(events: list[Event]) -> dict[int, dict[str, int]]:
    """By line: how often each outcome, and for line A what is missing."""
    counts = {line: dict.fromkeys([*(one.value for one in Outcome), "missing"], 0) for line in range(2)}
    for event in events:
        if isinstance(event, Done):
            counts[event.copy.line][event.outcome.value] += 1
    return counts


def copy_of(line: int, payload: bytes, values: tuple[int, ...], **more: object) -> Copy:
    """Of a datagram with four bytes of a number in front."""
    numbers = (int.from_bytes(payload[:4], "big"),) if len(payload) >= 4 else ()
    return Copy(line, numbers, size=len(payload), mark=values, **more)  # type: ignore[arg-type]
