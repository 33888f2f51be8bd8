# SPDX-License-Identifier: Apache-2.0
"""The console's connections to the daemon: one thread that hears, and a question on a connection of its own."""

import threading
from collections.abc import Callable

from fixaccel.board.control import ControlClient, ControlError, ControlRefusedError
from fixaccel.board.feed import Event, watch
from fixaccel.board.orders import Answer

_PATIENCE_S = 5.0
_RETRY_S = 0.5


class Link:
    """Hands each event to ``deliver``, in a thread of its own, until `end`."""

    def __init__(self, endpoint: str, deliver: Callable[[Event], None]) -> None:
        self.endpoint = endpoint
        self._deliver = deliver
        self._ended = threading.Event()
        self._client: ControlClient | None = None
        self._thread = threading.Thread(target=self._listen, daemon=True)

    def begin(self) -> None:
        """Once."""
        self._thread.start()

    def end(self) -> None:
        """Nothing is delivered any more when it returns."""
        self._ended.set()
        if self._client is not None:
            self._client.interrupt()
        self._thread.join(_PATIENCE_S)

    def ask(self, question: Callable[[ControlClient], Answer]) -> tuple[Answer | None, str]:
        """The answer, or None and why there is none. Waits for it: not for the screen's thread."""
        try:
            with ControlClient(self.endpoint, timeout_s=_PATIENCE_S) as client:
                return question(client), ""
        except (ControlError, ControlRefusedError) as error:
            return None, str(error)

    def _listen(self) -> None:
        said = ""
        while not self._ended.is_set():
            try:
                with ControlClient(self.endpoint, timeout_s=_PATIENCE_S) as client:
                    self._client = client
                    for event in watch(client):
                        if self._ended.is_set():
                            return
                        said = ""
                        self._deliver(event)
                        if event["event"] == "dropped":
                            break  # what is known is not all: it begins anew
            except (ControlError, ControlRefusedError) as error:
                if said != str(error) and not self._ended.is_set():
                    said = str(error)
                    self._deliver({"event": "away", "reason": said})
                self._ended.wait(_RETRY_S)
