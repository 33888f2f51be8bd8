# SPDX-License-Identifier: Apache-2.0
"""Market data on a connection of their own: what each of the two does to orders, gate, guard and session."""

from dataclasses import replace

import cocotb
from bench import FLOW, Bench
from frames import ACK, FIN, PSH, RST, SYN, Flow, Segment, behind, parse, with_fcs

from fixaccel.latency.cycles import latency_of
from market import Exchange, Instrument, Rule, Tables, orders, quiet, trading

GOLD = Instrument("GC")
FALLING = Tables([GOLD], [Rule(0, "last", "<=", 4 * (1200 - step)) for step in range(20)])
MARKET = Flow(remote_ip=0x0A000003, local_port=40002, remote_port=9879, remote_mac=bytes.fromhex("020000000003"))
MARKET_SEQ, MARKET_ACK = 90000, 7000  # of the exchange's first byte there, and of ours
WINDOW = 60000


class Feed(Exchange):
    """The exchange on the market flow."""

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench, MARKET_SEQ, MARKET_ACK)

    def segment(self, payload: bytes, *, advance: bool = True, **other) -> bytes:
        return super().segment(payload, advance=advance, **{"flow": MARKET, **other})

    def quote(self, step: int) -> bytes:
        """Fires rule ``step``, if those before it have fired."""
        return self.snapshot("GC", [("last", str(1200 - step))])


async def on_two_flows(dut, flow: Flow = MARKET) -> tuple[Bench, Exchange, Feed]:
    """Armed and in step: the session's flow as `trading` has it, and the feed beside it."""
    bench, exchange = await trading(dut, FALLING)
    await bench.set(arm=0)
    await name_market(bench, flow)
    await bench.cpu_sends(seq=MARKET_ACK - 1, flags=SYN, flow=flow)
    bench.from_net(Segment(outgoing=False, seq=MARKET_SEQ - 1, ack=MARKET_ACK, flags=SYN | ACK, flow=flow).frame())
    await bench.settle(100)
    await bench.cpu_sends(seq=MARKET_ACK, ack=MARKET_SEQ, window=WINDOW, flow=flow)
    del bench.net_tx.frames[2:]
    bench.cpu_rx.frames.clear()
    feed = Feed(bench)
    await feed.resync()
    await bench.set(arm=1)
    assert (await state(bench)) == {"armed": 1, "gap": 0, "synced": 1, "closed": 0, "session_lost": 0}
    return bench, exchange, feed


async def name_market(bench: Bench, flow: Flow) -> None:
    await bench.set(
        market_local_ip=flow.local_ip, market_remote_ip=flow.remote_ip,
        market_ports=flow.local_port << 16 | flow.remote_port, market_valid=1,
    )  # fmt: skip


async def state(bench: Bench) -> dict[str, int]:
    status = await bench.status()
    return {name: status[name] for name in ("armed", "gap", "synced", "closed", "session_lost")}


async def lives(bench: Bench) -> bool:
    now = await state(bench)
    assert (now["closed"], now["armed"]) in {(0, 1), (1, 0)}, now
    assert now["closed"] == now["session_lost"]
    return bool(now["armed"])


async def commit(bench: Bench, count: int) -> None:
    """The kernel knows of so many orders."""
    sent = await orders(bench, count)
    await bench.settle(100)
    await bench.set(committed=1000 + sum(len(order.payload) for _, order in sent), ring_tail=count)


@cocotb.test
async def a_quote_fires_on_the_other_flow(dut):
    bench, _, feed = await on_two_flows(dut)
    quote = feed.quote(0)
    end = await feed.send(quote)
    ((frame, order),) = await orders(bench, 1)
    one_flow = latency_of("snapshot", unlimited_orders=True)
    assert frame.first_cycle - end == one_flow.cycles(behind(quote, b"55=GC"), behind(quote, b"270=1200"))
    session = Segment(outgoing=True, seq=1000, ack=5000, flags=ACK | PSH, payload=order.payload).frame()
    assert frame.data[26:38] == session[26:38], "addresses and ports"
    assert (order.dst_mac, order.src_mac) == (FLOW.remote_mac, FLOW.local_mac)
    assert (order.seq, order.ack, order.window) == (1000, 5000, WINDOW)
    await commit(bench, 1)
    assert await bench.get("rcv_nxt") == feed.seq
    assert await bench.get("count_messages") == 1


@cocotb.test
async def flows_that_differ_in_one_thing(dut):
    for other in (
        replace(FLOW, remote_ip=FLOW.remote_ip ^ 1 << 31), replace(FLOW, local_ip=FLOW.local_ip ^ 1),
        replace(FLOW, remote_port=FLOW.remote_port ^ 1 << 8), replace(FLOW, local_port=FLOW.local_port ^ 1 << 15),
    ):  # fmt: skip
        bench, exchange, feed = await on_two_flows(dut, other)
        message = feed.quote(0)
        bench.from_net(exchange.segment(message))
        await quiet(bench, 0)
        await feed.send(message, flow=other)
        await orders(bench, 1)
        await quiet(bench, 1)


