# SPDX-License-Identifier: Apache-2.0
"""What becomes of each kind of CPU frame: passes untouched, passes with another sequence number, or is stopped."""

import random
from dataclasses import replace

import cocotb
from bench import FLOW, Bench, seed
from frames import ACK, FIN, PSH, RST, SYN, Flow, Segment, fcs, parse, with_fcs
from stubbed import armed, fire, peer_segment

KERNEL = 1000  # snd_nxt of the kernel after armed()


async def with_uncommitted_order(dut) -> tuple[Bench, int]:
    """An armed core whose order has left and is not committed. Returns the fabric's snd_nxt, too."""
    bench = await armed(dut)
    await fire(bench)
    await bench.settle(300)
    return bench, await bench.get("snd_nxt")


async def faults(bench) -> list[str]:
    status = await bench.status()
    return [name for name in ("session_lost", "fault_uncommitted", "fault_unleased", "fault_lease") if status[name]]


@cocotb.test
async def pure_ack_gets_the_fabrics_number(dut):
    bench, snd_nxt = await with_uncommitted_order(dut)
    for ack, options in ((6000, b""), (7000, bytes.fromhex("0101050a0000000a00000014")), (2**32 - 1, b"")):
        (frame,) = await bench.cpu_sends(seq=KERNEL, ack=ack, window=77, tcp_options=options)
        parsed = parse(frame.data)
        assert not parsed.problems, parsed.problems
        assert (parsed.seq, parsed.ack, parsed.window, parsed.flags) == (snd_nxt, ack, 77, ACK)
        untouched = Segment(outgoing=True, seq=snd_nxt, ack=ack, window=77, tcp_options=options).frame()
        assert frame.data == untouched, "nothing else changed"
    assert await bench.get("count_ack_rewrites") == 3
    assert await bench.get("snd_nxt") == snd_nxt
    assert await faults(bench) == []


@cocotb.test
async def checksums_of_rewritten_acks(dut):
    """Random sequence numbers and old checksums: the incremental update is right in every carry."""
    rng = random.Random(seed())
    bench = await armed(dut)
    for _ in range(60):
        old, new = rng.choice([0, 2**32 - 1, 0xFFFF, 0xFFFF0000, rng.getrandbits(32)]), rng.getrandbits(32)
        segment = {"ack": rng.getrandbits(32), "window": rng.getrandbits(16), "ip_id": rng.getrandbits(16)}
        await bench.set(arm=0, snd_nxt=new)
        (frame,) = await bench.cpu_sends(seq=old, **segment)
        assert frame.data == Segment(outgoing=True, seq=new, **segment).frame()


@cocotb.test
async def checksum_whose_folding_carries_again(dut):
    """New numbers chosen so that the folded sum itself overflows 16 bits."""
    bench = await armed(dut)
    for high in (0, 0x1234, 0x8001, 0xFFFF):
        for rest in (0xFFFF, 0xFFFE):
            old = Segment(outgoing=True, seq=0x13579BDF, ack=5000)
            inverted = 0xFFFF ^ int.from_bytes(old.frame()[50:52], "big")
            known = inverted + (0xFFFF ^ 0x1357) + (0xFFFF ^ 0x9BDF) + high
            new = high << 16 | (rest - known) & 0xFFFF
            await bench.set(arm=0, snd_nxt=new)
            (frame,) = await bench.cpu_sends(seq=0x13579BDF, ack=5000)
            assert frame.data == Segment(outgoing=True, seq=new, ack=5000).frame()


@cocotb.test
async def a_checksum_of_minus_zero(dut):
    """Linux sends 0xFFFF for a checksum of zero; with another number it is the checksum that anyone would make."""
    bench = await armed(dut)
    old = Segment(outgoing=True, seq=KERNEL, ack=6000, minus_zero=True).that_sums_to_zero()
    for new in (2000, KERNEL + 0xFFFF, 0xFFFFFFFF, 0):
        await bench.set(arm=0, snd_nxt=new)
        bench.from_cpu(old.frame())
        await bench.settle(300)
        assert bench.net_tx.frames[-1].data == replace(old, seq=new, minus_zero=False).frame()
    await bench.set(arm=0, snd_nxt=KERNEL)
    bench.from_cpu(old.frame())
    await bench.settle(300)
    assert bench.net_tx.frames[-1].data == old.frame(), "nothing to rewrite"


