# SPDX-License-Identifier: Apache-2.0
"""A bracket in the fabric: what its orders did to its rules outlives the daemon and a redeploy; and times of day."""

from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from fixaccel.lab.capture import examine
from fixaccel.lab.desk import Json, fixaccel
from fixaccel.lab.processes import Process
from lab.desk import ROOT, Desk
from lab.scenario import finish, play

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

_ENTRY = """\
- batch:
  - quote: {instrument: MSFT, bid: 1200.99, bid_size: 500, ask: 1201.01, ask_size: 500}
  - trade: {instrument: MSFT, price: 1201, size: 1}
- wait_for: {orders: 1, timeout: 30s}
- wait_for: {file: again, timeout: 90s}
"""
# The second quote satisfies the stop, which the first one's order has cancelled.
_EXIT = """\
- quote: {instrument: MSFT, bid: 1231, bid_size: 500, ask: 1231.01, ask_size: 500}
- wait_for: {orders: 2, timeout: 30s}
- quote: {instrument: MSFT, bid: 1180, bid_size: 500, ask: 1180.01, ask_size: 500}
- wait_for: {file: seen, timeout: 60s}
- wait: 300ms
- logout: CLIENT1
"""


# Any quote satisfies it, outside its time of day.
_SHUT = """
  - id: shut
    instrument: MSFT
    when: ask <= 5000
    during: ["{0}"]
    order: {{side: sell, qty: 1, type: limit, price: 5000}}
"""


def around_now(first: int, last: int) -> str:
    """From and to so many hours from now, at the venue."""
    now = datetime.now(ZoneInfo("America/New_York"))
    return "-".join(f"{now + timedelta(hours=hours):%H:%M}" for hours in (first, last))


@pytest.fixture(scope="module")
def bundles(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The bracket at a time of day that it is now, beside a rule of another; and the same with another entry."""
    folder = tmp_path_factory.mktemp("bracket")
    text = (ROOT / "strategies" / "bracket.yaml").read_text(encoding="utf-8")
    assert text.count("last > 1200") == 1
    text = text.replace("venue: venues", f"venue: {ROOT}/strategies/venues")
    text = text.replace("instrument: MSFT\n", f'instrument: MSFT\n    during: ["{around_now(-3, 3)}"]\n')
    text += _SHUT.format(around_now(4, 8))
    for name, entry in (("first", "last > 1200"), ("second", "last > 1300")):
        (folder / f"{name}.yaml").write_text(text.replace("last > 1200", entry), encoding="utf-8")
        fixaccel("compile", str(folder / f"{name}.yaml"), "-o", str(folder / name))
    return folder / "first", folder / "second"


def states(desk: Desk) -> list[str]:
    """Of entry, take-profit and stop."""
    *bracket, shut = desk.status()["rules"]
    assert (shut["id"], shut["state"], shut["where"]) == ("shut", "armed", "fabric")
    return [rule["state"] for rule in bracket]


def exits(desk: Desk, daemon: Process) -> list[Json]:
    """Sees the exits and the end of the run; returns the journal's fires."""
    desk.wait_for_fires(2)
    assert states(desk)[1:] == ["fired", "cancelled"]
    return [line for line in finish(desk, daemon) if line["type"] == "fire"]


def outcomes(fires: list[Json]) -> list[tuple[str, str, str]]:
    return [(fire["rule"], fire["where"], fire["outcome"]) for fire in fires]


_FIRED = [("entry", "fabric", "sent"), ("take-profit", "fabric", "sent")]


def test_a_killed_daemon_finds_the_exits_armed(desk: Desk, bundles: tuple[Path, Path]) -> None:
    capture = desk.start_capture()
    desk.start_board()
    play(desk, _ENTRY + _EXIT)
    first = desk.start_armed(bundles[0], deploy=True)
    assert states(desk) == ["armed", "disarmed", "disarmed"]
    desk.tell("armed")
    desk.wait_for_fires(1)
    # The kernel answers with a RST where a process leaves some of what has come unread.
    desk.wait_reported(first)
    first.kill()
    second = desk.start_armed(bundles[0], deploy=True)
    assert states(desk) == ["fired", "armed", "armed"]
    desk.tell("again")
    assert outcomes(exits(desk, second)) == _FIRED
    capture.stop()
    findings = examine(desk.pcap, desk.client_address())
    assert findings.faults() == []
    assert len(findings.orders) == 2


def test_a_redeploy_with_another_entry_leaves_the_exits_armed(desk: Desk, bundles: tuple[Path, Path]) -> None:
    desk.start_board()
    play(desk, _ENTRY + _EXIT)
    daemon = desk.start_armed(bundles[0], deploy=True)
    desk.tell("armed")
    desk.wait_for_fires(1)
    fixaccel("deploy", str(bundles[1]), "--to", desk.control)
    desk.wait_armed(daemon)
    assert states(desk) == ["armed", "armed", "armed"], "the entry is another rule now"
    desk.tell("again")
    assert outcomes(exits(desk, daemon)) == _FIRED
