# SPDX-License-Identifier: Apache-2.0
"""feed_unit beside the model of arbitration: what counts, what is given up, what is counted, event by event.

And two lines at line rate, where each number counts once and a gap is what both lines have lost.
"""

import os
import random
import struct
import sys
import zlib
from collections.abc import Iterable
from pathlib import Path

import cocotb
from cocotb.triggers import FallingEdge
from feed_arbitration import Monitor, Told, as_told, begun, copy_of, tally
from feed_host import GROUPS, SENDER, Host, address, frame_for, play, with_fcs

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "fast"))

from fast_support import one
from program_support import program_of, run

from fixaccel.fast.arbitration import Cause, Channel, Copy, Event, Gap, Rules
from fixaccel.fast.program.interpreter import What
from fixaccel.fast.program.program import Program
from fixaccel.fast.program.words import RawWord, Role

SEED = int(os.environ.get("RANDOM_SEED", "1"))
LONG = (1 << 24) - 1
TICK = 1 << 11  # as the test of the module builds it
REST = 260  # cycles until all of an event is told, beside those of its frame
RAW = program_of(one('<uInt32 name="A" id="1"/>'), raw=(RawWord(4, True, role=Role.NUMBER),))
EACH = program_of(one('<uInt32 name="N" id="34"/>'), number_in_messages=True)


def payload_of(number: int, value: int, pad: int = 0) -> bytes:
    """A number, then messages of a field each."""
    message = bytes([0xC0, 0x81, 0x80 | value & 127])
    return number.to_bytes(4, "big") + message * (1 + pad)


def values_of(payload: bytes) -> tuple[bool, tuple[int, ...]]:
    """Whether it is decoded without a fault, and its values with a tag."""
    outcome = run(RAW, payload)
    tagged = (event.value for event in outcome.events if event.what is What.VALUE and event.at)
    return outcome.stopped is None, tuple(value for value in tagged if isinstance(value, int))


def stop_bits(number: int) -> bytes:
    """An entity."""
    found = [number & 127 | 128]
    while number := number >> 7:
        found.append(number & 127)
    return bytes(reversed(found))


def ones(data: bytes) -> int:
    """The sum of RFC 1071: 0xFFFF where a checksum in it is right."""
    total = sum(struct.unpack(f"!{(len(data) + 1) // 2}H", data + b"\0" * (len(data) % 2)))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return total


def judged(frame: bytes, line: int) -> tuple[bytes, bool] | None:
    """The payload if it is a datagram of the line, and whether all of it is right."""
    ip, length = frame[14:34], int.from_bytes(frame[16:18], "big")
    wanted = (frame[12:14], ip[:1], ip[6] & 0x3F, ip[7], ip[9]) if len(frame) > 41 else ()
    if wanted != (b"\x08\0", b"\x45", 0, 0, 17) or ip[12:16] != address(SENDER.address).to_bytes(4, "big"):
        return None
    group = GROUPS[line]
    if ip[16:20] != address(group.address).to_bytes(4, "big") or frame[36:38] != group.port.to_bytes(2, "big"):
        return None
    if int.from_bytes(frame[38:40], "big") != (length - 20) % (1 << 16) or (length - 20) % (1 << 16) < 8:
        return None
    end = 14 + length
    pseudo = ip[12:20] + b"\0\x11" + frame[38:40]
    udp_right = frame[40:42] == b"\0\0" or ones(pseudo + frame[34:end]) == 0xFFFF
    fcs_right = zlib.crc32(frame[:-4]).to_bytes(4, "little") == frame[-4:]
    return frame[42:end], end + 4 <= len(frame) and ones(ip) == 0xFFFF and udp_right and fcs_right


