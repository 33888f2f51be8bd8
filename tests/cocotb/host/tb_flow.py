# SPDX-License-Identifier: Apache-2.0
"""The flow as a kernel sees it: what an acknowledgement, a window, a FIN or RST of the peer change and what not."""

import random

import cocotb
from bench import seed
from frames import ACK, SYN, parse
from stubbed import armed, fire, peer_segment, verdict

KERNEL = 1000  # snd_nxt of the kernel after armed()
RX_WINDOW = {"known": 1, "snd_nxt": 32, "snd_una": 32, "snd_max": 32, "edge_known": 1, "rx_ack": 32, "rx_edge": 32}


def window_of(dut) -> dict[str, int]:
    """What the receive side is told of the flow; fields as in rtl/common/fixaccel_types_pkg.sv."""
    word, out = int(dut.rx_window.value), {}
    for name, bits in reversed(RX_WINDOW.items()):
        out[name] = word & ((1 << bits) - 1)
        word >>= bits
    return out


async def peer_state(bench) -> tuple[int, int]:
    return await bench.get("peer_ack"), await bench.get("peer_window")


@cocotb.test
async def an_old_duplicate_does_not_open_a_closed_window(dut):
    bench = await armed(dut)
    await bench.set(peer_wscale=0)
    await verdict(bench, seq=6000, ack=KERNEL, window=500)
    await verdict(bench, seq=6100, ack=KERNEL, window=0)
    assert await peer_state(bench) == (KERNEL, 0)
    await verdict(bench, seq=6000, ack=KERNEL, window=500)
    assert await peer_state(bench) == (KERNEL, 0)
    await fire(bench)
    await bench.cycles(400)
    assert await bench.get("count_rejected_window") == 1
    await verdict(bench, seq=6100, ack=KERNEL, window=700)
    assert await peer_state(bench) == (KERNEL, 700), "a window update repeats the number of the segment before"


class Peer:
    """tcp_ack() and tcp_may_update_window() of Linux, for segments that are acceptable."""

    def __init__(self, seq: int, ack: int, window: int) -> None:
        self.seq, self.ack, self.window = seq, ack, window

    def segment(self, seq: int, ack: int, window: int, snd_nxt: int) -> None:
        def after(a: int, b: int) -> bool:
            return 0 < (a - b) % 2**32 < 2**31

        if after(ack, snd_nxt) or after(self.ack, ack):
            return
        same = seq == self.seq and (window > self.window or window == 0)
        if after(ack, self.ack) or after(seq, self.seq) or same:
            self.seq, self.window = seq, window
        self.ack = ack


@cocotb.test
async def acknowledgements_and_windows_as_linux_takes_them(dut):
    rng = random.Random(seed())
    bench = await armed(dut)
    base = 2**32 - 4000  # across the wrap of both numbers
    await bench.set(arm=0, flow_valid=1, peer_wscale=0)
    await bench.cpu_sends(seq=base, ack=1, window=9)
    await bench.set(snd_nxt=base + 8000 - 2**32)
    snd_nxt = (base + 8000) % 2**32
    await verdict(bench, seq=base, ack=base, window=100)
    peer = Peer(base, base, 100)
    for _ in range(250):
        near = rng.random() < 0.8
        seq = (peer.seq + rng.choice([0, 0, 1, 50, -1, -50])) % 2**32 if near else rng.getrandbits(32)
        ack = (peer.ack + rng.choice([0, 0, 1, 30, 9000, -1, -30])) % 2**32 if near else rng.getrandbits(32)
        window = rng.choice([0, peer.window, rng.getrandbits(16)])
        await verdict(bench, seq=seq, ack=ack, window=window)
        peer.segment(seq, ack, window, snd_nxt)
        assert await peer_state(bench) == (peer.ack, peer.window), (seq, ack, window)


@cocotb.test
async def an_acknowledgement_of_what_was_never_sent_counts_for_nothing(dut):
    bench = await armed(dut)
    before = await peer_state(bench)
    await verdict(bench, ack=KERNEL + 1, window=0)
    assert await peer_state(bench) == before
    await verdict(bench, ack=KERNEL + 2**31 - 1, window=0)
    await verdict(bench, ack=KERNEL, window=1, acceptable=0)
    assert await peer_state(bench) == before
    await fire(bench)
    await bench.net_frames(3)
    assert await bench.get("count_sent") == 1, "the gate is open"


@cocotb.test
async def what_the_kernel_was_told_is_not_taken_back(dut):
    """A probe is known by it: after an old duplicate, too."""
    bench = await armed(dut)
    await peer_segment(bench, ack=KERNEL)
    await peer_segment(bench, ack=KERNEL - 100)
    await bench.settle(200)
    (frame,) = await bench.cpu_sends(seq=KERNEL - 1, ack=5000)
    assert parse(frame.data).seq == KERNEL - 1


@cocotb.test
async def a_closed_connection_says_so(dut):
    bench = await armed(dut)
    assert not (await bench.status())["closed"]
    await verdict(bench, ack=KERNEL, rst=1)
    status = await bench.status()
    assert (status["closed"], status["session_lost"], status["armed"]) == (1, 1, 0)
    await bench.set(arm=1)
    status = await bench.status()
    assert (status["closed"], status["session_lost"], status["armed"]) == (1, 0, 0), "arming does not bring it back"
    await bench.cpu_sends(seq=70000, flags=SYN)
    assert not (await bench.status())["closed"], "a new connection"
    await bench.set(flow_valid=1)
    await verdict(bench, ack=KERNEL, fin=1)
    assert (await bench.status())["closed"]
    await bench.set(flow_valid=1)
    assert not (await bench.status())["closed"]


@cocotb.test
async def a_syn_of_the_peer_does_not_end_an_established_session(dut):
    bench = await armed(dut)
    await verdict(bench, seq=1, ack=KERNEL, syn=1, window=1)
    status = await bench.status()
    assert (status["closed"], status["armed"]) == (0, 1)


@cocotb.test
async def the_cpus_window_moves_forward_only(dut):
    bench = await armed(dut)
    await bench.set(local_wscale=3)
    await bench.cpu_sends(seq=KERNEL, ack=5000, window=61000)
    assert window_of(dut)["rx_edge"] == 5000 + 488000
    await bench.cpu_sends(seq=KERNEL, ack=5500, window=100)
    assert window_of(dut)["rx_edge"] == 493000, "a kernel takes what it has once offered"
    await bench.cpu_sends(seq=KERNEL, ack=493000, window=1)
    assert (window_of(dut)["rx_ack"], window_of(dut)["rx_edge"]) == (493000, 493008)
    await bench.set(local_wscale=14)
    await bench.cycles(5)
    assert window_of(dut)["rx_edge"] == 493000 + 2**14, "the scale is known only after the handshake"
    await verdict(bench, ack=KERNEL, window=200)
    seen = window_of(dut)
    assert (seen["known"], seen["edge_known"], seen["snd_una"], seen["snd_nxt"]) == (1, 1, KERNEL, KERNEL)
    assert seen["snd_max"] == 16000 * 4
    await bench.cpu_sends(seq=70000, flags=SYN)
    assert (window_of(dut)["known"], window_of(dut)["edge_known"]) == (0, 0)
    await bench.cpu_sends(seq=70001, ack=1, window=2, flags=ACK)
    await bench.cycles(5)
    assert window_of(dut)["rx_edge"] == 1 + (2 << 14)
