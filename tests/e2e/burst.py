# SPDX-License-Identifier: Apache-2.0
"""`make capture`: a thousand orders and market data at line rate on one wire, each frame checked by readers of its own.

The Verilated fabric plays a market that falls through stops. What stood on the exchange's wire, both ways and with each
FCS, goes into a capture, which tshark and the reference interpreter judge. Exits 0 only if nothing is wrong.
"""

import argparse
import json
import random
import subprocess
import sys
from dataclasses import dataclass
from decimal import Decimal
from ipaddress import IPv4Address
from itertools import pairwise
from pathlib import Path

from fixaccel.emit.bundle import write_bundle
from fixaccel.hwmap import load_hwmap
from fixaccel.image.pack.pack import build_image
from fixaccel.lab.capture import Findings, examine
from fixaccel.lab.desk import VENUE, Json
from fixaccel.language.rules import Strategy
from fixaccel.language.terms import Source
from fixaccel.pipeline import load_board, load_strategy
from fixaccel.semantics.messages import Fire, Kind, Message
from fixaccel.simulate.engines import RulesEngine
from fixaccel.simulate.rtl.pcap import read_pcap, write_pcap
from fixaccel.simulate.rtl.run import find_rtlsim
from fixaccel.simulate.rtl.stream import make_traffic
from lab.desk import ROOT

ORDERS = 1000
_SYMBOLS = ("MSFT", "CLZ6")  # that have stops
_LEVELS = 5  # prices at which an instrument has stops, half a unit of money apart
_START_NS = 1_700_049_600_000_000_000  # 2023-11-15 12:00 UTC
_BYTE_NS = 8
_GAP_BYTES = 20  # preamble and inter-frame gap
_LEAST_SHARE = 0.98
_IP_SOURCE = slice(26, 30)  # of a frame
# Counters of the fabric and what they must say; what else may count.
_COUNTS = {"count_messages": "incoming", "count_sent": "orders"}
_HARMLESS = {"count_frames", "count_cpu_frames", "count_ack_rewrites"}
_SIDES = {"1": "buy", "2": "sell"}
_SEED = 1


@dataclass(frozen=True)
class Burst:
    """A capture, and what the reference says had to be in it."""

    wire: Path
    expected: list[Fire]
    client: str
    symbols: dict[str, str]  # by rule
    incoming: int  # frames
    summary: Json  # of the simulation


@dataclass(frozen=True)
class Line:
    """How the wire was taken, by the capture's times.

    ``share`` of the time from the first order to the last is taken by frames that leave; ``incoming`` frames come, of
    them so many ``meanwhile``; ``largest_gap_ns`` lies between two of them, beside preamble and inter-frame gap.
    """

    orders: int
    share: float
    incoming: int
    meanwhile: int
    largest_gap_ns: int


def _strategy(folder: Path, orders: int) -> Strategy:
    """So many stops, as many on each price, that a message fires many at once."""
    rules = "".join(
        f"  - {{id: stop-{number}, instrument: {_SYMBOLS[number % len(_SYMBOLS)]}, "
        f"when: last <= {100 - number // len(_SYMBOLS) % _LEVELS * 0.5:g}, "
        f"order: {{side: sell, qty: {1 + number % 9}, type: limit, price: trigger - {number % 7} ticks}}}}\n"
        for number in range(orders)
    )
    path = folder / "burst.yaml"
    path.write_text(f"fixaccel: 1\nvenue: {VENUE}\nrules:\n{rules}", encoding="utf-8")
    loaded = load_strategy(path)
    if loaded.strategy is None:
        raise ValueError("\n".join(diagnostic.message for diagnostic in loaded.diagnostics))
    return loaded.strategy


