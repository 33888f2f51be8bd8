# SPDX-License-Identifier: Apache-2.0
"""The server of the page, on an address of this machine."""

import contextlib
import socket
import webbrowser
from collections.abc import Callable

import uvicorn

from fixaccel.addresses import is_loopback
from fixaccel.dashboard.app import Dashboard
from fixaccel.dashboard.guard import Guard, new_token

_REQUEST_BYTES = 64 * 1024
_GOODBYE_S = 1


def listen(host: str, port: int) -> socket.socket:
    """Raises OSError where the address cannot be had."""
    family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    made = socket.socket(family, kind, protocol)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind(address)
        made.listen()
    except OSError:
        made.close()
        raise
    return made


def server(dashboard: Dashboard, port: int, token: str = "") -> uvicorn.Server:
    """What serves the page; ``port`` is the one that browsers see."""
    config = uvicorn.Config(
        Guard(dashboard.application(), token, port),
        ws="websockets-sansio",
        ws_max_size=_REQUEST_BYTES,
        lifespan="on",
        access_log=False,  # of a first visit it would have the token
        log_level="warning",
        server_header=False,
        timeout_graceful_shutdown=_GOODBYE_S,
    )
    return uvicorn.Server(config)


def serve(dashboard: Dashboard, made: socket.socket, host: str, say: Callable[[str], None], *, show: bool) -> None:
    """Until it is interrupted. Beyond loopback with a token, which is in the address that it says."""
    port = made.getsockname()[1]
    token = "" if is_loopback(host) else new_token()
    shown = f"[{host}]" if ":" in host else host
    address = f"http://{shown}:{port}/" + (f"?token={token}" if token else "")
    say(address)
    if show:
        with contextlib.suppress(webbrowser.Error):
            webbrowser.open(address)
    server(dashboard, port, token).run(sockets=[made])
