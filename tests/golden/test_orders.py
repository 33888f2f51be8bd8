# SPDX-License-Identifier: Apache-2.0
"""A broker's list as a strategy, pinned: what a person reads, and what `fmt` leaves as it is."""

import os
from pathlib import Path

import pytest

from fixaccel.diagnostics import Report
from fixaccel.formatting.format import format_source
from fixaccel.order_list.load import Wish, import_orders
from fixaccel.pipeline import load_strategy
from fixaccel.source import SourceFile

ORDERS = Path(__file__).parent / "orders"
VENUE = Path(__file__).parents[2] / "strategies" / "venues" / "simulator.yaml"


def test_the_strategy_of_a_list_is_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ORDERS)
    venue = Path(os.path.relpath(VENUE, ORDERS))
    imported = import_orders(Path("desk.csv"), venue, Path("desk.yaml"), Wish())
    assert imported.written
    pinned = (ORDERS / "desk.yaml").read_text(encoding="utf-8")
    assert imported.written.text == pinned
    assert not imported.written.tables
    assert format_source(SourceFile.of("desk.yaml", pinned), Report()) == pinned


def test_the_pinned_strategy_passes_check() -> None:
    assert load_strategy(ORDERS / "desk.yaml").strategy
