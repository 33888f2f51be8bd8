# SPDX-License-Identifier: Apache-2.0
"""Exits follow fills: armed and sized by what the venue reports, over a crash; and rules by the clock."""

import time
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from fixaccel.lab.desk import VENUE, fixaccel
from fixaccel.lab.processes import wait_until
from lab.crash_point import Crasher, CrashPoint
from lab.desk import Desk
from lab.own_orders import compiled, rules
from lab.scenario import finish, play

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

# The exit sells what the entry has filled until then.
_EXITS = """\
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
    cancels: [entry]
    order: {{side: sell, qty: filled, type: limit, price: 1195}}
  - id: behind
    instrument: MSFT
    armed_by: {{rule: entry, on: filled}}
    when: last >= 1300
    order: {{side: sell, qty: 3, type: limit, price: 1290}}
  - id: other
    instrument: MSFT
    when: last <= 1180
    order: {{side: buy, qty: 1, type: limit, price: 1000}}
"""
_HITS = "- order: {{instrument: MSFT, side: sell, qty: {qty}, type: limit, price: 1178, tif: ioc}}\n"
_MARKET = """\
- quote: {{instrument: MSFT, bid: 1177, bid_size: 500, ask: 1190, ask_size: 500}}
- trade: {{instrument: MSFT, price: 1179, size: 1}}
- wait_for: {{orders: 2, timeout: 60s}}
- wait_for: {{file: fill, timeout: 60s}}
{first}- wait_for: {{file: away, timeout: 60s}}
{second}- wait_for: {{file: rise, timeout: 90s}}
- quote: {{instrument: MSFT, bid: 1177, bid_size: 500, ask: 1211, ask_size: 500}}
- wait_for: {{orders: 3, timeout: 30s}}
- wait_for: {{file: seen, timeout: 90s}}
- wait: 300ms
- logout: CLIENT1
"""


def filled(desk: Desk) -> tuple[str, str]:
    """What the entry has filled, and the state of its exit."""
    found = rules(desk)
    assert found["exit"]["armed_by"] == {"on": "first-fill", "filled": found["entry"]["filled"]}
    return found["entry"]["filled"], found["exit"]["state"]


def test_the_exit_sells_what_was_filled_and_cancels_the_rest(desk: Desk, tmp_path: Path) -> None:
    bundle = compiled(tmp_path, "exits", _EXITS.format(venue=VENUE))
    desk.start_board()
    play(desk, _MARKET.format(first=_HITS.format(qty=4), second=_HITS.format(qty=3)))
    daemon = desk.start_armed(bundle, deploy=True)
    assert filled(desk) == ("0", "disarmed")
    desk.tell("armed")
    desk.wait_for_fires(2)
    desk.tell("fill")
    wait_until("the first fill", lambda: filled(desk) == ("4", "armed"), 30, daemon.check_alive)
    assert rules(desk)["behind"]["state"] == "disarmed", "the order rests still"

    # Behind the report, ahead of the exit; the second fill is reported to nobody.
    daemon.kill()
    desk.tell("away")
    wait_until("the second fill", lambda: len([t for t in desk.record("trade") if t["buyer"] == "CLIENT1"]) == 2, 30)
    daemon = desk.start_armed(bundle, deploy=True)
    wait_until("the fill while it was away", lambda: filled(desk) == ("7", "armed"), 30, daemon.check_alive)
    assert "have filled 7" in fixaccel("rules", "exit", "--to", desk.control).stdout

    desk.tell("rise")
    desk.wait_for_fires(3)
    wait_until("the cancel", lambda: desk.status()["cancels_due"] == [], 30, daemon.check_alive)
    found = rules(desk)
    assert (found["behind"]["state"], "uncovered" in found["exit"]) == ("armed", False), (
        "the entry is done, and covered"
    )
    journal = finish(desk, daemon)

    orders = desk.record("order")
    assert sorted((order["side"], order["qty"].lstrip("0")) for order in orders) == [
        ("1", "1"),
        ("1", "10"),
        ("2", "7"),
    ]
    (entry,) = [order["cl_ord_id"] for order in orders if order["qty"].lstrip("0") == "10"]
    (cancel,) = desk.record("cancel")
    assert cancel["orig_cl_ord_id"] == entry
    fires = [(line["rule"], line["where"], line["outcome"]) for line in journal if line["type"] == "fire"]
    assert sorted(fires[:2]) == [("entry", "fabric", "sent"), ("other", "fabric", "sent")]
    assert fires[2:] == [("exit", "runtime", "sent")]
    requests = [line for line in journal if line["type"] == "by_hand"]
    assert [(line["request"], line["by"], line["outcome"]) for line in requests] == [("cancel", "rule exit", "sent")]


