# SPDX-License-Identifier: Apache-2.0
"""A site of the bus on loopback: server, relays, and a program in a daemon's place."""

import asyncio
import json
import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Self

from fixaccel.board.journal import read
from fixaccel.bus import names, server, streams
from fixaccel.bus.reader import Bus, Site
from fixaccel.bus.rights import RELAY
from fixaccel.bus.site_file import ADMIN, SiteFile, read_site
from fixaccel.bus.start import FILE, Asked, begin, key_path
from fixaccel.diagnostics.report import Report

BUILD = Path(os.environ.get("FIXACCEL_BUILD", Path(__file__).parents[2] / "build" / "release")) / "runtime" / "bus"
PROGRAM = BUILD / "fixaccel-relay"
SITE = "test"
RING_BYTES = 1 << 20

SNAPSHOT = "8=FIX.4.4|35=W|55={symbol}|268=2|269=0|270={bid}|271=1|269=1|270={ask}|271=2|"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def until(what: str, is_so: Callable[[], bool], seconds: float = 120.0) -> None:
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end, f"waited {seconds} s for {what}"
        time.sleep(0.01)


class Feeder:
    """In a daemon's place: see runtime/bus/tests/feeder.cpp."""

    def __init__(self, ring: Path, journal: Path, ring_bytes: int) -> None:
        command = [BUILD / "tests" / "bus-feeder", ring, str(ring_bytes), journal]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def say(self, *lines: str) -> tuple[int, int]:
        """Numbers of the last record of journal and ring after these lines."""
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write("".join(f"{line}\n" for line in lines))
        self.process.stdin.flush()
        answers = [self.process.stdout.readline() for _ in lines]
        record, ring = answers[-1].split()
        return int(record), int(ring)

    def snapshot(self, symbol: str, bid: int) -> int:
        return self.say("quotes " + SNAPSHOT.format(symbol=symbol, bid=bid, ask=bid + 1))[1]

    def record(self, kind: str = "fire", word: str = "record", **fields: Any) -> int:
        return self.say(f"{word} " + json.dumps({"type": kind, **fields}))[0]

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout):
            assert stream
            stream.close()


