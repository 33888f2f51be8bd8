# SPDX-License-Identifier: Apache-2.0
"""A daemon's control socket that answers all clients as it is told, and can be started anew."""

import contextlib
import json
import socket
import socketserver
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

Json = dict[str, Any]


class _Server(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    daemon_threads = True
    block_on_close = False


class Answering:
    """Answers with ``answer(request)``, which is one or more lines; None: not at all, the connection is closed."""

    def __init__(self, path: Path, answer: Callable[[Json], Json | list[Json] | None]) -> None:
        self.path, self.endpoint, self.answer = path, f"unix:{path}", answer
        self.asked: list[Json] = []
        self.clients: list[socket.socket] = []
        self.start()

    def start(self) -> None:
        outer = self

        class Handler(socketserver.StreamRequestHandler):
            def handle(self) -> None:
                outer.clients.append(self.connection)
                for line in self.rfile:
                    outer.asked.append(json.loads(line))
                    answer = outer.answer(outer.asked[-1])
                    if answer is None:
                        return
                    lines = answer if isinstance(answer, list) else [answer]
                    self.wfile.write(b"".join(json.dumps(one).encode() + b"\n" for one in lines))

        self._server = _Server(str(self.path), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        self._thread.start()

    def stop(self) -> None:
        """Gone, with its socket, as a daemon that was ended; nothing where it is gone already."""
        if not self.path.exists():
            return
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
        for client in self.clients:
            with contextlib.suppress(OSError):  # it has hung up
                client.shutdown(socket.SHUT_RDWR)
        self.clients.clear()
        self.path.unlink()
