# SPDX-License-Identifier: Apache-2.0
"""The hash that engines compare rules by is the meaning that the reference interpreter compares."""

from changes import change
from choices import HypothesisChoices
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from strategy_cases import Case, cases, loads
from watched import loaded

from fixaccel.image.identity import part_hashes
from fixaccel.image.parts import Parts
from fixaccel.language.rules import Strategy
from fixaccel.semantics.identity import meaning


@st.composite
def changed_cases(draw: st.DrawFn) -> tuple[Case, Case]:
    case = draw(cases())
    return case, change(HypothesisChoices(draw), case)


def identities(strategy: Strategy) -> dict[str, tuple[int, ...]]:
    hashes = part_hashes(strategy, Parts.of(strategy))
    return {meaning(strategy, rule): tuple(map(int, hashes[rule.index])) for rule in strategy.rules}


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=100)
@given(changed_cases())
def test_equal_hashes_are_equal_meanings(pair: tuple[Case, Case]) -> None:
    case, changed = pair
    assume(loads(changed))
    before, after = identities(loaded(case)[0]), identities(loaded(changed)[0])
    assert len(before) == len(set(before.values()))
    for text, hash_ in after.items():
        assert before.get(text) == (hash_ if hash_ in before.values() else None)
