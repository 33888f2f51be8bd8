# SPDX-License-Identifier: Apache-2.0
"""The table interpreter's columns of a strategy's parts, block by block where terms are shared, never row by row."""

from collections.abc import Hashable, Sequence

import numpy as np
import numpy.typing as npt

from fixaccel.image.parts import Envelopes, Parts, rests
from fixaccel.image.software.columns import ARMED_ON, DISTANCES, FORMS, NONE, THROUGHS, Array, PartColumns
from fixaccel.image.software.names import rule_columns
from fixaccel.image.software.rule_limits import RuleLimits
from fixaccel.image.software.venue import venue_columns
from fixaccel.language.codes import DIRECTIONS, SOURCES
from fixaccel.language.forms import At, Condition, Decision, DistanceKind, Trail, Triggers
from fixaccel.language.orders import Envelope, Orders
from fixaccel.language.rules import Block, RearmAfter, RearmReset, Strategy
from fixaccel.language.terms import Source

_FORM_OF = {
    Triggers: FORMS.index("threshold"),
    Decision: FORMS.index("decide"),
    Trail: FORMS.index("trail"),
    At: FORMS.index("at"),
}


def part_columns(
    strategy: Strategy, parts: Parts, hashes: Array, rows: npt.NDArray[np.intp]
) -> tuple[PartColumns, tuple[Envelope, ...]]:
    """Columns of some of the ``parts``, which are all parts of ``strategy``, and the envelopes of their orders.

    ``hashes`` has a row for each of ``parts``; ``rows`` says which, rising.
    """
    some = parts.take(rows)
    terms = _Terms(strategy, parts.envelopes)
    places = np.unique(some.block)
    for place in places:
        terms.add(int(place), strategy.blocks[place])
    rules = rule_columns(strategy, some)
    limits = RuleLimits(strategy, places, _by_block(strategy, some, rules["part.rule"]))
    has_order = terms.by_block["part.decision"][some.block] == NONE
    order = np.full(len(some), NONE, np.int32)
    order[has_order] = np.arange(np.count_nonzero(has_order))
    own_orders: dict[str, Array] = {
        "order.side": some.side,
        "order.type": some.type,
        "order.qty": some.qty,
        "order.price": some.price,
        "order.rests": terms.rests(some.type, some.envelope),
        "order.filled": terms.filled[some.block],
        "order.envelope": some.envelope,
    }
    columns = {
        **venue_columns(strategy),
        **rules,
        **limits.columns(),
        **{name: values[some.block] for name, values in terms.by_block.items()},
        **terms.tables(int(np.count_nonzero(has_order))),
        **{name: np.concatenate([own[has_order], *terms.orders[name]]) for name, own in own_orders.items()},
        "part.index": some.index,
        "part.hash": hashes[rows],
        "part.instrument": some.instrument,
        "part.source": some.source,
        "part.direction": np.where(some.direction < len(DIRECTIONS), some.direction, 0),
        "part.threshold": some.threshold,
        "part.confirm": some.confirm,
        "part.group": strategy.part_groups[rows],
        "part.limits": limits.by_block[some.block],
        "part.order": order,
    }
    return PartColumns.of(columns), terms.envelopes.kept()


def _by_block(strategy: Strategy, some: Parts, values: Array) -> Array:
    """What all parts of a block share, by the block's place."""
    by_block = np.full(len(strategy.blocks), NONE, values.dtype)
    by_block[some.block] = values
    return by_block


class _Kept:
    """Rows of one table; what is the same is kept once."""

    def __init__(self) -> None:
        self._places: dict[Hashable, int] = {}

    def place(self, row: Hashable) -> int:
        return self._places.setdefault(row, len(self._places))

    def rows(self) -> list[Hashable]:
        return list(self._places)


