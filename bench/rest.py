# SPDX-License-Identifier: Apache-2.0
"""What of a processor a daemon takes that is armed, while its market is quiet and while it is not."""

import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from report import Figure, figure

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "e2e"))

from lab.desk import ROOT, Desk
from lab.scenario import play

NOTE = (
    "All threads of the daemon, of one processor, by the kernel's account of each; a sample is a second. Armed with "
    "the rules of strategies/quickstart.yaml, on the virtual board or without one. At rest: the venue says nothing. "
    "The virtual board is a program of its own and not in it, but the daemon's part of each access is: two system "
    "calls and a wait for the simulation, where a board on the bus takes an instruction."
)
_SAMPLES = 20
_SETTLE_S = 2.0
_QUOTES_PER_S = 10
_QUIET = f"- wait: {_SETTLE_S + _SAMPLES * 1.2:.0f}s\n"
_QUOTE = "- quote: {{instrument: MSFT, bid: 1184.9{0}, bid_size: 500, ask: 1185.0{0}, ask_size: 500}}\n- wait: 100ms\n"


def _ran_ns(pid: int) -> int:
    """Nanoseconds that its threads have run for."""
    return sum(int(task.read_text().split()[0]) for task in Path(f"/proc/{pid}/task").glob("*/schedstat"))


def _shares(pid: int) -> list[float]:
    """Percent of a processor, second by second."""
    shares = []
    for _ in range(_SAMPLES):
        began, before = time.monotonic(), _ran_ns(pid)
        time.sleep(1)
        shares.append((_ran_ns(pid) - before) / (time.monotonic() - began) / 1e7)
    return shares


def _measure(*, board: bool) -> Iterator[Figure]:
    with tempfile.TemporaryDirectory(prefix="fixaccel-bench-") as name, Desk(Path(name)) as desk:
        bundle = desk.folder / "bundle"
        desk.compile(ROOT / "strategies" / "quickstart.yaml", bundle)
        if board:
            desk.start_board()
        else:
            desk.remove_board()
        busy = "".join(_QUOTE.format(place % 9) for place in range(_QUOTES_PER_S * (_SAMPLES + 10)))
        play(desk, _QUIET + busy)
        daemon = desk.start_armed(bundle, deploy=True)
        (desk.folder / "armed").touch()
        where = "virtual board" if board else "no board"
        for what in ("at rest", f"{_QUOTES_PER_S} quotes/s"):
            time.sleep(_SETTLE_S)
            yield figure(f"{where}, {what}", "%", _shares(daemon.pid))
        daemon.check_alive()


def measure() -> Sequence[Figure]:
    """Runs the product in a laboratory of its own."""
    return [row for board in (True, False) for row in _measure(board=board)]
