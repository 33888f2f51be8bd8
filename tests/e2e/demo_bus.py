# SPDX-License-Identifier: Apache-2.0
"""`make demo-bus`: a daemon, a relay, a server and three readers, one of which stands still; the server is killed once.

Exits 0 only if the events that a reader saw are those of the journal, one by one, the ring counts what the exchange has
sent and the journal has recorded, and of each quote a live reader saw it or was told that it was missed.
"""

import argparse
import os
import signal
import sys
import tempfile
import time
from pathlib import Path

from fixaccel.bus import names
from fixaccel.bus.ring import RingState, read_state
from fixaccel.demo.run import MARKET
from fixaccel.demo.show import console, step
from fixaccel.lab.desk import Json, fixaccel, json_lines
from fixaccel.lab.namespaces import LabError
from fixaccel.lab.processes import Process, wait_until
from lab.desk import ROOT, Desk

STRATEGY = ROOT / "strategies" / "quickstart.yaml"
SITE, BOARD, URL = "demo", "b1", "nats://127.0.0.1:4222"
READERS = {
    "desk": "quotes: live, events: {mode: cut-through}",
    "lobby": "quotes: {every: 100ms}",
    "slow": "quotes: live",
}
FIRES = 6
KILL_AT = 3  # fires
_AWAY_S = 1.0
_LONGEST_S = 120.0


