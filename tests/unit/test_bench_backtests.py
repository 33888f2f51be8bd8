# SPDX-License-Identifier: Apache-2.0
"""What the simulator is measured beside fires the same: else the benchmark would compare different work."""

import importlib
from pathlib import Path

import pytest

BENCH = Path(__file__).resolve().parents[2] / "bench"


def test_packages_for_backtesting_fire_the_same_stops_at_the_same_ticks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(BENCH)
    backtests = importlib.import_module("backtests")
    prices = backtests.walk(1500, 11)
    stops = backtests.levels(prices, 12)
    fires = {name: run(prices, stops)[0] for name, run in backtests.RUNS.items()}
    first, *others = fires.values()
    assert len(first) == len(stops) - 1, "all are reached but the last"
    assert [other for other in others if other != first] == []
    assert backtests.count(prices, stops)[0] == len(first)