def hostile(chance: random.Random, line: int, payload: bytes) -> bytes:
    """A frame with a datagram, mostly damaged somewhere: with an FCS that is right all the same, or not."""
    frame = bytearray(frame_for(line, payload)[:-4])
    match chance.randrange(8):
        case 0 | 1:
            pass
        case 2:  # a byte of the headers
            frame[chance.randrange(12, 42)] ^= 1 << chance.randrange(8)
        case 3:  # a byte of the payload: UDP's sum is wrong
            frame[chance.randrange(42, len(frame))] ^= 1 << chance.randrange(8)
        case 4:  # cut
            frame = frame[: chance.randrange(14, len(frame))]
        case 5:  # longer than it says
            frame += chance.randbytes(chance.randrange(1, 60))
        case 6:  # a VLAN tag, or no sum of UDP
            frame = (
                frame[:12] + b"\x81\0\0\x05" + frame[12:]
                if chance.random() < 0.5
                else frame[:40] + b"\0\0" + frame[42:]
            )
        case 7:  # lengths that are others, with a sum of IP that is right
            frame[16:18] = frame[38:40] = chance.choice([0, 7, 8, 28, 40, 1500, 65535]).to_bytes(2, "big")
            if chance.random() < 0.7:
                frame[38:40] = ((int.from_bytes(frame[16:18], "big") - 20) % (1 << 16)).to_bytes(2, "big")
            frame[24:26] = b"\0\0"
            frame[24:26] = (0xFFFF - ones(bytes(frame[14:34]))).to_bytes(2, "big")
    if chance.random() < 0.1:
        return bytes(frame) + chance.randbytes(4)
    return with_fcs(bytes(frame)) if chance.random() < 0.9 else bytes(frame) + zlib.crc32(frame).to_bytes(4, "little")


class Beside:
    """The unit and the model: each event goes to both."""

    def __init__(self, host: Host, monitor: Monitor, channel: Channel) -> None:
        self.host, self.monitor, self.channel = host, monitor, channel
        self.events: list[Event] = []
        self.said = 0
        self.base: list[dict[str, int]] = []

    async def agree(self, events: Iterable[Event], rest: int = REST) -> None:
        """What the model says is what the unit tells."""
        found = list(events)
        self.events += found
        await self.monitor.rest(rest)
        got, want = self.monitor.taken(), as_told(found)
        assert got == want, f"event {len(self.events)}:\n{got}\n{want}\nexpected {self.channel.expected}"
        self.said += len(want)

    async def frame(self, line: int, frame: bytes, copy: Copy | None, *, err: bool = False) -> None:
        """A frame that carries ``copy``, or nothing of the feed."""
        await play(self.host.dut, line % 2, frame, err=err)
        await self.agree(self.channel.copy(copy) if copy else (), REST + len(frame))

    async def datagram(self, line: int, payload: bytes, *, whole: bool = True) -> None:
        """A copy in its frame, which is right or has a wrong FCS."""
        sound, values = values_of(payload)
        frame = bytearray(frame_for(line, payload))
        frame[-1] ^= not whole
        await self.frame(line, bytes(frame), copy_of(line, payload, values, whole=whole, sound=sound))

    async def lapse(self) -> None:
        """What waits has waited for long enough, one behind the other."""
        await self.host.set("wait_cycles", 1)
        events: list[Event] = []
        while self.channel.waits:
            events += self.channel.lapse()
        await self.agree(events, 4 * REST)
        await self.host.set("wait_cycles", LONG)

    async def start(self) -> None:
        """The host starts the channel."""
        await self.host.set("channel_start", 1)
        await self.agree(self.channel.start())

    async def counted(self) -> None:
        """Counters and the state of the channel."""
        want = tally(self.events)
        missing = sum(
            (gap.last - gap.first + 1) % (1 << self.channel.rules.bits)
            for gap in self.events
            if isinstance(gap, Gap) and gap.cause is Cause.NUMBERS
        )
        for line in range(2):
            got = {name: count - self.base[line][name] for name, count in (await self.host.counts(line)).items()}
            assert got == want[line] | {"missing": 0 if line else missing % (1 << 32)}, (line, got, want[line])
        state = await self.host.channel(0)
        channel = self.channel
        assert {name: state[name] for name in ("epoch", "begun", "behind", "waits")} == {
            "epoch": channel.epoch, "begun": channel.begun, "behind": channel.behind, "waits": channel.waits,
        }  # fmt: skip
        assert not channel.begun or state["expected"] == channel.expected


