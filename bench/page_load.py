# SPDX-License-Identifier: Apache-2.0
"""What of a processor the dashboard's page, its browser and its server take while a market moves."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from report import Figure, figure

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "dashboard"))

from stage import chromium, dashboard, ended, opened

_BUILD = Path(os.environ.get("FIXACCEL_BUILD") or Path(__file__).resolve().parents[1] / "build/release")
_RATE = 500
_SAMPLES = 10
_WINDOW_S = 3.0
_WARM_S = 5.0
NOTE = (
    f"CPU time over {_SAMPLES} windows of {_WINDOW_S:g} s, in percent of one processor, while a random market of "
    f"{_RATE} actions a second moves two instruments and the page is told 20 times a second: headless Chromium, the "
    "market's view at 1366 x 768. 'page' is the process that runs its scripts and draws; there is no graphics card, "
    "so all is drawn by the processor. 'updates' are the messages from the server to the page, 'an update' the page's "
    "time for each: twenty of it are what a second at the full pace takes, also where other work kept it from that."
)
_VENUE = """fixaccel-exchange: 1
comp_id: BENCH
listen: 127.0.0.1:0
clients: [CLIENT1]
instruments:
  MSFT: {tick: 0.01, lot: 1, price_range: 0.01..10000}
  IBM: {tick: 0.01, lot: 1, price_range: 0.01..10000}
"""
_SCENARIO = f"""fixaccel-scenario: 1
steps:
  - flow:
      seed: 7
      rate: {_RATE}/s
      for: 10m
      instruments: {{MSFT: 1180.00, IBM: 300}}
      participants:
        maker: {{spread: 4, levels: 10, size: 20, skew: 50}}
        noise: {{limit: 50, market: 20, cancel: 30, depth: 6}}
        momentum: {{threshold: 3}}
"""
_HEARD = """{
  window.updates = 0;
  const Plain = window.WebSocket;
  window.WebSocket = class extends Plain {
    constructor(...given) { super(...given); this.addEventListener("message", () => { window.updates += 1; }); }
  };
}"""


def measure() -> list[Figure]:
    """The page beside a quiet market, then with one that moves; browser and server with it."""
    quiet, moving = _loads(moves=False), _loads(moves=True)
    base = figure("page, no market", "%", quiet["page"])
    return [
        base,
        figure("page", "%", moving["page"], base),
        figure("rest of the browser", "%", moving["browser"]),
        figure("server of the page", "%", moving["server"]),
        figure("exchange", "%", moving["exchange"]),
        figure("updates", "1/s", moving["updates"]),
        figure("page, an update", "ms", moving["each"]),
    ]


def _loads(*, moves: bool) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {}
    with _venue(moves=moves) as (venue, control):
        server, url = dashboard(control)
        try:
            with chromium() as browser, opened(browser, url, init=_HEARD) as page:
                time.sleep(_WARM_S)
                for _ in range(_SAMPLES):
                    before, updates = _used(venue.pid, server.pid), page.evaluate("window.updates")
                    start = time.monotonic()
                    time.sleep(_WINDOW_S)
                    seconds = time.monotonic() - start
                    used = _used(venue.pid, server.pid)
                    for name, value in used.items():
                        found.setdefault(name, []).append(100 * (value - before[name]) / seconds)
                    told = page.evaluate("window.updates") - updates
                    found.setdefault("updates", []).append(told / seconds)
                    found.setdefault("each", []).append(1000 * (used["page"] - before["page"]) / max(1, told))
        finally:
            ended(server)
    return found


@contextmanager
def _venue(*, moves: bool) -> Iterator[tuple[subprocess.Popen[str], Path]]:
    with tempfile.TemporaryDirectory(prefix="fixaccel-bench-") as name:
        folder = Path(name)
        (folder / "venue.yaml").write_text(_VENUE, encoding="utf-8")
        (folder / "market.yaml").write_text(_SCENARIO, encoding="utf-8")
        control = folder / "exchange.sock"
        command = [_BUILD / "exchange-sim/fixaccel-exchange", "--venue", folder / "venue.yaml"]
        command += ["--control", f"unix:{control}"]
        if moves:
            command += ["--scenario", folder / "market.yaml"]
        with subprocess.Popen([str(part) for part in command], stdout=subprocess.PIPE, text=True) as program:
            try:
                assert program.stdout is not None
                program.stdout.readline()
                yield program, control
            finally:
                program.terminate()


def _used(venue: int, server: int) -> dict[str, float]:
    """CPU seconds of each since its start; the browser's processes are this one's descendants."""
    parents: dict[int, int] = {}
    names: dict[int, str] = {}
    seconds: dict[int, float] = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
            names[int(entry.name)] = (entry / "cmdline").read_text().replace("\0", " ")
        except OSError:
            continue  # it has ended meanwhile
        parents[int(entry.name)] = int(fields[1])
        seconds[int(entry.name)] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    used = {"page": 0.0, "browser": 0.0, "server": seconds[server], "exchange": seconds[venue]}
    for process, text in names.items():
        if "chrom" in text.partition(" ")[0] and _descends(process, os.getpid(), parents):
            used["page" if "--type=renderer" in text else "browser"] += seconds[process]
    return used


def _descends(process: int, ancestor: int, parents: dict[int, int]) -> bool:
    while process in parents:
        process = parents[process]
        if process == ancestor:
            return True
    return False
