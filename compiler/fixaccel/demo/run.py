# SPDX-License-Identifier: Apache-2.0
"""`fixaccel demo`: YAML to fills, once, for real, with proof that both sides saw the same.

All is well only if the exchange's record and the daemon's journal agree order by order, each rule is in the state that
it should be in, ahead of a load while armed and behind it, and the wire shows no retransmission.
"""

import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from rich.markup import escape

from fixaccel.demo import live, load
from fixaccel.demo.show import console, step, table
from fixaccel.emit.rules import BundleRules
from fixaccel.lab.capture import Findings, examine
from fixaccel.lab.desk import GEM_BRAM, WIRE, Desk, Json, fixaccel, program
from fixaccel.lab.namespaces import LabError
from fixaccel.lab.processes import Process, wait_until
from fixaccel.lab.reconcile import final_states, same_orders

MARKET = Path(__file__).with_name("market.yaml")  # a scenario of the exchange
# Of the quickstart, in this order; floor-msft must not fire.
EXPECTED = ["protect-msft", "protect-msft-rest", "buy-the-dip", "protect-toyota", "storage-full", "breakout-msft"]

FIRED = [*EXPECTED, *load.BEFORE, *load.BEHIND]
INTERFACES = {"wire": WIRE, "gem": GEM_BRAM}  # by what `--board` is
_PROGRAMS = ("runtime/daemon/fixacceld", "runtime/board/fixaccel-vboard", "exchange-sim/fixaccel-exchange")
_OF_GEM = ("runtime/gem/fixaccel-gemd",)
_LONGEST_S = 120.0


def _show_rules(rules: BundleRules) -> None:
    rows = []
    for rule in rules:
        order = rule.order or {}
        terms = f"{order['side']} {order['qty']} {order['type']} {order.get('price') or ''}".strip()
        condition = f"{rule.source} {rule.direction} {rule.threshold}"
        rows.append([rule.id, rule.instrument, condition, terms, order["tif"]])
    table("Rules", "rule,instrument,condition,order,time in force", rows)


def _show_states(seen: list[dict[str, str]]) -> None:
    rows = [[rule, *(moment.get(rule, "") for moment in seen)] for rule in load.STATES]
    table("Rules over the load, all in the fabric", ",".join(("rule", *load.MOMENTS)), rows)


def _show_fires(fires: list[Json]) -> None:
    keys = ("rule", "threshold", "observed", "cycles", "msg_seq_num", "cl_ord_id", "outcome")
    rows = [[str(fire.get(key, "")) for key in keys] for fire in fires]
    title = "Fires (cycles from the last byte of the trigger's frame to the order's first byte)"
    table(title, "rule,threshold,observed,cycles,MsgSeqNum,ClOrdID,outcome", rows)


def _show_orders(record: list[Json]) -> None:
    keys = ("cl_ord_id", "symbol", "status", "cum_qty", "avg_px")
    rows = [[str(order.get(key, "")) for key in keys] for order in final_states(record).values()]
    table("Orders at the exchange", "ClOrdID,symbol,state,filled,average price", rows)


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
    table(
        "Next MsgSeqNum at logout",
        "side,daemon,exchange",
        [["client", str(ours[0]), str(theirs[0])], ["exchange", str(ours[1]), str(theirs[1])]],
    )
    faults = same_orders(journal, record) + findings.faults() + load.faults(journal, seen, load.BEHIND)
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


def check_programs(board: str) -> None:
    """Raises LabError for one that is neither built nor installed."""
    for relative in (*_PROGRAMS, *(_OF_GEM if INTERFACES[board] == GEM_BRAM else ())):
        program(relative)


