# SPDX-License-Identifier: Apache-2.0
"""Parts of two strategies by name, compared by their meaning. Rows of a table that are equal cost no loop."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from fixaccel.diff.change import Fate, PartDifference
from fixaccel.diff.words import changes
from fixaccel.explain.words import sentence
from fixaccel.language.forms import Triggers
from fixaccel.language.orders import Orders
from fixaccel.language.placements import Placement
from fixaccel.language.rules import Block, Rule, Strategy
from fixaccel.semantics.identity import block_meaning, meaning, part_meaning

# Looking for renamed parts is quadratic in words, not worth it for tables.
_MOST_RENAMED = 1_000
_MOST_MOVED = 100_000


@dataclass(frozen=True)
class Compared:
    """Differences in the order of the new strategy, removed parts behind them."""

    parts: tuple[PartDifference, ...]
    unchanged: int
    moved: tuple[str, ...]


def compare(old: Strategy, new: Strategy) -> Compared:
    """All parts of both."""
    return _Comparison(old, new).run()


class _Comparison:
    def __init__(self, old: Strategy, new: Strategy) -> None:
        self._old, self._new = old, new
        self._found: list[PartDifference] = []
        self._moved: list[str] = []
        self._unchanged = 0

    def run(self) -> Compared:
        before = {block.id: block for block in self._old.blocks}
        for block in self._new.blocks:
            self._block(before.pop(block.id, None), block)
        for block in before.values():
            for row in range(len(block)):
                self._removed(Rule(block, row))
        return Compared(tuple(_renamed(self._found, self._old, self._new)), self._unchanged, tuple(self._moved))

    def _block(self, old: Block | None, new: Block) -> None:
        if old is None:
            for row in range(len(new)):
                self._added(Rule(new, row))
            return
        for old_row, new_row in self._pairs(old, new):
            if old_row is None:
                assert new_row is not None
                self._added(Rule(new, new_row))
            elif new_row is None:
                self._removed(Rule(old, old_row))
            else:
                self._both(Rule(old, old_row), Rule(new, new_row))

    def _pairs(self, old: Block, new: Block) -> Iterator[tuple[int | None, int | None]]:
        """Rows of the same name; those that are surely equal are counted here and left out."""
        if not old.names and not new.names:
            both = min(len(old), len(new))
            rows = self._suspect(old, new, both)
            self._count_equal(old, new, both - len(rows))
            yield from ((row, row) for row in rows)
            yield from ((row, None) for row in range(both, len(old)))
            yield from ((None, row) for row in range(both, len(new)))
            return
        names = {old.name(row): row for row in range(len(old))}
        for row in range(len(new)):
            yield names.pop(new.name(row), None), row
        yield from ((row, None) for row in names.values())

    def _count_equal(self, old: Block, new: Block, count: int) -> None:
        self._unchanged += count
        if count and _placed(self._old, old) != _placed(self._new, new):
            self._moved.append(f"{new.id}: {_placed(self._old, old)} -> {_placed(self._new, new)}")

    def _suspect(self, old: Block, new: Block, both: int) -> list[int]:
        """Rows below ``both`` whose columns are not plainly the same."""
        a, b = old.form, new.form
        plain = isinstance(a, Triggers) and isinstance(b, Triggers) and len(old) > 1 and len(new) > 1
        if not plain or block_meaning(self._old, old) != block_meaning(self._new, new):
            return list(range(both))
        if old.oco is not None or new.oco is not None or a.orders.envelopes != b.orders.envelopes:
            return list(range(both))
        assert isinstance(a, Triggers)
        assert isinstance(b, Triggers)
        differs = np.zeros(both, np.bool_)
        for column in ("source", "direction", "threshold", "confirm"):
            differs |= getattr(a, column)[:both] != getattr(b, column)[:both]
        for column in ("side", "qty", "type", "price", "envelope"):
            differs |= _order_column(a.orders, column)[:both] != _order_column(b.orders, column)[:both]
        found: list[int] = np.flatnonzero(differs).tolist()
        return found

    def _both(self, old: Rule, new: Rule) -> None:
        before = block_meaning(self._old, old.block) | part_meaning(self._old, old)
        after = block_meaning(self._new, new.block) | part_meaning(self._new, new)
        if before == after:
            self._unchanged += 1
            places = [s.placed(rule.index) is Placement.FABRIC for s, rule in ((self._old, old), (self._new, new))]
            if places[0] != places[1]:
                words = ["fabric" if place else "runtime" for place in places]
                self._moved.append(f"{new.id}: {words[0]} -> {words[1]}")
            return
        self._add(new, "changed", _start(new), changes=changes(before, after, old, new))

    def _added(self, rule: Rule) -> None:
        self._add(rule, "added", _start(rule))

    def _removed(self, rule: Rule) -> None:
        self._add(rule, "removed", Fate.GONE)

    def _add(self, rule: Rule, kind: str, fate: Fate, **more: object) -> None:
        row = np.array([rule.row], np.int64)
        place = str(rule.block.place(rule.row) if rule.block.table_file else rule.span)
        self._found.append(PartDifference(rule.id, kind, place, fate, sentence(rule.block, row), **more))  # type: ignore[arg-type]


def _order_column(orders: Orders, name: str) -> "np.ndarray[tuple[int, ...], np.dtype[np.int64]]":
    found: np.ndarray[tuple[int, ...], np.dtype[np.int64]] = getattr(orders, name)
    return found


def _start(rule: Rule) -> Fate:
    return Fate.AFRESH if rule.block.parents is None else Fate.DISARMED


def _placed(strategy: Strategy, block: Block) -> str:
    there = strategy.placement[block.first : block.first + len(block)] == 0
    return "fabric" if there.all() else "runtime" if not there.any() else "both"


def _renamed(found: list[PartDifference], old: Strategy, new: Strategy) -> Iterator[PartDifference]:
    """Names the removed part that an added one means the same as."""
    gone = [part.name for part in found if part.kind == "removed"]
    if not gone or len(gone) > _MOST_RENAMED or len(found) > _MOST_RENAMED:
        yield from found
        return
    before = {_nameless(old, rule): rule.id for rule in old.rules if rule.id in set(gone)}
    after = {rule.id: rule for rule in new.rules} if len(new.rules) <= _MOST_MOVED else {}
    for part in found:
        rule = after.get(part.name) if part.kind == "added" else None
        same = before.get(_nameless(new, rule)) if rule else None
        yield replace(part, renamed=same) if same else part


def _nameless(strategy: Strategy, rule: Rule) -> str:
    return meaning(strategy, rule).replace(f'"name":"{rule.id}"', "")