@cocotb.test
async def a_write_by_the_host_at_any_moment_of_the_judgement(dut):
    """A frame that starts to leave after snd_nxt was written carries what was written."""
    bench = await armed(dut)
    await bench.set(arm=0)
    ack = Segment(outgoing=True, seq=KERNEL, ack=5000).frame()
    kinds = set()
    for delay in range(50, 90):
        await bench.set(snd_nxt=2000)
        bench.from_cpu(ack)
        await bench.cycles(delay)
        await bench.set(snd_nxt=3000)
        written = int(dut.cycle.value)  # the write acts in this cycle
        await bench.settle(200)
        frame = bench.net_tx.frames[-1]
        left = frame.first_cycle - 2  # the cycle in which the guard let it go
        assert parse(frame.data).seq == (3000 if left >= written else 2000), (delay, left - written)
        kinds.add(left >= written)
    assert kinds == {True, False}


@cocotb.test
async def a_busy_host_does_not_hold_frames_back(dut):
    """Writes without a pause, of registers that the judgement depends on among them."""
    bench = await armed(dut)
    for name in ("ring_tail", "watchdog_kick", "committed", "lease_request"):
        value = KERNEL if name == "committed" else 0

        async def hammer(name: str = name, value: int = value) -> None:
            while True:
                await bench.set(**{name: value})

        before = len(bench.net_tx.frames)
        task = cocotb.start_soon(hammer())
        bench.from_cpu(Segment(outgoing=True, seq=KERNEL, ack=6000).frame())
        await bench.net_frames(before + 1, 300)
        task.cancel()
        for port in ("awvalid", "wvalid", "bready"):
            getattr(dut, f"s_axil_{port}").value = port == "bready"
        await bench.cycles(20)
        dut.s_axil_bready.value = 0


@cocotb.test
async def ack_with_the_right_number_is_not_counted(dut):
    bench = await armed(dut)
    (frame,) = await bench.cpu_sends(seq=KERNEL, ack=6000)
    assert frame.data == Segment(outgoing=True, seq=KERNEL, ack=6000).frame()
    assert await bench.get("count_ack_rewrites") == 0


@cocotb.test
async def probe_stays_a_probe(dut):
    """Keep-alive and zero-window probes carry snd_una - 1; as a plain ACK nobody would answer them."""
    bench = await armed(dut)
    await peer_segment(bench, ack=KERNEL)
    await bench.settle(200)
    (frame,) = await bench.cpu_sends(seq=KERNEL - 1, ack=5000)
    assert parse(frame.data).seq == KERNEL - 1
    await fire(bench)
    await bench.settle(300)
    before = len(bench.net_tx.frames)
    (frame,) = await bench.cpu_sends(seq=KERNEL - 1, ack=5000)
    assert parse(frame.data).seq == KERNEL - 1, "with an order in flight, too"
    (frame,) = await bench.cpu_sends(seq=KERNEL, ack=5000)
    assert parse(frame.data).seq == await bench.get("snd_nxt"), "a plain ACK is not taken for a probe"
    assert len(bench.net_tx.frames) == before + 2


@cocotb.test
async def data_needs_the_lease_while_armed(dut):
    bench = await armed(dut)
    assert await bench.cpu_sends(seq=KERNEL, ack=5000, flags=ACK | PSH, payload=b"heartbeat") == []
    assert await faults(bench) == ["fault_unleased"]
    assert await bench.get("count_guard_stops") == 1
    assert await bench.get("snd_nxt") == KERNEL
    await bench.set(arm=1, lease_request=1)
    assert (await bench.status())["lease_held"]
    (frame,) = await bench.cpu_sends(seq=KERNEL, ack=5000, flags=ACK | PSH, payload=b"heartbeat")
    assert frame.data == Segment(outgoing=True, seq=KERNEL, ack=5000, flags=ACK | PSH, payload=b"heartbeat").frame()
    assert await bench.get("snd_nxt") == await bench.get("committed") == KERNEL + 9
    assert await faults(bench) == []


