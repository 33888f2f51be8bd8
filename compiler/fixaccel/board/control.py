# SPDX-License-Identifier: Apache-2.0
"""Client of the daemon's control API: one JSON request a line, one JSON answer a line."""

import json
import socket
import time
from contextlib import suppress
from types import TracebackType
from typing import Any, Self

from fixaccel.board import ssh, tls
from fixaccel.board.endpoint import FORMS, UNIX, Endpoint

_TIMEOUT_S = 30.0  # a deploy loads all tables before it answers
_QUEUE_S = 0.001


class ControlError(Exception):
    """The daemon cannot be reached or does not speak its language. The text names the endpoint."""


class ControlRefusedError(Exception):
    """The daemon refused the request; the text is its reason."""


class ControlClient:
    """A connection to the daemon at ``endpoint`` (an Endpoint, or its text), which answers in time or not at all.

    Raises ControlError.
    """

    def __init__(self, endpoint: str, timeout_s: float = _TIMEOUT_S) -> None:
        self.endpoint = Endpoint(endpoint)
        if not (self.endpoint.is_remote or endpoint.startswith(UNIX)):
            raise ControlError(f"{endpoint}: an endpoint is written {FORMS}")
        self._rest = b""
        self._is_interrupted = False
        try:
            self._socket = self._connected(timeout_s)
        except (tls.TlsError, ssh.SshError) as error:
            raise ControlError(str(error)) from error
        except PermissionError as error:
            raise ControlError(
                f"you may not ask at {endpoint}; is there a socket for your role? `--to unix:PATH`, or FIXACCEL_CONTROL"
            ) from error
        except OSError as error:
            raise ControlError(
                f"no daemon answers at {endpoint}: {error.strerror or error}; is fixacceld running?"
            ) from error

    def _connected(self, timeout_s: float) -> socket.socket:
        if self.endpoint.by_ssh:
            return ssh.connect(self.endpoint, timeout_s)
        return tls.connect(self.endpoint, timeout_s) if self.endpoint.is_remote else self._local(timeout_s)

    def _local(self, timeout_s: float) -> socket.socket:
        made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        made.settimeout(timeout_s)
        try:
            self._connect(made, self.endpoint.removeprefix(UNIX), time.monotonic() + timeout_s)
        except OSError:
            made.close()
            raise
        return made

    @staticmethod
    def _connect(made: socket.socket, path: str, end: float) -> None:
        while True:
            try:
                return made.connect(path)
            except BlockingIOError:  # many others have come at once
                if time.monotonic() > end:
                    raise
                time.sleep(_QUEUE_S)

    def ask(self, command: str, **arguments: object) -> dict[str, Any]:
        """The answer to ``command``. Raises ControlRefusedError with the daemon's reason, ControlError."""
        request = json.dumps({"cmd": command, **arguments}) + "\n"
        try:
            self._socket.sendall(request.encode())
            answer = self._object()
        except OSError as error:
            raise ControlError(self._reason(error, "does not answer")) from error
        if not answer.get("ok"):
            raise ControlRefusedError(str(answer.get("error", "no reason given")))
        return answer

    def be_patient(self) -> None:
        """From now on nothing is awaited in vain: who watches may hear nothing for long."""
        self._socket.settimeout(None)

    def next_line(self) -> dict[str, Any]:
        """The next object that the daemon says by itself. Raises ControlError."""
        try:
            return self._object()
        except OSError as error:
            raise ControlError(self._reason(error, "says no more")) from error

    def _reason(self, error: OSError, what: str) -> str:
        has_ended = not isinstance(error, TimeoutError)
        said = (has_ended and self._by_ssh()) or tls.said(self.endpoint, error)
        return said or f"the daemon at {self.endpoint} {what}: {error.strerror or error}"

    def _by_ssh(self) -> str:
        """Why the connection ended, as SSH says; empty without it, and where it was us."""
        return ssh.said(self.endpoint) if self.endpoint.by_ssh and not self._is_interrupted else ""

    def interrupt(self) -> None:
        """From another thread: whoever waits for the daemon gets ControlError."""
        self._is_interrupted = True
        with suppress(OSError):
            # Not that of TLS: it would take the connection's state away from the thread that waits.
            socket.socket.shutdown(self._socket, socket.SHUT_RDWR)

    def _object(self) -> dict[str, Any]:
        try:
            said = json.loads(self._line())
        except ValueError as error:
            raise ControlError(f"the answer of {self.endpoint} is not understood; is it a fixacceld?") from error
        if not isinstance(said, dict):
            raise ControlError(f"the answer of {self.endpoint} is not understood; is it a fixacceld?")
        return said

    def _line(self) -> bytes:
        while b"\n" not in self._rest:
            more = self._socket.recv(65536)
            if not more:
                raise ControlError(self._by_ssh() or f"the daemon at {self.endpoint} hung up")
            self._rest += more
        line, _, self._rest = self._rest.partition(b"\n")
        return line

    def __enter__(self) -> Self:
        return self

    def close(self) -> None:
        """Ends the connection."""
        self._socket.close()

    def __exit__(self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None) -> None:
        self.close()
