# SPDX-License-Identifier: Apache-2.0
"""What a strategy did on market data: one row for each order that would have left."""

import time
from collections.abc import Callable, Sequence
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from fixaccel.api.diagnostics import Diagnostics
from fixaccel.api.errors import FixaccelError
from fixaccel.api.html import line_html, table_html
from fixaccel.api.optional import pandas_for
from fixaccel.diagnostics.checked import Checked
from fixaccel.events.file import EventFile
from fixaccel.events.unmatched import unmatched_warnings
from fixaccel.files import same_file
from fixaccel.native.interpreter import TableError
from fixaccel.native.library import LibraryError
from fixaccel.semantics.messages import Fire
from fixaccel.simulate.engines import EngineError, RulesEngine
from fixaccel.simulate.results import COLUMNS, write_results
from fixaccel.simulate.summary import Summary, Watched
from fixaccel.simulate.table_run import TableEngine

if TYPE_CHECKING:
    import os

    import pandas as pd

# Told more often than this, progress would cost more than what it tells of.
_STEP = 0.005
_MOST_SHOWN = 20

_WORDS = pa.dictionary(pa.int32(), pa.string())
_PRICE = pa.decimal128(28, 9)  # ten digits before the point; a middle of two prices needs a ninth place behind it
_PRICES = ("trigger", "observed", "price")
_TYPES = (
    {"ts_ns": pa.timestamp("ns", "UTC"), "event": pa.int64(), "qty": pa.int64(), "cl_ord_id": pa.string()}
    | dict.fromkeys(("rule", "source", "side", "type", "outcome"), _WORDS)
    | dict.fromkeys(_PRICES, _PRICE)
)


class Simulation:
    """What came of one run: a table with a row a fire, in firing order, with the columns of a result file.

    Libraries that read Arrow take it as it is, such as ``polars.DataFrame(simulation)``.
    """

    def __init__(self, fires: Sequence[Fire], summary: Summary, checked: Checked, inputs: Sequence[Path]) -> None:
        self._fires = tuple(fires)
        self._summary = summary
        self._diagnostics = Diagnostics(checked)
        self._inputs = inputs

    @property
    def fires(self) -> tuple[Fire, ...]:
        """The rows as objects. Their prices are decimal text, exact."""
        return self._fires

    @property
    def summary(self) -> Summary:
        """What the run came to: events, observations, fires, rejections, invalid prices, time."""
        return self._summary

    @property
    def diagnostics(self) -> Diagnostics:
        """Warnings of the strategy and of the events."""
        return self._diagnostics

    def to_arrow(self) -> pa.Table:
        """As Arrow: times as moments, prices as exact decimals, null where there is none, words by dictionary."""
        return pa.table({name: self._column(name) for name in COLUMNS})

    def to_pandas(self) -> "pd.DataFrame":
        """As a DataFrame: prices as floats, NaN where there is none. Raises ModuleNotFoundError without pandas."""
        pandas_for("to_pandas()")
        table = self.to_arrow()
        for name in _PRICES:
            # The float next to each text: Arrow's own conversion of decimals is not always that.
            floats = [float(text) if (text := getattr(fire, name)) else None for fire in self.fires]
            table = table.set_column(table.schema.get_field_index(name), name, pa.array(floats, pa.float64()))
        return table.to_pandas()

    def write(self, path: "str | os.PathLike[str]") -> None:
        """Writes a result file as `fixaccel simulate -o` does, Parquet if the name ends so, else CSV.

        Raises FixaccelError for a file that was read for this run, OSError.
        """
        output = Path(path)
        if same_file(output, self._inputs):
            raise FixaccelError(f"{output} is an input; write to another file")
        write_results(output, self.fires)

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """The same as `to_arrow`, for libraries that read Arrow."""
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def __repr__(self) -> str:
        return f"<Simulation: {self.summary.text()}>"

    def _repr_html_(self) -> str:
        rows = [[getattr(fire, name) for name in COLUMNS] for fire in self.fires[:_MOST_SHOWN]]
        more = len(self.fires) - len(rows)
        parts = [line_html(self.summary.text()), table_html(COLUMNS, rows) if rows else ""]
        return "".join([*parts, line_html(f"and {more:,} more") if more else ""])

    def _column(self, name: str) -> pa.Array:
        values: list[Any] = [getattr(fire, name) for fire in self.fires]
        if name in _PRICES:
            values = [Decimal(text) if text else None for text in values]
        elif name == "cl_ord_id":
            values = [text or None for text in values]
        return pa.array(values, _TYPES.get(name, pa.string()))


def simulated(
    engine: RulesEngine | TableEngine, file: EventFile, progress: Callable[[float], None] | None,
    checked: Checked, inputs: Sequence[Path], name: Path, *, touch: bool,
) -> Simulation:  # fmt: skip
    """Runs the engine over the events, called ``name``; ``checked`` is of the strategy. Raises FixaccelError."""
    watched = Watched(file, touch=touch)
    start = time.perf_counter()
    told = _Told(progress)
    try:
        fires = watched.run(engine, told)
    except (EngineError, LibraryError, TableError) as error:
        raise FixaccelError(str(error)) from None
    seconds = time.perf_counter() - start
    found = file.checked()
    if found.failed:
        raise FixaccelError.of(found, found.diagnostics[0].span.file)
    told(1.0)
    summary = Summary.of(watched, fires, engine, seconds)
    unmatched = Checked(unmatched_warnings(name, engine.unmatched))
    return Simulation(fires, summary, Checked.merge([checked, found, unmatched]), inputs)


class _Told:
    """Hands on how far a run is, no more often than it is worth, and 1 once at the end."""

    def __init__(self, progress: Callable[[float], None] | None) -> None:
        self._progress = progress
        self._last = 0.0

    def __call__(self, part: float) -> None:
        if self._progress and self._last < 1 and (part >= 1 or part >= self._last + _STEP):
            self._last = part
            self._progress(part)