class BusDesk:
    """What of the bus stands beside a desk."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.site = desk.folder / "site"
        self.file = self.site / "bus.yaml"
        # Beside the namespaces of this run: all else of the machine may have a ring, too.
        self.ring = Path(f"/dev/shm/fixaccel-demo-{desk.wire.client}.ring")
        self.config = desk.folder / "bus.toml"

    def begin(self) -> None:
        """Makes the site, and the settings of daemon and relay."""
        readers = [word for reader in READERS for word in ("--reader", reader)]
        fixaccel("bus", "init", str(self.site), "--site", SITE, "--board", BOARD, "--server", URL, *readers)
        text = self.file.read_text()
        for reader, gets in READERS.items():
            key = text.partition(f"  {reader}: ")[2].partition("key: ")[2].partition(",")[0]
            before = next(line for line in text.splitlines() if line.startswith(f"  {reader}: "))
            text = text.replace(before, f"  {reader}: {{role: view, key: {key}, boards: all, {gets}}}")
        self.file.write_text(text)
        self.config.write_text(
            f"[bus]\nsite = '{SITE}'\nboard = '{BOARD}'\nservers = ['{URL}']\nring_file = '{self.ring}'\n"
            f"key_file = 'site/keys/relay-{BOARD}.nk'\nrefresh_ms = 1000\n"
        )

    def start(self, name: str, *arguments: str) -> Process:
        """A `fixaccel bus` command that goes on, beside the daemon."""
        command = [sys.executable, "-m", "fixaccel", "bus", *arguments]
        return self.desk.processes.start(name, self.desk.inside(self.desk.wire.client, *command))

    def start_server(self) -> Process:
        server = self.start("server", "up", str(self.file))
        wait_until("the server", lambda: "Server is ready" in server.text(), 20, server.check_alive)
        return server

    def apply(self) -> None:
        done = self.start("apply", "apply", str(self.file))
        if done.wait_exit(30) != 0:
            raise LabError(f"`fixaccel bus apply` failed:\n{done.text()}")

    def watch(self, reader: str) -> Process:
        return self.start(reader, "watch", str(self.file), "--as", reader, "--json")

    def status(self) -> Process:
        status = self.start("status", "status", str(self.file), "--json")
        status.wait_exit(30)
        return status


def said(process: Process) -> list[Json]:
    """Lines of JSON that a reader has printed so far."""
    return [line for line in json_lines(process.log) if isinstance(line, dict)]


def expected(journal: list[Json]) -> list[tuple[int, int, str]]:
    """Number, record and type of each event of the journal."""
    kinds = {one for types in names.EVENT_KINDS.values() for one in types}
    records = [(number, line["type"]) for number, line in enumerate(journal, 1) if line["type"] in kinds]
    return [(n, record, kind) for n, (record, kind) in enumerate(records, 1)]


def faults(journal: list[Json], record: list[Json], ring: RingState, desk: list[Json], lobby: list[Json]) -> list[str]:
    """What does not agree, a line each."""
    wrong = []
    events = [(line["n"], line["record"], line["type"]) for line in desk if "record" in line]
    if events != expected(journal):
        wrong.append(f"the desk saw {len(events)} events, the journal has {len(expected(journal))}")
    counts = {
        "fires": (ring.fires, sum(line["type"] == "fire" for line in journal)),
        "reports": (ring.reports, sum(line["type"] == "execution" for line in journal)),
        "quotes": (ring.quotes, sum(line["event"] == "market_data" for line in record)),
    }
    wrong += [
        f"{what}: the ring counts {ours}, {theirs} there were"
        for what, (ours, theirs) in counts.items()
        if ours != theirs
    ]
    if counts["fires"][0] < FIRES:
        wrong.append(f"{counts['fires'][0]} fires, {FIRES} were to be")
    return wrong + quote_faults(desk, lobby)


def quote_faults(desk: list[Json], lobby: list[Json]) -> list[str]:
    """Quotes that were neither seen nor told as missed, and instruments whose last image differs."""
    wrong = []
    quotes = [line for line in desk if "top" in line]
    last: dict[str, Json] = {}
    for quote in quotes:
        before = last.get(quote["symbol"])
        step = quote["n"] - before["n"] if before else 1
        again = step == 0 and (quote["stale"] or (before is not None and before["stale"]))
        if not again and quote["missed"] is not None and step != quote["missed"] + 1:
            wrong.append(f"{quote['symbol']}: {step} numbers on, {quote['missed']} told as missed")
        last[quote["symbol"]] = quote
    if not any(quote["missed"] is None for quote in quotes):
        wrong.append("the server was away, and the desk was told of no gap")
    tops = [
        {line["symbol"]: line["top"] for line in lines if "top" in line and not line["stale"]}
        for lines in (desk, lobby)
    ]
    if tops[0] != tops[1] or not tops[0]:
        wrong.append(f"desk and lobby end with different images: {tops}")
    return wrong


def run(folder: Path) -> list[str]:
    """Runs the demo in ``folder``; returns what did not agree, a line each."""
    with Desk(folder) as desk:
        bus = BusDesk(desk)
        try:
            return _run(desk, bus)
        finally:
            for path in (bus.ring, bus.ring.with_name(bus.ring.name + ".relay")):
                path.unlink(missing_ok=True)


def _run(desk: Desk, bus: BusDesk) -> list[str]:
    bundle = desk.folder / "bundle"
    with step("compile strategies/quickstart.yaml; keys and settings of a site"):
        desk.compile(STRATEGY, bundle)
        bus.begin()
    with step("exchange simulator, server, streams"):
        desk.remove_board()
        exchange = desk.start_exchange(MARKET)
        server = bus.start_server()
        bus.apply()
    with step("daemon without a board, relay, readers: desk, lobby at 10 Hz, and one that stands still"):
        daemon = desk.start_daemon(bundle, config=bus.config)
        relay = desk.start_program(
            "runtime/bus/fixaccel-relay", "--config", str(bus.config), "--journal", str(desk.journal)
        )
        wait_until("the relay", lambda: "connected" in relay.text(), 20, relay.check_alive)
        readers = {reader: bus.watch(reader) for reader in READERS}
        fixaccel("deploy", str(bundle), "--to", desk.control)
        for reader, process in readers.items():
            wait_until(f"{reader} to see quotes", lambda process=process: bool(said(process)), 30, process.check_alive)
        os.kill(readers["slow"].pid, signal.SIGSTOP)
    desk.tell("armed")
    with step(f"the market moves; the server is killed after {KILL_AT} fires and is away for {_AWAY_S:g} s"):
        wait_until("the first fires", lambda: len(desk.fires()) >= KILL_AT, _LONGEST_S, exchange.check_alive)
        server.kill()
        time.sleep(_AWAY_S)
        server = bus.start_server()
        wait_until("the market's end", lambda: exchange.exit_code is not None, _LONGEST_S)
    with step("clean end of the daemon; the readers catch up"):
        status = bus.status()
        if daemon.stop() != 0:
            raise LabError(daemon.text())
        journal = desk.journal_lines()
        count = len(expected(journal))
        wait_until("all events", lambda: sum("record" in line for line in said(readers["desk"])) >= count, 30)
        wait_until("the last quotes", lambda: quote_faults(said(readers["desk"]), said(readers["lobby"])) == [], 30)
        os.kill(readers["slow"].pid, signal.SIGCONT)
        for process in (relay, *readers.values(), server):
            process.stop()
    seen = {reader: said(process) for reader, process in readers.items()}
    console.print(f"  `fixaccel bus status` at the end: exit code {status.exit_code}")
    for reader, lines in seen.items():
        quotes = sum("top" in line for line in lines)
        console.print(f"  {reader}: {quotes} quotes, {len(lines) - quotes} events")
    return faults(journal, desk.record(), read_state(bus.ring), seen["desk"], seen["lobby"])


def main() -> int:
    """Returns the exit code: 0 only if everything agrees."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--keep", type=Path, help="keep logs, journal and record in this folder")
    arguments = parser.parse_args()
    try:
        with tempfile.TemporaryDirectory(prefix="fixaccel-demo-") as temporary:
            found = run((arguments.keep or Path(temporary)).resolve())
    except LabError as error:
        console.print(f"[red]failed[/] {error}", markup=True)
        return 1
    for fault in found:
        console.print(f"[red]differs[/] {fault}")
    if not found:
        console.print(
            "[green]readers, journal, ring and exchange agree: nothing lost, nothing twice, every gap told[/]"
        )
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
