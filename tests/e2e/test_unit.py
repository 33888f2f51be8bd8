# SPDX-License-Identifier: Apache-2.0
"""A daemon with the rights of its systemd unit, and no more, does all that it has to."""

import shutil
from pathlib import Path

import pytest

from fixaccel.lab.desk import fixaccel
from fixaccel.lab.processes import Process, wait_until
from fixaccel.lab.reconcile import same_orders
from lab.confined import prefix
from lab.desk import ROOT, Desk
from lab.scenario import play

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.slow,
    pytest.mark.skipif(
        shutil.which("systemd-analyze") is None, reason="systemd-analyze is missing: apt-get install systemd"
    ),
]

UNIT = ROOT / "packaging" / "fixacceld.service"
STEPS = (
    "- trade: {instrument: MSFT, price: 1179, size: 1}\n- wait_for: {orders: 1, timeout: 30s}\n"
    "- wait_for: {file: end, timeout: 60s}\n- logout: CLIENT1\n"
)


def start(desk: Desk, bundle: Path, unit: Path) -> Process:
    """All but a bundle, the daemon with the unit's rights: it waits for a deploy, as the unit's does."""
    desk.before_daemon = prefix(unit)
    settings = desk.folder / "fixacceld.toml"
    settings.write_text("", encoding="utf-8")
    desk.start_board()
    play(desk, STEPS)
    return desk.start_daemon(bundle, config=settings)


def start_armed(desk: Desk, bundle: Path) -> Process:
    """The daemon, armed by a deploy."""
    daemon = start(desk, bundle, UNIT)
    fixaccel("deploy", str(bundle), "--to", desk.control)
    desk.wait_armed(daemon)
    return daemon


def test_it_trades(desk: Desk, bundle: Path) -> None:
    daemon = start_armed(desk, bundle)
    desk.tell("armed")
    (fire,) = desk.wait_for_fires(1)
    assert (fire["outcome"], fire["committed"]) == ("sent", True)
    assert desk.status()["clock"]["synchronised"] is not None, "it may ask the kernel"
    desk.tell("end")
    wait_until("the logout", lambda: "logged out" in desk.status()["phase"], 30, daemon.check_alive)
    assert daemon.stop() == 0, daemon.text()
    assert same_orders(desk.journal_lines(), desk.record()) == []


def test_a_restart_by_the_unit_arms_nothing(desk: Desk, bundle: Path) -> None:
    """A crash while it was armed: the next daemon has the journal and the kill switch, and waits."""
    start_armed(desk, bundle).kill()
    daemon = desk.start_daemon(bundle, config=desk.folder / "fixacceld.toml")
    status = desk.status()
    assert (status["phase"], status["armed"], status["waiting"]) == ("idle", False, False)
    assert fixaccel("kill", "--to", desk.control).returncode == 0
    assert daemon.stop() == 0, daemon.text()


def test_without_its_capability_it_arms_nothing(desk: Desk, bundle: Path) -> None:
    """What the other tests show is due to the unit: a right less, and it is seen."""
    less = desk.folder / "less.service"
    text = UNIT.read_text(encoding="utf-8")
    less.write_text(text.replace("CapabilityBoundingSet=CAP_NET_ADMIN", "CapabilityBoundingSet="), encoding="utf-8")
    daemon = start(desk, bundle, less)
    assert fixaccel("deploy", str(bundle), "--timeout", "5", "--to", desk.control, check=False).returncode == 1
    assert "cannot enter TCP repair mode: Operation not permitted" in daemon.text()
