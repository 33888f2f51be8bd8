# SPDX-License-Identifier: Apache-2.0
"""All that is looked at over a desk."""

from collections.abc import Sequence
from dataclasses import dataclass

from fixaccel.desk.capacity import Capacity, capacity
from fixaccel.desk.exposure import MarketExposure, exposure
from fixaccel.desk.findings import bounded
from fixaccel.desk.limits import LimitRow, limit_findings, limit_rows
from fixaccel.desk.members import Member, by_session
from fixaccel.desk.same import same_ids, same_rules
from fixaccel.desk.self_trade import meeting_resting, together
from fixaccel.desk.sessions import session_findings, venue_findings
from fixaccel.diagnostics.report import Diagnostic
from fixaccel.hwmap.hwmap import Hwmap
from fixaccel.language.forms import Decision, Trail
from fixaccel.language.terms import Board


@dataclass(frozen=True)
class Desk:
    """What was found over several strategies; ``unknown`` says in words what nobody can know from the files."""

    members: tuple[Member, ...]
    board: Board
    diagnostics: list[Diagnostic]
    exposure: list[MarketExposure]
    capacity: list[Capacity]
    limits: list[LimitRow]
    unknown: list[str]


def look(members: Sequence[Member], board: Board, hwmap: Hwmap) -> Desk:
    """Everything over ``members``, which are two or more."""
    boards = [capacity(session, group, board, hwmap) for session, group in by_session(members).items()]
    markets = exposure(members)
    found = [
        session_findings(members),
        venue_findings(members),
        together(members),
        meeting_resting(members),
        same_rules(members),
        same_ids(members),
        (diagnostic for _, errors in boards for diagnostic in errors),
        limit_findings(members, markets),
    ]
    diagnostics = [diagnostic for kind in found for diagnostic in bounded(kind)]
    return Desk(
        tuple(members), board, diagnostics, markets, [one for one, _ in boards], limit_rows(members), _unknown(members)
    )


def _unknown(members: Sequence[Member]) -> list[str]:
    forms = [block.form for member in members for block in member.strategy.blocks]
    unknown = ["orders by hand, and those of other strategies, sessions and systems"]
    unknown.append("what is filled: the figures are of orders that are sent, and whether one still rests is not known")
    if any(isinstance(form, Trail) and form.orders.ticks is not None for form in forms):
        unknown.append("at what price limit orders that follow a trail rest: they are not compared with others")
    if any(isinstance(form, Decision) for form in forms):
        unknown.append("narrow intervals of decisions: the widest of each are compared")
    if len({member.market for member in members}) > 1:
        unknown.append("whether orders to different counterparties can meet: they are not compared")
    return unknown