async def beside(dut, program: Program = RAW, *, lines: int = 2, **more) -> Beside:
    """The unit and the model of its first channel, both begun."""
    rules = Rules(bits=more.get("bits", 32), each_message=more.get("each_message", False), lines=lines)
    host, monitor = await begun(dut, program, lines=lines, **more)
    test = Beside(host, monitor, Channel(rules))
    test.base = [await host.counts(line) for line in range(2)]
    test.monitor.since = 0
    await test.agree(test.channel.start())
    return test


async def walk(test: Beside, steps: int, first: int, chance: random.Random) -> None:
    """Numbers near the one that is expected, on both lines, and what else happens."""
    modulus = 1 << test.channel.rules.bits
    for _ in range(steps):
        what = chance.random()
        if what < 0.05 and test.channel.waits:
            await test.lapse()
            continue
        if what < 0.07:
            await test.start()
            continue
        far = chance.choice([0, 0, 0, 0, 1, 1, 2, 3, -1, -1, -2, -3]) if what < 0.95 else chance.randrange(modulus)
        number = (test.channel.expected if test.channel.begun else first) + far
        payload = payload_of(number % modulus, chance.randrange(128), chance.choice([0, 0, 3, 20]))
        if chance.random() < 0.05:
            payload = payload[: chance.randrange(len(payload))]
        await test.datagram(chance.randrange(test.channel.rules.lines), payload, whole=chance.random() < 0.92)
    await test.counted()
    assert test.said > steps // 4


@cocotb.test()
async def event_by_event(dut):
    await walk(await beside(dut), 250, 0xFFFFFFF0, random.Random(SEED))


@cocotb.test()
async def numbers_of_a_byte(dut):
    await walk(await beside(dut, bits=8), 120, 250, random.Random(SEED + 1))


@cocotb.test()
async def a_channel_with_one_line(dut):
    await walk(await beside(dut, bits=16, lines=1), 80, 0xFFF0, random.Random(SEED + 2))


@cocotb.test()
async def each_message_has_a_number(dut):
    chance = random.Random(SEED + 3)
    test = await beside(dut, EACH, each_message=True)
    for _ in range(150):
        if chance.random() < 0.05 and test.channel.waits:
            await test.lapse()
            continue
        number = (test.channel.expected if test.channel.begun else 100) + chance.choice([0, 0, 0, 1, 2, -1, -2, -4])
        numbers = [number % (1 << 32)]
        for _ in range(chance.choice([0, 0, 1, 2, 4])):
            numbers.append((numbers[-1] + chance.choice([1, 1, 1, 1, 2, 0])) % (1 << 32))
        sound = chance.random() < 0.93
        payload = b"".join(b"\xc0\x81" + stop_bits(one) for one in numbers) + (b"" if sound else b"\xc0\x82")
        line = chance.randrange(2)
        copy = Copy(line, tuple(numbers), sound=sound, size=len(payload), mark=tuple(numbers))
        await test.frame(line, frame_for(line, payload), copy)
    await test.counted()
    assert test.said > 50


