# SPDX-License-Identifier: Apache-2.0
"""A venue that sends increments (35=X): the same rules fire, wherever they run."""

from pathlib import Path

import pytest

from fixaccel.demo.run import EXPECTED, MARKET
from fixaccel.lab.capture import examine
from fixaccel.lab.desk import VENUE, Json, fixaccel
from fixaccel.lab.reconcile import final_states
from lab.desk import ROOT, Desk
from lab.scenario import play
from test_software import fires_of

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

# Withdrawn quotes are deleted entries; the first batch is one message of three instruments.
_STEPS = """\
- quote: {instrument: "7203", bid: 3000, bid_size: 1000, ask: 3000.5, ask_size: 1000}
- batch:
  - quote: {instrument: MSFT, bid: 1174, bid_size: 500, ask: 1174.01, ask_size: 500}
  - trade: {instrument: MSFT, price: 1174, size: 10}
  - quote: {instrument: ESZ6, bid: 6799.25, bid_size: 40, ask: 6799.5, ask_size: 40}
  - quote: {instrument: CLZ6, bid: -1.30, bid_size: 20, ask: -1.20, ask_size: 20}
- wait_for: {orders: 4, timeout: 30s}
- quote: {instrument: "7203", ask: 2990, ask_size: 1000}
- quote: {instrument: "7203"}
- quote: {instrument: "7203", bid: 2989.5, bid_size: 1000, ask: 2990, ask_size: 1000}
- wait_for: {orders: 5, timeout: 30s}
- wait: 500ms
- logout: CLIENT1
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The quickstart at an incremental venue: its venue file, and its bundle in `quickstart`."""
    folder = tmp_path_factory.mktemp("e2e")
    venue = VENUE.read_text(encoding="utf-8")
    assert "message: snapshot" in venue
    (folder / "venue.yaml").write_text(
        venue.replace("message: snapshot", "message: incremental").replace(": 2s", ": 20s"), encoding="utf-8"
    )
    strategy = (ROOT / "strategies" / "quickstart.yaml").read_text(encoding="utf-8")
    assert "venues/simulator.yaml" in strategy
    (folder / "strategy.yaml").write_text(strategy.replace("venues/simulator.yaml", "venue.yaml"), encoding="utf-8")
    fixaccel("compile", str(folder / "strategy.yaml"), "-o", str(folder / "quickstart"))
    return folder


def check(desk: Desk, bundle: Path, fires: list[Json], expected: list[str]) -> None:
    """``expected`` fired in this order, where the bundle places each; all were sent, and filled at the exchange."""
    places = {rule.id: "runtime" if rule.trigger < 0 else "fabric" for rule in desk.rules(bundle)}
    assert [(fire["rule"], fire["outcome"]) for fire in fires] == [(rule, "sent") for rule in expected]
    assert [fire["where"] for fire in fires] == [places[rule] for rule in expected]
    states = final_states(desk.record())
    assert [states[fire["cl_ord_id"]]["status"] for fire in fires] == ["filled"] * len(expected)


def test_the_demo_fires_the_same_on_increments(desk: Desk, folder: Path) -> None:
    desk.venue = folder / "venue.yaml"
    capture = desk.start_capture()
    desk.start_board()
    desk.start_exchange(MARKET)
    daemon = desk.start_armed(folder / "quickstart", deploy=True)
    desk.tell("armed")
    fires = fires_of(desk, daemon)
    capture.stop()
    check(desk, folder / "quickstart", fires, EXPECTED)
    kinds = [line["msg_type"] for line in desk.record("market_data")]
    assert kinds[:4] == ["W"] * 4, "one for each instrument"
    assert set(kinds[4:]) == {"X"}
    findings = examine(desk.pcap, desk.client_address())
    assert findings.faults() == []
    assert len(findings.orders) == len(EXPECTED)


def test_one_message_of_several_instruments(desk: Desk, folder: Path) -> None:
    bundle = folder / "quickstart"
    desk.venue = folder / "venue.yaml"
    desk.start_board()
    play(desk, _STEPS)
    daemon = desk.start_armed(bundle, deploy=True)
    # A load on a subscription that goes on asks for one snapshot: each update comes once, not twice.
    fixaccel("deploy", str(bundle), "--to", desk.control, "--rearm")
    desk.wait_armed(daemon)
    desk.tell("armed")
    fires = fires_of(desk, daemon)
    # In the order in which the instruments stand in the message.
    check(desk, bundle, fires, ["storage-full", "buy-the-dip", "protect-msft", "protect-msft-rest", "protect-toyota"])
    assert [line["request"] for line in desk.record("market_data_request")] == ["1", "0"]
    updates = [line["entries"] for line in desk.record("market_data") if line["msg_type"] == "X"]
    assert list(dict.fromkeys(entry["symbol"] for entry in updates[1])) == ["CLZ6", "ESZ6", "MSFT"]
    assert len([entries for entries in updates if entries[0]["symbol"] == "7203"]) == 5, "four quotes and a trade"
    assert [(entry["type"], entry["position"]) for entries in updates for entry in entries if _deleted(entry)] == [
        ("bid", 1),
        ("ask", 1),
    ]


def _deleted(entry: Json) -> bool:
    return bool(entry["action"] == "delete")
