# SPDX-License-Identifier: Apache-2.0
"""One meaning: the reference interpreter, the compiled tables and the fabric agree on any strategy and any events."""

import random

import pytest
from engine_law import check_image, check_rtl, shapes_for
from hypothesis import HealthCheck, given, settings
from strategy_cases import Case, cases, each_case

from fixaccel.semantics.messages import Kind


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True)
@given(cases())
def test_image_agrees_with_rules(case: Case) -> None:
    check_image(case)


@pytest.mark.rtl
@pytest.mark.slow
def test_rtl_agrees_with_rules() -> None:
    # Another seed each time; a failure prints the case and its shape.
    seed = random.randrange(1_000_000)
    collected: list[Case] = []
    each_case(40, seed, [Kind.SNAPSHOT], collected.append)
    assert len(collected) == 40
    assert check_rtl(collected, shapes_for(len(collected), seed)) > 0
