# SPDX-License-Identifier: Apache-2.0
"""The limits that rules have of their own, as columns: for all parts of a rule, and for those at one instrument."""

from collections.abc import Mapping

import numpy as np

from fixaccel.image.limits_left import notional_cap
from fixaccel.image.software.columns import NONE, Array
from fixaccel.language.rules import Block, Limits, Strategy
from fixaccel.language.terms import Instrument

_WORD = 64


class RuleLimits:
    """Rows of the tables `rule_limits` and `rule_instrument` for the blocks of a strategy at ``places``.

    ``rule`` has the row of each block's rule in the table `rule`; rules are numbered as they first come.
    """

    def __init__(self, strategy: Strategy, places: Array, rule: Array) -> None:
        symbols = {symbol: number for number, symbol in enumerate(strategy.venue.instruments)}
        self._instruments = list(strategy.venue.instruments.values())
        self._rules: dict[int, Limits] = {}  # by row of `rule`
        self._rows: dict[tuple[int, int], int] = {}  # by row of `rule` and of `instrument`
        self.by_block = np.full(len(strategy.blocks), NONE, np.int32)
        for place in places.tolist():
            block: Block = strategy.blocks[place]
            if block.limits is None:
                continue
            self._rules.setdefault(int(rule[place]), block.limits)
            key = (int(rule[place]), symbols[block.instrument.symbol])
            self.by_block[place] = self._rows.setdefault(key, len(self._rows))

    def columns(self) -> Mapping[str, Array]:
        """Both tables."""
        numbers = {rule: number for number, rule in enumerate(self._rules)}
        limits = list(self._rules.values())
        at = [(self._rules[rule], self._instruments[instrument]) for rule, instrument in self._rows]
        return {
            "rule_limits.rule": np.array(list(self._rules), np.int32),
            "rule_limits.order_qty": _or_none([one.order_qty for one in limits]),
            "rule_limits.collar": _or_none([one.collar for one in limits]),
            "rule_limits.collar_ignores": np.array([one.collar_ignores for one in limits], np.uint8),
            "rule_limits.orders_per_second": _or_none([one.orders_per_second for one in limits]),
            "rule_limits.total_orders": _or_none([one.total_orders for one in limits]),
            "rule_limits.self_trade": np.array([one.self_trade for one in limits], np.uint8),
            "rule_limits.repeat_ns": _or_none([one.repeat for one in limits]),
            "rule_instrument.limits": np.array([numbers[rule] for rule, _ in self._rows], np.int32),
            "rule_instrument.instrument": np.array([instrument for _, instrument in self._rows], np.int32),
            "rule_instrument.notional_cap": np.array([_cap(*one) for one in at], np.uint64).reshape(-1, 2),
            "rule_instrument.total_qty": _or_none([one.total_qty.get(of.symbol) for one, of in at]),
        }


def _cap(limits: Limits, instrument: Instrument) -> tuple[int, int]:
    """Low and high 64 bits."""
    high, low = divmod(notional_cap(limits.order_notional, instrument), 1 << _WORD)
    return low, high


def _or_none(limits: list[int | None]) -> Array:
    return np.array([NONE if limit is None else limit for limit in limits], np.int64)
