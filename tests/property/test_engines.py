# SPDX-License-Identifier: Apache-2.0
"""One meaning: the reference interpreter, the compiled tables and the fabric agree on any strategy and any events."""

from collections import Counter

import pytest
from census import IN_FABRIC
from changes import change
from choices import HypothesisChoices, RandomChoices, random_seed
from crossing import crossing_case
from engine_law import Played, check_image, check_load, check_rtl, check_table, goes_together, shapes_for
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from over_loads import check_rtl_over_loads, load_case
from spoiled import FRAME
from strategy_cases import PATIENT, Case, each_case, engine_cases, fabric_case, fills_case, loads

# What `make test` plays; `make soak SOAK="engines fills"` plays thousands, with other seeds.
EXAMPLES = 100  # to the table, and to the image
IN_FABRIC_CASES = 24  # to the fabric
OVER_LOADS = 8  # to the fabric while tables are loaded


@settings(PATIENT, max_examples=EXAMPLES)
@given(engine_cases())
def test_tables_agree_with_rules(case: Case) -> None:
    check_table(Played.of(case))


@settings(PATIENT, max_examples=EXAMPLES)
@given(engine_cases())
def test_image_agrees_with_rules(case: Case) -> None:
    check_image(Played.of(case))


@st.composite
def loads_between(draw: st.DrawFn) -> tuple[Case, Case, int]:
    choices = HypothesisChoices(draw)
    case = draw(engine_cases())
    return case, change(choices, case), choices.number(0, len(case.events))


@settings(PATIENT, max_examples=EXAMPLES)
@given(loads_between())
def test_tables_and_rules_keep_the_same_state_over_a_load(loaded: tuple[Case, Case, int]) -> None:
    case, changed, at = loaded
    assume(loads(changed))
    check_load(Played.of(case), changed, at)


@pytest.mark.rtl
@pytest.mark.slow
def test_rtl_agrees_with_rules() -> None:
    seed = random_seed()
    collected: list[Case] = []
    each_case(IN_FABRIC_CASES, seed, collected.append, fabric_case)
    assert len(collected) == IN_FABRIC_CASES
    outcomes: Counter[str] = Counter()
    assert check_rtl(collected, shapes_for(len(collected), seed), outcomes) > 0
    assert outcomes[FRAME] > 0


@pytest.mark.rtl
@pytest.mark.slow
def test_rtl_agrees_with_rules_on_what_fills_arm() -> None:
    seed = random_seed()
    collected: list[Case] = []
    each_case(IN_FABRIC_CASES, seed, collected.append, fills_case)
    collected = [case for case in collected if goes_together(case)]
    seen: Counter[str] = Counter()
    for case in collected:
        played = Played.of(case, seen)
        check_table(played)
        check_image(played)
    assert check_rtl(collected, shapes_for(len(collected), seed)) > 0
    assert all(seen[f"armed_by {on}: armed{IN_FABRIC}"] for on in ("first-fill", "filled"))


@pytest.mark.rtl
@pytest.mark.slow
def test_rtl_agrees_with_rules_on_orders_that_would_meet_our_own() -> None:
    seed = random_seed()
    collected: list[Case] = []
    each_case(30, seed, collected.append, crossing_case)
    seen: Counter[str] = Counter()
    for case in collected:
        played = Played.of(case, seen)
        check_table(played)
        check_image(played)
    check_rtl(collected, shapes_for(len(collected), seed))
    assert seen[f"rejected:self_trade{IN_FABRIC}"] > 5
    cases = [
        load_case(RandomChoices(seed * 1_000_003 + n), shape, crossing_case)
        for n, shape in enumerate(shapes_for(10, seed))
    ]
    assert check_rtl_over_loads(cases)[1] > 0


@pytest.mark.rtl
@pytest.mark.slow
def test_an_order_that_leaves_while_a_load_is_followed_is_taken_off_the_ring() -> None:
    # Found at random: the day ended with its record still on the ring, and what rests was not forgotten.
    seed, number = 2033, 7
    case = load_case(RandomChoices(seed * 1_000_003 + number), seed + number, crossing_case)
    assert check_rtl_over_loads([case])[0] > 0


@pytest.mark.rtl
@pytest.mark.slow
def test_rtl_agrees_with_rules_over_a_load_while_armed() -> None:
    seed = random_seed()
    cases = [
        load_case(RandomChoices(seed * 1_000_003 + n), shape) for n, shape in enumerate(shapes_for(OVER_LOADS, seed))
    ]
    fires, behind = check_rtl_over_loads(cases)
    assert fires > behind > 0
