# SPDX-License-Identifier: Apache-2.0
"""Pass `off-fabric`: warns of `limits` that move rules into the runtime, which answers later than the fabric."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from fixaccel.diagnostics.codes import checks
from fixaccel.diagnostics.report import Related
from fixaccel.drafts.columns import Finding, Warnings
from fixaccel.drafts.work import Work
from fixaccel.language.codes import Codes, Units
from fixaccel.language.placements import PLACEMENTS, Placement
from fixaccel.language.rules import Limits, Rule, Strategy
from fixaccel.language.written import WrittenRule
from fixaccel.passes.placement import place
from fixaccel.source import Span

# Reasons that come of limits.
_OF_LIMITS = tuple(
    map(
        PLACEMENTS.index,
        (Placement.QUANTITY, Placement.REPEAT, Placement.COUNTED, Placement.RULE_LIMITS, Placement.COLLAR_IGNORE),
    )
)
_RULE_LIMITS = PLACEMENTS.index(Placement.RULE_LIMITS)
_COUNTED = PLACEMENTS.index(Placement.COUNTED)
_FABRIC = PLACEMENTS.index(Placement.FABRIC)
# Limits in the order in which they are added, those that count all orders as one: without either the other counts.
_STEPS = (
    ("total_qty",),
    ("repeat",),
    ("collar_ignores",),
    ("self_trade",),
    ("orders_per_second", "total_orders"),
)
# Names in the file, where they differ.
_WRITTEN = {"collar_ignores": "collar_breach"}
_NAMED = 5  # rules that a message names


def run(work: Work) -> None:
    """One warning for each limit that does, or for those that count together."""
    if work.strategy and np.isin(work.strategy.placement, _OF_LIMITS).any():
        Warnings(checks.OFF_FABRIC, work).add(list(_findings(work.strategy, work)))


def _findings(strategy: Strategy, work: Work) -> Iterator[Finding]:
    """Adds limit to limit, and looks what leaves the fabric at each; those of single rules at last."""
    limits, whole = Limits(), strategy
    strategy = replace(strategy, blocks=tuple(replace(block, limits=None) for block in strategy.blocks))
    before = place(replace(strategy, limits=limits))
    for step in _STEPS:
        written = [(name, span) for name in step if (span := _written(name, work))]
        if not written:
            continue
        limits = replace(limits, **{name: getattr(strategy.limits, name) for name in step})
        after = place(replace(strategy, limits=limits))
        moved = np.flatnonzero((before == _FABRIC) & (after != _FABRIC))
        if len(moved):
            yield _finding(written, moved, before, after, strategy)
        before = after
    moved = np.flatnonzero((before == _FABRIC) & (whole.placement != _FABRIC))
    own = moved[whole.placement[moved] == _RULE_LIMITS]
    if len(own):
        name = whole.rules[int(own[0])].block.rule_id
        places = {rule.id.value: rule.keys["limits"] for rule in _with_limits(work) if rule.id}
        yield _finding([("limits", places[name])], moved, before, whole.placement, whole)


def _with_limits(work: Work) -> list[WrittenRule]:
    return [rule for rule in work.written.rules if rule.limits] if work.written else []


def _written(name: str, work: Work) -> Span | None:
    assert work.written
    value = getattr(work.written.limits, _WRITTEN.get(name, name))
    if name == "total_qty":
        return next((most.span for _, most in value), None)
    return value.span if value else None


def _finding(
    written: Sequence[tuple[str, Span]], moved: Units, before: Codes, after: Codes, strategy: Strategy
) -> Finding:
    written = [(_WRITTEN.get(name, name), span) for name, span in written]
    names = " and ".join(f"`{name}`" for name, _ in written)
    related = [Related(f"`{name}`", span) for name, span in written[1:]]
    # What goes because another part went, which it is joined to, has another reason. Of that one a limit is.
    first = int(moved[np.isin(after[moved], _OF_LIMITS)][0])
    reason = PLACEMENTS[after[first]].value
    way_out = f"leave {names} out where the rules are to answer from the fabric"
    if after[first] == _COUNTED and (other := _counted_with(first, written[0][0], before, strategy)):
        reason = f"counted together with `{other.id}`, which runs there: {PLACEMENTS[before[other.index]].value}"
        related.append(Related(f"`{other.id}`", other.block.when_span))
        way_out = f"leave {names} out, or write `{other.id}` so that it runs in the fabric"
    verb = "moves" if len(written) == 1 else "move"
    message = f"{names} {verb} {_rules(moved, strategy)} from the fabric into the runtime: {reason}"
    return Finding(message, written[0][1], tuple(related), way_out)


def _counted_with(part: int, limit: str, placement: Codes, strategy: Strategy) -> Rule | None:
    """The first part that runs in the runtime anyway and is counted together with ``part``."""
    symbol = None if limit in _STEPS[-1] else strategy.rules[part].instrument.symbol
    for block in strategy.blocks:
        if symbol in {None, block.instrument.symbol}:
            outside = np.flatnonzero(placement[block.first : block.first + len(block)] != _FABRIC)
            if len(outside):
                return strategy.rules[block.first + int(outside[0])]
    return None


def _rules(moved: Units, strategy: Strategy) -> str:
    """`2 of 3 rules, `a` and `b`,`: by the ids as written."""
    firsts = np.array([block.first for block in strategy.blocks])
    owners = np.unique(np.searchsorted(firsts, moved, side="right") - 1)
    ids = list(dict.fromkeys(strategy.blocks[owner].rule_id for owner in owners.tolist()))
    total = len({block.rule_id for block in strategy.blocks})
    names = [f"`{name}`" for name in ids[:_NAMED]]
    more = [f"{len(ids) - _NAMED} more"] if len(ids) > _NAMED else []
    return f"{len(ids)} of {total} rule{'s' if total > 1 else ''} ({', '.join([*names, *more])})"
