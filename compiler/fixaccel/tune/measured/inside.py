# SPDX-License-Identifier: Apache-2.0
"""The process in which round trips are measured, apart from the command: it has one thread, and namespaces of its own.

A line of JSON in for each block, a line out; the first line out says what was set up. It ends with its input.
"""

import json
import os
import signal
import socket
import sys
import traceback
from collections.abc import Mapping
from typing import Any

from fixaccel.tune.host import Machine, NeedsError, NotHereError
from fixaccel.tune.measured.apart import OURS, CannotError, end_with_parent, enter, link
from fixaccel.tune.measured.pingpong import Pace, StandIn, echo, trips

_PATIENCE_S = 120


def main() -> int:
    """Serves until its input ends. The argument is a peer as ADDRESS:PORT, or `-` for namespaces of its own."""
    peer = sys.argv[1]
    way, says = "peer", ""
    if peer == "-":
        try:
            enter()
            address = link()
            way = "namespaces"
        except CannotError as error:
            address, way, says = _loopback(), "loopback", str(error)
    else:
        host, _, port = peer.rpartition(":")
        address = host, int(port)
    end_with_parent()
    _tell({"way": way, "says": says})
    for line in sys.stdin:
        asked = json.loads(line)
        left = _mirrored(asked["places"]) if way == "namespaces" else {}
        _tell(_block(address, asked) | {"left": left})
    return 0


def _loopback() -> tuple[str, int]:
    # The child may be the half of an attempt, or not: it has nothing of ours but the socket.
    server = socket.create_server(("127.0.0.1", 0))
    child = os.fork()
    if child == 0:
        end_with_parent()
        echo(server)
        os._exit(0)
    with server:
        return "127.0.0.1", server.getsockname()[1]


def _mirrored(places: Mapping[str, tuple[str, str]]) -> dict[str, str]:
    """Makes our side of the link what the machine's is; returns what it could not be."""
    left, here = {}, Machine()
    for place, (form, value) in places.items():
        ours = place.replace("{interface}", OURS)
        try:
            if here.read(ours, form) != value:
                here.write(ours, form, value)
        except (OSError, NotHereError, NeedsError) as error:
            left[place] = str(error)
    return left


def _block(address: tuple[str, int], asked: dict[str, Any]) -> dict[str, Any]:
    """Measured by a child, which takes the daemon's settings and is gone with them."""
    out, into = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            end_with_parent()
            paces = [Pace(*pace) for pace in asked["paces"]]
            # One that spins with a real-time priority may keep the core from what answers, and wait for ever.
            signal.alarm(_PATIENCE_S + 4 * sum(pace.count // pace.rate for pace in paces if pace.rate))
            samples, said = trips(address, StandIn(**asked["settings"]), paces)
            answer = {"samples": [one.tolist() for one in samples], "said": said, "failure": ""}
        except OSError as error:
            answer = {"samples": [], "said": [], "failure": str(error)}
        except Exception as error:  # noqa: BLE001 - a fault of ours: the other side shows it, and where it is
            answer = {"samples": [], "said": [], "failure": f"{type(error).__name__}: {error}"}
            traceback.print_exc()
        with os.fdopen(into, "w", encoding="utf-8") as file:
            json.dump(answer, file)
        os._exit(0)
    os.close(into)
    with os.fdopen(out, encoding="utf-8") as file:
        text = file.read()
    os.waitpid(child, 0)
    found: dict[str, Any] = (
        json.loads(text)
        if text
        else {"samples": [], "said": [], "failure": "it did not come to its end, and was ended"}
    )
    return found


def _tell(found: dict[str, Any]) -> None:
    print(json.dumps(found), flush=True)


if __name__ == "__main__":
    sys.exit(main())
