# SPDX-License-Identifier: Apache-2.0
"""What the passes work on: the written strategy, its venue, and the rules as they take shape."""

from dataclasses import dataclass, field
from pathlib import Path

from fixaccel.diagnostics.model import Report
from fixaccel.language.model import Instrument, Venue
from fixaccel.language.rules import Condition, Order, Strategy
from fixaccel.language.written import WrittenRule, WrittenStrategy
from fixaccel.source import Node, SourceFile, Span


@dataclass(slots=True)
class Draft:
    """One rule of one instrument on its way into the model; a part that is None is not there yet, or was reported."""

    id: str
    written: WrittenRule
    instrument: Instrument
    threshold: int | None = None  # price units, as written
    condition: Condition | None = None
    order: Order | None = None

    @property
    def when_span(self) -> Span:
        """Where the condition is written."""
        return self.written.when.span if self.written.when else self.written.span


@dataclass(slots=True)
class Work:
    """One run over one strategy file. Each pass fills the fields after those that it reads."""

    path: Path
    report: Report = field(default_factory=Report)
    sources: dict[str, SourceFile] = field(default_factory=dict)
    tree: Node | None = None
    written: WrittenStrategy | None = None
    venue: Venue | None = None
    unreadable: frozenset[str] | None = None  # symbols of the venue that were reported; None: nobody knows
    inputs: dict[str, str] = field(default_factory=dict)  # file name as written -> SHA-256
    drafts: list[Draft] = field(default_factory=list)
    strategy: Strategy | None = None
