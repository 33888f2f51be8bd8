# SPDX-License-Identifier: Apache-2.0
"""What events can be given as: a file, a DataFrame, anything that speaks Arrow."""

import os
from collections.abc import Collection
from pathlib import Path
from typing import Any, Protocol, TypeAlias, runtime_checkable

import pyarrow as pa

from fixaccel.api.errors import FixaccelError
from fixaccel.api.optional import is_frame
from fixaccel.api.tables import TableEvents
from fixaccel.events.file import EventFile, open_events
from fixaccel.events.part_book import PartBook
from fixaccel.events.row_reader import WITH_RULE, nearest


@runtime_checkable
class ArrowStream(Protocol):
    """Tables that hand their columns over as Arrow memory: of pyarrow, polars, duckdb, pandas, and many more."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """A capsule with a stream of record batches."""


Events: TypeAlias = str | os.PathLike[str] | ArrowStream


def opened(events: Events, instruments: Collection[str], parts: PartBook) -> EventFile:
    """The events, nothing of them read yet. Raises TypeError for what holds none, FixaccelError for odd columns."""
    if isinstance(events, str | os.PathLike):
        return open_events(Path(events), instruments, parts)
    name = f"<{type(events).__name__}>"
    if isinstance(events, pa.RecordBatch):
        events = pa.Table.from_batches([events])
    if is_frame(events):
        events = _table_of_frame(events, name)
    if isinstance(events, pa.RecordBatchReader):
        return TableEvents(events, instruments, parts, name, None)
    if isinstance(events, ArrowStream):
        rows = events.num_rows if isinstance(events, pa.Table) else None
        return TableEvents(pa.RecordBatchReader.from_stream(events), instruments, parts, name, rows)
    hint = "; collect() it first" if hasattr(events, "collect") else ""
    raise TypeError(f"events are a path, a pandas or polars DataFrame, or an Arrow table, not {name[1:-1]}{hint}")


def _table_of_frame(frame: Any, name: str) -> pa.Table:  # noqa: ANN401 - pandas may not be there
    """The frame's columns as Arrow; those of numbers and moments are not copied. NaN is a price that is not carried."""
    if frame.index.name in WITH_RULE and frame.index.name not in frame.columns:
        frame = frame.reset_index()
    unknown = [str(column) for column in frame.columns if column not in WITH_RULE]
    if unknown:
        hint = nearest(unknown[0], WITH_RULE) or f"leave it out: events have the columns {', '.join(WITH_RULE)}"
        raise FixaccelError(f"{name}: `{unknown[0]}` is no column of events; {hint}")
    try:
        return pa.Table.from_pandas(frame, preserve_index=False)
    except (pa.ArrowException, TypeError, ValueError) as error:
        reason = "; ".join(str(part) for part in error.args)
        raise FixaccelError(f"{name} cannot be read as events: {reason}") from None