_ONE = f"""\
- quote: {{instrument: MSFT, bid: 1177, bid_size: 500, ask: 1190, ask_size: 500}}
- trade: {{instrument: MSFT, price: 1179, size: 1}}
- wait_for: {{orders: 2, timeout: 60s}}
{_HITS.format(qty=4)}- wait_for: {{file: rise, timeout: 90s}}
- quote: {{instrument: MSFT, bid: 1177, bid_size: 500, ask: 1211, ask_size: 500}}
- wait_for: {{orders: 3, timeout: 30s}}
- wait_for: {{file: seen, timeout: 90s}}
- quote: {{instrument: MSFT, bid: 1177, bid_size: 500, ask: 1190, ask_size: 500}}
- quote: {{instrument: MSFT, bid: 1177, bid_size: 500, ask: 1212, ask_size: 500}}
- wait: 300ms
- logout: CLIENT1
"""


def test_killed_between_its_order_and_the_cancel(desk: Desk, tmp_path: Path) -> None:
    bundle = compiled(tmp_path, "exits", _EXITS.format(venue=VENUE))
    desk.start_board()
    play(desk, _ONE)
    # It dies as it is about to write what it asks for: the order has left, the cancel has not.
    prefix = Crasher(desk.folder).prefix(CrashPoint(0, armed=False, call="write", at=1, how="before"))
    desk.before_daemon = [*prefix, 'CRASH_BEHIND="by":"rule exit"']
    daemon = desk.start_armed(bundle, deploy=True)
    desk.tell("armed")
    wait_until("the fill", lambda: filled(desk) == ("4", "armed"), 30, daemon.check_alive)
    desk.tell("rise")
    wait_until("its end", lambda: daemon.exit_code is not None, 30)
    assert desk.fires()[-1]["rule"] == "exit"
    assert desk.record("cancel") == []
    desk.before_daemon = []
    daemon = desk.start_armed(bundle, deploy=True)
    wait_until("the cancel", lambda: desk.status()["cancels_due"] == [], 30, daemon.check_alive)
    finish(desk, daemon)
    orders = desk.record("order")
    assert [order["qty"].lstrip("0") for order in orders if order["side"] == "2"] == ["4"], "once"
    (entry,) = [order["cl_ord_id"] for order in orders if order["qty"].lstrip("0") == "10"]
    assert [cancel["orig_cl_ord_id"] for cancel in desk.record("cancel")] == [entry]


_CLOSE = """\
  - id: close
    instrument: MSFT
    at: "{at}"
    armed_by: {{rule: entry}}
    cancels: [entry]
    order: {{side: sell, qty: {qty}, type: limit, price: 1150}}
"""
_ENTRY = _EXITS[: _EXITS.index("  - id: exit")]


def in_seconds(seconds: float) -> tuple[float, str]:
    """A whole second so far ahead, and what the venue's clocks show then."""
    moment = datetime.now(ZoneInfo("America/New_York")).replace(microsecond=0) + timedelta(seconds=seconds)
    return moment.timestamp(), f"{moment:%H:%M:%S}"


def test_a_rule_by_the_clock_cancels_the_entry(desk: Desk, tmp_path: Path) -> None:
    desk.remove_board()
    play(
        desk,
        "- trade: {instrument: MSFT, price: 1179, size: 1}\n- wait_for: {orders: 2, timeout: 90s}\n"
        "- wait_for: {file: seen, timeout: 90s}\n- wait: 300ms\n- logout: CLIENT1\n",
    )
    text = _ENTRY + _CLOSE
    bundle = compiled(tmp_path, "late", text.format(venue=VENUE, at=in_seconds(-3600)[1], qty=1))
    daemon = desk.start_armed(bundle, deploy=True)
    assert (
        f"close: MSFT at {rules(desk)['close']['at']}, sell" in fixaccel("rules", "close", "--to", desk.control).stdout
    )
    ahead = 5.0
    while True:
        moment, at = in_seconds(ahead)
        fixaccel("deploy", str(compiled(tmp_path, f"at-{ahead:.0f}", text.format(venue=VENUE, at=at, qty=2))),
                 "--to", desk.control)  # fmt: skip
        desk.wait_armed(daemon)
        if time.time() < moment - 1:
            break
        ahead *= 2
    desk.tell("armed")
    fires = desk.wait_for_fires(2, 60)
    assert [(fire["rule"], fire["outcome"]) for fire in fires] == [("entry", "sent"), ("close", "sent")]
    assert fires[1]["trigger_time_ns"] == int(moment) * 1_000_000_000, "the moment itself"
    assert fires[1]["observed"] == ""
    wait_until("the cancel", lambda: desk.status()["cancels_due"] == [], 30, daemon.check_alive)
    finish(desk, daemon)
    assert [order["qty"] for order in desk.record("order")] == ["10", "2"]
    assert [cancel["orig_cl_ord_id"] for cancel in desk.record("cancel")] == [fires[0]["cl_ord_id"]]
