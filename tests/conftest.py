# SPDX-License-Identifier: Apache-2.0
"""What holds for all tests: they can be interrupted, and none of them is judged by its time."""

import signal

from hypothesis import settings

# A shell that starts this in the background has it ignore SIGINT, and so would the programs that tests interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")