def _market(orders: int) -> list[Message]:
    """Snapshots that fall through all stops, then quotes of both instruments for as long as orders leave."""
    draw = random.Random(_SEED)
    steps = [(symbol, 100 - level / 2) for level in range(_LEVELS) for symbol in _SYMBOLS]
    # One comes for each order or acknowledgement that leaves, and some more.
    later = [(draw.choice(_SYMBOLS), 100 - draw.randrange(0, 200) / 100) for _ in range(orders * 3 // 2)]
    return [
        Message(
            event,
            _START_NS,
            symbol,
            Kind.SNAPSHOT,
            {Source.BID: f"{price:.2f}", Source.ASK: f"{price + 0.01:.2f}", Source.LAST: f"{price:.2f}"},
            {},
        )
        for event, (symbol, price) in enumerate(steps + later, 1)
    ]


def record(folder: Path, orders: int = ORDERS) -> Burst:
    """Plays the market to the fabric; writes `wire.pcap` and what it is made from into ``folder``."""
    folder.mkdir(parents=True, exist_ok=True)
    strategy, messages = _strategy(folder, orders), _market(orders)
    board = load_board().board
    assert board is not None
    write_bundle(build_image(strategy, board, load_hwmap()), strategy, board, folder / "bundle")
    traffic = make_traffic(strategy.venue.session, messages, None)
    write_pcap(folder / "frames.pcap", traffic.frames)
    wire = folder / "wire.pcap"
    command: list[str | Path] = [
        find_rtlsim(),
        "--bundle",
        folder / "bundle",
        "--in",
        folder / "frames.pcap",
        "--wire",
        wire,
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise ValueError(f"the fabric's simulation failed: {done.stderr}")
    expected = RulesEngine(strategy).run(messages, lambda _: None)
    symbols = {rule.id: rule.instrument.symbol for rule in strategy.rules}
    return Burst(wire, expected, str(traffic.client.ip), symbols, len(traffic.frames), json.loads(done.stdout))


def line_of(burst: Burst) -> Line:
    """Reads the times of the capture's frames, which end with their FCS."""
    theirs: list[tuple[int, int]] = []
    ours: list[tuple[int, int]] = []
    orders = []
    for begin, frame in read_pcap(burst.wire):
        end = begin + (len(frame) + _GAP_BYTES) * _BYTE_NS
        outgoing = frame[_IP_SOURCE] == IPv4Address(burst.client).packed
        (ours if outgoing else theirs).append((begin, end))
        if outgoing and b"\x0135=D\x01" in frame:
            orders.append((begin, end))
    busy = sum(end - begin for begin, end in ours if orders[0][0] <= begin <= orders[-1][0])
    return Line(
        orders=len(orders),
        share=busy / (orders[-1][1] - orders[0][0]),
        incoming=len(theirs),
        meanwhile=sum(orders[0][0] <= begin <= orders[-1][0] for begin, _ in theirs),
        largest_gap_ns=max(after[0] - before[1] for before, after in pairwise(theirs)),
    )


def faults(burst: Burst, findings: Findings, line: Line) -> list[str]:
    """What is wrong with the capture, a line each."""
    wrong = findings.faults()
    if findings.with_fcs != findings.frames:
        wrong.append(f"{findings.frames - findings.with_fcs} of {findings.frames} frames without a right FCS")
    seen = [dict(field.split("=", 1) for field in order.decode().split("\x01")[:-1]) for order in findings.orders]
    numbers = [int(order["34"]) for order in seen]
    if numbers != list(range(1, len(seen) + 1)):
        wrong.append("MsgSeqNum has gaps")
    if len({order["11"] for order in seen}) != len(seen):
        wrong.append("a ClOrdID twice")
    if len(seen) != len(burst.expected):
        wrong.append(f"{len(seen)} orders, the reference fires {len(burst.expected)}")
    for number, (order, fire) in enumerate(zip(seen, burst.expected, strict=False), 1):
        if _terms(order) != (wanted := _wanted(fire, burst.symbols)):
            wrong.append(f"order {number} is {_terms(order)}, the reference has {wanted}")
    if line.largest_gap_ns or line.incoming != burst.incoming:
        wrong.append(f"market data did not come at line rate: {line}")
    if line.share < _LEAST_SHARE:
        wrong.append(f"orders did not leave at line rate: {line}")
    counted = {name: count for name, count in burst.summary.items() if name.startswith("count_") and count}
    if {name: counted.pop(name, 0) for name in _COUNTS} != {name: getattr(line, of) for name, of in _COUNTS.items()}:
        wrong.append(f"counters of the fabric: {burst.summary}")
    if set(counted) - _HARMLESS:
        wrong.append(f"counters of the fabric that were to be 0: {counted}")
    return wrong


def _terms(order: dict[str, str]) -> tuple[str, ...]:
    price = f"{Decimal(order['44']).normalize():f}"
    return order["11"], order["55"], _SIDES[order["54"]], str(int(order["38"])), price


def _wanted(fire: Fire, symbols: dict[str, str]) -> tuple[str, ...]:
    price = f"{Decimal(fire.price).normalize():f}"
    return fire.cl_ord_id, symbols[fire.rule], fire.side, str(fire.qty), price


def main() -> int:
    """Returns the exit code: 0 only if every frame is as it must be."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--orders", type=int, default=ORDERS)
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "capture")
    arguments = parser.parse_args()
    burst = record(arguments.folder, arguments.orders)
    findings, line = examine(burst.wire, burst.client), line_of(burst)
    wrong = faults(burst, findings, line)
    for fault in wrong:
        print(f"wrong: {fault}")
    print(
        f"{burst.wire}: {findings.frames} frames, {findings.with_fcs} with a right FCS; {line.orders} orders, "
        f"{line.share:.1%} of the line's time from the first to the last taken; {line.meanwhile} frames with market "
        f"data meanwhile, of {line.incoming} without a pause"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
