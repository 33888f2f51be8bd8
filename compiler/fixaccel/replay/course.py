# SPDX-License-Identifier: Apache-2.0
"""What became of each part over a day: when it was armed, fired, cancelled or refused.

The table interpreter tells the states after a run of messages. So the day is run twice: in pieces of some hundred
messages, to find those in which anything happens, and again with these message by message.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from fixaccel.events.columns import EventColumns
from fixaccel.image.software.table import all_columns
from fixaccel.language.rules import Strategy
from fixaccel.native.interpreter import STATES, FillColumns
from fixaccel.semantics.messages import Fire
from fixaccel.simulate.fires import fire_rows
from fixaccel.simulate.table_run import TableRun

_PIECE = 256  # messages
# What the table interpreter tells apart and a reader need not.
_AS = {"waiting": "armed", "undecided": "armed", "arming": "disarmed", "rearming": "fired"}
LIVE = "armed"

_States = npt.NDArray[np.uint8]
_WORD = np.array([STATES.index(_AS.get(name, name)) for name in STATES], np.uint8)
LOAD = -1  # in the place of an event: before the first message


@dataclass(frozen=True, slots=True)
class Change:
    """A part is in ``state`` from the end of a message on; ``event`` counts from 0, `LOAD` is the start."""

    event: int
    ts_ns: int
    part: int
    state: str


@dataclass(frozen=True)
class Course:
    """All of it: fires in firing order (their events count from 1), changes as they came."""

    fires: Sequence[Fire]
    parts: Sequence[int]  # of each fire
    changes: Sequence[Change]
    invalid_prices: int
    unmatched: Sequence[int]  # events, from 1, of executions that no order was found for
    made: FillColumns  # by the model of fills

    def of_part(self) -> dict[int, list[Change]]:
        """The changes of each part."""
        found: dict[int, list[Change]] = {}
        for change in self.changes:
            found.setdefault(change.part, []).append(change)
        return found


def follow(
    strategy: Strategy, events: EventColumns, progress: Callable[[float], None], *, touch: bool = False
) -> Course:
    """Runs the strategy over the events, which are the whole input. Raises LibraryError, TableError.

    ``touch``: a model fills orders; else executions among the events do.
    """
    columns = all_columns(strategy)
    first = _pieces(TableRun(columns, touch=touch), events, lambda part: progress(part / 2))
    eventful = [piece for piece, happens in first if happens]
    run = TableRun(columns, touch=touch)
    states = _words(run)
    # Whatever is armed at load, the first message finds armed.
    start_ns = int(events.ts_ns[0]) if len(events) else 0
    changes = [Change(LOAD, start_ns, part, STATES[state]) for part, state in enumerate(states.tolist())]
    fires: list[Fire] = []
    parts: list[int] = []
    for piece in _steps(eventful, len(events)):
        found = run.feed(events[piece])
        fires += fire_rows(found, strategy)
        parts += found.part.tolist()
        now = _words(run)
        event = piece.stop - 1
        ts_ns = int(events.ts_ns[event])
        changes += [Change(event, ts_ns, part, state) for part, state in _new_states(states, now, found.part)]
        states = now
        progress(0.5 + piece.stop / max(len(events), 1) / 2)
    orders = run.orders
    return Course(fires, parts, changes, run.invalid_prices, (orders.unmatched + 1).tolist(), orders.made)


def _new_states(before: _States, now: _States, fired: npt.NDArray[np.int32]) -> Iterator[tuple[int, str]]:
    """Parts and the states that they came to, in order for each part."""
    for part in np.flatnonzero(now != before).tolist():
        yield part, STATES[now[part]]
    # Fired and armed again by one message: it has fired all the same.
    for part in np.unique(fired[now[fired] == before[fired]]).tolist():
        yield part, "fired"
        yield part, STATES[now[part]]


def _pieces(run: TableRun, events: EventColumns, progress: Callable[[float], None]) -> Iterator[tuple[slice, bool]]:
    """The events in pieces, and whether anything happens in each."""
    states = _words(run)
    for start in range(0, len(events), _PIECE):
        piece = slice(start, min(start + _PIECE, len(events)))
        fires = run.feed(events[piece])
        now = _words(run)
        yield piece, bool(len(fires)) or not np.array_equal(states, now)
        states = now
        progress(piece.stop / len(events))


def _steps(eventful: Sequence[slice], count: int) -> Iterator[slice]:
    """What to run in one go: a message of these pieces, or all that lies between two of them."""
    done = 0
    for piece in eventful:
        if piece.start > done:
            yield slice(done, piece.start)
        for event in range(piece.start, piece.stop):
            yield slice(event, event + 1)
        done = piece.stop
    if done < count:
        yield slice(done, count)


def _words(run: TableRun) -> _States:
    return _WORD[run.states()]
