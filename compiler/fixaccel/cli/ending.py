# SPDX-License-Identifier: Apache-2.0
"""How commands end that go on until somebody ends them."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress

INTERRUPTED = 130  # as shells count it: 128 and the number of SIGINT


@contextmanager
def until_interrupted() -> Iterator[None]:
    """Ctrl-C ends what is inside, and so does SIGTERM: that is how it is meant to end, with exit code 0."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with suppress(KeyboardInterrupt):
            yield
    finally:
        signal.signal(signal.SIGTERM, before)
