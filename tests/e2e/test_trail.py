# SPDX-License-Identifier: Apache-2.0
"""A stop that follows, in the fabric: over a load while armed, and a daemon that is killed."""

from pathlib import Path

import pytest

from lab.desk import ROOT, Desk, fixaccel
from lab.processes import wait_until
from lab.scenario import finish, play, tell
from test_hot_load import deploy

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

_TRAIL = "  - {id: trail, instrument: MSFT, trail: {source: last, by: 10}, order: {side: sell, qty: 2, type: market}}\n"
_OTHER = "  - {id: other, instrument: MSFT, when: last >= 2000, order: {side: sell, qty: 1, type: market}}\n"
# The stop rises to 1190 ahead of the load, stays there over it, and over the daemon's end.
_STEPS = """\
- trade: {instrument: MSFT, price: 1180, size: 1}
- trade: {instrument: MSFT, price: 1200, size: 1}
- trade: {instrument: MSFT, price: 1195, size: 1}
- wait_for: {file: loaded, timeout: 90s}
- trade: {instrument: MSFT, price: 1191, size: 1}
- wait_for: {file: back, timeout: 120s}
- trade: {instrument: MSFT, price: 1191, size: 1}
- wait: 300ms
- trade: {instrument: MSFT, price: 1189, size: 1}
- wait_for: {orders: 1, timeout: 30s}
- wait_for: {file: seen, timeout: 60s}
- logout: CLIENT1
"""


@pytest.fixture(scope="module")
def bundles(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("trail")
    found = []
    for name, rules in (("one", _TRAIL), ("two", _OTHER + _TRAIL)):
        (folder / f"{name}.yaml").write_text(
            f"fixaccel: 1\nvenue: {ROOT}/strategies/venues/simulator.yaml\nlimits: {{collar: 50%}}\nrules:\n{rules}",
            encoding="utf-8",
        )
        fixaccel("compile", str(folder / f"{name}.yaml"), "-o", str(folder / name))
        found.append(folder / name)
    return found[0], found[1]


def stop_of(desk: Desk) -> str | None:
    """Where the stop stands, as the daemon says."""
    (rule,) = [rule for rule in desk.status()["rules"] if rule["id"] == "trail"]
    found: str | None = rule.get("stop")
    return found


def test_a_stop_goes_on_over_a_load_and_a_crash(desk: Desk, bundles: tuple[Path, Path]) -> None:
    desk.start_board()
    play(desk, _STEPS)
    daemon = desk.start_armed(bundles[0], deploy=True)
    tell(desk, "armed")
    wait_until("the stop has risen", lambda: stop_of(desk) == "1190", 60)
    load = deploy(desk, bundles[1])
    assert load["how"] == "hot", load
    tell(desk, "loaded")
    wait_until("the load has come about", lambda: desk.status()["load"]["state"] == "loaded", 60)
    assert stop_of(desk) == "1190"
    daemon.kill()
    daemon = desk.start_armed(bundles[1], deploy=True)
    assert stop_of(desk) == "1190"
    tell(desk, "back")
    (fire,) = desk.wait_for_fires(1)
    assert (fire["where"], fire["rule"], fire["threshold"], fire["observed"]) == ("fabric", "trail", "1190", "1189")
    assert fire["outcome"] == "sent"
    finish(desk, daemon)
