# SPDX-License-Identifier: Apache-2.0
"""Which parts can touch each other: through `oco`, `armed_by`, `cancels` and limits that orders share."""

from collections import defaultdict

from fixaccel.language.rules import NO_GROUP, Strategy


def _neighbours(strategy: Strategy) -> dict[int, set[int]]:
    neighbours: dict[int, set[int]] = defaultdict(set)
    groups: dict[int, int] = {}
    for rule in strategy.rules:
        joined = {parent for parents in rule.block.parents or () for parent in parents}
        joined |= {other for parts in rule.block.cancels for other in parts}
        if rule.group != NO_GROUP:
            joined.add(groups.setdefault(rule.group, rule.index))
        for other in joined:
            neighbours[rule.index].add(other)
            neighbours[other].add(rule.index)
    return neighbours


def linked(strategy: Strategy, start: set[int]) -> set[int]:
    """The parts that these can touch, themselves among them."""
    neighbours, found, ahead = _neighbours(strategy), set(start), list(start)
    while ahead:
        new = neighbours[ahead.pop()] - found
        found |= new
        ahead += new
    return found


def linked_symbols(strategy: Strategy, symbol: str) -> set[str]:
    """The instruments whose parts can touch those of ``symbol``, directly or through others."""
    if strategy.limits.total_orders is not None or strategy.limits.orders_per_second is not None:
        return set(strategy.venue.instruments)
    symbols: set[str] = set()
    more = {symbol}
    while more != symbols:
        symbols = more
        own = {rule.index for rule in strategy.rules if rule.instrument.symbol in symbols}
        more = symbols | {strategy.rules[index].instrument.symbol for index in linked(strategy, own)}
        # One account for all instruments of a rule.
        shared = [block for block in strategy.blocks if strategy.limits.repeat is not None or block.limits is not None]
        if shared:
            ids = {block.rule_id for block in shared if block.instrument.symbol in more}
            more |= {block.instrument.symbol for block in strategy.blocks if block.rule_id in ids}
    return symbols


def linked_parts(strategy: Strategy, rule_id: str) -> set[str]:
    """Names of the parts that those of one rule can touch, themselves among them."""
    own = {rule.index for rule in strategy.rules if rule.block.rule_id == rule_id}
    return {strategy.rules[index].id for index in linked(strategy, own)}
