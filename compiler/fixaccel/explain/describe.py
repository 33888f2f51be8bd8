# SPDX-License-Identifier: Apache-2.0
"""Rules as people and programs want them told: a sentence, and the facts one by one."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from fixaccel.explain.amounts import amount_facts
from fixaccel.explain.links import Links, link_facts
from fixaccel.explain.when import when_text
from fixaccel.explain.words import MOST_INTERVALS, Rows, envelope_text, intervals, sentence
from fixaccel.hwmap import load_hwmap
from fixaccel.image.pack.orders import template_of
from fixaccel.language.forms import Decision, Triggers
from fixaccel.language.naming import find_rule
from fixaccel.language.placements import PLACEMENTS, Placement
from fixaccel.language.rules import Block, RearmAfter, Rule, Strategy
from fixaccel.language.terms import Board
from fixaccel.latency.cycles import ARMED_AGAIN, ARMED_BY_FILLS, Bound, commit_text
from fixaccel.latency.line_time import LineTime


@dataclass(frozen=True)
class Told:
    """One rule at one instrument, or one part of it. ``facts`` are pairs of a name and a text."""

    id: str
    place: str
    instrument: str
    parts: int
    sentence: str
    facts: tuple[tuple[str, str], ...]


class Teller:
    """Tells of the rules of one strategy on ``board``."""

    def __init__(self, strategy: Strategy, board: Board) -> None:
        self._strategy = strategy
        self._line = LineTime(board)
        self._links = Links(strategy)
        self._board = board
        self._bound = Bound(strategy)

    def block(self, block: Block) -> Told:
        """A whole rule at one instrument."""
        return self._told(block, block.id, np.arange(len(block), dtype=np.int64), str(block.span))

    def part(self, rule: Rule) -> Told:
        """One part by itself."""
        return self._told(rule.block, rule.id, np.array([rule.row], np.int64), str(rule.block.place(rule.row)))

    def _told(self, block: Block, name: str, rows: Rows, place: str) -> Told:
        facts = [*self._conditions(block, rows), *self._orders(block, rows), *link_facts(block, self._links)]
        facts += [*self._runs(block, rows), *self._on_the_line(block, rows), *amount_facts(block, rows)]
        if block.note:
            facts.append(("note", " ".join(block.note.split())))
        return Told(name, place, block.instrument.symbol, len(rows), sentence(block, rows), tuple(facts))

    def _conditions(self, block: Block, rows: Rows) -> Iterable[tuple[str, str]]:
        form = block.form
        if not isinstance(form, Triggers):
            yield "condition", when_text(block)
            return
        one = form.condition(int(rows[0]), block.instrument) if len(rows) == 1 else None
        normal = when_text(block, int(rows[0])) if one else when_text(block)
        written = f", written `{one.text}`" if one and " ".join(one.text.split()) != normal else ""
        yield "condition", normal + written
        confirmed = int((form.confirm[rows] == 2).sum())
        if confirmed:
            which = "" if confirmed == len(rows) else f", {confirmed:,} of {len(rows):,}"
            yield "confirm", f"by two observations in a row{which}"

    def _orders(self, block: Block, rows: Rows) -> Iterable[tuple[str, str]]:
        form = block.form
        if isinstance(form, Decision):
            every = list(intervals(form, block.instrument)) if len(form.low) <= MOST_INTERVALS else []
            for low, high, order in every:
                yield f"{low}..{high}", order
            rows = np.arange(len(form.low), dtype=np.int64)
        if len(rows):
            yield "order", envelope_text(form.orders, rows)

    def _runs(self, block: Block, rows: Rows) -> Iterable[tuple[str, str]]:
        placements = self._strategy.placement[block.first + rows]
        bound = self._bound.text(self._board, block.instrument.symbol)
        for number, count in zip(*(x.tolist() for x in np.unique(placements, return_counts=True)), strict=True):
            placement = PLACEMENTS[number]
            there = placement is Placement.FABRIC
            which = "" if count == len(rows) else f"{count:,} parts "
            latency = f"; {bound}" if there else "; no bound on latency"
            yield "runs in", f"{which}{'fabric' if there else 'runtime'}: {placement.value}{latency}"
        commit = self._strategy.venue.commit
        if commit != "frame" and (placements == PLACEMENTS.index(Placement.FABRIC)).any():
            yield "commit", commit_text(commit, self._board)
        if not (placements == PLACEMENTS.index(Placement.FABRIC)).any():
            return
        if block.by_fills:
            yield "armed by fills", ARMED_BY_FILLS
        if isinstance(block.rearm, RearmAfter):
            yield "armed again", ARMED_AGAIN

    def _on_the_line(self, block: Block, rows: Rows) -> Iterable[tuple[str, str]]:
        """The longest of the orders that the fabric sends."""
        fabric = self._strategy.placement[block.first + rows] == PLACEMENTS.index(Placement.FABRIC)
        if fabric.any():
            orders = block.form.orders
            sent = np.arange(len(orders)) if isinstance(block.form, Decision) else rows[fabric]
            kinds = orders.type[sent].astype(np.int64) * len(orders.envelopes) + orders.envelope[sent]
            firsts = sent[np.unique(kinds, return_index=True)[1]].tolist()
            session, traded = self._strategy.venue.session, block.instrument
            templates = [template_of(orders[row], traded, session, load_hwmap()) for row in firsts]
            yield "on the line", self._line.text(max(templates, key=lambda one: one.length))


def find(strategy: Strategy, name: str) -> list[Block] | Rule | None:
    """A rule by its id as written (all its instruments), a rule at one instrument, or one part."""
    blocks = [block for block in strategy.blocks if name in {block.rule_id, block.id}]
    return blocks or find_rule(strategy, name)
