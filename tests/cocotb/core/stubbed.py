# SPDX-License-Identifier: Apache-2.0
"""The core with the receive side stubbed: a test says itself what verdicts and fires there are."""

from bench import CAPACITY, FLOW, HWMAP, Bench
from cocotb.triggers import RisingEdge
from frames import ACK, FIN, RST, SYN, Segment
from prepared import new_order


def _bits(memory: str, field: str) -> int:
    return HWMAP.memories[memory].record.field(field).bits


# Fields from the most significant bit down, as in rtl/common/fixaccel_types_pkg.sv.
HIT = {
    "trigger": _bits("chain", "first"), "rule": _bits("trigger", "rule"), "order": _bits("trigger", "order"),
    "instrument": 16, "source": 2, "observed": 48, "fires": _bits("fire_count", "fires"), "exhausted": 1,
    "outside": 1, "spoiled": 1, "message": 32, "message_end_cycle": 32, "frame_end_cycle": 32, "time_ns": 64,
}  # fmt: skip
VERDICT = {
    "done": 1, "good": 1, "is_flow": 1, "is_market": 1, "acceptable": 1, "ack_fits": 1, "syn": 1, "fin": 1, "rst": 1,
    "ack_flag": 1, "seq": 32, "ack": 32, "window": 16, "length": 16, "cycle": 32,
}  # fmt: skip
# Cycles that the receive side knows of a fire before its frame's verdict: enough for all that is read ahead.
LEAD = 2
# Cycles from a fire that was taken to the next one at least: chains have to be read again.
NEXT = 16
PARAMETERS = {name.upper(): value for name, value in CAPACITY.items()}


def packed(layout: dict[str, int], **values: int) -> int:
    assert not values.keys() - layout.keys()
    word = 0
    for name, bits in layout.items():
        word = word << bits | (values.get(name, 0) & ((1 << bits) - 1))
    return word


def raise_hit(bench: Bench, **hit: int) -> None:
    """A fire of a frame whose verdict is not there yet."""
    stub = bench.dut.receiver
    stub.next_hit.value = packed(HIT, **{"fires": 1, "message": 1, **hit})
    stub.next_hit_pending.value = 1


async def raise_fire(bench: Bench, lead: int = LEAD, **hit: int) -> None:
    """A fire that nobody waits for, ``lead`` cycles ahead of its frame's verdict."""
    raise_hit(bench, **hit)
    await bench.cycles(lead)
    bench.dut.receiver.next_hit_valid.value = 1


def drop_fire(bench: Bench) -> None:
    bench.dut.receiver.next_hit_pending.value = 0
    bench.dut.receiver.next_hit_valid.value = 0


async def fire(bench: Bench, limit: int = 5000, lead: int = LEAD, **hit: int) -> int:
    """Raises a fire until it is taken. Returns the cycle in which hit_valid came up."""
    await raise_fire(bench, lead, **hit)
    return await until_taken(bench, limit)


async def until_taken(bench: Bench, limit: int = 5000) -> int:
    """Waits for a raised fire to be taken. Returns the cycle in which hit_valid came up, if it did so meanwhile."""
    dut = bench.dut
    first = -1
    for _ in range(limit):
        await RisingEdge(dut.clk)
        if bool(dut.hit_valid.value):
            first = int(dut.cycle.value) if first < 0 else first
            if bool(dut.hit_ready.value):
                drop_fire(bench)
                await bench.cycles(NEXT)
                return first
    raise AssertionError(f"the fire was not taken within {limit} cycles")


async def verdict(bench: Bench, **fields: int) -> None:
    """One verdict pulse, for a good segment of the flow that is newer than the one before unless said otherwise."""
    stub = bench.dut.receiver
    bench.peer_seq += 1
    segment = {"done": 1, "good": 1, "is_flow": 1, "acceptable": 1, "ack_flag": 1, "seq": bench.peer_seq}
    stub.next_verdict.value = packed(VERDICT, **{**segment, **fields})
    await RisingEdge(bench.dut.clk)
    stub.next_verdict.value = 0
    await bench.cycles(5)


async def net_frame(bench: Bench, frame: bytes, gap: int = 12, **fields: int) -> None:
    """Lets ``frame`` come from the exchange and gives ``fields`` as its verdict, in the cycle after its last byte."""
    bench.from_net(frame, gap=gap, verdict=packed(VERDICT, **{"done": 1, "good": 1, **fields}))
    while bench.net.queue:
        await RisingEdge(bench.dut.clk)


async def peer_segment(
    bench: Bench, seq: int = 5000, ack: int = 1000, flags: int = ACK, acceptable: bool = True, **segment
) -> bytes:
    """A good segment of the flow from the exchange, with its verdict. Returns the frame."""
    packet = Segment(outgoing=False, seq=seq, ack=ack, flags=flags, **segment)
    await net_frame(
        bench, packet.frame(), is_flow=1, acceptable=acceptable, seq=seq, ack=ack, window=packet.window,
        length=len(packet.payload),
        syn=bool(flags & SYN), fin=bool(flags & FIN), rst=bool(flags & RST), ack_flag=bool(flags & ACK),
    )  # fmt: skip
    return packet.frame()


async def armed(dut, **settings: int) -> Bench:
    """A core with an open flow, clock, window and one order (record 0, template 0), armed."""
    bench = await Bench.start(dut)
    bench.net.verdict_port = dut.receiver.next_verdict
    dut.receiver.next_verdict.value = 0
    drop_fire(bench)
    dut.receiver.next_status.value = 0
    await bench.open_flow(flow=FLOW)
    await verdict(bench, seq=5000, ack=1000, window=16000)
    await bench.set_clock()
    order = new_order()
    await bench.load_template(0, order)
    await bench.load_order(0, order)
    await bench.load_symbol(order.symbol)
    await bench.set(**settings)
    await bench.set(arm=1)
    return bench
