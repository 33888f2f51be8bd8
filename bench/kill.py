# SPDX-License-Identifier: Apache-2.0
"""Time from a kill at the control socket until the board has it, on the virtual board."""

import json
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Any

from report import Figure, figure

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "e2e"))

from fixaccel.lab.desk import fixaccel
from lab.desk import ROOT, Desk
from lab.hold import held
from lab.scenario import play

NOTE = (
    "Virtual board in network namespaces, quotes all the time. From before the request is sent until the board has "
    "taken both registers, by the daemon's own clock reading, which is this machine's. Clients: 64 idle ones. Loads: "
    "the daemon writes one bundle after the other. Held up: the daemon's other thread stands still."
)
_SAMPLES = 50
_CLIENTS = 64
_QUOTES = 10_000
_RULES = 1000
_QUOTE = "- quote: {{instrument: MSFT, bid: 1184.9{0}, bid_size: 500, ask: 1185.0{0}, ask_size: 500}}\n- wait: 3ms\n"


class _Client:
    """A connection to the daemon's control socket."""

    def __init__(self, desk: Desk) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.connect(str(desk.control_socket))
        self._lines = self._socket.makefile("rb")

    def say(self, **request: object) -> None:
        self._socket.sendall(json.dumps(request).encode() + b"\n")

    def ask(self, **request: object) -> dict[str, Any]:
        self.say(**request)
        answer: dict[str, Any] = json.loads(self._lines.readline())
        return answer


def _bundles(folder: Path) -> list[Path]:
    """Two with as many rules of the fabric."""
    made = []
    for name, price in (("first", 1000), ("second", 1001)):
        rules = "".join(
            f"  - {{id: stop-{number}, instrument: MSFT, when: last <= {price - number / 10:.2f}, "
            "order: {side: sell, qty: 1, type: limit, price: trigger}}\n"
            for number in range(_RULES)
        )
        source = folder / f"{name}.yaml"
        source.write_text(f"fixaccel: 1\nvenue: {ROOT}/strategies/venues/simulator.yaml\nrules:\n{rules}", "utf-8")
        fixaccel("compile", str(source), "-o", str(folder / name))
        made.append(folder / name)
    return made


def _kills(desk: Desk, during: Callable[[], AbstractContextManager[None]] = nullcontext) -> list[float]:
    """Milliseconds of each kill, within ``during``; each is undone, which arms nothing."""
    times = []
    client = _Client(desk)
    for _ in range(_SAMPLES):
        with during():
            began = time.time_ns()
            if not client.ask(cmd="kill")["ok"]:
                raise RuntimeError("the board was not told")
            told: int = client.ask(cmd="status", short=True)["kill"]["time_ns"]
        times.append((told - began) / 1e6)
        client.ask(cmd="unkill")
        time.sleep(0.02)
    return times


@contextmanager
def _loads(desk: Desk, bundles: list[Path]) -> Iterator[None]:
    """One after the other, as fast as the daemon takes them."""
    over = threading.Event()

    def load() -> None:
        client = _Client(desk)
        number = 0
        while not over.is_set():
            number += 1
            client.ask(cmd="deploy", bundle=str(bundles[number % 2]))

    thread = threading.Thread(target=load)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _measure(desk: Desk, pid: int, bundles: list[Path], row: Callable[..., Figure]) -> Iterator[Figure]:
    yield row("armed, nothing else")
    idle = [_Client(desk) for _ in range(_CLIENTS)]
    with _loads(desk, bundles):
        yield row(f"loads, {len(idle)} clients")
    yield row("the daemon is held up", lambda: held(pid))


def measure() -> Sequence[Figure]:
    """Runs the product in a laboratory of its own."""
    with tempfile.TemporaryDirectory(prefix="fixaccel-bench-") as name, Desk(Path(name)) as desk:
        bundles = _bundles(desk.folder)
        desk.start_board()
        play(desk, "".join(_QUOTE.format(place % 9) for place in range(_QUOTES)))
        daemon = desk.start_armed(bundles[0], deploy=True)
        (desk.folder / "armed").touch()
        rows = list(
            _measure(desk, daemon.pid, bundles, lambda what, *during: figure(what, "ms", _kills(desk, *during)))
        )
        daemon.check_alive()
        return rows
