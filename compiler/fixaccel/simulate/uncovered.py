# SPDX-License-Identifier: Apache-2.0
"""What came too late: fills behind the exit that sold what was filled until then, for which nothing was sent."""

from collections.abc import Callable, Iterable

from fixaccel.language.forms import Decision
from fixaccel.language.rules import Block, Strategy
from fixaccel.semantics.fires import SENT
from fixaccel.semantics.messages import Fire


def uncovered(strategy: Strategy, fires: Iterable[Fire], filled: Callable[[int], int]) -> dict[str, int]:
    """Quantity by name of the exit, of exits with `qty: filled` whose order was sent; in the order of the strategy.

    ``filled`` says what the orders of a part, by its number, have filled in all.
    """
    blocks = [block for block in strategy.blocks if not isinstance(block.form, Decision) and block.form.orders.filled]
    if not blocks:
        return {}
    sent = {fire.rule: fire.qty for fire in fires if fire.outcome == SENT}
    found: dict[str, int] = {}
    for block in blocks:
        names = [name for name in map(block.name, range(len(block))) if name in sent]
        if names:
            entered = _of_parents(block, filled)
            found |= {name: entered - sent[name] for name in names if entered > sent[name]}
    return found


def _of_parents(block: Block, filled: Callable[[int], int]) -> int:
    return sum(map(filled, {part for parts in block.parents or () for part in parts}))
