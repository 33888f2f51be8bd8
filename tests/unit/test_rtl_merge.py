# SPDX-License-Identifier: Apache-2.0
"""Fires of the fabric and of the runtime come together in the order in which one engine would have fired them."""

import tempfile
from pathlib import Path

import pytest
from choices import RandomChoices
from strategy_cases import make_case

from fixaccel.language.placements import Placement
from fixaccel.semantics.reference import Interpreter
from fixaccel.simulate.rtl.merge import with_runtime_fires


def both_places(first):
    """Random cases from a seed on, their fires and those of them that the fabric would have."""
    for seed in range(first, first + 60):
        with tempfile.TemporaryDirectory() as folder:
            strategy, messages = make_case(RandomChoices(seed)).load(Path(folder))
        reference = Interpreter(strategy)
        fires = [fire for message in messages for fire in reference.process(message)]
        inside = {rule.id for rule in strategy.rules if strategy.placed(rule.index) is Placement.FABRIC}
        yield strategy, messages, fires, [fire for fire in fires if fire.rule in inside]


@pytest.mark.parametrize("first", [0, 60, 120])
def test_merged_fires_are_in_firing_order(first):
    mixed = 0
    for strategy, messages, fires, fabric in both_places(first):
        assert with_runtime_fires(fabric, strategy, messages) == fires
        mixed += 0 < len(fabric) < len(fires)
    assert mixed