@cocotb.test()
async def numbers_that_begin_anew(dut):
    test = await beside(dut)
    await test.datagram(0, payload_of(1000, 1))
    for at in range(70):
        await test.datagram(at % 2, payload_of(1 + at // 2, 1), whole=at != 30)
    assert test.channel.behind
    await test.datagram(0, payload_of(1001, 1))  # nothing counts
    await test.counted()
    await test.start()
    await test.datagram(1, payload_of(40, 1))
    await test.datagram(0, payload_of(41, 1))
    await test.counted()
    assert test.channel.expected == 42


@cocotb.test()
async def a_line_without_room_waits_for_nothing(dut):
    test = await beside(dut)
    await test.datagram(0, payload_of(1, 1))
    for number in (3, 4, 5, 6, 7):
        await test.datagram(0, payload_of(number, 5, 300))
    assert not test.channel.waits
    for number in (8, 10, 11):
        await test.datagram(0, payload_of(number, 5, 300))
    await test.datagram(1, payload_of(9, 1))
    await test.counted()
    assert test.channel.expected == 12


@cocotb.test()
async def silence_is_a_gap_once(dut):
    test = await beside(dut, silence=2)
    await test.agree((), 4 * TICK)  # before the first datagram there is none
    for number in (1, 2):
        await test.datagram(0, payload_of(number, 1))
        await test.agree(test.channel.silence(), 4 * TICK)
        await test.agree((), 4 * TICK)
    await test.counted()


@cocotb.test()
async def hostile_frames(dut):
    """Each frame is judged here by the page's words, its bytes by the interpreter."""
    chance = random.Random(SEED + 4)
    test = await beside(dut)
    bad = 0
    for _ in range(220):
        if chance.random() < 0.04 and test.channel.waits:
            await test.lapse()
            continue
        line = chance.randrange(2)
        number = (test.channel.expected if test.channel.begun else 7) + chance.choice([0, 0, 0, 0, 1, -1])
        frame = hostile(chance, line, payload_of(number % (1 << 32), chance.randrange(128), chance.choice([0, 0, 9])))
        err = chance.random() < 0.03
        found = judged(frame, line)
        copy = None
        if found:
            payload, whole = found
            sound, values = values_of(payload)
            copy = copy_of(line, payload, values, whole=whole and not err, sound=sound)
            bad += not copy.whole
        await test.frame(line, frame, copy, err=err)
    await test.counted()
    assert bad > 20
    assert test.said > 40


@cocotb.test()
async def two_lines_at_line_rate(dut):
    """Both lose, damage and repeat, the second one behind the first."""
    chance = random.Random(SEED + 5)
    host, monitor = await begun(dut, RAW, lines=2)
    first, count = 0xFFFFFF00, 400
    delivered: set[int] = set()
    lost_before = [(await host.counts(line))["lost"] for line in range(2)]
    plays = []
    for line in range(2):
        frames = []
        for at in range(count):
            payload = payload_of((first + at) % (1 << 32), at, chance.choice([0, 0, 0, 5, 40]))
            lost = at and at < count - 1 and chance.random() < 0.15  # both ends are there: what is missing lies between
            frame = bytearray(frame_for(line, payload))
            if lost and chance.random() < 0.5:
                frame[chance.randrange(42, len(frame))] ^= 1 << chance.randrange(8)
                frames.append(bytes(frame))
            elif not lost:
                frames += [bytes(frame)] * chance.choice([1, 1, 1, 1, 2])
                delivered.add(at)
        plays.append(frames)

    async def line_of(line: int) -> None:
        for _ in range(line * 700):
            await FallingEdge(dut.clk)
        for frame in plays[line]:
            await play(dut, line, frame)

    other = cocotb.start_soon(line_of(1))
    await line_of(0)
    await other
    await monitor.rest(4000)
    events = monitor.taken()
    assert events[0] == Gap(Cause.START, events[0].first, events[0].last)
    numbers, missing = [], set()
    for event in events[1:]:
        if isinstance(event, Told):
            (number,) = event.numbers
            numbers.append((number - first) % (1 << 32))
            assert set(event.values) == {numbers[-1] % 128}
        else:
            size = (event.last - event.first + 1) % (1 << 32)
            missing |= {(event.first - first) % (1 << 32) + at for at in range(size)}
    assert numbers == sorted(delivered)
    assert missing == set(range(count)) - delivered
    assert missing
    lost = [(await host.counts(line))["lost"] for line in range(2)]
    assert lost == lost_before
