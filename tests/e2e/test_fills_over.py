# SPDX-License-Identifier: Apache-2.0
"""Fills count, and arm and size exits, whatever else happens: a load, a fabric that is blind, a board that is lost."""

import sys
from pathlib import Path

import pytest

from fixaccel.lab.desk import VENUE, fixaccel
from fixaccel.lab.processes import Process, wait_until
from lab import venue
from lab.board import stopped_without_lease
from lab.desk import Desk
from lab.own_orders import armed_by_fills, compiled, order_of, orders, quote, report, rules, sold, states
from lab.scenario import end, play

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

# `exit` and `behind` wait in the fabric, `sized` in the runtime.
_RULES = """\
fixaccel: 1
venue: {venue}
rules:
  - id: entry
    instrument: MSFT
    when: last <= 1180
    order: {{side: buy, qty: 10, type: limit, price: 1178}}
  - id: exit
    instrument: MSFT
    armed_by: {{rule: entry, on: first-fill}}
    when: ask >= 1210
    order: {{side: sell, qty: 4, type: limit, price: 1170}}
  - id: behind
    instrument: MSFT
    armed_by: {{rule: entry, on: filled}}
    when: ask >= 1220
    order: {{side: sell, qty: 6, type: limit, price: 1171}}
  - id: sized
    instrument: MSFT
    armed_by: {{rule: entry, on: first-fill}}
    when: ask >= 1230
    order: {{side: sell, qty: filled, type: limit, price: 1172}}
  - id: never
    instrument: MSFT
    when: last <= {never}
    order: {{side: sell, qty: 3, type: limit, price: 1}}
"""
_ENTRY = "good W 55=MSFT|268=1|269=2|270=1179|271=1|"
_SOLD = [(1170, "4"), (1171, "6"), (1172, "10")]
# The fabric arms with a message of the market behind the report's slot; a rule is live from the next one on.
_RISE = [quote(1190), *(quote(ask) for ask in (1211, 1221, 1231) for _ in range(2))]


def filled(desk: Desk) -> str:
    return str(rules(desk)["entry"]["filled"])


def calm(folder: Path) -> Path:
    """A venue file with a heartbeat that ends no gap before it has been looked at."""
    path = folder / "venue.yaml"
    path.write_text(VENUE.read_text(encoding="utf-8").replace("heartbeat: 2s", "heartbeat: 30s"), encoding="utf-8")
    return path


def entered(desk: Desk, bundle: Path) -> tuple[Process, Process, str]:
    """Venue, daemon and the entry's ClOrdID: 4 of its 10 are filled, and what that arms is armed."""
    desk.start_board()
    said = venue.start(desk)
    daemon = desk.start_armed(bundle, deploy=True)
    venue.say(desk, said, [_ENTRY])
    entry = order_of(said, "1178")
    venue.say(desk, said, [report(entry, "E1", "F", "1", 4, 4)])
    wait_until("the fill", lambda: filled(desk) == "4", 30, daemon.check_alive)
    assert states(desk, "exit", "behind", "sized") == ("armed", "disarmed", "armed")
    return said, daemon, entry


def test_a_fill_before_a_load_while_armed_and_one_within(desk: Desk, tmp_path: Path) -> None:
    first, second, third = (
        compiled(tmp_path, f"never-{never}", _RULES.format(venue=VENUE, never=never)) for never in (1, 2, 3)
    )
    said, daemon, entry = entered(desk, first)
    command = [sys.executable, "-m", "fixaccel", "deploy", str(second), "--to", desk.control, "--json"]
    asked = desk.processes.start("deploy", command)
    loads = lambda: [line for line in desk.journal_lines() if line["type"] == "load"]  # noqa: E731
    wait_until("the load in the journal", lambda: len(loads()) == 2, 60, daemon.check_alive)
    venue.say(desk, said, [report(entry, "E2", "F", "2", 6, 10), quote(1190)])
    assert asked.wait_exit(60) == 0, asked.text()
    status = desk.status()
    assert (status["load"]["how"], status["load"]["state"], status["armed"]) == ("hot", "loaded", True)
    wait_until("the second fill", lambda: filled(desk) == "10", 30, daemon.check_alive)
    assert states(desk, "exit", "behind", "sized") == ("armed", "armed", "armed")
    venue.say(desk, said, _RISE)
    wait_until("the exits", lambda: len(orders(said)) == 4, 30, daemon.check_alive)
    # What has fired stays so over the next load, and the venue's word once more changes nothing.
    fixaccel("deploy", str(third), "--to", desk.control)
    again = report(entry, "E2", "F", "2", 6, 10).replace("good 8 ", "good 8 97=Y|")
    venue.say(desk, said, [again, quote(1190), *_RISE, "good 1 112=BEHIND|"])
    wait_until("what is behind it", lambda: "|112=BEHIND|" in said.text(), 30, daemon.check_alive)
    assert sold(said) == _SOLD
    assert desk.status()["armed"]
    assert daemon.stop() == 0
    fires = [(line["rule"], line["where"], line["outcome"]) for line in desk.fires()]
    assert sorted(fires) == [
        ("behind", "fabric", "sent"),
        ("entry", "fabric", "sent"),
        ("exit", "fabric", "sent"),
        ("sized", "runtime", "sent"),
    ]


