# SPDX-License-Identifier: Apache-2.0
"""Rules that the runtime runs, beside the fabric's on one session: orders, links, limits, and what a restart keeps."""

from pathlib import Path

import pytest

from fixaccel.demo.run import sequence_numbers
from fixaccel.lab.capture import examine
from fixaccel.lab.desk import Json, fixaccel
from fixaccel.lab.processes import Process
from lab.desk import Desk
from lab.scenario import end, play

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

_ENTRY = """\
- batch:
  - quote: {instrument: MSFT, bid: 1200.99, bid_size: 500, ask: 1201.01, ask_size: 500}
  - trade: {instrument: MSFT, price: 1201, size: 1}
- wait_for: {orders: 1, timeout: 30s}
"""
_EXIT = """\
- quote: {instrument: MSFT, bid: 1231, bid_size: 500, ask: 1231.01, ask_size: 500}
- wait_for: {orders: 2, timeout: 30s}
- quote: {instrument: MSFT, bid: 1180, bid_size: 500, ask: 1180.01, ask_size: 500}
"""
_OTHERS = """\
- quote: {instrument: ESZ6, bid: 6799.25, bid_size: 40, ask: 6799.5, ask_size: 40}
- wait_for: {orders: 3, timeout: 30s}
- quote: {instrument: "7203", bid: 3010, bid_size: 1000, ask: 3010.5, ask_size: 1000}
- quote: {instrument: "7203", bid: 2999, bid_size: 1000, ask: 2999.5, ask_size: 1000}
- wait_for: {orders: 4, timeout: 30s}
- quote: {instrument: CLZ6, bid: -1.10, bid_size: 20, ask: -1.00, ask_size: 20}
- wait_for: {orders: 5, timeout: 30s}
- wait: 2500ms
- quote: {instrument: CLZ6, bid: -1.30, bid_size: 20, ask: -1.20, ask_size: 20}
"""
_LOGOUT = "- wait: 500ms\n- logout: CLIENT1\n"


@pytest.fixture(scope="module")
def software(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("e2e") / "software"
    fixaccel("compile", str(Path(__file__).parent / "scenarios" / "software.yaml"), "-o", str(folder))
    return folder


def fires_of(desk: Desk, daemon: Process) -> list[Json]:
    """Sees the end of the run, with the same next numbers on both sides; returns the journal's fires."""
    journal = end(desk, daemon)
    ours, theirs = sequence_numbers(journal, desk.record())
    assert ours == theirs
    return [line for line in journal if line["type"] == "fire"]


def outcomes(fires: list[Json]) -> list[tuple[str, str, str]]:
    return [(fire["rule"], fire["where"], fire["outcome"]) for fire in fires]


def states(desk: Desk) -> dict[str, str]:
    return {rule["id"]: rule["state"] for rule in desk.status()["rules"]}


@pytest.mark.parametrize("fabric", ["fabric", "runtime"])
def test_runtime_and_fabric_share_the_session(desk: Desk, software: Path, fabric: str) -> None:
    """Without a board the runtime has the rules of the ``fabric``, too."""
    capture = desk.start_capture()
    if fabric == "fabric":
        desk.start_board()
    else:
        desk.remove_board()
    play(desk, _ENTRY + _EXIT + _OTHERS + "- wait_for: {file: seen, timeout: 60s}\n" + _LOGOUT)
    daemon = desk.start_armed(software, deploy=True)
    desk.tell("armed")
    desk.wait_for_fires(6, 90)
    assert states(desk) == {
        "entry": "fired",
        "take-profit": "fired",
        "stop": "cancelled",
        "trail-toyota": "fired",
        "storage-full": "fired",
        "storage-fuller": "fired",
        "buy-the-dip": "fired",
    }
    desk.tell("seen")
    fires = fires_of(desk, daemon)
    assert outcomes(fires) == [
        ("entry", "runtime", "sent"),
        ("take-profit", "runtime", "sent"),
        ("buy-the-dip", fabric, "sent"),
        ("trail-toyota", "runtime", "sent"),
        ("storage-full", fabric, "sent"),
        ("storage-fuller", fabric, "rejected:total_qty"),
    ]
    trail = fires[3]
    assert (trail["threshold"], trail["observed"], trail["price"]) == ("3000", "2999", "2995")
    capture.stop()
    findings = examine(desk.pcap, desk.client_address())
    assert findings.faults() == []
    assert len(findings.orders) == 5
    assert findings.heartbeats
    # The same as a template of the fabric has: terms, account, time in force, times in milliseconds.
    (order,) = [text for text in findings.orders if trail["cl_ord_id"].encode() in text]
    fields = dict(field.split("=", 1) for field in order.decode("ascii").split("\x01") if field)
    assert {tag: fields.get(tag) for tag in ("1", "21", "44", "59")} == {
        "1": "CLIENT1",
        "21": "1",
        "44": "2995.0",
        "59": "3",
    }
    assert fields["60"] == fields["52"]


def test_a_restart_keeps_what_was_spent_armed_and_counted(desk: Desk, software: Path) -> None:
    desk.start_board()
    play(
        desk,
        "- quote: {instrument: CLZ6, bid: -1.10, bid_size: 20, ask: -1.00, ask_size: 20}\n"
        "- wait_for: {orders: 1, timeout: 30s}\n"
        + _ENTRY.replace("orders: 1", "orders: 2")
        + "- wait_for: {file: again, timeout: 90s}\n"
        + "- trade: {instrument: MSFT, price: 1202, size: 1}\n"
        + "- quote: {instrument: CLZ6, bid: -1.30, bid_size: 20, ask: -1.20, ask_size: 20}\n"
        + _EXIT.replace("orders: 2", "orders: 3")
        + _LOGOUT,
    )
    first = desk.start_armed(software, deploy=True)
    assert states(desk)["stop"] == "disarmed"
    desk.tell("armed")
    desk.wait_for_fires(2)
    first.kill()
    second = desk.start_armed(software, deploy=True)
    after = states(desk)
    assert (after["entry"], after["storage-full"]) == ("fired", "fired")
    assert (after["take-profit"], after["stop"]) == ("armed", "armed"), "armed by the order that left before"
    desk.tell("again")
    assert outcomes(fires_of(desk, second)) == [
        ("storage-full", "fabric", "sent"),
        ("entry", "runtime", "sent"),
        ("storage-fuller", "fabric", "rejected:total_qty"),
        ("take-profit", "runtime", "sent"),
    ]
