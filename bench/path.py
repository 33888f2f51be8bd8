# SPDX-License-Identifier: Apache-2.0
"""Software path: from a trade on the client's wire to the order on it, without a board."""

import re
import sys
import tempfile
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

from report import Figure, figure

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "e2e"))

from fixaccel.board.control import ControlClient
from fixaccel.lab.capture import segments
from fixaccel.lab.desk import Json, fixaccel
from fixaccel.lab.namespaces import CLIENT_IP, EXCHANGE_IP
from fixaccel.lab.processes import Process
from lab.desk import ROOT, Desk
from lab.scenario import finish, play

NOTE = (
    "No board: the runtime evaluates all rules, real kernels and FIX engines at both ends of a wire between network "
    "namespaces. From the segment with the trade on the client's interface to the one with the order, by the kernel's "
    "clock as dumpcap has it (1 us); recv to send: what of that is the daemon's own, as its journal has it. Each order "
    "is in the journal, on disk where it says so, before it leaves."
)
PLACES = (("tmpfs", Path("/dev/shm")), ("disk", Path("/var/tmp")))  # of the journal
NEVER_RESTS = "[limits]\npoll_us = 0\n"
_WARM_UP = 20  # orders: the first ones wait for memory and caches
_TOP = 1180.00
# Orders a second that the venue asks for, and how many.
_LOADS = ((50, 500), (10_000, 4000))
_PRICE = re.compile(rb"\x0144=0*([0-9.]+)\x01")
_TRADE = re.compile(rb"\x01269=2\x01270=([0-9.]+)\x01")


def _price(step: int) -> str:
    return f"{_TOP - step / 100:.2f}"


def _bundle(folder: Path, count: int) -> Path:
    """A stop at each cent, of so many."""
    source = folder / "cents.yaml"
    source.write_text(
        f"fixaccel: 1\nvenue: {ROOT}/strategies/venues/simulator.yaml\nrules:\n"
        f"  - {{id: fall, instrument: MSFT, when: last <= {_TOP}, ladder: {{step: -0.01, count: {count}}},\n"
        "     order: {side: sell, qty: 1, type: limit, price: trigger}}\n",
        encoding="utf-8",
    )
    fixaccel("compile", str(source), "-o", str(folder / "cents"))
    return folder / "cents"


def _steps(rate: int, count: int) -> str:
    trades = [f"- trade: {{instrument: MSFT, price: {_price(step)}, size: 1}}\n" for step in range(_WARM_UP + count)]
    slow, fast = trades[:_WARM_UP], trades[_WARM_UP:]
    wait = f"- wait: {1_000_000 // rate}us\n"
    return (
        "- wait: 20ms\n".join(slow)
        + "- wait: 100ms\n"
        + wait.join(fast)
        + f"- wait_for: {{orders: {_WARM_UP + count}, timeout: 120s}}\n- wait: 300ms\n- logout: CLIENT1\n"
    )


def _times(pcap: Path, source: str, pattern: re.Pattern[bytes]) -> dict[float, float]:
    """When a price was first said, in seconds."""
    found: dict[float, float] = {}
    sent = segments(pcap, source)
    ends = list(accumulate(len(segment.payload) for segment in sent))
    for match in pattern.finditer(b"".join(segment.payload for segment in sent)):
        found.setdefault(float(match[1]), sent[bisect_left(ends, match.end())].time_s)
    return found


@dataclass(frozen=True)
class Run:
    """What was seen of a run's orders but for the first ones, and the daemon's own account of all."""

    wire_us: list[float]
    inside_us: list[float]
    orders_per_s: float
    latency: Json


def start_armed(desk: Desk, config: Path, rate: int, count: int) -> Process:
    """A daemon with the settings of ``config``, armed for so many orders of rules behind the first ones."""
    bundle = _bundle(desk.folder, _WARM_UP + count)
    desk.remove_board()
    play(desk, _steps(rate, count))
    return desk.start_armed(bundle, deploy=True, config=config)


def let_fall(desk: Desk) -> None:
    """The venue's prices fall, until all orders are there."""
    desk.tell("armed")
    assert desk.exchange is not None
    desk.exchange.wait_exit(300)


def played(folder: Path, rate: int, count: int, settings: str = "") -> Run:
    """So many orders of rules, with these ``settings`` of the daemon, its journal below ``folder``."""
    with tempfile.TemporaryDirectory(prefix="fixaccel-bench-", dir=folder) as name, Desk(Path(name)) as desk:
        config = desk.folder / "fixacceld.toml"
        config.write_text(settings, encoding="utf-8")
        daemon = start_armed(desk, config, rate, count)
        capture = desk.start_capture(at_client=True)
        let_fall(desk)
        with ControlClient(desk.control) as client:
            latency = client.ask("latency")
        finish(desk, daemon)
        capture.stop()
        inside = [fire["took_ns"] / 1000 for fire in desk.fires()[_WARM_UP:] if "took_ns" in fire]
        trades, orders = _times(desk.pcap, EXCHANGE_IP, _TRADE), _times(desk.pcap, CLIENT_IP, _PRICE)
    measured = [float(_price(_WARM_UP + step)) for step in range(count)]
    lasted = orders[measured[-1]] - orders[measured[0]]
    said = sorted(trades)  # the venue may leave out one that the next has overtaken
    took = [(orders[price] - trades[said[bisect_right(said, price) - 1]]) * 1e6 for price in measured]
    return Run(took, inside, (count - 1) / lasted, latency)


def _measure(folder: Path, where: str, rate: int, count: int, *, rests: bool) -> Iterator[Figure]:
    run = played(folder, rate, count, "" if rests else NEVER_RESTS)
    how = "" if rests else ", never rests"
    rate_text = f"{run.orders_per_s:,.0f} orders/s"
    yield figure(f"{where}{how}, {rate_text}", "us", run.wire_us)
    yield figure(f"{where}{how}, {rate_text}, recv to send", "us", run.inside_us)


def measure() -> Sequence[Figure]:
    """Runs the product in a laboratory of its own, its journal in memory and on disk, its daemon resting or not."""
    return [
        row
        for where, folder in PLACES
        for rests in (True, False)
        for rate, count in _LOADS
        for row in _measure(folder, where, rate, count, rests=rests)
    ]
