# SPDX-License-Identifier: Apache-2.0
"""Rules that the fabric arms again after a time: by itself, and as a daemon tells it that has not seen the fire."""

from pathlib import Path

import pytest

from fixaccel.lab.desk import fixaccel
from lab.desk import ROOT, Desk
from lab.scenario import finish, play

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

# Behind the first order nothing fires until four seconds later; the trade that is then the first one only arms.
_BEFORE = """\
- trade: {instrument: MSFT, price: 1179, size: 1}
- wait_for: {orders: 1, timeout: 30s}
- trade: {instrument: MSFT, price: 1178, size: 1}
"""
_BEHIND = """\
- wait: 4500ms
- trade: {instrument: MSFT, price: 1177, size: 1}
- wait: 300ms
- trade: {instrument: MSFT, price: 1176, size: 1}
- wait_for: {orders: 2, timeout: 30s}
- wait_for: {file: seen, timeout: 60s}
- logout: CLIENT1
"""


# Nobody waits for the daemon here: it takes as long as it takes. What an order does to the market is news of it that
# would arm, too, if it came later than that time: a busy machine takes longer than some milliseconds for it.
_SHORT = """\
- trade: {instrument: MSFT, price: 1179, size: 1}
- wait: 700ms
- trade: {instrument: MSFT, price: 1178, size: 1}
- trade: {instrument: MSFT, price: 1177, size: 1}
- wait: 700ms
- trade: {instrument: MSFT, price: 1176, size: 1}
- trade: {instrument: MSFT, price: 1175, size: 1}
- wait: 700ms
- trade: {instrument: MSFT, price: 1174, size: 1}
- trade: {instrument: MSFT, price: 1173, size: 1}
- wait_for: {orders: 3, timeout: 30s}
- wait_for: {file: seen, timeout: 60s}
- logout: CLIENT1
"""


def compiled(folder: Path, after: str, times: int) -> Path:
    (folder / "again.yaml").write_text(
        f"fixaccel: 1\nvenue: {ROOT}/strategies/venues/simulator.yaml\nlimits: {{collar: 5%}}\nrules:\n"
        f"  - {{id: stop, instrument: MSFT, when: last <= 1180, rearm: {{after: {after}, times: {times}}},\n"
        "     order: {side: sell, qty: 2, type: limit, price: 1170}}\n",
        encoding="utf-8",
    )
    fixaccel("compile", str(folder / "again.yaml"), "-o", str(folder / "bundle"))
    return folder / "bundle"


@pytest.fixture(scope="module")
def again(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled(tmp_path_factory.mktemp("again"), "4s", 3)


def test_a_short_time_is_the_fabrics_own(desk: Desk, tmp_path: Path) -> None:
    """Twice half a second later, and no more often, whatever the daemon has seen by then."""
    desk.start_board()
    play(desk, "- trade: {instrument: MSFT, price: 1190, size: 1}\n" + _SHORT)
    daemon = desk.start_armed(compiled(tmp_path, "500ms", 2), deploy=True)
    desk.tell("armed")
    desk.wait_for_fires(3)
    assert [rule["state"] for rule in desk.status()["rules"]] == ["fired"]
    journal = finish(desk, daemon)
    told = [line for line in journal if line["type"] in {"fire", "watch"}]
    assert [line["observed"] for line in told if line["type"] == "fire"] == ["1179", "1177", "1175"]
    assert [line["times"] for line in told if line["type"] == "watch"] == [1, 2]
    assert {line["where"] for line in told if line["type"] == "fire"} == {"fabric"}


@pytest.mark.parametrize("restart", [False, True])
def test_a_stop_is_armed_again(desk: Desk, again: Path, restart: bool) -> None:
    desk.start_board()
    play(
        desk,
        "- trade: {instrument: MSFT, price: 1190, size: 1}\n"
        + _BEFORE
        + "- wait_for: {file: on, timeout: 90s}\n"
        + _BEHIND,
    )
    daemon = desk.start_armed(again, deploy=True)
    desk.tell("armed")
    desk.wait_for_fires(1)
    assert [rule["state"] for rule in desk.status()["rules"]] == ["rearming"]
    if restart:
        daemon.kill()
        daemon = desk.start_armed(again, deploy=True)
        assert [rule["state"] for rule in desk.status()["rules"]] == ["rearming"]
    desk.tell("on")
    desk.wait_for_fires(2)
    status = desk.status()
    assert [rule["state"] for rule in status["rules"]] == ["rearming"]
    journal = finish(desk, daemon)
    told = [(line["type"], line["outcome"], line["message"]) for line in journal if line["type"] in {"fire", "watch"}]
    assert [(kind, outcome) for kind, outcome, _ in told] == [("fire", "sent"), ("watch", "watch"), ("fire", "sent")]
    (hit,) = [line for line in journal if line["type"] == "watch"]
    assert (hit["watched"], hit["rule"], hit["times"]) == ("after", "stop", 1)
    assert [line["observed"] for line in journal if line["type"] == "fire"] == ["1179", "1176"]
