# SPDX-License-Identifier: Apache-2.0
"""The arbiter without the modules that spare it conflicts: both sides offer frames at any moment."""

import random

import cocotb
from bench import seed
from cocotb.clock import Clock
from cocotb.triggers import RisingEdge
from frames import with_fcs

FRAMES = 40  # a side


class Side:
    """Offers frames one after the other, with pauses between but not inside them."""

    def __init__(self, dut, name: str, rng: random.Random, spoiled: set[int]) -> None:
        self.valid, self.ready, self.data, self.last = (
            getattr(dut, f"{name}_{signal}") for signal in ("valid", "ready", "data", "last")
        )
        self.error = dut.order_error if name == "order" else None
        self.rng = rng
        self.spoiled = spoiled
        self.frames = [rng.randbytes(rng.randrange(14, 120)) for _ in range(FRAMES)]
        self.at: tuple[int, int] | None = None  # frame and byte on offer
        self.sent = 0

    def step(self) -> None:
        if self.at is not None and self.ready.value:
            number, byte = self.at
            self.at = (number, byte + 1) if byte + 1 < len(self.frames[number]) else None
            self.sent += self.at is None
        elif self.at is None and self.sent < FRAMES and self.rng.random() < 0.05:
            self.at = (self.sent, 0)
        self.valid.value = self.at is not None
        if self.at is not None:
            number, byte = self.at
            last = byte == len(self.frames[number]) - 1
            self.data.value = self.frames[number][byte]
            self.last.value = last
            if self.error is not None:
                self.error.value = last and number in self.spoiled


@cocotb.test
async def frames_stay_whole_whatever_is_offered(dut):
    rng = random.Random(seed())
    for name in ("order_valid", "order_last", "order_error", "order_data", "cpu_valid", "cpu_last", "cpu_data"):
        getattr(dut, name).value = 0
    dut.net_tx_ready.value = 1
    dut.rst.value = 1
    Clock(dut.clk, 8, unit="ns").start()
    for _ in range(3):
        await RisingEdge(dut.clk)
    dut.rst.value = 0

    spoiled = {rng.randrange(FRAMES) for _ in range(5)}  # orders that end with an error
    order, cpu = Side(dut, "order", rng, spoiled), Side(dut, "cpu", rng, set())
    out: list[tuple[bytes, bool]] = []
    part: list[int] = []
    begins = ends = 0
    for _ in range(40000):
        await RisingEdge(dut.clk)
        if dut.net_tx_valid.value and dut.net_tx_ready.value:
            part.append(int(dut.net_tx_data.value))
            if dut.net_tx_last.value:
                out.append((bytes(part), bool(dut.net_tx_err.value)))
                part = []
        begins += bool(dut.order_begin.value)
        ends += bool(dut.order_end.value)
        order.step()
        cpu.step()
        dut.net_tx_ready.value = rng.random() < 0.9
        if len(out) == 2 * FRAMES:
            break
    assert begins == ends == FRAMES
    good = [frame for frame, error in out if not error]
    from_cpu = [with_fcs(frame) for frame in cpu.frames]
    orders = [with_fcs(frame) for number, frame in enumerate(order.frames) if number not in spoiled]
    assert [frame for frame in good if frame in from_cpu] == from_cpu
    assert [frame for frame in good if frame in orders] == orders
    assert len(good) == len(from_cpu) + len(orders)
    bad = [frame for frame, error in out if error]
    assert len(bad) == len(spoiled)
    assert all(frame != with_fcs(frame[:-4]) for frame in bad), "a spoiled order has a wrong FCS, too"
