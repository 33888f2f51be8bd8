# SPDX-License-Identifier: Apache-2.0
"""The host of feed_unit: its window and its ring, as the map says; and what lines an interpreter's events are to be."""

import socket
import zlib
from collections.abc import Iterable, Iterator

from cocotb.triggers import FallingEdge, RisingEdge
from drivers import cycles

from fixaccel.fast.capture import frame_of
from fixaccel.fast.layout import FEED
from fixaccel.fast.model import Scaled
from fixaccel.fast.program.image import to_bytes
from fixaccel.fast.program.interpreter import Outcome, What
from fixaccel.fast.program.program import Program
from fixaccel.fast.program.words import FieldWord, RawWord
from fixaccel.language.terms import Group

ANSWER_CYCLES = 3
LINES, WORDS = FEED.constant("ring_lines"), FEED.constant("ring_line_words")
CHUNK = 7
TAG = {
    name: FEED.constant(f"tag_{name}")
    for name in ("message", "end", "sequence", "element", "continued", "lost", "raw", "gap")
}
_TAGS, _END = FEED.records["ring_tags"], FEED.records["ring_end"]
_LOW = (1 << 32) - 1
Entry = tuple[int, int]  # tag, value
# Of lines: the A and the B of two channels.
GROUPS = [Group(f"239.195.{1 + line // 2}.{1 + 128 * (line % 2)}", 16001 + line) for line in range(4)]
SENDER = Group("10.50.129.200", 16000)
GAP = 12  # cycles between two frames on a wire, and its preamble's are 8
_IDLE = 160  # cycles until all of a datagram is told


def address(text: str) -> int:
    """An IPv4 address as a number."""
    return int.from_bytes(socket.inet_aton(text), "big")


def filter_words(group: Group, sender: str | None) -> list[int]:
    """The record line_filter, word by word."""
    values = {
        "source": address(sender) if sender else 0, "group": address(group.address), "port": group.port,
        "any_source": sender is None, "enable": 1, "reserved": 0,
    }  # fmt: skip
    packed = FEED.records["line_filter"].pack(values)
    return [int.from_bytes(packed[at : at + 4], "little") for at in (0, 4, 8)]


def with_fcs(frame: bytes) -> bytes:
    """As long as a frame has to be, and with its FCS."""
    frame = frame.ljust(60, b"\0")
    return frame + zlib.crc32(frame).to_bytes(4, "little")


def frame_for(line: int, payload: bytes) -> bytes:
    """The frame of a datagram of a line."""
    return with_fcs(frame_of(GROUPS[line], SENDER, payload, 1))


async def play(dut, port: int, frame: bytes, *, err: bool = False) -> None:
    """A frame, a byte a cycle, and the gap behind it; other ports stay as they are."""
    edge = FallingEdge(dut.clk)
    await edge
    await _bytes(edge, frame, *(getattr(dut, f"rx_{name}")[port] for name in ("data", "valid", "last", "err")), err=err)
    await cycles(edge, GAP)


async def _bytes(edge: FallingEdge, frame: bytes, data, valid, last, error, *, err: bool) -> None:
    valid.value, last.value, error.value = 1, 0, 0
    for at, byte in enumerate(frame):
        data.value = byte
        if at == len(frame) - 1:
            last.value, error.value = 1, err
        await edge
    valid.value = 0


