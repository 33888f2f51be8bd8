# SPDX-License-Identifier: Apache-2.0
"""The daemon's answers and events as the page has them. No socket and no clock."""

from typing import Any

from fixaccel.dashboard.accelerator import FIRES, Accelerator, apart, limit_view

Json = dict[str, Any]

RULE: Json = {
    "id": "stop",
    "instrument": "MSFT",
    "source": "last",
    "direction": "down",
    "threshold": "410.00",
    "order": {"side": "sell", "qty": "5", "type": "market", "price": ""},
    "where": "fabric",
    "state": "armed",
    "fires": 3,
}


def fire(number: int, **more: Any) -> Json:
    found = {"event": "fire", "rule": "stop", "where": "fabric", "instrument": "MSFT", "observed": "409.95"}
    return {**found, "outcome": "sent", "cycles": 8, "cl_ord_id": f"C{number}", "trigger_time_ns": number, **more}


def ready() -> Accelerator:
    accelerator = Accelerator()
    accelerator.set_rules([RULE])
    accelerator.take()
    return accelerator


def test_rules_show_what_the_axis_needs() -> None:
    accelerator = Accelerator()
    accelerator.set_rules([RULE])
    (rule,) = accelerator.take()["rules"]
    assert rule["when"] == "last down 410.00"
    assert (rule["rule"], rule["side"], rule["placement"], rule["uses"]) == ("stop", "sell", "fabric", 3)


def test_a_rules_state_changes_with_its_event_and_the_rest_is_asked_for() -> None:
    accelerator = ready()
    assert accelerator.apply({"event": "rule", "id": "stop", "state": "fired"})
    assert accelerator.take()["rules"][0]["state"] == "fired"
    assert not accelerator.apply({"event": "book", "instrument": "MSFT"})
    assert accelerator.take() == {}


def test_the_boards_clock_makes_times_of_cycles_and_nothing_else_does() -> None:
    tally = {"bounds": [4, 8], "counts": [1, 3], "count": 4}
    for clock_hz, cycle in ((0, None), (125_000_000, 8.0), (165_000_000, 1e9 / 165e6)):
        accelerator = Accelerator(clock_hz)
        accelerator.set_latency({"fabric_cycles": tally, "runtime_ns": tally})
        latency = accelerator.take()["latency"]
        assert latency["fabric"].get("cycle_ns") == cycle
        assert "cycle_ns" not in latency["software"]


def test_fires_are_told_once_also_where_an_answer_has_them_too() -> None:
    accelerator = ready()
    accelerator.apply(fire(1))
    taken = accelerator.take()
    assert [each["cl_ord_id"] for each in taken["fires"]] == ["C1"]
    assert (taken["fires"][0]["side"], taken["fires"][0]["qty"], taken["fires"][0]["cycles"]) == ("sell", "5", 8)
    accelerator.set_fires([fire(0), fire(1)])
    taken = accelerator.take()
    assert taken["full"]
    assert [each["cl_ord_id"] for each in taken["fires"]] == ["C0", "C1"]
    accelerator.apply(fire(1))
    accelerator.apply(fire(2))
    assert [each["cl_ord_id"] for each in accelerator.take()["fires"]] == ["C2"]


def test_fires_are_bounded() -> None:
    accelerator = ready()
    for number in range(3 * FIRES):
        accelerator.apply(fire(number))
    assert len(accelerator.take()["fires"]) == FIRES
    assert len(accelerator.everything()["fires"]) == FIRES


def test_a_daemon_that_is_away_says_why_and_what_was_known_stays() -> None:
    accelerator = ready()
    accelerator.apply({"event": "session", "armed": True, "killed": False, "phase": "armed"})
    assert accelerator.take()["armed"] is True
    accelerator.apply({"event": "away", "reason": "no daemon answers"})
    assert accelerator.take() == {"state": "waiting", "why": "no daemon answers"}
    assert accelerator.everything()["armed"] is True
    accelerator.apply({"event": "session", "armed": False})
    assert accelerator.take() == {"state": "connected", "why": "", "armed": False}


def test_counts_of_a_histogram_are_of_each_bin() -> None:
    assert apart({"bounds": [4, 8, 12], "counts": [1, 5, 5], "count": 7}) == [1, 4, 0, 2]
    accelerator = Accelerator()
    histogram = {"bounds": [8], "counts": [1], "count": 1}
    accelerator.set_latency({"fabric_cycles": histogram, "runtime_ns": histogram})
    assert accelerator.take()["latency"]["fabric"] == {"edges_cycles": [8], "counts": [1, 0]}


def test_limits_name_what_is_used() -> None:
    assert limit_view({"limit": "total_orders", "value": "20", "used": "3"})["used"] == "3"
    view = limit_view({"limit": "total_qty", "instrument": "MSFT", "value": "50", "bought": "3", "sold": "4"})
    assert (view["name"], view["limit"], view["used"]) == ("total_qty MSFT", "50", "7")
    assert limit_view({"limit": "collar", "value": "2%"})["used"] is None