def test_while_the_runtime_stands_in(desk: Desk, tmp_path: Path) -> None:
    said, daemon, entry = entered(desk, compiled(tmp_path, "calm", _RULES.format(venue=calm(tmp_path), never=1)))
    venue.say(desk, said, [quote(1190)])
    wait_until("the arming", lambda: armed_by_fills(desk) == ["exit"], 30, daemon.check_alive)
    # The parser has lost the stream, and loses it again; what fills now arms what the fabric would have evaluated.
    venue.say(desk, said, [f"bytes {b'garbage'.hex()}{b'8=FIX.4.4'.hex()}01"])
    wait_until("the gap", lambda: bool(desk.status()["parser"]["lost"]), 30, said.check_alive)
    lines = [report(entry, "E2", "F", "2", 6, 10), *_RISE[1:]]
    # One write, which is one segment: between two the runtime may see the stream found, and give it back to the fabric.
    venue.say(
        desk, said, ["breath 0", "together", *(each for line in lines for each in (line, f"bytes {b'garbage'.hex()}"))]
    )
    wait_until("the exits", lambda: len(orders(said)) == 4, 30, daemon.check_alive)
    wait_until("the fabric", lambda: not desk.status()["stand_in"]["active"], 30, daemon.check_alive)
    venue.say(desk, said, [*_RISE, "good 1 112=BEHIND|"])
    wait_until("what is behind it", lambda: "|112=BEHIND|" in said.text(), 30, daemon.check_alive)
    status = desk.status()
    assert status["armed"]
    assert status["stand_in"]["times"] > 0
    assert sold(said) == _SOLD, "each once, and all that was filled"
    assert daemon.stop() == 0
    fires = {line["rule"]: (line["where"], line.get("stand_in", False)) for line in desk.fires()}
    assert fires.pop("behind") in {("fabric", False), ("runtime", True)}, "whoever saw its price"
    assert fires == {"entry": ("fabric", False), "exit": ("runtime", True), "sized": ("runtime", False)}


def _quoted(ask: int) -> str:
    return f"- quote: {{instrument: MSFT, bid: 1177, bid_size: 500, ask: {ask}, ask_size: 500}}\n"


def _hit(qty: int) -> str:
    return f"- order: {{instrument: MSFT, side: sell, qty: {qty}, type: limit, price: 1178, tif: ioc}}\n"


def _until(word: str) -> str:
    return f"- wait_for: {{file: {word}, timeout: 120s}}\n"


_DAY = (
    _quoted(1190)
    + "- trade: {instrument: MSFT, price: 1179, size: 1}\n- wait_for: {orders: 1, timeout: 60s}\n"
    + f"{_until('fill')}{_hit(4)}{_until('tick')}{_quoted(1191)}{_until('unseen')}{_quoted(1211)}"
    + f"- wait_for: {{orders: 2, timeout: 60s}}\n{_until('away')}{_hit(6)}{_until('rise')}"
    + "".join(_quoted(ask) for ask in (1190, 1191, 1221, 1222, 1231, 1232))
    + "- wait_for: {orders: 4, timeout: 60s}\n"
    + "".join(_quoted(ask) for ask in (1190, 1233))
    + f"{_until('end')}- wait: 300ms\n- logout: CLIENT1\n"
)


def test_over_the_loss_of_the_board(desk: Desk, tmp_path: Path) -> None:
    bundle = compiled(tmp_path, "bundle", _RULES.format(venue=VENUE, never=1))
    patient = desk.folder / "patient.toml"
    patient.write_text(f'bundle = "{bundle}"\n[limits]\nwatchdog_ms = 4000\n', encoding="utf-8")
    board = desk.start_board()
    play(desk, _DAY)
    first = desk.start_armed(bundle, config=patient)
    desk.tell("armed")
    desk.wait_for_fires(1)
    desk.tell("fill")
    wait_until("the fill", lambda: filled(desk) == "4", 30, first.check_alive)
    desk.tell("tick")
    wait_until("the arming", lambda: armed_by_fills(desk) == ["exit"], 30, first.check_alive)
    # Its exit leaves, and before anybody has read that daemon and board are gone.
    with stopped_without_lease(desk, first):
        desk.tell("unseen")
        desk.wait_for_orders(2)
        first.kill()
    board.kill()
    desk.tell("away")
    bought = lambda: [trade for trade in desk.record("trade") if trade["buyer"] == "CLIENT1"]  # noqa: E731
    wait_until("the fill while it is away", lambda: len(bought()) == 2, 30)
    desk.start_board()
    second = desk.start_daemon(bundle)
    doubts = {doubt["rule"] for doubt in desk.status()["in_doubt"]}
    assert "exit" in doubts
    assert not doubts & {"entry", "sized"}, "the one is known, the other never was in the fabric"
    fixaccel("deploy", str(bundle), "--reconciled", "--to", desk.control)
    desk.wait_armed(second)
    wait_until("all of it", lambda: filled(desk) == "10", 30, second.check_alive)
    assert states(desk, "entry", "exit", "behind", "sized") == ("fired", "fired", "armed", "armed")
    desk.tell("rise")
    wait_until("the exits", lambda: len(desk.record("order")) == 4, 60, second.check_alive)
    desk.tell("end")
    journal = end(desk, second)
    fires = [(line["rule"], line["outcome"], line.get("found", "")) for line in journal if line["type"] == "fire"]
    assert sorted(fires) == [
        ("behind", "sent", ""),
        ("entry", "sent", ""),
        ("exit", "sent", "venue"),
        ("sized", "sent", ""),
    ]
    assert sorted(order["qty"].lstrip("0") for order in desk.record("order")) == ["10", "10", "4", "6"]