@cocotb.test
async def prices_on_the_orders_flow_are_not_read(dut):
    bench, exchange, feed = await on_two_flows(dut)
    message = feed.quote(0)
    await exchange.send(message)
    await quiet(bench, 0)
    assert await bench.get("count_messages") == 0
    assert await bench.get("rcv_nxt") == feed.seq
    assert parse(bench.cpu_rx.frames[-1].data).payload == message, "the CPU has it"
    assert await lives(bench)
    await feed.send(message)
    await orders(bench, 1)


@cocotb.test
async def the_gate_holds_acknowledgements_of_orders_only(dut):
    bench, exchange, feed = await on_two_flows(dut)
    await feed.send(feed.quote(0))
    ((_, order),) = await orders(bench, 1)
    await bench.settle(100)
    bench.cpu_rx.frames.clear()
    # Beyond what the kernel has sent, were it an acknowledgement of the session's.
    await bench.cpu_sends(seq=MARKET_ACK, ack=feed.seq, flags=ACK | PSH, payload=b"x" * 40, flow=MARKET)
    feed.ack = MARKET_ACK + 40
    await feed.send(feed.quote(1))
    await bench.cpu_frames(1)
    got = parse(bench.cpu_rx.frames[0].data)
    assert (got.ack, got.problems) == (MARKET_ACK + 40, ())
    exchange.ack = order.seq + len(order.payload)
    await exchange.send(b"8=report")
    await bench.settle(2000)
    assert len(bench.cpu_rx.frames) == 1, "held until the commit"
    await bench.set(committed=exchange.ack)
    await bench.cpu_frames(2)
    assert parse(bench.cpu_rx.frames[1].data).ack == exchange.ack
    assert await bench.get("peer_ack") == exchange.ack
    assert await bench.get("count_gate_lowered") + await bench.get("count_gate_timeouts") == 0


@cocotb.test
async def cpu_data_on_the_market_flow_need_no_lease(dut):
    bench, _, feed = await on_two_flows(dut)
    snd_nxt, committed = await bench.get("snd_nxt"), await bench.get("committed")
    frame = Segment(outgoing=True, seq=MARKET_ACK, ack=feed.seq, flags=ACK | PSH, payload=b"35=0", flow=MARKET)
    (left,) = await bench.cpu_sends(seq=MARKET_ACK, ack=feed.seq, flags=ACK | PSH, payload=b"35=0", flow=MARKET)
    assert left.data == frame.frame(), "untouched"
    (again,) = await bench.cpu_sends(seq=MARKET_ACK, ack=feed.seq, flags=ACK | PSH, payload=b"35=0", flow=MARKET)
    assert again.data == frame.frame(), "and so is a retransmission"
    (probe,) = await bench.cpu_sends(seq=MARKET_ACK - 1, ack=feed.seq, flow=MARKET)
    assert parse(probe.data).seq == MARKET_ACK - 1
    assert await bench.get("count_guard_stops") + await bench.get("count_ack_rewrites") == 0
    assert (await bench.get("snd_nxt"), await bench.get("committed")) == (snd_nxt, committed)
    assert await lives(bench)
    del bench.net_tx.frames[2:]
    # What was sent there may be acknowledged there, and no more.
    message = feed.quote(0)
    feed.ack = MARKET_ACK + 5
    bench.from_net(feed.segment(message, advance=False))
    await quiet(bench, 0)
    feed.ack = MARKET_ACK + 4
    await feed.send(message)
    await orders(bench, 1)


@cocotb.test
async def a_malformed_frame_of_the_cpu_is_stopped_there_too(dut):
    bench, _, _ = await on_two_flows(dut)
    frame = bytearray(Segment(outgoing=True, seq=MARKET_ACK, flow=MARKET).frame()[:-4])
    frame[16:18] = (2000).to_bytes(2, "big")
    bench.from_cpu(with_fcs(bytes(frame)))
    await quiet(bench, 0)
    assert await bench.get("count_guard_stops") == 1
    assert (await bench.status())["fault_uncommitted"]


