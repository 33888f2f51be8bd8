# SPDX-License-Identifier: Apache-2.0
"""The buses around gem_port: writes and reads of its window, and the register that it writes to send."""

import random

from cocotb.triggers import ReadOnly, RisingEdge

from fixaccel.hwmap import load_window

PORT = load_window("gem_port")
GEM = load_window("zynq_gem")
OKAY, SLVERR = 0, 2
INCR = 1
SLOT_BYTES = PORT.constant("slot_bytes")
NET_CTRL = GEM.constant("base_gem0") + GEM.registers["net_ctrl"].address
WINDOW = 0x40000000
RING = {"receive": 16, "transmit": 4, "to_cpu": 8, "from_cpu": 4}  # slots, as the module's parameters are by themselves


def base(memory: str) -> int:
    """Byte address of a memory of the window."""
    return PORT.memories[memory].base


def words_of(frame: bytes, rest: int = 0xEE) -> list[int]:
    """Little-endian words; what the last one holds beyond the frame is ``rest``."""
    padded = frame + bytes([rest]) * (-len(frame) % 4)
    return [int.from_bytes(padded[i : i + 4], "little") for i in range(0, len(padded), 4)]


class Bus:
    """Drives ``s_axi`` and answers ``m_axi``. ``starts`` counts writes of net_ctrl."""

    def __init__(self, dut, seed: int) -> None:
        self.dut = dut
        self.random = random.Random(seed)
        self.starts: list[tuple[int, int]] = []
        self.refuse_starts = False
        for name in (
            "awvalid", "wvalid", "arvalid", "awlen", "arlen", "awid", "arid", "awaddr", "araddr", "wdata", "wstrb",
            "wlast",
        ):  # fmt: skip
            getattr(dut, f"s_axi_{name}").value = 0
        for name in ("awsize", "arsize"):
            getattr(dut, f"s_axi_{name}").value = 2
        for name in ("awburst", "arburst"):
            getattr(dut, f"s_axi_{name}").value = INCR
        dut.s_axi_bready.value = 1
        dut.s_axi_rready.value = 1
        for name in ("awready", "wready", "bvalid", "bresp"):
            getattr(dut, f"m_axi_{name}").value = 0

    async def write(
        self, address: int, words: list[int], *, strobes: int = 0xF, gaps: float = 0.0, burst: int = INCR
    ) -> int:
        """One burst; returns the response. ``gaps``: how likely a cycle without a beat is."""
        dut, edge = self.dut, RisingEdge(self.dut.clk)
        dut.s_axi_awaddr.value = address
        dut.s_axi_awlen.value = len(words) - 1
        dut.s_axi_awburst.value = burst
        dut.s_axi_awvalid.value = 1
        await self._taken("s_axi_awready")
        dut.s_axi_awvalid.value = 0
        for number, word in enumerate(words):
            while self.random.random() < gaps:
                await edge
            dut.s_axi_wdata.value = word
            dut.s_axi_wstrb.value = strobes
            dut.s_axi_wlast.value = number + 1 == len(words)
            dut.s_axi_wvalid.value = 1
            await self._taken("s_axi_wready")
            dut.s_axi_wvalid.value = 0
        return (await self._answer("b"))[0]

    async def read(self, address: int, count: int = 1, *, stalls: float = 0.0) -> list[int]:
        """One burst. ``stalls``: how likely the master makes a beat wait."""
        dut = self.dut
        dut.s_axi_araddr.value = address
        dut.s_axi_arlen.value = count - 1
        dut.s_axi_arvalid.value = 1
        await self._taken("s_axi_arready")
        dut.s_axi_arvalid.value = 0
        words: list[int] = []
        while True:
            dut.s_axi_rready.value = self.random.random() >= stalls
            await ReadOnly()
            taken = dut.s_axi_rvalid.value and dut.s_axi_rready.value
            word, last, response = dut.s_axi_rdata.value, dut.s_axi_rlast.value, dut.s_axi_rresp.value
            await RisingEdge(dut.clk)
            if taken:
                assert response == OKAY
                words.append(int(word))
                assert bool(last) == (len(words) == count)
                if last:
                    dut.s_axi_rready.value = 1
                    return words

    async def register(self, name: str) -> int:
        """A register of the window."""
        return (await self.read(PORT.registers[name].address))[0]

    async def set(self, **values: int) -> None:
        """Writes registers of the window."""
        for name, value in values.items():
            assert await self.write(PORT.registers[name].address, [value]) == OKAY

    async def registers_of_controller(self):
        """Takes writes of net_ctrl, each after a while."""
        dut, edge = self.dut, RisingEdge(self.dut.clk)
        while True:
            await ReadOnly()
            asked = dut.m_axi_awvalid.value and dut.m_axi_wvalid.value
            address, value = dut.m_axi_awaddr.value, dut.m_axi_wdata.value
            await edge
            if not asked:
                continue
            dut.m_axi_awready.value = dut.m_axi_wready.value = 1
            await edge
            dut.m_axi_awready.value = dut.m_axi_wready.value = 0
            for _ in range(self.random.randrange(8)):
                await edge
            self.starts.append((int(address), int(value)))
            dut.m_axi_bresp.value = SLVERR if self.refuse_starts else OKAY
            dut.m_axi_bvalid.value = 1
            await edge
            dut.m_axi_bvalid.value = 0

    async def _taken(self, ready: str) -> None:
        while True:
            await ReadOnly()
            taken = bool(getattr(self.dut, ready).value)
            await RisingEdge(self.dut.clk)
            if taken:
                return

    async def _answer(self, channel: str) -> tuple[int]:
        while True:
            await ReadOnly()
            valid, response = getattr(self.dut, f"s_axi_{channel}valid").value, self.dut.s_axi_bresp.value
            await RisingEdge(self.dut.clk)
            if valid:
                return (int(response),)
