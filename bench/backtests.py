# SPDX-License-Identifier: Apache-2.0
"""The same stops over the same ticks, here and in two Python packages for backtesting: ticks a second, same fires."""

import contextlib
import io
import json
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import backtesting
import backtrader
import numpy as np
import pandas as pd

import fixaccel
import market
from report import Figure, figure

TICKS = 50_000
STOPS = 50
_SAMPLES = 3
_SYMBOL = "A0"
_START = 1000.0  # above every stop
_CASH = 1e9  # no order is refused for want of it

NOTE = (
    f"Ticks a second on one core, wall clock, data in memory as each package takes them: {TICKS:,} trades of one "
    f"instrument, a random walk in ticks of 0.01, over {STOPS} sell stops at rising distance that are placed with the "
    "first tick and fire once each. The packages know bars: each tick is one that opens, ends, rises and falls to its "
    "price. Every run must fire the same stops at the same ticks, or the benchmark fails. The packages keep account of "
    "positions, cash and commissions as well, which is not asked here; they are backtrader "
    f"{backtrader.__version__} and backtesting {backtesting.__version__}. `count` is the whole command, from Parquet."
)

Prices: TypeAlias = np.ndarray[Any, np.dtype[np.float64]]
Fires: TypeAlias = list[tuple[int, float]]  # number of the tick, the stop's price
Run: TypeAlias = Callable[[Prices, list[float]], tuple[Fires, float]]


def measure() -> list[Figure]:
    """A row for each engine of ours and each package. Raises AssertionError if they do not fire the same."""
    prices = walk(TICKS, 7)
    stops = levels(prices, STOPS)
    figures: list[Figure] = []
    wanted = None
    for name, run in RUNS.items():
        samples = []
        for _ in range(_SAMPLES):
            fires, seconds = run(prices, stops)
            wanted = fires if wanted is None else wanted
            assert fires == wanted, f"{name} fires {len(fires)}, at other ticks than the {len(wanted)} of the first"
            samples.append(len(prices) / seconds)
        figures.append(figure(name, "ticks/s", samples, figures[0] if figures else None))
    counted = [count(prices, stops) for _ in range(_SAMPLES)]
    assert {fires for fires, _ in counted} == {len(wanted or [])}, "they are counted otherwise"
    rates = [len(prices) / seconds for _, seconds in counted]
    return [*figures, figure("fixaccel count, the command", "ticks/s", rates, figures[0])]


def walk(ticks: int, seed: int) -> Prices:
    """Trade prices from `_START`, in hundredths exactly."""
    steps = np.random.default_rng(seed).integers(-4, 4, ticks)  # it falls, by half a tick each
    steps[:3] = 0  # the packages place orders with the first tick or the second, which fire from the next on
    return (round(_START * 100) + np.cumsum(steps)) / 100


def levels(prices: Prices, count: int) -> list[float]:
    """So many prices from just below the first tick to just below the lowest: most are reached, one is not."""
    first, lowest = round(_START * 100) - 1, round(float(prices.min()) * 100) - 1
    return sorted({int(level) / 100 for level in np.linspace(lowest, first, count)}, reverse=True)


def _strategy(folder: Path, stops: list[float]) -> Path:
    market.venue(folder / "venue.yaml", [_SYMBOL])
    rules = "".join(
        f'  - {{id: r{i}, instrument: "{_SYMBOL}", when: last <= {stop:.2f},'
        " order: {side: sell, qty: 1, type: limit, price: 1}}\n"
        for i, stop in enumerate(stops)
    )
    (folder / "bench.yaml").write_text(f"fixaccel: 1\nvenue: venue.yaml\nrules:\n{rules}", encoding="utf-8")
    return folder / "bench.yaml"


def _events(prices: Prices) -> pd.DataFrame:
    nothing = dict.fromkeys(("bid", "bid_size", "ask", "ask_size", "last_size"))
    return pd.DataFrame(
        nothing
        | {
            "ts_ns": 1_767_708_000_000_000_000 + 1_000_000 * np.arange(len(prices)),
            "instrument": _SYMBOL,
            "kind": "snapshot",
            "last": [f"{price:.2f}" for price in prices],
        },
        dtype="object",
    ).astype({"ts_ns": "int64", "instrument": "str", "kind": "str"})


