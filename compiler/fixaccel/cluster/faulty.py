# SPDX-License-Identifier: Apache-2.0
"""Event files that cannot be counted."""

from fixaccel.diagnostics.checked import Checked


class FaultyEventsError(Exception):
    """Event files have faults; ``checked`` has them."""

    def __init__(self, checked: Checked) -> None:
        super().__init__("event files have faults")
        self.checked = checked
