# SPDX-License-Identifier: Apache-2.0
"""The worst case without limits on totals: sums over what can be sent together, a choice from each `oco` group."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import product as all_of

import numpy as np

from fixaccel.exposure.options import Link, Numbers, Options, product
from fixaccel.exposure.search import NOTHING, Amounts
from fixaccel.language.codes import Units
from fixaccel.language.rules import NO_GROUP
from fixaccel.tick_arrays import Flags

# Choices within the groups of rules that arm others: for one set of joined rules, and over all of them.
_MOST_CHOICES = 1_000
_MOST_IN_ALL = 5_000


@dataclass
class Sums:
    """Amounts by cell and over all cells. ``chosen``: choices were tried; ``loose``: they were too many."""

    cells: dict[int, Amounts] = field(default_factory=dict)
    total: Amounts = NOTHING
    chosen: bool = False
    loose: bool = False


def sums(options: Options) -> Sums:
    """The highest amounts, each by itself."""
    arms = _arms(options)
    deciding = np.unique(options.group[arms[options.part] & (options.group != NO_GROUP)])
    if not len(deciding):
        return free(options)
    label = _joined_to(options)[options.unit]
    of_choices = np.isin(label, np.unique(label[np.isin(options.group, deciding)]))
    result = free(options.rows(~of_choices))
    result.chosen = True
    spent = 0
    for component in _components(options.rows(of_choices), label[of_choices]):
        choices = _choices(component, arms_locally(component))
        count = int(np.prod([float(len(group)) for group in choices]))
        spent += count
        if count > _MOST_CHOICES or spent > _MOST_IN_ALL:
            result.loose = True
            _add(result, free(component))
        else:
            _add(result, _best(component, choices))
    return result


def free(options: Options) -> Sums:
    """Each unit by itself: of a group the member, of a decision the order, with the highest amount."""
    weights = [_weight(options, number) for number in range(len(NOTHING))]
    cells, place = np.unique(options.cell, return_inverse=True)
    if options.plain:
        by_cell = [_sum_by(place, weight, len(cells)) for weight in weights]
        total = tuple(int(weight.sum()) if len(weight) else 0 for weight in weights)
    else:
        key = options.unit * len(cells) + place
        order = np.argsort(key, kind="stable")
        begins = _begins(key[order])
        where = place[order][begins]
        by_cell = [_sum_by(where, np.maximum.reduceat(one[order], begins), len(cells)) for one in weights]
        units = np.argsort(options.unit, kind="stable")
        starts = _begins(options.unit[units])
        total = tuple(int(np.maximum.reduceat(weight[units], starts).sum()) for weight in weights)
    amounts = {int(cell): _amounts(one[at] for one in by_cell) for at, cell in enumerate(cells)}
    return Sums(amounts, _amounts(iter(total)))


def _amounts(values: Iterator[int]) -> Amounts:
    orders, qty, limit, markets, market = (int(value) for value in values)
    return orders, qty, limit, markets, market


def _weight(options: Options, number: int) -> Numbers:
    """What each row adds to the amount of this number, sent as often as it can be."""
    column = (
        np.ones(len(options), np.int64),
        options.qty,
        np.where(options.market, 0, options.money),
        options.market.astype(np.int64),
        np.where(options.market, options.money, 0),
    )[number]
    return product(column, options.times, len(options))


def _sum_by(place: Units, weight: Numbers, count: int) -> list[int]:
    if not len(weight):
        return [0] * count
    order = np.argsort(place, kind="stable")
    return [int(one) for one in np.add.reduceat(weight[order], _begins(place[order]))]


def _begins(ordered: Units) -> Units:
    found: Units = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1]))
    return found


def _arms(options: Options) -> Flags:
    """Parts that arm others."""
    arms = np.zeros(options.parts, np.bool_)
    for link in options.links:
        for one in link.parents:
            arms[one.start : one.stop] = True
    return arms


def _joined_to(options: Options) -> Units:
    """A number for each unit, the same for units that links join, over however many steps."""
    unit = np.full(options.parts, -1, np.int64)
    unit[options.part] = options.unit
    label = np.arange(int(options.unit.max()) + 1, dtype=np.int64)
    changed = True
    while changed:
        changed = False
        for link in options.links:
            ranges = (range(link.first, link.stop), *link.parents)
            units = np.concatenate([unit[one.start : one.stop] for one in ranges])
            labels = label[units[units >= 0]]
            if len(labels) and labels.min() != labels.max():
                label[units[units >= 0]] = labels.min()
                changed = True
    return label


def _components(options: Options, label: Units) -> Iterator[Options]:
    """The joined sets, parts numbered from 0 in each."""
    owner = np.full(options.parts, -1, np.int64)
    owner[options.part] = label
    links: dict[int, list[Link]] = {}
    for link in options.links:
        for one in np.unique(owner[link.first : link.stop]).tolist():
            links.setdefault(one, []).append(link)
    order = np.argsort(label, kind="stable")
    for rows in np.split(order, _begins(label[order])[1:]):
        parts, local = np.unique(options.part[rows], return_inverse=True)
        own = [_local(link, parts) for link in links.get(int(label[rows[0]]), [])]
        flags = np.zeros(len(options), np.bool_)
        flags[rows] = True
        kept = options.rows(flags)
        del local
        yield replace(
            kept, part=np.searchsorted(parts, kept.part).astype(np.int64), links=tuple(own), parts=len(parts)
        )  # fmt: skip


def _local(link: Link, parts: Units) -> Link:
    def at(index: int) -> int:
        return int(np.searchsorted(parts, index))

    return Link(at(link.first), at(link.stop), tuple(range(at(one.start), at(one.stop)) for one in link.parents))


def arms_locally(component: Options) -> Flags:
    """Parts of a component that arm others."""
    return _arms(component)


def _choices(component: Options, arms: Flags) -> list[list[Flags]]:
    """For each group that arms others the sets of its members that may be sent: one that arms, or those that do not."""
    group = np.full(component.parts, NO_GROUP, np.int64)
    group[component.part] = component.group
    found = []
    for number in np.unique(group[arms & (group != NO_GROUP)]).tolist():
        inside = group == number
        choices = []
        for member in np.flatnonzero(inside & arms).tolist():
            only = ~inside
            only[member] = True
            choices.append(only)
        if (inside & ~arms).any():
            choices.append(~(inside & arms))
        found.append(choices)
    return found


def _best(component: Options, choices: list[list[Flags]]) -> Sums:
    best = Sums()
    for chosen in all_of(*choices):
        alive = component.armed(np.all(chosen, axis=0))
        one = free(component.rows(alive[component.part]))
        best.total = _higher(best.total, one.total)
        for cell, amounts in one.cells.items():
            best.cells[cell] = _higher(best.cells.get(cell, NOTHING), amounts)
    return best


def _add(result: Sums, more: Sums) -> None:
    result.total = _plus(result.total, more.total)
    for cell, amounts in more.cells.items():
        result.cells[cell] = _plus(result.cells.get(cell, NOTHING), amounts)


def _plus(one: Amounts, other: Amounts) -> Amounts:
    return _amounts(x + y for x, y in zip(one, other, strict=True))


def _higher(one: Amounts, other: Amounts) -> Amounts:
    return _amounts(max(x, y) for x, y in zip(one, other, strict=True))
