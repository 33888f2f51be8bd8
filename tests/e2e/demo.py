# SPDX-License-Identifier: Apache-2.0
"""`make demo`: YAML to fills, once, for real, with proof that both sides saw the same.

Exits 0 only if the exchange's record and the daemon's journal agree order by order, each rule is in the state that it
should be in, ahead of a load while armed and behind it, and the wire shows no retransmission.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from rich.console import Console
from rich.table import Table

import demo_live
import demo_load
from fixaccel.emit.rules import BundleRules
from lab.capture import Findings, examine
from lab.desk import Desk, Json, fixaccel
from lab.namespaces import LabError
from lab.processes import Process, wait_until
from lab.reconcile import final_states, same_orders
from lab.scenario import tell

SCENARIO = Path(__file__).parent / "scenarios" / "demo.yaml"
# Of the quickstart, in this order; floor-msft must not fire.
EXPECTED = ["protect-msft", "protect-msft-rest", "buy-the-dip", "protect-toyota", "storage-full", "breakout-msft"]

FIRED = [*EXPECTED, *demo_load.BEFORE, *demo_load.BEHIND]
_LONGEST_S = 120.0

_console = Console(highlight=False, width=None if sys.stdout.isatty() else 120)


@contextmanager
def _step(text: str) -> Iterator[None]:
    with _console.status(text):
        yield
    _console.print(f"[green]done[/] {text}")


def _table(title: str, columns: str, rows: list[list[str]]) -> None:
    table = Table(title=title, title_justify="left", title_style="bold")
    for column in columns.split(","):
        table.add_column(column)
    for row in rows:
        table.add_row(*row)
    _console.print(table)


def _show_rules(rules: BundleRules) -> None:
    rows = []
    for rule in rules:
        order = rule.order or {}
        terms = f"{order['side']} {order['qty']} {order['type']} {order.get('price') or ''}".strip()
        condition = f"{rule.source} {rule.direction} {rule.threshold}"
        rows.append([rule.id, rule.instrument, condition, terms, order["tif"]])
    _table("Rules", "rule,instrument,condition,order,time in force", rows)


def _show_states(seen: list[dict[str, str]]) -> None:
    rows = [[rule, *(moment.get(rule, "") for moment in seen)] for rule in demo_load.STATES]
    _table("Rules over the load, all in the fabric", ",".join(("rule", *demo_load.MOMENTS)), rows)


def _show_fires(fires: list[Json]) -> None:
    keys = ("rule", "threshold", "observed", "cycles", "msg_seq_num", "cl_ord_id", "outcome")
    rows = [[str(fire.get(key, "")) for key in keys] for fire in fires]
    title = "Fires (cycles from the last byte of the trigger's frame to the order's first byte)"
    _table(title, "rule,threshold,observed,cycles,MsgSeqNum,ClOrdID,outcome", rows)


def _show_orders(record: list[Json]) -> None:
    keys = ("cl_ord_id", "symbol", "status", "cum_qty", "avg_px")
    rows = [[str(order.get(key, "")) for key in keys] for order in final_states(record).values()]
    _table("Orders at the exchange", "ClOrdID,symbol,state,filled,average price", rows)


def sequence_numbers(journal: list[Json], record: list[Json]) -> tuple[list[int], list[int]]:
    """Next MsgSeqNum of client and exchange at logout: as the daemon has them, as the exchange has them."""
    ours = [line for line in journal if line["type"] == "session" and line["event"] == "logout"][-1]
    theirs = [line for line in record if line["event"] == "session"][-1]
    return [ours["next_sender"], ours["next_target"]], [
        theirs["next_target_msg_seq_num"],
        theirs["next_sender_msg_seq_num"],
    ]


def _faults(desk: Desk, journal: list[Json], findings: Findings, seen: list[dict[str, str]]) -> list[str]:
    record = desk.record()
    ours, theirs = sequence_numbers(journal, record)
    _table(
        "Next MsgSeqNum at logout",
        "side,daemon,exchange",
        [["client", str(ours[0]), str(theirs[0])], ["exchange", str(ours[1]), str(theirs[1])]],
    )
    faults = same_orders(journal, record) + findings.faults() + demo_load.faults(journal, seen, demo_load.BEHIND)
    if ours != theirs:
        faults.append("the two sides disagree on the sequence numbers at logout")
    fired = [line["rule"] for line in journal if line["type"] == "fire" and line["outcome"] == "sent"]
    if fired != FIRED:
        faults.append(f"fired: {fired}, expected {FIRED}")
    if len(findings.orders) != len(fired):
        faults.append(f"{len(findings.orders)} orders on the wire, {len(fired)} in the journal")
    if not findings.heartbeats:
        faults.append("no heartbeat between the fires")
    return faults


def run(folder: Path, page: Path | None = None) -> list[str]:
    """Runs the demo in ``folder``; returns what did not agree, a line each. ``page``: folder of what a page shows."""
    bundles = folder / "first", folder / "second"
    with Desk(folder) as desk:
        if page is not None:
            demo_live.point_to(page, desk)
        with _step("compile strategies/quickstart.yaml with the rules of strategies/bracket.yaml, twice: a stop moves"):
            for source, bundle in zip(demo_load.generations(folder), bundles, strict=True):
                desk.compile(source, bundle)
        _show_rules(desk.rules(bundles[0]))
        with _step(f"exchange simulator and virtual board ({desk.interface}) in their namespaces"):
            capture = desk.start_capture()
            desk.start_board()
            exchange = desk.start_exchange(demo_load.scenario(SCENARIO, folder))
        with _step("daemon: logon, subscribe, load, arm"):
            daemon = desk.start_daemon(bundles[0])
            fixaccel("deploy", str(bundles[0]), "--to", desk.control)
        seen = [demo_load.states(desk)]
        tell(desk, "armed")
        news = _News(exchange)
        news.until(lambda: demo_load.LOAD_NOW in exchange.text())
        seen.append(demo_load.states(desk))
        load_ns = time.time_ns()
        tell(desk, "loading")
        with _step("deploy the second generation"):
            loaded = fixaccel("deploy", str(bundles[1]), "--to", desk.control).stdout.splitlines()
        _console.print("\n".join(f"  {line}" for line in loaded if not line.endswith("...")))
        seen.append(demo_load.states(desk))
        tell(desk, "loaded")
        news.until(lambda: len(desk.fires()) >= len(FIRED))
        seen.append(demo_load.states(desk))
        tell(desk, "seen")
        news.until(lambda: exchange.exit_code is not None)
        if exchange.exit_code:
            raise LabError(f"the exchange ended with {exchange.exit_code}:\n{exchange.text()}")
        with _step("clean end of daemon and capture"):
            daemon.stop()
            if desk.gemd is not None:
                desk.gemd.stop()
                _console.print(f"  fixaccel-gemd: {desk.gemd.text().splitlines()[-1]}")
            capture.stop()
        journal = desk.journal_lines()
        meanwhile = demo_load.market_data(journal, desk.record(), load_ns)
        _console.print(f"{meanwhile} messages with market data came while it was loaded")
        _show_fires([line for line in journal if line["type"] == "fire"])
        _show_states(seen)
        _show_orders(desk.record())
        with _step("re-verify the capture with tshark"):
            findings = examine(desk.pcap, desk.client_address())
        faults = _faults(desk, journal, findings, seen)
        return faults if meanwhile else [*faults, "no market data came while the second generation was loaded"]


def go_on(folder: Path) -> None:
    """A market for the page, until Ctrl-C."""
    with Desk(folder / "live") as desk, suppress(KeyboardInterrupt):
        demo_live.point_to(folder, desk)
        _console.print("exchange, virtual board and daemon once more: the market goes on for the page")
        demo_live.live(desk, lambda: False, lambda text: _console.print(f"  {text}\n[bold]Ctrl-C ends[/]"))


class _News:
    """Prints what the scenario says, each line once."""

    def __init__(self, exchange: Process) -> None:
        self._exchange = exchange
        self._printed = 1  # the first line names the address

    def until(self, over: Callable[[], bool]) -> None:
        """Goes on until ``over()``. Raises LabError if that takes too long, or the exchange ends before."""
        with _console.status("the market moves"):
            wait_until("the market", lambda: self._relay(over()), _LONGEST_S)
        if self._exchange.exit_code is not None and not over():
            raise LabError(f"the exchange ended too early:\n{self._exchange.text()}")

    def _relay(self, over: bool) -> bool:
        """Whether there is nothing to wait for any more."""
        ended = self._exchange.exit_code is not None
        lines = self._exchange.text().splitlines()
        for line in lines[self._printed :]:
            _console.print(f"  [cyan]{line}[/]")
        self._printed = max(self._printed, len(lines))
        return over or ended


def main() -> int:
    """Returns the exit code: 0 only if everything agrees."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--keep", type=Path, help="keep logs, journal, record and capture in this folder")
    parser.add_argument("--page", type=Path, help="go on for a page that looks for its sockets in this folder")
    arguments = parser.parse_args()
    try:
        with tempfile.TemporaryDirectory(prefix="fixaccel-demo-") as temporary:
            faults = run((arguments.keep or Path(temporary)).resolve(), arguments.page)
            _tell(faults)
            if arguments.page is not None:
                go_on(arguments.page)
    except LabError as error:
        _console.print(f"[red]failed[/] {error}", markup=True)
        return 1
    return 1 if faults else 0


def _tell(faults: list[str]) -> None:
    for fault in faults:
        _console.print(f"[red]differs[/] {fault}")
    if not faults:
        _console.print("[green]exchange and daemon agree, order by order; no retransmission, no reset[/]")


if __name__ == "__main__":
    sys.exit(main())
