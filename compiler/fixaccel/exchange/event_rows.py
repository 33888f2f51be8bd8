# SPDX-License-Identifier: Apache-2.0
"""What a record holds, as rows of event files; and the other way, rows that a scenario can replay."""

import csv
import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from fixaccel.emit.bundle import MANIFEST
from fixaccel.events.arrow import texts
from fixaccel.events.row_reader import COLUMNS
from fixaccel.events.write import Event
from fixaccel.semantics.cl_ord_id import EPOCH_CHARS, NUMBER_CHARS

_CHARS = EPOCH_CHARS + 2 * NUMBER_CHARS
_OWN = {"fill", "done", "reject"}


class RowsError(Exception):
    """A file of rows, or a bundle, that cannot be used; the text is for the user."""


class RuleNames:
    """The parts of a bundle by the ClOrdIDs of their orders. Raises RowsError."""

    def __init__(self, bundle: Path) -> None:
        try:
            manifest = json.loads((bundle / MANIFEST).read_bytes())
            self._names = dict(_names(json.loads((bundle / manifest["blocks"]["file"]).read_bytes())))
        except OSError as error:
            raise RowsError(f"{bundle} is no bundle: {error.strerror or error}") from None
        except (ValueError, KeyError, TypeError):
            raise RowsError(f"{bundle} is no bundle of this version") from None

    def name(self, cl_ord_id: str) -> str | None:
        """The part whose order that is; None for an order by hand, or of others."""
        if len(cl_ord_id) != _CHARS:
            return None
        try:
            index = int(cl_ord_id[EPOCH_CHARS : EPOCH_CHARS + NUMBER_CHARS], 36)
        except ValueError:
            return None
        return self._names.get(index)


def _names(blocks: Iterable[Mapping[str, Any]]) -> Iterator[tuple[int, str]]:
    for block in blocks:
        for row in range(block["count"]):
            plain = f"{block['id']}[{row + 1}]" if block["many"] else block["id"]
            yield block["first"] + row, block.get("names", {}).get(str(row)) or plain


def exported_rows(path: Path, rules: RuleNames | None, symbols: frozenset[str] | None = None) -> Iterator[Event]:
    """Rows that the program has written to ``path``, with the parts of ``rules`` in place of ClOrdIDs.

    Orders of no part are left out. ``symbols``: market data of these alone; None: of all.
    """
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.reader(file)
        next(reader)
        for cells in reader:
            event = Event(int(cells[0]), *cells[1:])
            if event.kind in _OWN:
                name = rules.name(event.rule) if rules else None
                if name is not None:
                    yield event._replace(rule=name)
            elif symbols is None or event.instrument in symbols:
                yield event


def parquet_rows(path: Path) -> Iterator[Event]:
    """Market data of an event file in Parquet, in its order. Raises RowsError, OSError."""
    try:
        with path.open("rb") as opened:
            file = pq.ParquetFile(opened)
            names = set(file.schema_arrow.names)
            if missing := [name for name in COLUMNS if name not in names and not name.endswith("_size")]:
                raise RowsError(f"{path} is no event file: there is no column `{missing[0]}`")
            for batch in file.iter_batches():
                empty = [""] * len(batch)
                columns = [texts(batch[name]) if name in names else empty for name in COLUMNS]
                for ts_ns, *cells in zip(*columns, strict=True):
                    event = Event(int(ts_ns), *cells)
                    if event.kind not in _OWN:
                        yield event
    except (pa.ArrowException, ValueError) as error:
        reason = str(error).partition("\n")[0]
        raise RowsError(f"{path} is no Parquet file, or damaged: {reason}") from None
