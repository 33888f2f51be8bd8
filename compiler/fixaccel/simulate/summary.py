# SPDX-License-Identifier: Apache-2.0
"""What a run of `fixaccel simulate` came to, in one line."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

import numpy as np

from fixaccel.events.columns import FIRST_EXECUTION, EventColumns
from fixaccel.events.file import EventFile
from fixaccel.semantics.fires import REJECTED, SENT
from fixaccel.semantics.messages import UNKNOWN, Fire, Message
from fixaccel.simulate.engines import Engine, EngineError


@runtime_checkable
class TakesColumns(Protocol):
    """An engine that is fed with columns: no message becomes an object."""

    def run_columns(self, batches: Iterable[EventColumns], progress: Callable[[int], None]) -> list[Fire]:
        """All fires in firing order."""


class Watched:
    """Counts what an engine takes from an event file: messages, and prices that they carry (`mid` is not counted).

    With ``touch`` a model fills orders, and rows of the file that tell of own orders are refused: EngineError.
    """

    def __init__(self, file: EventFile, *, touch: bool = False) -> None:
        self.file = file
        self._touch = touch
        self.events = 0
        self.observations = 0

    def run(self, engine: Engine, progress: Callable[[float], None]) -> list[Fire]:
        """All fires; ``progress`` is called with the part of the file that has been read. Raises EngineError."""

        def part(_: int) -> None:
            progress(self.file.part_read)

        if isinstance(engine, TakesColumns):
            return engine.run_columns(self.batches(), part)
        messages = list(self.messages())
        if self.file.checked().failed:
            return []
        return engine.run(messages, lambda done: progress(done / max(len(messages), 1)))

    def batches(self) -> Iterator[EventColumns]:
        """The messages in columns."""
        for batch in self.file.batches():
            self.events += len(batch)
            self.observations += batch.carried_prices
            if self._touch and batch.has_executions:
                raise _told_twice(batch.first + 1 + int(np.argmax(batch.kind >= FIRST_EXECUTION)))
            yield batch

    def messages(self) -> Iterator[Message]:
        """The messages one by one."""
        for message in self.file.messages():
            self.events += 1
            self.observations += sum(text != UNKNOWN for text in message.prices.values())
            if self._touch and message.execution:
                raise _told_twice(message.event)
            yield message


def _told_twice(row: int) -> EngineError:
    return EngineError(
        f"row {row} tells of an own order, and --fills touch makes its own fills: leave --fills out, or the rows"
    )


@dataclass(frozen=True)
class Summary:
    """``invalid_prices`` is None for an engine that does not count them; ``rejected`` is by limit.

    ``fills`` counts those of a model, ``cancels`` the orders that rules cancelled, ``unmatched`` the rows that told of
    an order that was not there; ``uncovered`` is what was filled behind exits that sold less, by their names.
    """

    events: int
    observations: int
    fires: int
    sent: int
    rejected: dict[str, int]
    invalid_prices: int | None
    seconds: float
    fills: int = 0
    cancels: int = 0
    unmatched: int = 0
    uncovered: dict[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, watched: Watched, fires: Sequence[Fire], engine: Engine | None, seconds: float) -> "Summary":
        """The summary of a run that took so long, events read and fires written."""
        outcomes = Counter(fire.outcome for fire in fires)
        sent = outcomes.pop(SENT, 0)
        rejected = {outcome.removeprefix(REJECTED): number for outcome, number in sorted(outcomes.items())}
        return cls(
            events=watched.events,
            observations=watched.observations,
            fires=len(fires),
            sent=sent,
            rejected=rejected,
            invalid_prices=getattr(engine, "invalid_prices", None),
            seconds=seconds,
            fills=getattr(engine, "fills", 0),
            cancels=getattr(engine, "cancels", 0),
            unmatched=len(getattr(engine, "unmatched", ())),
            uncovered=getattr(engine, "uncovered", {}),
        )

    def as_data(self) -> dict[str, Any]:
        """For JSON."""
        return vars(self) | {"observations_per_second": round(self.rate)}

    @property
    def rate(self) -> float:
        """Observations per second."""
        return self.observations / max(self.seconds, 1e-9)

    def text(self) -> str:
        """For people."""
        rejected = "".join(f", {number:,} rejected by {name}" for name, number in self.rejected.items())
        invalid = f", invalid prices: {self.invalid_prices:,}" if self.invalid_prices else ""
        counts = (
            (self.fills, "filled by the model"),
            (self.cancels, "cancelled"),
            (self.unmatched, "executions without an order"),
        )
        orders = "".join(f", {number:,} {what}" for number, what in counts if number)
        orders += "".join(f", {qty:,} filled behind `{rule}`" for rule, qty in self.uncovered.items())
        return (
            f"{self.events:,} events, {self.observations:,} observations, {self.fires:,} fires{rejected}{orders}"
            f"{invalid} in {self.seconds:.1f} s ({self.rate:,.0f} observations/s)"
        )
