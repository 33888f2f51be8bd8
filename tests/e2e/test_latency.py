# SPDX-License-Identifier: Apache-2.0
"""T1 to T4 of orders of rules and of orders by hand, without a board."""

from itertools import pairwise
from pathlib import Path

import pytest

from fixaccel.board import orders as by_hand
from fixaccel.board.control import ControlClient
from fixaccel.board.feed import watch
from lab.desk import Desk, Json, fixaccel
from lab.ladder import ladder
from lab.processes import wait_until
from lab.scenario import finish, play, tell

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

_RULES, _BY_HAND = 4, 3
_FIRST = ("wake", "parse", "decide", "journal", "lease", "engine", "send")
_SECOND = ("answer_wake", "answer_parse", "answer_journal", "answer_out")


def whole(path: Json, orders: int) -> None:
    """All of the orders are there, and their stages add up to the halves and to the whole, to the nanosecond."""
    assert (path["orders"], path["answered"]) == (orders, orders)
    assert [path[key] for key in ("rejected", "resent", "unanswered", "untold", "without_t1")] == [0] * 5
    sums = {name: part["sum_ns"] for name, part in path["parts"].items()}
    assert sum(sums[stage] for stage in _FIRST) == sums["t1_t2"]
    assert sum(sums[stage] for stage in _SECOND) == sums["t3_t4"]
    assert sums["t1_t2"] + sums["t3_t4"] == sums["inner"]
    assert {path["parts"][name]["count"] for name in (*_FIRST, *_SECOND[:3], "inner")} == {orders}
    assert sums["journal"] > 0


@pytest.mark.parametrize("stamps", ["app", "kernel"])
def test_every_order_has_its_four_moments(desk: Desk, tmp_path: Path, stamps: str) -> None:
    desk.remove_board()
    bundle = ladder(tmp_path, _RULES)
    falls = "".join(
        f"- trade: {{instrument: MSFT, price: {1180 - step * 0.25}, size: 1}}\n"
        f"- wait_for: {{orders: {step + 1}, timeout: 30s}}\n"
        for step in range(_RULES)
    )
    play(desk, falls + "- wait_for: {file: seen, timeout: 90s}\n- wait: 200ms\n- logout: CLIENT1\n")
    config = desk.folder / "fixacceld.toml"
    config.write_text(f'[cpu]\nstamps = "{stamps}"\n', encoding="utf-8")
    daemon = desk.start_armed(bundle, deploy=True, config=config)
    with ControlClient(desk.control) as client, ControlClient(desk.control) as watcher:
        tell(desk, "armed")
        wait_until(
            "answers to the rules",
            lambda: client.ask("latency")["paths"]["rule"]["answered"] == _RULES,
            30,
            daemon.check_alive,
        )
        events = watch(watcher)
        next(events)  # it is watched from here on
        for _ in range(_BY_HAND):
            sent = by_hand.send_order(client, "MSFT", "buy", 1, price="900")["cl_ord_id"]
            while (event := next(events)).get("cl_ord_id") != sent or event.get("status") != "new":
                pass
        answer = client.ask("latency", worst=100)
    assert answer["stamps"] == stamps
    paths = answer["paths"]
    whole(paths["rule"], _RULES)
    whole(paths["desk"], _BY_HAND)
    assert paths["desk"]["parts"]["answer_out"]["count"] == _BY_HAND
    assert len(answer["worst"]) == _RULES + _BY_HAND
    for order in answer["worst"]:
        moments = [order[f"t{number}_ns"] for number in (1, 2, 3, 4)]
        assert all(one <= other for one, other in pairwise(moments)), order
        assert sum(order["stages"].values()) == order["inner_ns"]
    if stamps == "kernel":
        assert paths["rule"]["stamps"]["t2"]["kernel"] == _RULES
        assert paths["desk"]["stamps"]["t2"]["kernel"] == _BY_HAND
        assert paths["desk"]["stamps"]["t1"]["app"] == _BY_HAND, "the kernel stamps nothing at a Unix socket"
        assert paths["rule"]["stamps"]["t1"]["app"] == 0
        assert paths["rule"]["stamps"]["t3"]["app"] == 0
    said = fixaccel("latency", "--to", desk.control).stdout
    assert f"{_RULES} orders of rules: {_RULES} answered" in said
    assert f"{_BY_HAND} orders by hand: {_BY_HAND} answered" in said
    figures = fixaccel("metrics", "--to", desk.control).stdout
    assert f'fixaccel_order_latency_seconds_count{{part="inner",path="desk"}} {_BY_HAND}.0' in figures
    journal = finish(desk, daemon)
    ids = {line["cl_ord_id"] for line in journal if line["type"] in ("fire", "by_hand")}
    assert ids == {order["cl_ord_id"] for order in answer["worst"]}
