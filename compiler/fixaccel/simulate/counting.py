# SPDX-License-Identifier: Apache-2.0
"""How often the rules of a strategy would have fired: by rule, by part, by day of the venue."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from enum import Enum
from zoneinfo import ZoneInfo

import numpy as np

from fixaccel.events.columns import EventColumns
from fixaccel.events.file import EventFile
from fixaccel.image.software.columns import PartColumns
from fixaccel.image.software.table import all_columns
from fixaccel.language.rules import Strategy
from fixaccel.native.interpreter import OUTCOMES, FireColumns
from fixaccel.semantics.fires import SENT
from fixaccel.simulate.days import by_day
from fixaccel.simulate.table_run import TableRun


class Fresh(Enum):
    """Where the strategy is loaded afresh: all armed, the market unknown, the counters at zero."""

    DAY = "day"
    FILE = "file"
    NEVER = "never"


@dataclass(frozen=True)
class Row:
    """Fires of one rule, part or day, or of one of them on one day; ``outcomes`` adds up to ``fires``."""

    rule: str | None
    day: date | None
    parts: int  # of the rule, or of the whole strategy
    fired: int  # of these, how many fired at least once
    outcomes: tuple[int, ...]  # as in `OUTCOMES`

    @property
    def fires(self) -> int:
        return sum(self.outcomes)

    @property
    def sent(self) -> int:
        return self.outcomes[OUTCOMES.index(SENT)]


@dataclass
class Tally:
    """What was found in some files, or in a part of them.

    ``cells`` counts fires by day, part and outcome, days in the order in which they came; ``first`` and ``last`` are
    the days of the first message and the last, None where there is none.
    """

    events: int = 0
    observations: int = 0
    invalid_prices: int = 0
    loads: int = 0
    first: date | None = None
    last: date | None = None
    cells: dict[date, Counter[tuple[int, int]]] = field(default_factory=dict)

    def add(self, later: "Tally") -> None:
        """What was found behind it."""
        self.events += later.events
        self.observations += later.observations
        self.invalid_prices += later.invalid_prices
        self.loads += later.loads
        self.first, self.last = self.first or later.first, later.last or self.last
        for day, cells in later.cells.items():
            self.cells.setdefault(day, Counter()).update(cells)


@dataclass
class Counts:
    """What a run over event files found of a strategy."""

    strategy: Strategy
    tally: Tally

    def rows(self, *, by: str | None, days: bool) -> list[Row]:
        """A row for each rule or part (``by``) or for all, and for each day or for all.

        Rows without a fire are left out where there is one for each rule and day.
        """
        names, sizes = self._names(by)
        groups: dict[tuple[int, date | None], Counter[tuple[int, int]]] = {}
        for day, cells in self.tally.cells.items():
            for (part, outcome), count in cells.items():
                group = groups.setdefault((names[part], day if days else None), Counter())
                group[part, outcome] += count
        if not days:
            keys: list[tuple[int, date | None]] = [(name, None) for name in range(len(sizes))]
        elif by is None:
            keys = [(0, day) for day in self.tally.cells]
        else:
            keys = sorted(groups, key=lambda key: (key[0], key[1] or date.min))
        return [self._row(by, *key, sizes[key[0]], groups.get(key, Counter())) for key in keys]

    def never_fired(self) -> list[str]:
        """Rules without a fire, as they are written."""
        return [row.rule or "" for row in self.rows(by="rule", days=False) if not row.fires]

    def _names(self, by: str | None) -> tuple[Sequence[int], list[int]]:
        """The group of each part, and how many parts each group has."""
        blocks = self.strategy.blocks
        parts = len(self.strategy.rules)
        if by == "part":
            return range(parts), [1] * parts
        if by == "rule":
            return np.repeat(np.arange(len(blocks)), [len(block) for block in blocks]).tolist(), list(map(len, blocks))
        return [0] * parts, [parts]

    def _row(self, by: str | None, name: int, day: date | None, parts: int, cells: Counter[tuple[int, int]]) -> Row:
        rule = None
        if by is not None:
            rule = self.strategy.rules[name].id if by == "part" else self.strategy.blocks[name].id
        outcomes = [0] * len(OUTCOMES)
        for (_, outcome), count in cells.items():
            outcomes[outcome] += count
        return Row(rule, day, parts, len({part for part, _ in cells}), tuple(outcomes))


def count(strategy: Strategy, files: Sequence[EventFile], fresh: Fresh, progress: Callable[[float], None]) -> Counts:
    """Runs the strategy over the files, one after the other. Raises LibraryError, TableError.

    ``progress`` is called with the number of files done. What it found counts only if no file has an error.
    """
    counting = Counting(all_columns(strategy), ZoneInfo(strategy.venue.time_zone), fresh)
    for number, file in enumerate(files):
        counting.next_file()
        for batch in file.batches():
            for day, part in by_day(batch, counting.zone):
                counting.feed(day, part)
            progress(number + file.part_read)
    return Counts(strategy, counting.close())


class Counting:
    """Keeps the run that goes on, and adds it up when it ends; ``zone`` is the venue's.

    Raises LibraryError, TableError.
    """

    def __init__(self, columns: PartColumns, zone: ZoneInfo, fresh: Fresh) -> None:
        self.zone = zone
        self._columns = columns
        self._fresh = fresh
        self._day: date | None = None
        self._run: TableRun | None = None
        self._tally = Tally()

    def next_file(self) -> None:
        """What follows is of another file."""
        if self._fresh is Fresh.FILE:
            self._end()

    def feed(self, day: date, events: EventColumns) -> None:
        """Counts the fires of the next messages, all of one day."""
        if self._fresh is Fresh.DAY and day != self._day:
            self._end()
        self._tally.first, self._tally.last = self._tally.first or day, day
        self._day = day
        if self._run is None:
            self._run = TableRun(self._columns)
            self._tally.loads += 1
        self._add(day, self._run.feed(events))

    def close(self) -> Tally:
        """All that was counted."""
        self._end()
        return self._tally

    def _add(self, day: date, fires: FireColumns) -> None:
        cells = self._tally.cells.setdefault(day, Counter())
        keys, counts = np.unique(fires.part.astype(np.int64) * len(OUTCOMES) + fires.outcome, return_counts=True)
        for key, number in zip(keys.tolist(), counts.tolist(), strict=True):
            cells[divmod(key, len(OUTCOMES))] += number

    def _end(self) -> None:
        if self._run is not None:
            self._tally.events += self._run.events
            self._tally.observations += self._run.observations
            self._tally.invalid_prices += self._run.invalid_prices
        self._run = None


def reasons() -> Iterator[str]:
    """Names of the outcomes other than `sent`."""
    return (name for name in OUTCOMES if name != SENT)
