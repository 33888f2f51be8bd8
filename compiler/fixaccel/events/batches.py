# SPDX-License-Identifier: Apache-2.0
"""Rows of event files in Arrow's memory, many at a time, to the columns that engines take."""

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from fixaccel.csv_text.cells import Cell
from fixaccel.events.arrow import codes, prices, sizes, texts, times
from fixaccel.events.columns import ALL_INSTRUMENTS, FIRST_EXECUTION, KINDS, NO_PART, EventColumns, PriceState
from fixaccel.events.part_book import PartBook
from fixaccel.events.row_reader import RULE, WITH_RULE, RowReader
from fixaccel.events.rows import Faults
from fixaccel.semantics.messages import CARRIED, Kind

_KIND_NUMBERS = {kind.value: number for number, kind in enumerate(KINDS)}
_ANY_INSTRUMENT = [number for number, kind in enumerate(KINDS) if kind in {Kind.GAP, Kind.HALT, Kind.OPEN}]


class BatchReader:
    """Keeps what goes from batch to batch: the time, which never falls, and the number of rows."""

    def __init__(self, instruments: Iterable[str], parts: PartBook | None = None) -> None:
        self._instruments = tuple(instruments)
        self._parts = parts
        self._numbers = {symbol: number for number, symbol in enumerate(self._instruments)}
        self.ts_ns = 0
        self.rows = 0

    def read(self, batch: pa.RecordBatch) -> tuple[EventColumns, npt.NDArray[np.int64]]:
        """The messages of ``batch``, and the rows (from 0, in it) that have a fault; sizes may be left out."""
        names = set(batch.schema.names)
        ts_ns, bad = times(batch["ts_ns"])
        instrument, unknown = codes(batch["instrument"], self._numbers, ALL_INSTRUMENTS)
        kind, no_kind = codes(batch["kind"], _KIND_NUMBERS, KINDS.index(Kind.UPDATE))
        bad |= unknown | no_kind
        price = np.zeros((len(CARRIED), len(batch)), np.int64)
        state = np.zeros((len(CARRIED), len(batch)), np.uint8)
        carried = np.zeros(len(batch), np.bool_)
        for row, source in enumerate(CARRIED):
            price[row], state[row], wrong = prices(batch[source.value])
            bad |= wrong
            if f"{source.value}_size" in names:
                has_size, wrong = sizes(batch[f"{source.value}_size"])
                # The quantity of a fill may be below zero, and is read below.
                bad |= wrong & (kind < FIRST_EXECUTION) if source is CARRIED[-1] else wrong
                carried |= has_size
        everywhere = np.isin(kind, _ANY_INSTRUMENT)
        if everywhere.any():
            carried |= (state != PriceState.ABSENT).any(axis=0)
            bad |= everywhere & carried
        own = kind >= FIRST_EXECUTION
        bad |= (instrument == ALL_INSTRUMENTS) & ~everywhere & ~own
        if RULE in names:
            bad |= ~own & codes(batch[RULE], {}, 0)[1]
        columns = EventColumns(self._running(ts_ns), instrument, kind.astype(np.uint8), price, state, self.rows)
        if own.any():
            columns = self._with_executions(columns, batch, np.flatnonzero(own), bad)
        self.rows += len(batch)
        return columns, np.flatnonzero(bad)

    def _with_executions(
        self, columns: EventColumns, batch: pa.RecordBatch, rows: npt.NDArray[np.int64], bad: npt.NDArray[np.bool_]
    ) -> EventColumns:
        """With what ``rows`` say of own orders. They are few: the reader of rows reads them; marks bad ones."""
        part, qty = np.full(len(columns), NO_PART, np.int32), np.zeros(len(columns), np.int64)
        columns.price[:, rows], columns.state[:, rows] = 0, PriceState.ABSENT
        instrument = columns.instrument.copy()  # it may be the memory of whoever made the batch
        taken, empty = batch.take(pa.array(rows)), [""] * len(rows)
        cells = [texts(taken[name]) if name in taken.schema.names else empty for name in WITH_RULE]
        for row, *values in zip(rows.tolist(), *cells, strict=True):
            faults = Faults("")
            reader = RowReader(self._instruments, faults, 0, self._parts, WITH_RULE)
            message = reader.message(1, [Cell(value, 1, 1, len(value)) for value in values])
            bad[row] = bool(faults.count)
            if message and message.execution and not faults.count:
                part[row], qty[row] = message.execution.part, message.execution.qty
                instrument[row] = self._numbers[message.instrument or ""]
        return replace(columns, instrument=instrument, part=part, qty=qty)

    def _running(self, ts_ns: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Times as a running maximum over all batches."""
        if not len(ts_ns):
            return ts_ns
        if ts_ns[0] < self.ts_ns or (ts_ns[1:] < ts_ns[:-1]).any():
            ts_ns = np.maximum(np.maximum.accumulate(ts_ns), self.ts_ns)
        self.ts_ns = int(ts_ns[-1])
        return ts_ns
