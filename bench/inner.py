# SPDX-License-Identifier: Apache-2.0
"""Where the time of orders goes: T1 to T4 of rules, of orders by hand and of the fabric, and what the times cost."""

import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import path as software_path
from fixaccel.board import orders as by_hand
from fixaccel.board.control import ControlClient, ControlError
from fixaccel.board.feed import watch
from fixaccel.lab.desk import Json
from fixaccel.lab.processes import Process, wait_until
from lab.desk import Desk
from lab.ladder import ladder, trade_at
from lab.scenario import finish, play
from report import Figure, figure

NOTE = (
    "No board but for orders of the fabric, 50 orders a second, each price and each request at its own time. T1: the "
    "price, or the request, arrives. T2: the order is with the driver, or has left the fabric. T3: the venue's first "
    "answer arrives. T4: it is in the journal, or written to the desk. Inner: T1 to T2 and T3 to T4 together. By the "
    "daemon's clock, or the kernel's stamps, which have the wake-up in them. At a Unix socket there are none, so T1 of "
    "an order by hand is when its poll returned. Orders by hand are cancelled at once; what sends them is a program on "
    "the same cores. T1 to T2 of the fabric are cycles of the virtual board, simulated, at its board file's clock: no "
    "measurement of this machine. tmpfs is not durable. Price to order: by a capture on the wire, without times of "
    "orders and with either kind. So few samples say little of p99.9."
)
_RATE, _COUNT = 50, 500
_FIRES = 100  # of the fabric: a virtual board is slow
_WHOLE = {"inner": "inner", "t1_t2": "T1 to T2", "t3_t4": "T3 to T4"}
_STAGES = {
    "wake": "wake",
    "journal": "journal",
    "send": "send",
    "answer_wake": "answer: wake",
    "answer_out": "answer: out",
}
_SETTINGS = '[cpu]\nstamps = "{stamps}"\n'


def _figures(name: str, parts: Json, stamps: str) -> Iterator[Figure]:
    """Of the daemon's histograms, in microseconds; the stages that matter, where the wake-up is in them."""
    for key, text in (_WHOLE | _STAGES if stamps == "kernel" else _WHOLE).items():
        part = parts[key]
        if not part["count"]:
            continue
        least, median, p99, p999, most = (part[f"{what}_ns"] / 1000 for what in ("min", "p50", "p99", "p999", "max"))
        yield Figure(f"{name}: {text}", "us", part["count"], least, median, p99, p999, most)


def _of_rules(where: str, folder: Path, stamps: str) -> Iterator[Figure]:
    run = software_path.played(folder, _RATE, _COUNT, _SETTINGS.format(stamps=stamps))
    yield figure(f"rules, {where}, stamps {stamps}: price to order", "us", run.wire_us)
    if stamps != "off":
        yield from _figures(f"rules, {where}, stamps {stamps}", run.latency["paths"]["rule"]["parts"], stamps)


def send_by_hand(desk: Desk, config: Path, rate: int, count: int) -> Process:
    """A daemon with the settings of ``config``, and so many orders by hand, each cancelled at once, all answered."""
    bundle = ladder(desk.folder, 1)
    desk.remove_board()
    play(desk, "- wait_for: {file: seen, timeout: 300s}\n- wait: 300ms\n- logout: CLIENT1\n")
    daemon = desk.start_armed(bundle, deploy=True, config=config)
    desk.tell("armed")
    with ControlClient(desk.control) as client:
        watched = threading.Event()
        threading.Thread(target=_follow, args=(desk.control, watched), daemon=True).start()
        watched.wait(20)
        started = time.monotonic()
        for number in range(count):
            time.sleep(max(0.0, started + number / rate - time.monotonic()))
            sent = by_hand.send_order(client, "MSFT", "buy", 1, price="1184.9")
            with suppress(ControlError):
                by_hand.cancel(client, sent["cl_ord_id"])
        wait_until(
            "the answers", lambda: not client.ask("latency")["paths"]["desk"]["unanswered"], 30, daemon.check_alive
        )
    return daemon


def _by_hand(where: str, folder: Path, stamps: str) -> Iterator[Figure]:
    with tempfile.TemporaryDirectory(prefix="fixaccel-bench-", dir=folder) as name, Desk(Path(name)) as desk:
        config = desk.folder / "fixacceld.toml"
        config.write_text(_SETTINGS.format(stamps=stamps), encoding="utf-8")
        daemon = send_by_hand(desk, config, _RATE, _COUNT)
        with ControlClient(desk.control) as client:
            parts = client.ask("latency")["paths"]["desk"]["parts"]
        finish(desk, daemon)
    yield from _figures(f"by hand, {where}, stamps {stamps}", parts, stamps)


def _of_fabric(where: str, folder: Path, stamps: str) -> Iterator[Figure]:
    with tempfile.TemporaryDirectory(prefix="fixaccel-bench-", dir=folder) as name, Desk(Path(name)) as desk:
        desk.start_board()
        falls = [trade_at(step) + f"- wait: {1_000_000 // _RATE}us\n" for step in range(_FIRES)]
        wait = f"- wait_for: {{orders: {_FIRES}, timeout: 300s}}\n- wait_for: {{file: seen, timeout: 300s}}\n"
        play(desk, "".join(falls) + wait + "- wait: 300ms\n- logout: CLIENT1\n")
        config = desk.folder / "fixacceld.toml"
        config.write_text(_SETTINGS.format(stamps=stamps), encoding="utf-8")
        daemon = desk.start_armed(ladder(desk.folder, _FIRES), deploy=True, config=config)
        desk.tell("armed")
        with ControlClient(desk.control) as client:
            wait_until(
                "the answers",
                lambda: client.ask("latency")["paths"]["fabric"]["answered"] == _FIRES,
                300,
                daemon.check_alive,
            )
            parts = client.ask("latency")["paths"]["fabric"]["parts"]
        finish(desk, daemon)
    yield from _figures(f"fabric, {where}, stamps {stamps}", parts, stamps)


def _follow(endpoint: str, watched: threading.Event) -> None:
    with suppress(ControlError), ControlClient(endpoint) as client:
        for _ in watch(client):
            watched.set()


def measure() -> Sequence[Figure]:
    """Runs the product in a laboratory of its own, its journal in memory and on disk."""
    return [
        row
        for where, folder in software_path.PLACES
        for rows in (
            *(_of_rules(where, folder, stamps) for stamps in ("off", "app", "kernel")),
            *(_by_hand(where, folder, stamps) for stamps in ("app", "kernel")),
            _of_fabric(where, folder, "kernel"),
        )
        for row in rows
    ]