class BusLab:
    """Enter it, then start what is needed; everything ends with it."""

    def __init__(
        self,
        folder: Path,
        *,
        boards: tuple[str, ...] = ("b1",),
        readers: dict[str, str] | None = None,
        tls: bool = False,
    ) -> None:
        self.folder = folder
        self.port = free_port()
        scheme = "tls" if tls else "nats"
        self.url = f"{scheme}://127.0.0.1:{self.port}"
        readers = readers if readers is not None else {"desk": "quotes: live, events: {mode: cut-through}"}
        begin(folder, Asked(SITE, self.url, boards, tuple(readers)))
        self._describe(readers)
        report = Report()
        site = read_site(folder / FILE, report, {})
        assert site, report.sorted()
        self.file: SiteFile = site
        self.processes: list[subprocess.Popen[bytes]] = []
        self.feeders: list[Feeder] = []
        self.server: subprocess.Popen[bytes] | None = None
        self.shm = Path(f"/dev/shm/fixaccel-bus-{os.getpid()}-{self.port}")
        self.shm.mkdir()
        for board in boards:
            (folder / f"{board}.toml").write_text(self._toml(board, tls=tls))

    def _describe(self, readers: dict[str, str]) -> None:
        """What each reader gets, in place of what `init` wrote."""
        file = self.folder / FILE
        lines = file.read_text().splitlines()
        for number, line in enumerate(lines):
            name = line.strip().partition(":")[0]
            if name in readers and "role" in line:
                key = line.partition("key: ")[2].partition(",")[0]
                lines[number] = f"  {name}: {{role: view, key: {key}, boards: all, {readers[name]}}}"
        file.write_text("\n".join(lines) + "\n")

    def _toml(self, board: str, *, tls: bool) -> str:
        ca_file = "ca_file = 'tls/ca.crt'\n" if tls else ""
        return (
            f"journal = 'journal-{board}'\n[bus]\nsite = '{SITE}'\nboard = '{board}'\nservers = ['{self.url}']\n"
            f"key_file = '{key_path(Path(), RELAY + board)}'\n{ca_file}ring_file = '{self.ring(board)}'\n"
            "refresh_ms = 500\n"
        )

    def ring(self, board: str = "b1") -> Path:
        return self.shm / f"{board}.ring"

    def journal(self, board: str = "b1") -> Path:
        return self.folder / f"journal-{board}"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for process in [*self.processes, *([self.server] if self.server else [])]:
            process.kill()
            process.wait()
        for feeder in self.feeders:
            feeder.end()
        shutil.rmtree(self.shm)

    def start_server(self, *, apply: bool = True) -> None:
        config = self.folder / server.CONFIG
        config.write_text(server.render(self.file, self.folder))
        with (self.folder / "server.log").open("ab") as log:
            self.server = subprocess.Popen([server.find_server(), "-c", config], stdout=log, stderr=log)
        until("the server", self._listens)
        if apply:
            self.run(self._apply())

    def _listens(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    async def _apply(self) -> None:
        async with self.bus(ADMIN) as bus:
            await streams.carry_out(bus, await streams.difference(bus, self.file))

    def kill_server(self) -> None:
        assert self.server
        self.server.kill()
        self.server.wait()

    def start_relay(self, board: str = "b1") -> "subprocess.Popen[bytes]":
        with (self.folder / f"relay-{board}.log").open("ab") as log:
            relay = subprocess.Popen([PROGRAM, "--config", self.folder / f"{board}.toml"], stdout=log, stderr=log)
        self.processes.append(relay)
        return relay

    def relay_log(self, board: str = "b1") -> str:
        return (self.folder / f"relay-{board}.log").read_text()

    def end(self, process: "subprocess.Popen[bytes]", number: int = signal.SIGTERM) -> int:
        process.send_signal(number)
        self.processes.remove(process)
        return process.wait(timeout=20)

    def feeder(self, board: str = "b1", ring_bytes: int = RING_BYTES) -> Feeder:
        found = Feeder(self.ring(board), self.journal(board), ring_bytes)
        self.feeders.append(found)
        until("the ring", self.ring(board).exists)
        return found

    def bus(self, principal: str = "desk", key: Path | None = None) -> Bus:
        ca_file = self.folder / "tls" / "ca.crt" if self.file.tls else None
        return Bus(Site(SITE, [self.url], principal, key or key_path(self.folder, principal), ca_file))

    def run(self, work: Any, seconds: float = 120.0) -> Any:
        return asyncio.run(asyncio.wait_for(work, seconds))

    def stored(self, board: str = "b1") -> list[dict[str, Any]]:
        """Events in the stream, one after the other by their sequence."""
        return self.run(self._stored(board))  # type: ignore[no-any-return]

    async def _stored(self, board: str) -> list[dict[str, Any]]:
        async with self.bus(ADMIN) as bus:
            stream = names.events_stream(board)
            info = await streams.ask(bus, f"$JS.API.STREAM.INFO.{stream}")
            assert info
            found = []
            for sequence in range(1, info["state"]["last_seq"] + 1):
                request = json.dumps({"seq": sequence}).encode()
                answer = await bus.client.request(f"$JS.API.DIRECT.GET.{stream}", request, timeout=5)
                assert answer.headers
                assert answer.headers[names.HEADER_EVENT] == str(sequence), answer.headers
                found.append(json.loads(answer.data) | {"subject": answer.headers["Nats-Subject"]})
            return found

    def expected(self, board: str = "b1") -> Iterator[dict[str, Any]]:
        """What the stream should have, by the journal."""
        kinds = {one: kind for kind, types in names.EVENT_KINDS.items() for one in types}
        events = 0
        for number, record in enumerate(read(self.journal(board)), 1):
            if record["type"] not in kinds:
                continue
            events += 1
            data = {k: v for k, v in record.items() if k not in {"type", "time_ns"} and "\x01" not in str(v)}
            yield {
                "v": 1, "n": events, "record": number, "kind": kinds[record["type"]], "type": record["type"],
                "time_ns": record["time_ns"], "data": data,
                "subject": names.subject(SITE, board, names.EVENTS, kinds[record["type"]]),
            }  # fmt: skip

    def is_mirror(self, board: str = "b1") -> None:
        """The stream is the journal, event by event. Waits until the relay has caught up."""
        wanted = list(self.expected(board))
        until("all events", lambda: self.count(board) >= len(wanted), 30)
        assert self.stored(board) == wanted

    def count(self, board: str = "b1") -> int:
        return self.run(self._count(board))  # type: ignore[no-any-return]

    async def _count(self, board: str) -> int:
        async with self.bus(ADMIN) as bus:
            info = await streams.ask(bus, f"$JS.API.STREAM.INFO.{names.events_stream(board)}")
            return int(info["state"]["last_seq"]) if info else 0
