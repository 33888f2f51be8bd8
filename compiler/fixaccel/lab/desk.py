# SPDX-License-Identifier: Apache-2.0
"""The whole product in a laboratory: exchange simulator, virtual board, daemon, and the `fixaccel` commands on them."""

import json
import os
import shutil
import signal
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any, Self

from fixaccel.board.control import ControlClient, ControlError, ControlRefusedError
from fixaccel.board.journal import JournalError, read
from fixaccel.data import data_path
from fixaccel.emit.rules import BundleRules
from fixaccel.lab.capture import Capture
from fixaccel.lab.namespaces import CLIENT_IP, LabError, Wire
from fixaccel.lab.processes import Process, Processes, wait_until

VENUE = data_path("strategies/venues/simulator.yaml")

GEM_BRAM = "gem-bram"
WIRE = "wire"
BOARDS = data_path("strategies/boards")
BOARD_FILES = {WIRE: BOARDS / "pynq-z1.yaml", GEM_BRAM: BOARDS / "pynq-z1-gem.yaml"}  # by how frames reach the fabric

Json = dict[str, Any]


# Where programs are that are built and not installed: FIXACCEL_BUILD, or a checkout's own.
BUILD_VARIABLE, _BUILD = "FIXACCEL_BUILD", "build/release"


