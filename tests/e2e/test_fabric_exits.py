# SPDX-License-Identifier: Apache-2.0
"""Exits that wait in the fabric until the venue has reported a fill: over crashes, busts and corrections, each once."""

from pathlib import Path

import pytest

from fixaccel.lab.desk import VENUE
from fixaccel.lab.processes import wait_until
from lab import venue
from lab.desk import Desk
from lab.own_orders import armed_by_fills, compiled, order_of, orders, quote, report, rules, sold, states
from lab.scenario import finish, play

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

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
"""
_MORE = """\
  - id: sized
    instrument: MSFT
    armed_by: {rule: entry, on: first-fill}
    when: ask >= 1230
    order: {side: sell, qty: filled, type: limit, price: 1197}
  - id: other
    instrument: MSFT
    when: last <= 1179.5
    order: {side: buy, qty: 10, type: limit, price: 1177}
  - id: busted
    instrument: MSFT
    armed_by: {rule: other, on: filled}
    when: ask >= 1220
    order: {side: sell, qty: 10, type: limit, price: 1198}
"""


def _quote(ask: int) -> str:
    return f"- quote: {{instrument: MSFT, bid: 1177, bid_size: 500, ask: {ask}, ask_size: 500}}\n"


def _hit(qty: int) -> str:
    return f"- order: {{instrument: MSFT, side: sell, qty: {qty}, type: limit, price: 1178, tif: ioc}}\n"


# Behind each report the fabric arms with the next message of the market, which fires nothing.
_MARKET = (
    _quote(1190)
    + "- trade: {instrument: MSFT, price: 1179, size: 1}\n- wait_for: {orders: 1, timeout: 60s}\n"
    + f"- wait_for: {{file: fill, timeout: 60s}}\n{_hit(4)}- wait_for: {{file: tick, timeout: 60s}}\n{_quote(1191)}"
    + f"- wait_for: {{file: away, timeout: 90s}}\n{_hit(6)}- wait_for: {{file: rise, timeout: 90s}}\n"
    + _quote(1211)
    + f"- wait_for: {{orders: 2, timeout: 60s}}\n{_quote(1212)}- wait_for: {{file: more, timeout: 90s}}\n"
    + _quote(1221)
    + "- wait: 200ms\n"
    + _quote(1222)
    + "- wait_for: {orders: 3, timeout: 60s}\n"
    + "".join(map(_quote, (1190, 1223)))
    + "- wait_for: {file: seen, timeout: 90s}\n- wait: 300ms\n- logout: CLIENT1\n"
)


def test_an_exit_in_the_fabric_fires_once_over_crashes(desk: Desk, tmp_path: Path) -> None:
    bundle = compiled(tmp_path, "exits", _RULES.format(venue=VENUE))
    assert all(rule.trigger >= 0 for rule in desk.rules(bundle)), "all of it in the fabric"
    desk.start_board()
    play(desk, _MARKET)
    daemon = desk.start_armed(bundle, deploy=True)
    assert states(desk, "exit", "behind") == ("disarmed", "disarmed")
    desk.tell("armed")
    desk.wait_for_fires(1)
    assert states(desk, "exit", "behind") == ("disarmed", "disarmed"), "nothing is filled"
    desk.tell("fill")
    wait_until("the fill", lambda: states(desk, "exit", "behind") == ("armed", "disarmed"), 30, daemon.check_alive)
    desk.tell("tick")
    wait_until("the arming", lambda: armed_by_fills(desk) == ["exit"], 30, daemon.check_alive)

    # Between the arming and its order; what fills meanwhile is reported to nobody.
    daemon.kill()
    desk.tell("away")
    wait_until("the second fill", lambda: len([t for t in desk.record("trade") if t["buyer"] == "CLIENT1"]) == 2, 30)
    daemon = desk.start_armed(bundle, deploy=True)
    wait_until("that fill", lambda: states(desk, "exit", "behind") == ("armed", "armed"), 30, daemon.check_alive)
    # Behind the report, before the market has said anything.
    daemon.kill()
    daemon = desk.start_armed(bundle, deploy=True)
    assert states(desk, "exit", "behind") == ("armed", "armed")
    desk.tell("rise")
    desk.wait_for_fires(2)
    assert states(desk, "exit", "behind") == ("fired", "armed")
    daemon.kill()
    daemon = desk.start_armed(bundle, deploy=True)
    assert states(desk, "exit", "behind") == ("fired", "armed")
    desk.tell("more")
    desk.wait_for_fires(3)
    journal = finish(desk, daemon)
    fires = [(line["rule"], line["where"], line["outcome"]) for line in journal if line["type"] == "fire"]
    assert fires == [(rule, "fabric", "sent") for rule in ("entry", "exit", "behind")]
    assert [order["qty"].lstrip("0") for order in desk.record("order")] == ["10", "4", "6"]


def test_a_bust_and_a_correction(desk: Desk, tmp_path: Path) -> None:
    bundle = compiled(tmp_path, "busts", _RULES.format(venue=VENUE) + _MORE)
    where = {rule.id: rule.trigger >= 0 for rule in desk.rules(bundle)}
    assert where == {name: name != "sized" for name in where}
    desk.start_board()
    said = venue.start(desk)
    daemon = desk.start_armed(bundle, deploy=True)
    venue.say(desk, said, ["good W 55=MSFT|268=1|269=2|270=1179|271=1|"])
    entry, other = order_of(said, "1178"), order_of(said, "1177")

    def filled(name: str) -> str:
        return str(rules(desk)[name]["filled"])

    venue.say(desk, said, [report(entry, "E1", "F", "1", 4, 4), report(other, "E2", "F", "1", 5, 5)])
    wait_until("the fills", lambda: (filled("entry"), filled("other")) == ("4", "5"), 30, daemon.check_alive)
    assert states(desk, "exit", "sized", "behind", "busted") == ("armed", "armed", "disarmed", "disarmed")
    # Taken back before the order is done: it ends with nothing, and so it arms nothing.
    venue.say(desk, said, [report(other, "E3", "H", "0", 5, 0), report(other, "E4", "4", "4", 0, 0)])
    # Told anew with less; and the same once more, which changes nothing.
    corrected = report(entry, "E5", "G", "1", 3, 3)
    again = corrected.replace("good 8 ", "good 8 97=Y|")
    venue.say(desk, said, [corrected, again, report(entry, "E6", "F", "1", 3, 6)])
    wait_until("the sums", lambda: (filled("entry"), filled("other")) == ("6", "0"), 30, daemon.check_alive)
    # The second trade is taken back; what was armed by the first stays so.
    venue.say(desk, said, [report(entry, "E7", "H", "1", 3, 3), report(entry, "E8", "4", "4", 0, 3)])
    wait_until("the end", lambda: states(desk, "behind") == ("armed",), 30, daemon.check_alive)
    assert states(desk, "exit", "sized", "busted") == ("armed", "armed", "disarmed")
    status = desk.status()
    assert status["armed"], status["fabric"]
    venue.say(desk, said, [quote(1190), *(quote(ask) for ask in (1211, 1221, 1231) for _ in range(2)), quote(1190)])
    wait_until("the exits", lambda: len(orders(said)) == 5, 30, daemon.check_alive)
    venue.say(desk, said, [quote(1231), quote(1231), "good 1 112=BEHIND|"])
    wait_until("what is behind it", lambda: "|112=BEHIND|" in said.text(), 30, daemon.check_alive)
    assert desk.status()["armed"]
    assert sold(said) == [(1170, "4"), (1171, "6"), (1197, "3")]
    assert daemon.stop() == 0
    assert not any("contradiction" in line for line in desk.journal_lines())
