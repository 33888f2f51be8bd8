# SPDX-License-Identifier: Apache-2.0
"""One meaning: the reference interpreter, the compiled tables and the fabric agree on any strategy and any events."""

from engine_law import check_image
from hypothesis import HealthCheck, given, settings
from strategy_cases import Case, cases


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True)
@given(cases())
def test_image_agrees_with_rules(case: Case) -> None:
    check_image(case)
