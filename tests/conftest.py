# SPDX-License-Identifier: Apache-2.0
"""What holds for all tests: how they share the cores, and that none of them is judged by its time."""

import signal

import pytest
from hypothesis import settings

# A shell that starts this in the background has it ignore SIGINT, and so would the programs that tests interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")


@pytest.hookimpl(tryfirst=True)  # before xdist looks at the groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """One laboratory at a time: a virtual board beside another one is slower than its session's time limits allow."""
    for item in items:
        if item.get_closest_marker("e2e"):
            item.add_marker(pytest.mark.xdist_group("laboratory"))