class _Terms:
    """What whole blocks say: a value for each block, and the tables that these number."""

    def __init__(self, strategy: Strategy, envelopes: Sequence[Envelope]) -> None:
        names = ("form", "through", "schedule", "parents", "rearm", "decision", "trail", "at", "cancels")
        self.by_block = {f"part.{name}": np.full(len(strategy.blocks), NONE, np.int32) for name in names}
        self.orders: dict[str, list[Array]] = {
            f"order.{name}": [] for name in ("side", "type", "qty", "price", "rests", "filled", "envelope")
        }
        self.filled = np.zeros(len(strategy.blocks), np.uint8)
        self.envelopes = Envelopes(envelopes)  # those of the parts' own orders first
        self._schedules, self._parents, self._rearms, self._trails = _Kept(), _Kept(), _Kept(), _Kept()
        self._times, self._cancels = _Kept(), _Kept()
        self._decisions: list[Decision] = []

    def add(self, place: int, block: Block) -> None:
        """The terms of the block at ``place``."""
        terms = {"form": _FORM_OF[type(block.form)], "through": THROUGHS.index(block.through.value)}
        if block.during:
            terms["schedule"] = self._schedules.place(tuple((window.start, window.end) for window in block.during))
        if block.parents is not None:
            terms["parents"] = self._parents.place((ARMED_ON.index(block.armed_on.value), _ranges(block.parents)))
        if block.cancels:
            terms["cancels"] = self._cancels.place(_ranges(block.cancels))
        if block.rearm is not None:
            terms["rearm"] = self._rearms.place(_rearm(block.rearm))
        if isinstance(block.form, Trail):
            terms["trail"] = self._trails.place(_trail(block.form))
        if isinstance(block.form, At):
            terms["at"] = self._times.place((block.form.second,))
        self.filled[place] = block.form.orders.filled
        if isinstance(block.form, Decision):
            terms["decision"] = len(self._decisions)
            self._decisions.append(block.form)
            self._add_orders(block.form.orders)
        for name, value in terms.items():
            self.by_block[f"part.{name}"][place] = value

    def rests(self, types: Array, envelope: Array) -> npt.NDArray[np.uint8]:
        """Whether the venue keeps each of these orders."""
        return rests(types, envelope, self.envelopes.kept()).astype(np.uint8)

    def _add_orders(self, orders: Orders) -> None:
        envelope = self.envelopes.places(orders)
        columns: dict[str, Array] = {
            "order.side": orders.side,
            "order.type": orders.type,
            "order.qty": orders.qty,
            "order.price": orders.price,
            "order.rests": self.rests(orders.type, envelope),
            "order.filled": np.zeros(len(orders), np.uint8),
            "order.envelope": envelope,
        }
        for name, column in columns.items():
            self.orders[name].append(column)

    def tables(self, first_order: int) -> dict[str, Array]:
        """Their columns; the orders of intervals begin at row ``first_order``."""
        decisions = self._decisions
        low = [decision.low for decision in decisions]
        intervals = sum(len(one) for one in low)
        parents = [one for one in self._parents.rows() if isinstance(one, tuple)]
        return {
            **_runs("schedule", "window", ("start", "end"), self._schedules.rows()),
            **_runs("parents", "parent", ("first", "count"), [ranges for _, ranges in parents]),
            "parents.on": np.array([on for on, _ in parents], np.uint8),
            **_runs("cancels", "cancelled", ("first", "count"), self._cancels.rows()),
            **_table("at", ("second",), self._times.rows()),
            **_table("rearm", ("after_ns", "times", "source", "direction", "threshold"), self._rearms.rows()),
            **_table("trail", _TRAIL_FIELDS, self._trails.rows()),
            **_counted("decision", [len(one) for one in low]),
            "interval.low": np.concatenate([np.zeros(0, np.int64), *low]),
            "interval.high": np.concatenate([np.zeros(0, np.int64), *(decision.high for decision in decisions)]),
            "interval.order": np.arange(first_order, first_order + intervals),
        }


def _ranges(parts: Sequence[range]) -> tuple[tuple[int, int], ...]:
    """First part and how many, of each."""
    return tuple((one.start, len(one)) for one in parts)


def _condition(condition: Condition | None) -> tuple[int, int, int]:
    """Source, direction and threshold; zeros for none."""
    if condition is None:
        return (0, 0, 0)
    return SOURCES.index(condition.source), DIRECTIONS.index(condition.direction), condition.threshold


def _rearm(rearm: RearmAfter | RearmReset) -> tuple[int, ...]:
    if isinstance(rearm, RearmAfter):
        return (rearm.after_ns, rearm.times, *_condition(None))
    return (NONE, rearm.times, *_condition(rearm.condition))


_TRAIL_FIELDS = ("kind", "value", "relative", "ticks", "waits", "source", "direction", "threshold")


def _trail(trail: Trail) -> tuple[int, ...]:
    ticks = trail.orders.ticks
    in_halves = trail.by.kind is DistanceKind.PRICE and trail.source is Source.MID
    return (
        DISTANCES.index(trail.by.kind.value),
        trail.by.value * (2 if in_halves else 1),
        int(ticks is not None),
        ticks or 0,
        int(trail.activate is not None),
        *_condition(trail.activate),
    )


def _table(table: str, fields: Sequence[str], rows: Sequence[object]) -> dict[str, Array]:
    values = np.array(rows, np.int64).reshape(-1, len(fields))
    return {f"{table}.{field}": values[:, place] for place, field in enumerate(fields)}


def _counted(table: str, counts: Sequence[int]) -> dict[str, Array]:
    """Runs of rows of another table, one behind the other."""
    count = np.array(counts, np.int64)
    return {f"{table}.first": np.cumsum(count) - count, f"{table}.count": count}


def _runs(table: str, inner: str, fields: Sequence[str], kept: Sequence[object]) -> dict[str, Array]:
    """A table of runs, each of them a tuple of rows of the ``inner`` table."""
    runs = [run for run in kept if isinstance(run, tuple)]
    return _counted(table, [len(run) for run in runs]) | _table(inner, fields, [row for run in runs for row in run])
