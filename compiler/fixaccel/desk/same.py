# SPDX-License-Identifier: Apache-2.0
"""Rules that stand in two strategies: by what they mean, and by id."""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from fixaccel.desk.members import Member, by_market
from fixaccel.desk.orders import factors
from fixaccel.diagnostics.codes.desk import DESK_SAME_ID, DESK_SAME_RULE
from fixaccel.diagnostics.model import Diagnostic, Related
from fixaccel.language.model import OrderType
from fixaccel.language.rules import ORDER_TYPES, Block, Decision, Trail, Triggers

_LIMIT = ORDER_TYPES.index(OrderType.LIMIT)

Rows: TypeAlias = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class _Written:
    """The rows of one block of one member."""

    member: Member
    block: Block


def same_rules(members: Sequence[Member]) -> Iterator[Diagnostic]:
    """One for each block with a part that another strategy has too. What a rule of its file arms is not compared."""
    for group in by_market(members).values():
        factor = factors(group)
        first: dict[Hashable, list[tuple[_Written, Rows]]] = {}
        for member in group:
            own: dict[Hashable, list[tuple[_Written, Rows]]] = {}
            for block in member.strategy.blocks:
                if block.parents is not None:
                    continue
                written = _Written(member, block)
                for kind, rows in _meanings(block, factor[member.number, block.instrument.symbol]):
                    own.setdefault(kind, []).append((written, rows))
                    found = _found(first.get(kind, []), written, rows)
                    if found:
                        yield found
                        break
            for kind, more in own.items():
                first.setdefault(kind, []).extend(more)


def _meanings(block: Block, scale: int) -> Iterator[tuple[Hashable, Rows]]:
    """What the rows agree in, and of each row the numbers that are left: for thresholds a row for each."""
    form = block.form
    live = (block.instrument.symbol, block.times, block.through, block.rearm)
    if isinstance(form, Triggers):
        for number, envelope in enumerate(form.orders.envelopes):
            chosen = np.flatnonzero(form.orders.envelope == number)
            kind = (*live, envelope.tif, envelope.account, tuple(sorted(envelope.fields.items())))
            price = np.where(form.orders.type == _LIMIT, form.orders.price * scale, 0)
            columns = (
                form.source, form.direction, form.threshold * scale, form.confirm, form.orders.side, form.orders.qty,
                form.orders.type, price, np.arange(len(form)),
            )  # fmt: skip
            if len(chosen):
                yield kind, np.stack([column[chosen].astype(np.int64) for column in columns], axis=1)
        return
    order = tuple(str(form.orders[row]) for row in range(len(form.orders)))
    if isinstance(form, Trail):
        own: Hashable = (form.source, form.by, form.activate, order)
    else:
        assert isinstance(form, Decision)
        own = (form.source, form.low.tobytes(), form.high.tobytes(), order)
    yield (*live, scale, own), np.zeros((1, 1), np.int64)


def _found(known: list[tuple[_Written, Rows]], written: _Written, rows: Rows) -> Diagnostic | None:
    """The first part of ``written`` that is among those known; the last column numbers the parts."""
    for other, theirs in known:
        _, mine, there = np.intersect1d(_keys(rows), _keys(theirs), return_indices=True)
        if len(mine):
            row = int(mine.argmin())
            at, other_at = int(rows[mine[row], -1]), int(theirs[there[row], -1])
            return _finding(written, at, other, other_at, len(mine) - 1)
    return None


def _keys(rows: Rows) -> npt.NDArray[np.void]:
    """A row's numbers as one value."""
    values = np.ascontiguousarray(rows[:, :-1])
    return values.view(np.dtype((np.void, values.dtype.itemsize * values.shape[1]))).ravel() if values.size else (
        np.zeros(len(rows), "V1")
    )  # fmt: skip


def _finding(written: _Written, row: int, other: _Written, other_row: int, more: int) -> Diagnostic:
    name = other.block.name(other_row)
    others = f" (and {more:,} more of `{written.block.id}`)" if more else ""
    return Diagnostic(
        DESK_SAME_RULE,
        f"`{written.block.name(row)}` is the same as `{name}` in {other.member.name}: both fire, and the quantity is "
        f"doubled{others}",
        written.block.place(row),
        (Related(f"`{name}`", other.block.place(other_row)),),
        "delete one of the two, or change it",
    )


def same_ids(members: Sequence[Member]) -> Iterator[Diagnostic]:
    """One for each id that an earlier strategy has already, and each strategy that repeats it."""
    first: dict[str, tuple[Member, Block]] = {}
    for member in members:
        own: dict[str, tuple[Member, Block]] = {}
        for block in member.strategy.blocks:
            own.setdefault(block.rule_id, (member, block))
        for name, (_, block) in own.items():
            if name in first:
                other, there = first[name]
                yield Diagnostic(
                    DESK_SAME_ID,
                    f"`{name}` is a rule of {other.name} too: reports and journals do not tell the two apart",
                    block.span,
                    (Related(f"`{name}`", there.span),),
                    "give one of the two another id",
                )
        first = own | first