@cocotb.test
async def data_over_uncommitted_bytes_is_stopped(dut):
    bench, snd_nxt = await with_uncommitted_order(dut)
    await bench.set(lease_request=1)
    assert await bench.cpu_sends(seq=KERNEL, ack=5000, payload=b"x" * 40) == []
    assert await faults(bench) == ["fault_uncommitted"]
    assert not (await bench.status())["armed"]
    assert (await bench.get("snd_nxt"), await bench.get("committed")) == (snd_nxt, KERNEL)
    for seq, length in ((KERNEL - 5, 6), (snd_nxt + 1, 1), (snd_nxt - 1, 1), (snd_nxt - 1, 2)):
        assert await bench.cpu_sends(seq=seq, ack=5000, payload=b"y" * length) == [], (seq, length)
    assert await bench.get("count_guard_stops") == 5


@cocotb.test
async def retransmissions_pass(dut):
    bench, snd_nxt = await with_uncommitted_order(dut)
    (frame,) = await bench.cpu_sends(seq=KERNEL - 5, ack=5000, payload=b"abcde")
    assert parse(frame.data).seq == KERNEL - 5
    await bench.set(committed=snd_nxt)
    for seq, length in ((KERNEL, snd_nxt - KERNEL), (KERNEL - 5, 10), (snd_nxt - 1, 1)):
        (frame,) = await bench.cpu_sends(seq=seq, ack=5000, payload=b"z" * length)
        assert frame.data == Segment(outgoing=True, seq=seq, ack=5000, payload=b"z" * length).frame()
    assert await faults(bench) == []
    assert await bench.get("snd_nxt") == snd_nxt


@cocotb.test
async def fin_gets_the_fabrics_number_and_keeps_it(dut):
    bench, snd_nxt = await with_uncommitted_order(dut)
    (frame,) = await bench.cpu_sends(seq=KERNEL, ack=5000, flags=FIN | ACK)
    assert frame.data == Segment(outgoing=True, seq=snd_nxt, ack=5000, flags=FIN | ACK).frame()
    assert await faults(bench) == ["session_lost"]
    assert not (await bench.status())["armed"]
    (again,) = await bench.cpu_sends(seq=KERNEL, ack=5000, flags=FIN | ACK)
    assert parse(again.data).seq == snd_nxt, "a retransmitted FIN has the first one's number"
    (after,) = await bench.cpu_sends(seq=KERNEL + 1, ack=5001)
    assert parse(after.data).seq == snd_nxt + 1, "the FIN takes a number"


@cocotb.test
async def what_was_stopped_stays_so_behind_a_fin(dut):
    """Of a process that wrote without the lease and died the kernel sends both again and again, as one segment, too."""
    for with_order in (False, True):
        bench, snd_nxt = await with_uncommitted_order(dut) if with_order else (await armed(dut), KERNEL)
        assert await bench.cpu_sends(seq=KERNEL, ack=5000, flags=ACK | PSH, payload=b"rogue") == []
        (frame,) = await bench.cpu_sends(seq=KERNEL + 5, ack=5000, flags=FIN | ACK)
        assert parse(frame.data).seq == snd_nxt
        for flags in (ACK | PSH, ACK | PSH | FIN):
            assert await bench.cpu_sends(seq=KERNEL, ack=5000, flags=flags, payload=b"rogue") == []
        assert await bench.cpu_sends(seq=KERNEL + 3, ack=5000, flags=ACK | FIN, payload=b"ue") == []
        assert await bench.get("committed") == KERNEL
        (again,) = await bench.cpu_sends(seq=KERNEL + 5, ack=5000, flags=FIN | ACK)
        assert parse(again.data).seq == snd_nxt, "the FIN itself is sent again as it was"


@cocotb.test
async def fin_in_step_is_untouched(dut):
    bench = await armed(dut)
    (frame,) = await bench.cpu_sends(seq=KERNEL, ack=5000, flags=FIN | ACK)
    assert frame.data == Segment(outgoing=True, seq=KERNEL, ack=5000, flags=FIN | ACK).frame()
    assert await faults(bench) == ["session_lost"]
    assert await bench.get("committed") == KERNEL + 1


@cocotb.test
async def fin_with_data(dut):
    bench = await armed(dut)
    await bench.set(lease_request=1)
    (frame,) = await bench.cpu_sends(seq=KERNEL, ack=5000, flags=FIN | ACK | PSH, payload=b"logout")
    assert parse(frame.data).seq == KERNEL
    assert await bench.get("snd_nxt") == await bench.get("committed") == KERNEL + 7
    assert await faults(bench) == ["session_lost"]
    (again,) = await bench.cpu_sends(seq=KERNEL, ack=5000, flags=FIN | ACK | PSH, payload=b"logout")
    assert parse(again.data).seq == KERNEL


