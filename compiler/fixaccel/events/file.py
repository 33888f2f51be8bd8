# SPDX-License-Identifier: Apache-2.0
"""Event files of either form, read from beginning to end in bounded memory."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from fixaccel.diagnostics.checked import Checked
from fixaccel.events.columns import EventColumns
from fixaccel.events.csv import CsvEvents
from fixaccel.events.parquet import ParquetEvents
from fixaccel.events.part_book import PartBook
from fixaccel.events.row_reader import COLUMNS
from fixaccel.semantics.messages import Message

__all__ = ["COLUMNS", "EventFile", "LoadedEvents", "load_events", "open_events"]

PARQUET = ".parquet"


class EventFile(Protocol):
    """An event file, read once. Nothing that it gave counts if `checked` has an error afterwards."""

    @property
    def part_read(self) -> float:
        """How much of the file has been read, from 0 to 1."""

    def batches(self) -> Iterator[EventColumns]:
        """The messages in columns; after the first fault no more."""

    def messages(self) -> Iterator[Message]:
        """The messages one by one, without those of rows with a fault."""

    def checked(self) -> Checked:
        """What is wrong with the file, all of it once it was read to its end."""


@dataclass(frozen=True)
class LoadedEvents(Checked):
    """``messages`` are those of the rows without a fault."""

    messages: Sequence[Message] = ()


def open_events(path: Path, instruments: Collection[str], parts: PartBook | None = None) -> EventFile:
    """The event file at ``path`` for the instruments of a venue, in its order. Nothing is read yet.

    ``parts`` are those whose orders rows may be about; None: market data only, and such rows are faults.
    """
    return (ParquetEvents if path.suffix == PARQUET else CsvEvents)(path, instruments, parts)


def load_events(path: Path, instruments: Collection[str], parts: PartBook | None = None) -> LoadedEvents:
    """Reads a whole event file. What is wrong with it stands in ``diagnostics``, all of it after one run."""
    file = open_events(path, instruments, parts)
    messages = list(file.messages())
    checked = file.checked()
    return LoadedEvents(checked.diagnostics, checked.sources, checked.dropped, messages)
