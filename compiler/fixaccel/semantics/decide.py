# SPDX-License-Identifier: Apache-2.0
"""Precomputed decisions: the interval in which an observation lands."""

from fixaccel.language.forms import Decision
from fixaccel.semantics.market import Observation
from fixaccel.semantics.shots import Shot
from fixaccel.semantics.states import Part


def judge(part: Part, observation: Observation) -> Shot | None:
    """Landing counts, not passing; between intervals nothing happens."""
    decision = part.rule.block.form
    assert isinstance(decision, Decision)
    for row, (low, high) in enumerate(zip(decision.low, decision.high, strict=True)):
        if low <= observation.price <= high:
            order = decision.orders[row]
            return Shot(order, None, order.price)
    return None