def run(folder: Path, board: str, page: Path | None = None) -> list[str]:
    """Runs the demo in ``folder``; returns what did not agree, a line each. ``page``: folder of what a page shows."""
    bundles = folder / "first", folder / "second"
    with Desk(folder, interface=INTERFACES[board]) as desk:
        if page is not None:
            live.point_to(page, desk)
        with step("compile strategies/quickstart.yaml with the rules of strategies/bracket.yaml, twice: a stop moves"):
            for source, bundle in zip(load.generations(folder), bundles, strict=True):
                desk.compile(source, bundle)
        _show_rules(desk.rules(bundles[0]))
        with step(f"exchange simulator and virtual board ({desk.interface}) in their namespaces"):
            capture = desk.start_capture()
            desk.start_board()
            exchange = desk.start_exchange(load.scenario(MARKET, folder))
        with step("daemon: logon, subscribe, load, arm"):
            daemon = desk.start_daemon(bundles[0])
            fixaccel("deploy", str(bundles[0]), "--to", desk.control)
        seen = [load.states(desk)]
        desk.tell("armed")
        news = _News(exchange)
        news.until(lambda: load.LOAD_NOW in exchange.text())
        seen.append(load.states(desk))
        load_ns = time.time_ns()
        desk.tell("loading")
        with step("deploy the second generation"):
            loaded = fixaccel("deploy", str(bundles[1]), "--to", desk.control).stdout.splitlines()
        console.print("\n".join(f"  {line}" for line in loaded if not line.endswith("...")))
        seen.append(load.states(desk))
        desk.tell("loaded")
        news.until(lambda: len(desk.fires()) >= len(FIRED))
        seen.append(load.states(desk))
        desk.tell("seen")
        news.until(lambda: exchange.exit_code is not None)
        if exchange.exit_code:
            raise LabError(f"the exchange ended with {exchange.exit_code}:\n{exchange.text()}")
        with step("clean end of daemon and capture"):
            if code := daemon.stop():
                raise LabError(f"the daemon ended with {code}:\n{daemon.text()}")
            if desk.gemd is not None:
                desk.gemd.stop()
                console.print(f"  fixaccel-gemd: {desk.gemd.text().splitlines()[-1]}")
            capture.stop()
        journal = desk.journal_lines()
        meanwhile = load.market_data(journal, desk.record(), load_ns)
        console.print(f"{meanwhile} messages with market data came while it was loaded")
        _show_fires([line for line in journal if line["type"] == "fire"])
        _show_states(seen)
        _show_orders(desk.record())
        with step("re-verify the capture with tshark"):
            findings = examine(desk.pcap, desk.client_address())
        faults = _faults(desk, journal, findings, seen)
        return faults if meanwhile else [*faults, "no market data came while the second generation was loaded"]


def go_on(folder: Path, board: str) -> None:
    """A market for the page, until Ctrl-C."""
    with Desk(folder / "live", interface=INTERFACES[board]) as desk, suppress(KeyboardInterrupt):
        live.point_to(folder, desk)
        console.print("exchange, virtual board and daemon once more: the market goes on for the page")
        live.live(desk, lambda: False, lambda text: console.print(f"  {text}\n[bold]Ctrl-C ends[/]"))


class _News:
    """Prints what the scenario says, each line once."""

    def __init__(self, exchange: Process) -> None:
        self._exchange = exchange
        self._printed = 1  # the first line names the address

    def until(self, over: Callable[[], bool]) -> None:
        """Goes on until ``over()``. Raises LabError if that takes too long, or the exchange ends before."""
        with console.status("the market moves"):
            wait_until("the market", lambda: self._relay(over()), _LONGEST_S)
        if self._exchange.exit_code is not None and not over():
            raise LabError(f"the exchange ended too early:\n{self._exchange.text()}")

    def _relay(self, over: bool) -> bool:
        """Whether there is nothing to wait for any more."""
        ended = self._exchange.exit_code is not None
        lines = self._exchange.text().splitlines()
        for line in lines[self._printed :]:
            console.print(f"  [cyan]{line}[/]")
        self._printed = max(self._printed, len(lines))
        return over or ended


def main(folder: Path, board: str, page: Path | None) -> int:
    """Returns the exit code: 0 only if everything agrees. ``page``: it goes on for one that looks there."""
    try:
        faults = run(folder, board, page)
        _tell(faults)
        if page is not None:
            go_on(page, board)
    except LabError as error:
        console.print(f"[red]failed[/] {escape(str(error))}")
        return 1
    return 1 if faults else 0


def _tell(faults: list[str]) -> None:
    for fault in faults:
        console.print(f"[red]differs[/] {fault}")
    if not faults:
        console.print("[green]exchange and daemon agree, order by order; no retransmission, no reset[/]")
