# SPDX-License-Identifier: Apache-2.0
"""Orders and market data a second of the exchange simulator over FIX on loopback, beside QuickFIX alone."""

import json
import os
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fixaccel.simulate.progress import ProgressBar
from report import Figure, figure

_BUILD = Path(os.environ.get("FIXACCEL_BUILD") or Path(__file__).resolve().parents[1] / "build/release")
_PROGRAMS = _BUILD / "exchange-sim"
SESSIONS = (1, 4, 16)
WATCHERS = 32
# Of a run; each is answered before the next run begins.
_ORDERS = 60_000
# On their way at a time, of each session: one shows the time of a lone order, more what the venue can do.
_WINDOWS = (1, 64)
_SAMPLES = 3
_MARKET_SECONDS = 3
_CHANGES = 2_000
_PATIENCE = 15

NOTE = (
    f"On loopback, {os.cpu_count()} processors shared by venue and load: one thread that sends orders made beforehand "
    "and reads the reports. Every second order trades with the one before it, so that two orders make four reports. "
    "'1 at a time' and '64 at a time' say how many orders of each session are on their way. 'first report': from "
    "handing an order to the kernel until its report is read. 'QuickFIX echo' is the same library's own threaded "
    "acceptor, which answers an order with one report and does nothing else: no dictionary, no matching. "
    f"Market data: {_CHANGES:,} orders a second in one instrument, to {WATCHERS} sessions that are subscribed to it."
)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def _exchange(sessions: int, market_data: str = "") -> Iterator[int]:
    """The program with ``sessions`` clients and an instrument for each; gives its port."""
    clients = ", ".join(f"LOAD{number}" for number in range(1, sessions + 1))
    lines = ["fixaccel-exchange: 1", "comp_id: BENCH", "listen: 127.0.0.1:0", f"clients: [{clients}]", market_data]
    lines.append("instruments:")
    lines += [f"  S{number}: {{tick: 0.01, lot: 1, price_range: 0.01..10000}}" for number in range(1, sessions + 1)]
    with tempfile.TemporaryDirectory() as folder:
        venue = Path(folder) / "venue.yaml"
        venue.write_text("\n".join(lines) + "\n", encoding="utf-8")
        command = [str(_PROGRAMS / "fixaccel-exchange"), "--venue", str(venue)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as program:
            try:
                assert program.stdout is not None
                yield int(program.stdout.readline().rpartition(":")[2])
            finally:
                program.terminate()


@contextmanager
def _echo(sessions: int) -> Iterator[int]:
    port = _free_port()
    command = [str(_PROGRAMS / "exchange-sim-quickfix-echo"), str(port), str(sessions)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as program:
        try:
            assert program.stdout is not None
            program.stdout.readline()
            yield port
        finally:
            program.kill()


def _load(*words: object) -> dict[str, float]:
    command = [str(_PROGRAMS / "exchange-sim-fix-load"), *map(str, words)]
    # A venue that has just begun to listen.
    for _ in range(_PATIENCE * 10):
        run = subprocess.run(command, capture_output=True, text=True, check=False)
        if run.returncode == 0 or "cannot connect" not in run.stderr:
            break
        time.sleep(0.1)
    run.check_returncode()
    result: dict[str, float] = json.loads(run.stdout)
    return result


def measure() -> list[Figure]:
    """Rows of orders a second and of the time of the first report, then of market data a second."""
    figures: list[Figure] = []
    runs = len(SESSIONS) * len(_WINDOWS) * 2 + 2
    done = 0
    with ProgressBar("exchange-fix", runs) as progress:
        for sessions in SESSIONS:
            for window in _WINDOWS:
                count = _ORDERS // sessions if window > 1 else _ORDERS // 10 // sessions
                against: Figure | None = None
                for name, venue in (("QuickFIX echo", _echo), ("exchange", _exchange)):
                    samples = []
                    for _ in range(_SAMPLES):
                        with venue(sessions) as port:
                            samples.append(_load("orders", port, sessions, count, window))
                    title = f"{name}, {sessions} sessions, {window} at a time"
                    rate = figure(title, "orders/s", [sample["per_second"] for sample in samples], against)
                    figures.append(rate)
                    figures += [
                        figure(f"{title}: first report, {share}", "us", [sample[f"{share}_us"] for sample in samples])
                        for share in ("p50", "p99", "max")
                    ]
                    against = rate
                    done += 1
                    progress(done)
        for title, market_data in (("each change", ""), ("conflated, 50 ms", "message: snapshot, conflate: 50ms")):
            line = f"market_data: {{{market_data}}}" if market_data else ""
            rates = []
            for _ in range(_SAMPLES):
                with _exchange(WATCHERS + 1, line) as port:
                    rates.append(_load("market", port, WATCHERS, _MARKET_SECONDS, _CHANGES)["per_second"])
            figures.append(figure(f"market data to {WATCHERS} sessions, {title}", "messages/s", rates))
            done += 1
            progress(done)
    return figures
