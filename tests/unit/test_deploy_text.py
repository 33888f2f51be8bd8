# SPDX-License-Identifier: Apache-2.0
"""What `fixaccel deploy` and `fixaccel arm` say of the rules once they are armed."""

import pytest

from fixaccel.cli.arming import armed_text


@pytest.mark.parametrize(
    ("states", "text"),
    [
        (["armed", "armed"], "armed: 2 of 2 rules"),
        (["armed", "disarmed", "disarmed"], "armed: 1 of 3 rules, 2 disarmed"),
        (["fired", "cancelled", "armed", "in doubt"], "armed: 1 of 4 rules, 1 cancelled, 2 spent"),
        (["rearming", "waiting"], "armed: 0 of 2 rules, 1 waiting, 1 rearming"),
    ],
)
def test_states_are_named(states: list[str], text: str) -> None:
    assert armed_text(states) == text
    assert armed_text(states, dry_run=True) == f"dry run, {text}"