@cocotb.test
async def rst_gets_the_fabrics_number(dut):
    bench, snd_nxt = await with_uncommitted_order(dut)
    for seq, flags in ((KERNEL, RST | ACK), (0, RST)):
        (frame,) = await bench.cpu_sends(seq=seq, ack=5000 if flags & ACK else 0, flags=flags)
        parsed = parse(frame.data)
        assert not parsed.problems
        assert (parsed.seq, parsed.flags) == (snd_nxt, flags)
    assert await faults(bench) == ["session_lost"]


@cocotb.test
async def a_new_connection_starts_afresh(dut):
    bench, _ = await with_uncommitted_order(dut)
    (frame,) = await bench.cpu_sends(seq=70000, flags=SYN)
    assert parse(frame.data).seq == 70000
    assert await bench.get("snd_nxt") == await bench.get("committed") == 70001
    assert await faults(bench) == ["session_lost"]


@cocotb.test
async def the_kernel_is_followed_before_arming(dut):
    bench = await Bench.start(dut)
    await bench.open_flow(seq=2**32 - 3)
    for seq, payload, expected in (
        (2**32 - 3, b"logon!", 3), (2**32 - 3, b"logon!", 3), (3, b"", 3), (2, b"", 3), (3, b"ab", 5), (4, b"", 5),
    ):  # fmt: skip
        (frame,) = await bench.cpu_sends(seq=seq, ack=5000, payload=payload)
        assert parse(frame.data).seq == seq, "untouched"
        assert await bench.get("snd_nxt") == await bench.get("committed") == expected
    assert await bench.get("count_guard_stops") == 0


OTHERS = {
    "ARP": with_fcs(b"\xff" * 6 + FLOW.local_mac + b"\x08\x06" + bytes(range(28))),
    "other port": Segment(outgoing=True, seq=1, flow=Flow(local_port=40002), payload=b"hello").frame(),
    "other peer": Segment(outgoing=True, seq=1, flow=Flow(remote_ip=0x0A000009), flags=RST).frame(),
    "peer's view": Segment(outgoing=False, seq=1, flags=FIN).frame(),
    "later fragment": Segment(outgoing=True, seq=1, fragment=0x2000 | 5, flow=Flow(local_port=7)).frame(),
    "largest": with_fcs(FLOW.remote_mac + FLOW.local_mac + b"\x86\xdd" + bytes(i % 251 for i in range(1500))),
    "smallest": with_fcs(FLOW.remote_mac + FLOW.local_mac + b"\x88\x99"),
    "VLAN": with_fcs(FLOW.remote_mac + FLOW.local_mac + b"\x81\x00\x00\x05\x08\x00" + bytes(60)),
}


@cocotb.test
async def other_frames_pass_untouched(dut):
    bench, _ = await with_uncommitted_order(dut)
    before = len(bench.net_tx.frames)
    for frame in OTHERS.values():
        bench.from_cpu(frame)
    frames = await bench.net_frames(before + len(OTHERS))
    assert [frame.data for frame in frames[before:]] == list(OTHERS.values())
    assert await faults(bench) == []
    assert await bench.get("count_guard_stops") == 0


@cocotb.test
async def unpadded_frames_are_padded(dut):
    bench = await armed(dut)
    body = FLOW.remote_mac + FLOW.local_mac + b"\x88\x99" + b"short"
    bench.from_cpu(body + fcs(body))
    await bench.settle(200)
    assert bench.net_tx.frames[-1].data == with_fcs(body)


@cocotb.test
async def damaged_frames_are_dropped(dut):
    bench = await armed(dut)
    before = len(bench.net_tx.frames)
    good = Segment(outgoing=True, seq=KERNEL, ack=6000).frame()
    bench.from_cpu(good[:20] + bytes([good[20] ^ 1]) + good[21:])
    bench.from_cpu(good[:17])
    oversize = b"\x02" * 2100
    bench.from_cpu(oversize + fcs(oversize))
    bench.from_cpu(good)
    await bench.settle(300)
    assert [frame.data for frame in bench.net_tx.frames[before:]] == [good]
    assert await bench.get("count_guard_stops") == 3
    assert await faults(bench) == []