def fixaccel(*arguments: str, check: bool = True) -> subprocess.CompletedProcess[str]:
    """Runs the `fixaccel` command. Raises LabError with what it said if it fails and ``check`` is set."""
    command = [sys.executable, "-m", "fixaccel", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if check and done.returncode:
        raise LabError(f"`fixaccel {' '.join(arguments)}` ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done


def program(relative: str) -> str:
    """Path of a program by its place in a build: as it was built, or as it is installed. Raises LabError."""
    named = os.environ.get(BUILD_VARIABLE)
    built = (Path(named) if named else data_path(_BUILD)) / relative
    if built.is_file():
        return str(built)
    if not named and (installed := shutil.which(built.name)):
        return installed
    where = f"not at {built}" if named else "not installed"
    raise LabError(
        f"{built.name} is {where}: a Debian package of `make deb` has it, and `make build` builds it in a checkout"
    )


def json_lines(path: Path) -> list[Json]:
    """Objects of a JSON-lines file; a last line that is still being written is left out."""
    if not path.exists():
        return []
    text = path.read_text(encoding="utf-8")
    return [json.loads(line) for line in text[: text.rfind("\n") + 1].splitlines()]


@dataclass
class Desk:
    """One run. Enter it, then start what the run needs; everything ends with it."""

    folder: Path
    venue: Path = VENUE
    market_client: str = "CLIENT1"  # whose session market data come on
    interface: str = WIRE  # of the board
    wire: Wire = field(init=False)
    has_board: bool = True
    processes: Processes = field(init=False)

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        self.wire = Wire(tap=self.interface == GEM_BRAM)
        self.processes = Processes(self.folder)
        # Unix socket paths are short: keep them relative to the run's folder.
        self.board_socket = self.folder / "board.sock"
        self.bus_socket = self.folder / "gem.sock"
        self.control_socket = self.folder / "control.sock"
        self.exchange_socket = self.folder / "venue.sock"
        self.record_file = self.folder / "exchange.jsonl"
        self.journal = self.folder / "journal"
        self.pcap = self.folder / "wire.pcap"
        self.exchange: Process | None = None
        self.gemd: Process | None = None

    def __enter__(self) -> Self:
        # A terminated run must not leave namespaces or programs behind.
        self._old_handler = signal.signal(signal.SIGTERM, _raise_exit)
        self.wire.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self.processes.__exit__(kind, error, trace)
        finally:
            self.wire.close()
            signal.signal(signal.SIGTERM, self._old_handler)

    @property
    def control(self) -> str:
        return f"unix:{self.control_socket}"

    def start_capture(self, *, at_client: bool = False, into: Path | None = None) -> Process:
        """Captures the exchange's end of the wire, or the client's, ``into`` a file, by itself ``pcap``."""
        namespace, interface = (self.wire.client, "cl0") if at_client else (self.wire.exchange, "ex0")
        # dumpcap, unlike tcpdump, does not change its user, which the root of a user namespace cannot.
        command = ["dumpcap", "-P", "-i", interface, "-f", "tcp", "-w", str(into or self.pcap)]
        process = self.processes.start("dumpcap", self.wire.inside(namespace, *command), Capture)
        wait_until("the capture to start", lambda: "File: " in process.text(), 10, process.check_alive)
        return process

    def start_exchange(self, scenario: Path | None, *options: str) -> Process:
        """The exchange simulator with ``scenario``; ends by itself when the scenario has.

        Without one it goes on, without a record.
        """
        command = [program("exchange-sim/fixaccel-exchange"), "--venue", str(self.venue)]
        command += ["--control", f"unix:{self.exchange_socket}", *options]
        if scenario is not None:
            command += ["--scenario", str(scenario), "--record", str(self.record_file), "--exit-after-scenario"]
        self.exchange = self.processes.start("exchange", self.inside(self.wire.exchange, *command))
        self.exchange.wait_line("listening on ")
        return self.exchange

    def start_board(self, *options: str) -> Process:
        """The virtual board between the two interfaces of its namespace, or between one and fixaccel-gemd."""
        command = [program("runtime/board/fixaccel-vboard"), "--net", "phy0", "--socket", str(self.board_socket)]
        command += ["--gem", str(self.bus_socket)] if self.interface == GEM_BRAM else ["--cpu", "mac0"]
        board = self.processes.start("board", self.inside(self.wire.board, *command, *options))
        board.wait_line("ready")
        if self.interface == GEM_BRAM:
            self.start_gemd()
        return board

    def start_gemd(self) -> Process:
        """The driver of its controller on the client's side, with the interface that the client's kernel has."""
        command = [
            program("runtime/gem/fixaccel-gemd"),
            "--bus",
            f"unix:{self.bus_socket}",
            "--tap",
            "cl0",
            "--poll-us",
            "500",
        ]
        self.gemd = self.processes.start("gemd", self.inside(self.wire.client, *command))
        self.gemd.wait_line("ready")
        self.wire.give_address()
        return self.gemd

    def compile(self, strategy: Path, bundle: Path) -> None:
        """`fixaccel compile` for this desk's board."""
        fixaccel("compile", str(strategy), "--board", str(BOARD_FILES[self.interface]), "-o", str(bundle))

    def remove_board(self) -> None:
        """A cable is in its place from now on, and daemons know that."""
        self.wire.join()
        self.has_board = False

    def start_daemon(self, bundle: Path, *options: str, config: Path | None = None) -> Process:
        """The daemon on the client's side; ready means that its control socket listens.

        ``config``: its settings, where they are not those of ``bundle``.
        """
        command = self.daemon_command(bundle, *options, config=config)
        daemon = self.processes.start("daemon", self.inside(self.wire.client, *command))
        daemon.wait_line("ready")
        return daemon

    def daemon_command(self, bundle: Path, *options: str, config: Path | None = None) -> list[str]:
        """What `start_daemon` starts on the client's side."""
        return [
            program("runtime/daemon/fixacceld"),
            *("--config", str(config or bundle / "client" / "fixacceld.toml")),
            *(("--board", f"unix:{self.board_socket}") if self.has_board else ("--no-board",)),
            *("--control", self.control, "--journal", str(self.journal), *options),
        ]

    def start_program(self, relative: str, *options: str) -> Process:
        """A built program on the client's side."""
        return self.processes.start(Path(relative).name, self.inside(self.wire.client, program(relative), *options))

    def tell(self, word: str) -> None:
        """Lets a `wait_for: {file: WORD}` of the scenario go on."""
        (self.folder / word).touch()

    def start_armed(self, bundle: Path, *, deploy: bool = False, config: Path | None = None) -> Process:
        """The daemon with the fabric armed. ``deploy``: with ``bundle``, where nothing names one yet."""
        daemon = self.start_daemon(bundle, config=config)
        if deploy and not self.status().get("bundle"):
            fixaccel("deploy", str(bundle), "--to", self.control, "--timeout", "120")
        self.wait_armed(daemon)
        return daemon

    def wait_armed(self, daemon: Process) -> None:
        """Until the fabric is armed."""
        wait_until("the fabric to be armed", lambda: bool(self.status()["armed"]), 120, daemon.check_alive)

    def rules(self, bundle: Path) -> BundleRules:
        """The rules of a compiled bundle."""
        manifest: Json = json.loads((bundle / "manifest.json").read_text(encoding="utf-8"))
        return BundleRules(manifest, lambda name: (bundle / name).read_bytes())

    def ask(self, command: str, **arguments: object) -> Json:
        """The daemon's answer to ``command`` of its control API. Raises LabError where it refuses, or says nothing."""
        try:
            with ControlClient(self.control) as client:
                return client.ask(command, **arguments)
        except (ControlError, ControlRefusedError) as error:
            raise LabError(f"`{command}`: {error}") from error

    def status(self) -> Json:
        """What `fixaccel status --json` prints; no command is started, for what is waited for is often this."""
        return self.ask("status")

    def journal_lines(self) -> list[Json]:
        """What `fixaccel journal --json` prints; no command is started, for what is waited for is often this."""
        try:
            return list(read(self.journal))
        except JournalError as error:
            raise LabError(str(error)) from error

    def fires(self) -> list[Json]:
        """Fires of the journal, oldest first."""
        return [line for line in self.journal_lines() if line["type"] == "fire"]

    def record(self, event: str | None = None) -> list[Json]:
        """Lines of the exchange's own record, all or those of ``event``."""
        return [line for line in json_lines(self.record_file) if event in (None, line["event"])]

    def wait_for_fires(self, count: int, timeout_s: float = 30.0) -> list[Json]:
        """Waits until the journal holds ``count`` fires."""
        wait_until(f"{count} fires in the journal", lambda: len(self.fires()) >= count, timeout_s)
        return self.fires()

    def wait_for_orders(self, count: int, timeout_s: float = 60.0) -> list[Json]:
        """Waits until the exchange has recorded ``count`` orders: a fire is known before its order is there."""
        wait_until(f"{count} orders at the exchange", lambda: len(self.record("order")) >= count, timeout_s)
        return self.record("order")

    def is_reported(self) -> bool:
        """Whether each order that was sent is at the exchange, and all that it has said of orders in the journal."""
        journal, record = self.journal_lines(), self.record()
        sent = {line["cl_ord_id"] for line in journal if _is_order(line)}
        there = {line["cl_ord_id"] for line in record if line["event"] == "order"}
        said = {line["exec_id"] for line in record if line["event"] == "execution"}
        return sent <= there and said <= {line["exec_id"] for line in journal if line["type"] == "execution"}

    def wait_reported(self, daemon: Process) -> None:
        """Until nothing of orders is on its way, in either direction."""
        wait_until("what the exchange has said of all orders", self.is_reported, 60, daemon.check_alive)

    def client_address(self) -> str:
        return CLIENT_IP

    def inside(self, namespace: str, *command: str) -> list[str]:
        """The command line that runs ``command`` in ``namespace``."""
        return self.wire.inside(namespace, *command)


def _is_order(line: Json) -> bool:
    """Whether it is of an order that has left, of a rule or by hand."""
    return line.get("outcome") == "sent" and (line["type"] == "fire" or line.get("request") == "order")


def _raise_exit(number: int, _frame: FrameType | None) -> None:
    raise SystemExit(128 + number)