def _ours(engine: str) -> Run:
    def run(prices: Prices, stops: list[float]) -> tuple[Fires, float]:
        with tempfile.TemporaryDirectory(prefix="fixaccel-bench-") as name:
            strategy = fixaccel.load(_strategy(Path(name), stops))
            frame = _events(prices)
            begin = time.perf_counter()
            simulation = strategy.simulate(frame, engine=engine)  # type: ignore[arg-type]
            fires = [(fire.event, float(fire.trigger)) for fire in simulation.fires]
            return sorted(fires), time.perf_counter() - begin

    return run


def count(prices: Prices, stops: list[float]) -> tuple[int, float]:
    """Fires that `fixaccel count` counts over the same ticks in Parquet, and the command's seconds from its start."""
    with tempfile.TemporaryDirectory(prefix="fixaccel-bench-") as name:
        path, events = _strategy(Path(name), stops), Path(name) / "events.parquet"
        _events(prices).to_parquet(events)
        command = [sys.executable, "-m", "fixaccel", "count", str(path), "--events", str(events), "--format", "json"]
        begin = time.perf_counter()
        done = subprocess.run([*command, "--fresh", "never"], capture_output=True, text=True, check=True)
        seconds = time.perf_counter() - begin
    return sum(row["sent"] for row in json.loads(done.stdout)["rows"]), seconds


def _bars(prices: Prices) -> pd.DataFrame:
    index = pd.to_datetime(np.arange(len(prices)), unit="ms", origin="2026-01-06")
    return pd.DataFrame(dict.fromkeys(("Open", "High", "Low", "Close"), prices) | {"Volume": 1}, index=index)


def _with_backtesting(prices: Prices, stops: list[float]) -> tuple[Fires, float]:
    class Stops(backtesting.Strategy):  # type: ignore[misc]
        def init(self) -> None:
            self.placed = False

        def next(self) -> None:
            if not self.placed:
                self.placed = True
                for stop in stops:
                    self.sell(size=1, stop=stop, tag=stop)

    test = backtesting.Backtest(_bars(prices), Stops, cash=_CASH, hedging=True)
    with warnings.catch_warnings(), contextlib.redirect_stderr(io.StringIO()):
        warnings.simplefilter("ignore")
        begin = time.perf_counter()
        result = test.run()
        seconds = time.perf_counter() - begin
    # Those that are open at the end are not in its table.
    ended = [
        (int(bar) + 1, float(tag))
        for bar, tag in zip(*(result["_trades"][c] for c in ("EntryBar", "Tag")), strict=True)
    ]
    still = [(trade.entry_bar + 1, float(trade.tag)) for trade in result["_strategy"].trades]
    return sorted(ended + still), seconds


def _with_backtrader(prices: Prices, stops: list[float]) -> tuple[Fires, float]:
    fires: Fires = []

    class Stops(backtrader.Strategy):  # type: ignore[misc]
        def next(self) -> None:
            if len(self) == 1:
                for stop in stops:
                    self.sell(size=1, exectype=backtrader.Order.Stop, price=stop, stop=stop)

        def notify_order(self, order: Any) -> None:  # noqa: ANN401 - a class of the package
            if order.status == order.Completed:
                fires.append((len(self), order.info.stop))

    cerebro = backtrader.Cerebro(stdstats=False)
    cerebro.broker.setcash(_CASH)
    cerebro.adddata(backtrader.feeds.PandasData(dataname=_bars(prices)))
    cerebro.addstrategy(Stops)
    begin = time.perf_counter()
    cerebro.run()
    return sorted(fires), time.perf_counter() - begin


RUNS: dict[str, Run] = {
    "fixaccel, engine image": _ours("image"),
    "fixaccel, engine rules": _ours("rules"),
    "backtesting": _with_backtesting,
    "backtrader": _with_backtrader,
}