@cocotb.test
async def the_end_of_either_connection_disarms(dut):
    for flow, seq, ack in ((MARKET, MARKET_SEQ, MARKET_ACK), (FLOW, 5000, 1000)):
        for flags in (RST, RST | ACK, FIN | ACK):
            bench, _, feed = await on_two_flows(dut)
            for off in (-1, 1, 70000, 2**31):
                if off == 1 and flow is FLOW and flags == FIN | ACK:
                    continue  # a kernel keeps it
                bench.from_net(Segment(outgoing=False, seq=seq + off, ack=ack, flags=flags, flow=flow).frame())
            await bench.settle(100)
            assert await lives(bench), (flow, flags)
            bench.from_net(Segment(outgoing=False, seq=seq, ack=ack, flags=flags, flow=flow).frame())
            await bench.settle(100)
            assert not await lives(bench), (flow, flags)
            await feed.send(feed.quote(0))
            await quiet(bench, 0)
            # It ends the session of that flow, and the other one stays as it is.
            assert await bench.get("rcv_nxt") == feed.seq
            if flow is MARKET:
                await name_market(bench, MARKET)
            else:
                await bench.set(flow_valid=1)
                assert await bench.get("rcv_nxt") == feed.seq, "the market flow goes on"
            assert (await state(bench))["closed"] == 0


@cocotb.test
async def the_cpu_ends_the_session_on_either(dut):
    for flags in (RST | ACK, FIN | ACK, SYN):
        bench, _, feed = await on_two_flows(dut)
        (left,) = await bench.cpu_sends(seq=MARKET_ACK, ack=feed.seq, flags=flags, flow=MARKET)
        assert parse(left.data).flags == flags
        now = await state(bench)
        assert (now["session_lost"], now["armed"]) == (1, 0), flags
        assert now["closed"] == (flags != SYN)
        del bench.net_tx.frames[2:]
        await feed.send(feed.quote(0))
        await quiet(bench, 0)


@cocotb.test
async def a_frame_that_ends_the_market_flow_fires_nothing(dut):
    bench, _, feed = await on_two_flows(dut)
    message = feed.quote(0)
    bench.from_net(Segment(outgoing=False, seq=feed.seq, ack=MARKET_ACK, flags=FIN | ACK, payload=message,
                           flow=MARKET).frame())  # fmt: skip
    await quiet(bench, 0)
    assert not await lives(bench)


@cocotb.test
async def a_hole_in_the_market_data_is_a_gap(dut):
    bench, exchange, feed = await on_two_flows(dut)
    lost = feed.quote(0)
    feed.seq += len(lost)
    await feed.send(feed.quote(1))
    await quiet(bench, 0)
    assert (await state(bench))["gap"] == 1
    assert await bench.get("count_segments_hole") == 1
    await bench.set(rx_seq_num=int(str(feed.number), 16), resync_seq=exchange.seq)
    assert (await state(bench))["gap"] == 1, "that is where the session's flow stands"
    await feed.resync()
    assert await lives(bench)
    await feed.send(feed.quote(0))
    await orders(bench, 1)


@cocotb.test
async def a_hole_in_the_orders_flow_is_none(dut):
    bench, exchange, feed = await on_two_flows(dut)
    exchange.seq += 100
    await exchange.send(b"8=late")
    assert (await state(bench))["gap"] == 0
    assert await bench.get("count_segments_hole") == 0
    await feed.send(feed.quote(0))
    await orders(bench, 1)
    await commit(bench, 1)
    # A RST somewhere within is none, and none where it stood once the CPU has got further.
    bench.from_net(Segment(outgoing=False, seq=5050, ack=1000, flags=RST).frame())
    await bench.settle(100)
    assert await lives(bench)
    bench.from_net(Segment(outgoing=False, seq=5000, ack=1000, flags=ACK, payload=b"y" * 100).frame())
    await bench.settle(100)
    await bench.cpu_sends(seq=await bench.get("snd_nxt"), ack=exchange.seq, window=WINDOW)
    bench.from_net(Segment(outgoing=False, seq=5000, ack=1000, flags=RST).frame())
    await bench.settle(100)
    assert await lives(bench)
    await exchange.send(b"8=report")
    bench.from_net(Segment(outgoing=False, seq=exchange.seq, ack=1000, flags=RST).frame())
    await bench.settle(100)
    assert not await lives(bench)


@cocotb.test
async def what_ends_the_orders_flow_counts_behind_a_hole(dut):
    """The kernel keeps a FIN until the hole is filled, and takes a RST where it stands or behind all that it has."""
    for flags, seq in ((FIN | ACK, 5106), (FIN | ACK, 5200), (RST, 5000), (RST, 5106)):
        bench, exchange, _ = await on_two_flows(dut)
        exchange.seq += 100
        await exchange.send(b"8=late")
        await bench.settle(100)
        assert await lives(bench)
        bench.from_net(Segment(outgoing=False, seq=seq, ack=1000, flags=flags).frame())
        await bench.settle(100)
        assert not await lives(bench), (flags, seq)