@cocotb.test
async def lengths_that_contradict_are_stopped(dut):
    """A frame of the flow whose headers cannot be believed does not pass the guard."""
    bench = await armed(dut)
    whole = Segment(outgoing=True, seq=KERNEL, ack=5000, payload=b"p" * 30).frame()[:-4]
    bad = {
        "total beyond the frame": whole[:16] + (len(whole) - 13).to_bytes(2, "big") + whole[18:],
        "total below the headers": whole[:16] + (39).to_bytes(2, "big") + whole[18:],
        "data offset below 5": whole[:46] + b"\x40" + whole[47:],
        "first fragment": whole[:20] + b"\x20\x00" + whole[22:],
    }
    bad["data offset beyond the packet"] = (
        Segment(outgoing=True, seq=KERNEL, ack=5000).frame()[:46] + b"\xf0" + bytes(13)
    )
    for name, frame in bad.items():
        before = len(bench.net_tx.frames)
        bench.from_cpu(frame + fcs(frame))
        await bench.settle(200)
        assert len(bench.net_tx.frames) == before, name
    assert await bench.get("count_guard_stops") == len(bad)
    assert await faults(bench) == ["fault_uncommitted"]


@cocotb.test
async def options_in_the_ip_header(dut):
    bench, snd_nxt = await with_uncommitted_order(dut)
    (frame,) = await bench.cpu_sends(seq=KERNEL, ack=6000, ip_options=b"\x94\x04\0\0")
    assert frame.data == Segment(outgoing=True, seq=snd_nxt, ack=6000, ip_options=b"\x94\x04\0\0").frame()


@cocotb.test
async def an_order_takes_the_kernels_last_ack_and_macs(dut):
    bench = await armed(dut)
    flow = Flow(local_mac=bytes.fromhex("0200000000aa"), remote_mac=bytes.fromhex("0200000000bb"))
    await bench.cpu_sends(seq=KERNEL, ack=5555, window=4321, flow=flow)
    await bench.cpu_sends(seq=9, ack=9, window=9, flow=Flow(local_port=1))  # another connection teaches nothing
    before = len(bench.net_tx.frames)
    await fire(bench)
    frame = (await bench.net_frames(before + 1))[before]
    parsed = parse(frame.data)
    assert (parsed.ack, parsed.window) == (5555, 4321)
    assert (parsed.src_mac, parsed.dst_mac) == (flow.local_mac, flow.remote_mac)


@cocotb.test
async def every_kind_in_any_order(dut):
    """Random traffic with random stalls, orders in between: frames stay whole, none is lost, numbers fit."""
    rng = random.Random(seed())
    bench = await armed(dut)
    bench.net_tx.ready = lambda _cycle: rng.random() < 0.8
    expected = []
    before = len(bench.net_tx.frames)
    orders = 0
    for _ in range(60):
        if rng.random() < 0.3:
            await fire(bench)
            orders += 1
            if orders % 8 == 0:
                await bench.set(ring_tail=await bench.get("ring_head"))
            await peer_segment(bench, ack=await bench.get("snd_nxt"), window=16000)
        else:
            frame = (
                rng.choice(list(OTHERS.values()))
                if rng.random() < 0.5
                else with_fcs(rng.randbytes(rng.randrange(14, 1514)))
            )
            expected.append(frame)
            bench.from_cpu(frame)
            await bench.cycles(rng.randrange(200))
    await bench.settle(8000)
    frames = bench.net_tx.frames[before:]
    assert all(not frame.gaps and not frame.error for frame in frames)
    mine = [frame.data for frame in frames if parse_seq(frame.data) is not None]
    assert len(mine) == orders
    assert [frame.data for frame in frames if parse_seq(frame.data) is None] == expected
    seq = KERNEL
    for data in mine:
        parsed = parse(data)
        assert not parsed.problems
        assert parsed.seq == seq
        seq += len(parsed.payload)
    assert await bench.get("count_cpu_frames") == 2 + len(expected)


def parse_seq(frame: bytes) -> int | None:
    """Sequence number if ``frame`` is an order of the flow."""
    if (
        frame[12:14] != b"\x08\x00"
        or frame[26:38] != bytes.fromhex("0a0000020a0000019c412696")
        or frame[47] != PSH | ACK
    ):
        return None
    return parse(frame).seq
