# SPDX-License-Identifier: Apache-2.0
"""gem_port between a controller and a core that the tests play."""

import os
import random
import zlib

import cocotb
from bus import GEM, NET_CTRL, OKAY, PORT, RING, SLOT_BYTES, WINDOW, Bus, base, words_of
from cocotb.clock import Clock
from cocotb.triggers import ReadOnly, RisingEdge
from drivers import drive

RECEIVED = GEM.records["receive_descriptor"]
SENT = GEM.records["transmit_descriptor"]
ON = 3  # both bits of `control`
START_VALUE = 0x21C


def with_fcs(body: bytes) -> bytes:
    """``body`` and its FCS."""
    return body + zlib.crc32(body).to_bytes(4, "little")


def any_frame(chance: random.Random, most: int = 1518) -> bytes:
    """A frame of a random length, FCS included."""
    return with_fcs(chance.randbytes(chance.choice((60, 61, 62, 63, chance.randrange(60, most - 3)))))


class Bench:
    """The module with its clock running; ``frames`` and ``mail`` collect what the core would get from it."""

    def __init__(self, dut) -> None:
        seed = int(os.environ.get("FIXACCEL_SEED", "1"))
        dut._log.info("FIXACCEL_SEED=%d", seed)
        self.dut = dut
        self.random = random.Random(seed)
        self.bus = Bus(dut, seed)
        self.frames: list[tuple[bytes, bool]] = []  # and whether it ended with an error
        self.to_core: list[bytes] = []  # frames of the CPU
        self.receive_slot = 0
        self.transmit_slot = 0

    async def start(self) -> "Bench":
        """Resets the module and switches the port on."""
        dut = self.dut
        for name in (
            "net_tx_valid", "net_tx_data", "net_tx_last", "net_tx_length", "cpu_rx_valid", "cpu_rx_data", "cpu_rx_last",
            "cpu_tx_started", "cpu_tx_stopped",
        ):  # fmt: skip
            getattr(dut, name).value = 0
        dut.cpu_tx_ready.value = 1
        dut.rst.value = 1
        drive(Clock(dut.clk, 8, "ns"), self.bus.registers_of_controller(), self._collect(), self._collect_mail())
        await self.cycles(4)
        dut.rst.value = 0
        await self.cycles(2)
        await self.switch_on()
        return self

    async def switch_on(self) -> None:
        """As fixaccel-gemd does."""
        await self.bus.set(window_base=WINDOW, start_address=NET_CTRL, start_value=START_VALUE, control=ON)

    async def cycles(self, count: int) -> None:
        for _ in range(count):
            await RisingEdge(self.dut.clk)

    async def until(self, condition, limit: int = 20000) -> None:
        for _ in range(limit):
            if condition():
                return
            await RisingEdge(self.dut.clk)
        raise AssertionError("it did not happen")

    # ---- The controller's side
    async def receive(self, frame: bytes, *, gaps: float = 0.0, length: int | None = None, **fields: int) -> None:
        """What the controller does with a frame: bursts of 16 while they fit, single beats, the verdict."""
        words = words_of(frame, self.random.randrange(256))
        address = base("receive_frames") + self.receive_slot * SLOT_BYTES
        while words:
            count = 16 if len(words) >= 16 else 1
            assert await self.bus.write(address, words[:count], gaps=gaps) == OKAY
            words, address = words[count:], address + 4 * count
        await self.verdict(len(frame) if length is None else length, **fields)

    async def verdict(self, length: int, *, slot: int | None = None, frame_begin: int = 1, frame_end: int = 1) -> None:
        """The descriptor's write-back: the second word, then the first."""
        slot = self.receive_slot if slot is None else slot
        address = base("receive_descriptors") + slot * RECEIVED.stride_bytes
        descriptor = RECEIVED.pack({"used": 1, "length": length, "frame_begin": frame_begin, "frame_end": frame_end})
        first, second = words_of(descriptor)
        assert await self.bus.write(address + 4, [second]) == OKAY
        assert await self.bus.write(address, [first]) == OKAY
        self.receive_slot = (slot + 1) % RING["receive"]

    async def descriptor(self, slot: int) -> dict[str, int]:
        """A transmit descriptor, as the controller reads it."""
        words = await self.bus.read(base("transmit_descriptors") + slot * SENT.stride_bytes, 2)
        return SENT.unpack(b"".join(word.to_bytes(4, "little") for word in words))

    async def fetch(self, *, stalls: float = 0.0) -> bytes | None:
        """The frame that the current descriptor names, read as fast as the bus answers; None if it is not ours."""
        found = await self.descriptor(self.transmit_slot)
        if found["used"]:
            return None
        assert (found["last"], found["no_fcs"]) == (1, 1)
        assert found["wrap"] == (self.transmit_slot == RING["transmit"] - 1)
        frame, address = b"", found["address"] - WINDOW
        while len(frame) < found["length"]:
            left = -(-(found["length"] - len(frame)) // 4)
            words = await self.bus.read(address + len(frame), 16 if left >= 16 else 1, stalls=stalls)
            frame += b"".join(word.to_bytes(4, "little") for word in words)
        return frame[: found["length"]]

    async def give_back(self, **errors: int) -> None:
        """The write-back of a frame that has been sent."""
        address = base("transmit_descriptors") + self.transmit_slot * SENT.stride_bytes
        _, second = words_of(SENT.pack({"used": 1, "wrap": self.transmit_slot == RING["transmit"] - 1, **errors}))
        assert await self.bus.write(address + 4, [second]) == OKAY
        self.transmit_slot = (self.transmit_slot + 1) % RING["transmit"]

    # ---- The core's side
    async def send(self, frame: bytes) -> None:
        """The core's egress: a byte a cycle once the wire is ready, the length from the third byte on."""
        dut = self.dut
        for number, byte in enumerate(frame):
            dut.net_tx_valid.value = 1
            dut.net_tx_data.value = byte
            dut.net_tx_last.value = number + 1 == len(frame)
            if number == 2:
                dut.net_tx_length.value = len(frame)
            await self._ready("net_tx_ready")
        dut.net_tx_valid.value = 0
        dut.net_tx_length.value = 0

    async def pass_gate(self, frame: bytes) -> None:
        """The core's RX gate lets a frame go."""
        dut = self.dut
        for number, byte in enumerate(frame):
            dut.cpu_rx_valid.value = 1
            dut.cpu_rx_data.value = byte
            dut.cpu_rx_last.value = number + 1 == len(frame)
            await self._ready("cpu_rx_ready")
        dut.cpu_rx_valid.value = 0

    async def _ready(self, name: str) -> None:
        while True:
            await ReadOnly()
            taken = bool(getattr(self.dut, name).value)
            await RisingEdge(self.dut.clk)
            if taken:
                return

    async def _collect(self):
        dut, frame = self.dut, bytearray()
        while True:
            await ReadOnly()
            valid, byte, last, error = (
                getattr(dut, f"net_rx_{name}").value for name in ("valid", "data", "last", "err")
            )
            await RisingEdge(dut.clk)
            if valid:
                frame.append(int(byte))
                if last:
                    self.frames.append((bytes(frame), bool(error)))
                    frame.clear()

    async def _collect_mail(self):
        dut, frame = self.dut, bytearray()
        while True:
            await ReadOnly()
            taken = dut.cpu_tx_valid.value and dut.cpu_tx_ready.value
            byte, last = dut.cpu_tx_data.value, dut.cpu_tx_last.value
            await RisingEdge(dut.clk)
            if taken:
                frame.append(int(byte))
                if last:
                    self.to_core.append(bytes(frame))
                    frame.clear()


__all__ = ["ON", "PORT", "Bench", "any_frame", "cocotb", "with_fcs"]
