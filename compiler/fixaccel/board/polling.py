# SPDX-License-Identifier: Apache-2.0
"""A daemon that is asked again and again, and may be away, busy or restarted meanwhile."""

from types import TracebackType
from typing import Any, Self

from fixaccel.board.control import ControlClient, ControlError, ControlRefusedError

Answer = dict[str, Any]

_PATIENCE_S = 5.0
_SHORT_S = 1.0


def away(answer: Answer) -> str:
    """Why the daemon gave no answer; empty if it did."""
    return "" if answer["ok"] else str(answer["error"])


class Poller:
    """Asks the daemon at ``endpoint``, over one connection for as long as that lasts."""

    def __init__(self, endpoint: str, patience_s: float = _PATIENCE_S) -> None:
        self._endpoint, self._patience_s = endpoint, patience_s
        self._client: ControlClient | None = None

    def ask(self, command: str, **arguments: object) -> Answer:
        """Its answer; ``{"ok": False, "error": reason}`` where there is none."""
        kept = self._client is not None
        try:
            if self._client is None:
                self._client = ControlClient(self._endpoint, timeout_s=self._patience_s)
            return self._client.ask(command, **arguments)
        except ControlRefusedError as error:
            return {"ok": False, "error": str(error)}
        except ControlError as error:
            # What it has not answered in time it may answer later: on this connection that would be the next answer.
            self.close()
            if kept and not isinstance(error.__cause__, TimeoutError):
                return self.ask(command, **arguments)  # that daemon is gone; there may be another by now
            return {"ok": False, "error": self._busy() or str(error)}

    def _busy(self) -> str:
        """What it is at if its guard of the kill switch answers; empty if nobody does."""
        try:
            with ControlClient(self._endpoint, timeout_s=_SHORT_S) as client:
                answer = client.ask("status", short=True)
        except (ControlError, ControlRefusedError):
            return ""
        kill = ", the kill switch is ON" if answer["kill"]["on"] else ""
        return f"the daemon at {self._endpoint} has been busy for {answer['busy_ms'] / 1000:.0f} s{kill}"

    def close(self) -> None:
        """Ends the connection; the next question opens another."""
        if self._client is not None:
            self._client.close()
        self._client = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None) -> None:
        self.close()
