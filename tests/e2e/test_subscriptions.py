# SPDX-License-Identifier: Apache-2.0
"""A load asks for the market data that is new, ends what nobody wants, and leaves the rest as it is."""

from pathlib import Path

import pytest

from fixaccel.lab.desk import VENUE, Json, fixaccel
from fixaccel.lab.processes import wait_until
from lab.desk import Desk
from lab.scenario import play

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

_RULE = """\
  - id: {id}
    instrument: {symbol}
    when: last <= {below}
    confirm: 2
    order: {{side: sell, qty: 1, type: market}}
"""
_BUNDLES = {"first": ("MSFT", "ESZ6"), "second": ("MSFT", "CLZ6"), "third": ("CLZ6",)}
_BELOW = {"MSFT": 1180, "ESZ6": 6800, "CLZ6": 70}
_TRADE = "- trade: {instrument: CLZ6, price: 69, size: 1}\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("subscriptions")
    venue = VENUE.read_text(encoding="utf-8")
    (folder / "venue.yaml").write_text(
        venue.replace("message: snapshot", "message: incremental").replace(": 2s", ": 20s"), encoding="utf-8"
    )
    for name, symbols in _BUNDLES.items():
        rules = [_RULE.format(id=f"stop-{s.lower()}", symbol=s, below=_BELOW[s]) for s in symbols]
        (folder / f"{name}.yaml").write_text(f"fixaccel: 1\nvenue: venue.yaml\nrules:\n{''.join(rules)}", "utf-8")
        fixaccel("compile", str(folder / f"{name}.yaml"), "-o", str(folder / name))
    return folder


def requests(desk: Desk, count: int) -> list[Json]:
    """The client's requests, once there are so many: a load is over before the venue has the last of them."""
    wait_until(f"{count} requests", lambda: len(desk.record("market_data_request")) >= count, 30)
    return desk.record("market_data_request")


def told(desk: Desk) -> list[Json]:
    """Market data with a trade at 69."""
    return [line for line in desk.record("market_data") if any(e.get("price") == "69.00" for e in line["entries"])]


def test_only_what_changes_is_asked_for(desk: Desk, folder: Path) -> None:
    desk.venue = folder / "venue.yaml"
    desk.start_board()
    more = "- wait_for: {file: again, timeout: 60s}\n" + _TRADE + "- wait_for: {orders: 1, timeout: 20s}\n"
    play(desk, _TRADE + more + "- wait_for: {file: seen, timeout: 60s}\n- logout: CLIENT1\n")
    daemon = desk.start_armed(folder / "first", deploy=True)
    for bundle in ("second", "third"):
        assert "loaded while armed" in fixaccel("deploy", str(folder / bundle), "--to", desk.control).stdout
    asked = [(line["request"], line["symbols"]) for line in requests(desk, 3)]
    assert asked == [("1", ["ESZ6", "MSFT"]), ("1", ["CLZ6"]), ("2", ["ESZ6", "MSFT"])]
    desk.tell("armed")
    wait_until("the trade", lambda: bool(told(desk)), 30, daemon.check_alive)
    number = told(desk)[0]["msg_seq_num"]
    wait_until("it to be read", lambda: desk.status()["next_target"] > number, 30, daemon.check_alive)
    fixaccel("deploy", str(folder / "third"), "--rearm", "--to", desk.control)
    desk.wait_armed(daemon)
    asked_for = requests(desk, 4)
    assert [(line["request"], line["symbols"]) for line in asked_for[3:]] == [("0", ["CLZ6"])]
    assert desk.fires() == [], "one trade is one observation, whoever tells it"
    desk.tell("again")
    assert [fire["observed"] for fire in desk.wait_for_fires(1)] == ["69"]
    behind = [line["md_req_id"] for line in told(desk) if line["msg_type"] == "X"]
    assert behind == [asked_for[1]["md_req_id"]] * 2, "each trade once, by the subscription that has gone on"
    desk.tell("seen")
    assert desk.exchange is not None
    assert desk.exchange.wait_exit(60) == 0, desk.exchange.text() + daemon.text()
    assert daemon.stop() == 0, daemon.text()