@cocotb.test
async def frames_of_both_without_a_gap_between(dut):
    """Nothing of a frame is left for the next one, whichever flow that is of."""
    bench, exchange, feed = await on_two_flows(dut)
    count = 12
    others = (
        lambda: exchange.segment(b"8=report"),
        lambda: exchange.segment(b"", advance=False),
        lambda: exchange.segment(b"z" * 9, advance=False, ip_options=b"\x01" * 8),
        lambda: exchange.segment(feed.quote(0), tcp_options=b"\x01" * 12),
        lambda: Segment(outgoing=False, seq=exchange.seq + 2**30, ack=1000, flags=RST).frame(),
        lambda: exchange.segment(b"8=lost")[:-1] + b"\0",
        lambda: Segment(outgoing=False, seq=exchange.seq + 5, ack=1000, payload=b"hole").frame(),
    )
    for step in range(count):
        number = feed.number
        message = feed.quote(step)
        for part in (message[: 5 + step], message[5 + step :]):
            bench.from_net(others[step % len(others)](), gap=0)
            bench.from_net(feed.segment(part), gap=0)
            bench.from_net(others[(step + 3) % len(others)](), gap=0)
        feed.number = number + 1
    sent = await orders(bench, count)
    assert [(await bench.read_record("ring", i))["rule"] for i in range(count)] == list(range(count))
    at = 1000
    for _, order in sent:
        assert (order.seq, order.ack) == (at, 5000)
        at += len(order.payload)
    assert await lives(bench)
    assert await bench.get("rcv_nxt") == feed.seq
    assert await bench.get("count_segments_hole") + await bench.get("count_segments_old") == 0


@cocotb.test
async def orders_acknowledge_what_the_cpu_has_on_their_flow(dut):
    bench, exchange, feed = await on_two_flows(dut)
    await exchange.send(b"8=report")
    await bench.cpu_sends(seq=1000, ack=exchange.seq, window=50000)
    await feed.send(feed.message("0", []))
    await bench.cpu_sends(seq=MARKET_ACK, ack=feed.seq, window=40000, flow=MARKET)
    del bench.net_tx.frames[2:]
    await feed.send(feed.quote(0))
    ((_, order),) = await orders(bench, 1)
    assert (order.ack, order.window, order.dst_mac) == (exchange.seq, 50000, FLOW.remote_mac)


@cocotb.test
async def the_market_flow_reaches_as_far_as_its_windows_could(dut):
    for scale in (0, 2, 14):
        bench, _, _ = await on_two_flows(dut)
        await bench.set(market_local_wscale=scale)
        for off in (65536 << scale, (65536 << scale) - 1):
            assert await lives(bench)
            bench.from_net(
                Segment(outgoing=False, seq=MARKET_SEQ + off + 1, ack=MARKET_ACK, payload=b"x", flow=MARKET).frame()
            )
            await bench.settle(100)
        assert (await state(bench))["gap"] == 1, "inside, and beyond what was next"
        assert await bench.get("rcv_nxt") == MARKET_SEQ + (65536 << scale) + 1
        assert await bench.get("count_segments_hole") == 1


@cocotb.test
async def acknowledgements_on_the_market_flow_are_those_of_its_own(dut):
    """What was never sent there, or is behind the last one, makes a segment void."""
    bench, _, feed = await on_two_flows(dut)
    await bench.cpu_sends(seq=MARKET_ACK, ack=MARKET_SEQ, flags=ACK | PSH, payload=b"x" * 50, flow=MARKET)
    del bench.net_tx.frames[2:]
    feed.ack = MARKET_ACK + 20
    await feed.send(feed.message("0", []))
    message = feed.quote(0)
    for ack in (MARKET_ACK + 19, MARKET_ACK + 51, MARKET_ACK + 2**31, 1000):
        feed.ack = ack
        bench.from_net(feed.segment(message, advance=False))
    await quiet(bench, 0)
    assert await lives(bench)
    feed.ack = MARKET_ACK + 50
    await feed.send(message)
    await orders(bench, 1)


@cocotb.test
async def without_a_market_flow_all_is_the_sessions(dut):
    bench, exchange, feed = await on_two_flows(dut)
    await bench.set(market_valid=0)
    now = await state(bench)
    assert (now["gap"], now["synced"], now["closed"]) == (1, 0, 0)
    await feed.send(feed.quote(0))
    await quiet(bench, 0)
    await exchange.resync()
    assert await lives(bench)
    await exchange.send(exchange.snapshot("GC", [("last", "1200")]))
    await orders(bench, 1)
    assert await bench.get("rcv_nxt") == exchange.seq
    # The session's data have been followed all along: it may be parted from the market's again.
    await name_market(bench, MARKET)
    assert (await state(bench))["gap"] == 1
    await feed.resync()
    assert await lives(bench)
    bench.from_net(Segment(outgoing=False, seq=exchange.seq, ack=1000, flags=RST).frame())
    await bench.settle(100)
    assert not await lives(bench)
