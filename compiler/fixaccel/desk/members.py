# SPDX-License-Identifier: Apache-2.0
"""The strategies of a desk, and where their sessions, markets and limits are written."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from fixaccel.diagnostics.report import Report
from fixaccel.language.documents.strategy import parse_strategy
from fixaccel.language.rules import Strategy
from fixaccel.language.text.reader import read_tree
from fixaccel.language.written import WrittenLimits, WrittenStrategy
from fixaccel.source import SourceFile, Span


@dataclass(frozen=True, eq=False)
class Member:
    """One strategy; ``number`` is its place on the desk, from 0."""

    number: int
    strategy: Strategy
    source: SourceFile

    @property
    def name(self) -> str:
        """The file, as it was asked for: two strategies of one name are told apart."""
        return self.source.name

    @property
    def session(self) -> "SessionKey":
        """What a board of this strategy sits in."""
        session = self.strategy.venue.session
        return SessionKey(session.sender_comp_id, session.target_comp_id, session.host, session.port)

    @property
    def market(self) -> str:
        """Where its orders go: those of two strategies can meet for certain only at one counterparty."""
        return self.strategy.venue.session.target_comp_id

    @cached_property
    def _written(self) -> WrittenStrategy:
        report = Report()
        tree = read_tree(self.source, report)
        written = parse_strategy(tree, self.source, report) if tree is not None else None
        assert written, self.name  # it was checked
        return written

    @property
    def venue_place(self) -> Span:
        """Where the venue file is named."""
        assert self._written.venue
        return self._written.venue.span

    @property
    def written_limits(self) -> WrittenLimits:
        """The limits with their places."""
        return self._written.limits


@dataclass(frozen=True)
class SessionKey:
    """What makes a session another one."""

    sender: str
    target: str
    host: str
    port: int

    def __str__(self) -> str:
        return f"{self.sender} -> {self.target} at {self.host}:{self.port}"


def by_session(members: Sequence[Member]) -> dict[SessionKey, list[Member]]:
    """Members that a board could serve together, in their order."""
    found: dict[SessionKey, list[Member]] = {}
    for member in members:
        found.setdefault(member.session, []).append(member)
    return found


def by_market(members: Sequence[Member]) -> dict[str, list[Member]]:
    """Members whose orders can meet, in their order."""
    found: dict[str, list[Member]] = {}
    for member in members:
        found.setdefault(member.market, []).append(member)
    return found
