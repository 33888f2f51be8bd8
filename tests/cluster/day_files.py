# SPDX-License-Identifier: Apache-2.0
"""Event files over several days, of any cut, and a strategy whose count depends on where it is loaded afresh."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pyarrow.parquet as pq

from fixaccel.events.write import Event, write_events

# Midnight of New York, to begin with.
BEGIN_NS = int(datetime(2026, 1, 6, 5, tzinfo=UTC).timestamp()) * 10**9
HOUR_NS = 3600 * 10**9

VENUE = """fixaccel-venue: 1
name: simulator
time_zone: America/New_York
session: {begin_string: FIX.4.4, sender_comp_id: C, target_comp_id: S, connect: "10.0.0.1:9878", heartbeat: 30s}
market_data: {message: snapshot}
instruments:
  MSFT: {tick: 0.01, lot: 1, price_range: 0.01..10000}
  IBM: {tick: 0.01, lot: 1, price_range: 0.01..10000}
"""
STRATEGY = """fixaccel: 1
venue: venue.yaml
limits: {order_notional: 1000, total_orders: 4}
rules:
  - {id: stop, instrument: MSFT, when: last <= 100, order: {side: sell, qty: 2, type: limit, price: 90}}
  - {id: dip, instrument: MSFT, when: bid <= 100, ladder: {step: -10, count: 3},
     order: {side: buy, qty: 1, type: limit, price: trigger}}
  - {id: again, instrument: IBM, when: last >= 150, order: {side: buy, qty: 1, type: limit, price: 150},
     rearm: {reset: last <= 120, times: 5}}
  - {id: big, instrument: MSFT, when: last >= 200, order: {side: buy, qty: 9, type: market}}
"""


@dataclass(frozen=True)
class DayFile:
    """Prices by hours behind `BEGIN_NS`, as (hours, instrument, field, price); Parquet in groups, or CSV."""

    rows: Sequence[tuple[float, str, str, int]]
    group_rows: int | None  # None: CSV

    def write(self, folder: Path, number: int) -> Path:
        path = folder / f"{number:02}{'.csv' if self.group_rows is None else '.parquet'}"
        events = [
            Event(BEGIN_NS + int(hours * HOUR_NS), instrument, **{field: str(price)})  # type: ignore[arg-type]
            for hours, instrument, field, price in self.rows
        ]
        write_events(path, events)
        if self.group_rows is not None:
            pq.write_table(pq.read_table(path), path, row_group_size=self.group_rows)
        return path


def strategy_in(folder: Path) -> Path:
    """The strategy's file."""
    (folder / "venue.yaml").write_text(VENUE, encoding="utf-8")
    (folder / "strategy.yaml").write_text(STRATEGY, encoding="utf-8")
    return folder / "strategy.yaml"