class Host:
    """Reads and writes the window of ``dut``, brings datagrams, and takes lines out of the ring."""

    def __init__(self, dut) -> None:
        self.dut, self.taken = dut, 0

    async def _request(self, write: bool, address: int, data: int = 0) -> None:
        edge = RisingEdge(self.dut.clk)
        self.dut.request.value = 1 << 50 | write << 49 | address << 32 | data
        await edge
        self.dut.request.value = 0
        await cycles(edge, ANSWER_CYCLES)

    async def write(self, address: int, data: int) -> None:
        await self._request(True, address, data)

    async def read(self, address: int) -> int:
        await self._request(False, address)
        return int(self.dut.answer.value)

    async def register(self, name: str) -> int:
        return await self.read(FEED.registers[name].address)

    async def set(self, name: str, value: int) -> None:
        await self.write(FEED.registers[name].address, value)

    async def control(self, *, decode: bool, raw: bool = False) -> None:
        await self.set("control", decode | raw << 1)

    async def load(self, program: Program) -> None:
        """Through the window, from the program's file; words behind those that it uses stay as they are."""
        await self.control(decode=False)
        file = to_bytes(program)
        head = FEED.records["program_head"]
        await self.set("multiplier", program.multiplier)
        at = head.stride_bytes
        for name, size, count in (
            ("words", 8, len(program.words)), ("template_rows", 8, FEED.constant("template_slots")),
            ("initial_numbers", 16, program.numbers),
        ):  # fmt: skip
            for row in range(count):
                base = FEED.memories[name].base + FEED.memories[name].record.stride_bytes * row
                for word in range(FEED.memories[name].record.bits // 32 + 1 if name != "initial_numbers" else 3):
                    await self.write(base + 4 * word, int.from_bytes(file[at + 4 * word : at + 4 * word + 4], "little"))
                at += size
        memory = FEED.memories["initial_texts"]
        for row in range(program.strings):
            base = memory.base + memory.record.stride_bytes * row
            await self.write(base, file[at])
            for word in range(8):
                await self.write(
                    base + 4 + 4 * word, int.from_bytes(file[at + 1 + 4 * word : at + 5 + 4 * word], "little")
                )
            at += 33
        await self.control(decode=True)

    async def filters(self, count: int = 4, sender: str | None = SENDER.address) -> None:
        """Of the first lines."""
        memory = FEED.memories["line_filters"]
        for line in range(count):
            for at, word in enumerate(filter_words(GROUPS[line], sender)):
                await self.write(memory.base + memory.record.stride_bytes * line + 4 * at, word)

    async def counts(self, line: int) -> dict[str, int]:
        """What became of the datagrams of a line."""
        memory = FEED.memories["line_counts"]
        base = memory.base + memory.record.stride_bytes * line
        return {
            field.name: await self.read(base + field.lsb // 8)
            for field in memory.record.fields if not field.name.startswith("reserved")
        }  # fmt: skip

    async def channel(self, number: int) -> dict[str, int]:
        """Where a channel stands."""
        memory = FEED.memories["channel_states"]
        base = memory.base + memory.record.stride_bytes * number
        return memory.record.unpack((await self._pair(base)).to_bytes(8, "little"))

    async def send(self, data: bytes, *, line: int = 0, whole: bool = True) -> None:
        """A datagram in its frame; or one whose end does not come."""
        frame = frame_for(line, data)
        edge, dut = FallingEdge(self.dut.clk), self.dut
        await edge
        if not whole:
            frame = frame[: 42 + len(data)]
        dut.rx_valid.value, dut.rx_last.value = 1, 0
        for at, byte in enumerate(frame):
            dut.rx_data.value = byte
            if whole and at == len(frame) - 1:
                dut.rx_last.value = 1
            await edge
        dut.rx_valid.value = 0
        await cycles(RisingEdge(dut.clk), _IDLE)

    async def lines(self) -> list[list[Entry]]:
        """All lines that are new: values by their tags."""
        found = []
        head = await self.register("ring_head")
        while self.taken != head:
            base = FEED.memories["ring"].base + self.taken % LINES * WORDS * 8
            words = [await self._pair(base + 8 * at) for at in range(WORDS)]
            tags = _TAGS.unpack(words[-1].to_bytes(8, "little"))
            assert tags["phase"] == 1 - self.taken // LINES % 2
            found.append([(tags[f"tag_{at}"], words[at]) for at in range(tags["used"])])
            self.taken += 1
        await self.set("ring_tail", self.taken & _LOW)
        return found

    async def _pair(self, address: int) -> int:
        return await self.read(address) | await self.read(address + 4) << 32


def in_lines(entries: Iterable[Entry]) -> list[list[Entry]]:
    """Entries as they stand in lines: seven in each, one ends with its datagram."""
    lines: list[list[Entry]] = [[]]
    for entry in entries:
        lines[-1].append(entry)
        if len(lines[-1]) == WORDS - 1 or entry[0] == TAG["end"]:
            lines.append([])
    return lines[:-1] if not lines[-1] else lines


def expected(program: Program, data: bytes, outcome: Outcome) -> Iterator[Entry]:
    """What the ring has of a datagram without a fault."""
    mask = (1 << 64) - 1
    for event in outcome.events:
        word = program.words[event.at]
        match event.what, event.value:
            case What.MESSAGE, int(index):
                yield TAG["message"], program.routines[index].id
            case What.SEQUENCE, int(length):
                yield TAG["sequence"], length
            case What.ELEMENT, _:
                yield TAG["element"], 0
            case What.VALUE, value:
                assert isinstance(word, FieldWord | RawWord)
                if not word.tag:
                    continue
                if isinstance(value, Scaled):
                    yield word.tag, value.mantissa & mask
                    yield TAG["continued"], value.exponent & mask
                elif isinstance(value, bytes):
                    yield from _text(
                        word.tag, value, value_is_vector=word.type.value == "bytes" and not word.operator.has_entry
                    )
                else:
                    assert isinstance(value, int)
                    yield word.tag, value & mask
    yield TAG["end"], end_of(data, outcome)


def _text(tag: int, text: bytes, *, value_is_vector: bool) -> Iterator[Entry]:
    chunks = [text[at : at + CHUNK] for at in range(0, len(text), CHUNK)] or [b""]
    for at, chunk in enumerate(chunks):
        yield (TAG["continued"] if at else tag), len(chunk) << 56 | int.from_bytes(chunk, "big")


def end_of(data: bytes, outcome: Outcome, **told: int) -> int:
    """The value of the end of a datagram; ``told`` are further fields of it."""
    stopped = outcome.stopped
    code = FEED.constant(f"code_{stopped.fault.name.lower()}") if stopped else 0
    at, byte = (stopped.at, stopped.byte) if stopped else (0, 0)
    found = {"code": code, "instruction": at, "offset": byte, "bytes": len(data), "bad": stopped is not None}
    packed = _END.pack(dict.fromkeys(("torn", "vain", "line", "reserved"), 0) | found | told)
    return int.from_bytes(packed, "little")
