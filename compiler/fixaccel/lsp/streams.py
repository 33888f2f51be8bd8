# SPDX-License-Identifier: Apache-2.0
"""The editor's end of standard input, which a signal ends: a thread that reads it could not be joined otherwise."""

import io
import os
import select
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer


class EndedReader(io.RawIOBase):
    """Reads ``descriptor``, which it owns, until that ends or `end` is called; from then on there is nothing more."""

    def __init__(self, descriptor: int) -> None:
        super().__init__()
        self._descriptor = descriptor
        self._woken, self._wakes = os.pipe()
        self.ended = False

    def readable(self) -> bool:
        """It is, for the buffer around it."""
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int:
        """Waits for some bytes, or for the end."""
        look = select.poll()
        look.register(self._descriptor, select.POLLIN)
        look.register(self._woken, select.POLLIN)
        look.poll()
        if self.ended:
            return 0
        return os.readv(self._descriptor, [buffer])

    def end(self) -> None:
        """Whoever reads gets no more. Any thread may call it, and so may a signal's handler."""
        self.ended = True
        if not self.closed:  # else nobody reads, and the descriptor may be somebody else's
            os.write(self._wakes, b"\0")

    @contextmanager
    def until(self, number: signal.Signals) -> Iterator[None]:
        """Inside, that signal ends it."""
        before = signal.signal(number, lambda *_: self.end())
        try:
            yield
        finally:
            signal.signal(number, before)

    def close(self) -> None:
        """And what wakes it."""
        if not self.closed:
            for descriptor in (self._descriptor, self._woken, self._wakes):
                os.close(descriptor)
        super().close()
