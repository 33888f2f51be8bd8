# SPDX-License-Identifier: Apache-2.0
"""Rules that stand in two strategies: by what they mean, and by id."""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, fields
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from fixaccel.desk.members import Member, by_market
from fixaccel.desk.orders import factors
from fixaccel.diagnostics.codes.desk import DESK_SAME_ID, DESK_SAME_RULE
from fixaccel.diagnostics.report import Diagnostic, Related
from fixaccel.language.codes import ORDER_TYPES
from fixaccel.language.forms import Form, Triggers
from fixaccel.language.orders import Orders
from fixaccel.language.rules import Block
from fixaccel.language.terms import OrderType

_LIMIT = ORDER_TYPES.index(OrderType.LIMIT)

Rows: TypeAlias = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class _Part:
    """One part of one member."""

    member: Member
    block: Block
    row: int


class _Parts:
    """Parts that agree in what cannot be a number: a row of numbers for each, of members so far and of the next."""

    def __init__(self) -> None:
        self.blocks: list[tuple[Member, Block]] = []
        self.rows: list[Rows] = []  # what they mean, then the place in `blocks` and the row there

    def add(self, member: Member, block: Block, rows: Rows) -> None:
        place = np.full((len(rows), 1), len(self.blocks), np.int64)
        self.blocks.append((member, block))
        self.rows.append(np.concatenate([rows[:, :-1], place, rows[:, -1:]], axis=1))

    def part(self, row: Rows) -> _Part:
        return _Part(*self.blocks[int(row[-2])], int(row[-1]))


def same_rules(members: Sequence[Member]) -> Iterator[Diagnostic]:
    """One for each block with a part that another strategy has too. What a rule of its file arms is not compared."""
    for group in by_market(members).values():
        factor = factors(group)
        known: dict[Hashable, _Parts] = {}
        for member in group:
            own: dict[Hashable, _Parts] = {}
            for block in member.strategy.blocks:
                for kind, rows in _meanings(block, factor[member.number, block.instrument.symbol]):
                    own.setdefault(kind, _Parts()).add(member, block, rows)
            yield from _once([found for kind, parts in own.items() if kind in known
                              for found in _pairs(known[kind], parts)])  # fmt: skip
            for kind, parts in own.items():
                before = known.setdefault(kind, _Parts())
                for (_, block), rows in zip(parts.blocks, parts.rows, strict=True):
                    before.add(member, block, np.delete(rows, -2, axis=1))


def _once(found: Sequence[tuple[_Part, _Part, int]]) -> Iterator[Diagnostic]:
    """A block that several kinds of orders are found of is told once, in the order of the file."""
    told: dict[int, Diagnostic] = {}
    for part, other, more in sorted(found, key=lambda one: one[0].block.first):
        told.setdefault(part.block.first, _finding(part, other, more))
    yield from told.values()


def _pairs(known: _Parts, parts: _Parts) -> Iterator[tuple[_Part, _Part, int]]:
    """Of each block the first part that is known, which that is, and how many there are besides."""
    theirs, mine = np.concatenate(known.rows), np.concatenate(parts.rows)
    labels = np.unique(np.concatenate([theirs, mine])[:, :-2], axis=0, return_inverse=True)[1].ravel()
    first = np.full(labels.max() + 1, -1, np.int64)
    first[labels[: len(theirs)][::-1]] = np.arange(len(theirs))[::-1]
    there = first[labels[len(theirs) :]]
    rows = np.flatnonzero(there >= 0)
    _, begins, counts = np.unique(mine[rows, -2], return_index=True, return_counts=True)
    for at, count in zip(rows[begins].tolist(), counts.tolist(), strict=True):
        yield parts.part(mine[at]), known.part(theirs[there[at]]), count - 1


def _meanings(block: Block, scale: int) -> Iterator[tuple[Hashable, Rows]]:
    """What the rows agree in, and of each row the numbers that are left, and its own."""
    if block.parents is not None:
        return
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
    yield (*live, scale, type(form), _whole(form), _whole(form.orders)), np.zeros((1, 1), np.int64)


def _whole(part: Form | Orders) -> tuple[Hashable, ...]:
    """All that a form, or its orders, say, as one value; the orders of a form stand for themselves."""
    said: list[Hashable] = []
    for field in fields(part):
        value = getattr(part, field.name)
        if isinstance(value, np.ndarray):
            said.append(value.tobytes())
        elif field.name == "envelopes":
            said += [(one.tif, one.account, tuple(sorted(one.fields.items()))) for one in value]
        elif not isinstance(value, Orders):
            said.append(value)
    return tuple(said)


def _finding(part: _Part, other: _Part, more: int) -> Diagnostic:
    name = other.block.name(other.row)
    others = f" (and {more:,} more of `{part.block.id}`)" if more else ""
    return Diagnostic(
        DESK_SAME_RULE,
        f"`{part.block.name(part.row)}` is the same as `{name}` in {other.member.name}: both fire, and the quantity is "
        f"doubled{others}",
        part.block.place(part.row),
        (Related(f"`{name}`", other.block.place(other.row)),),
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
