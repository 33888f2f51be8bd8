# SPDX-License-Identifier: Apache-2.0
"""A dry run of fabric and runtime: rules fire on the session's market data, nothing reaches the venue, and armed
afterwards the same rules send."""

from pathlib import Path

import pytest

from fixaccel.lab.capture import examine
from fixaccel.lab.desk import Json, fixaccel
from fixaccel.lab.processes import Process, wait_until
from lab.desk import ROOT, Desk
from lab.scenario import end, play

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

# Entry and take-profit in the fabric, a trail in the runtime; then the market is as before.
_FIRES = """\
- quote: {instrument: "7203", bid: 3010, bid_size: 1000, ask: 3010.5, ask_size: 1000}
- batch:
  - quote: {instrument: MSFT, bid: 1200.99, bid_size: 500, ask: 1201.01, ask_size: 500}
  - trade: {instrument: MSFT, price: 1201, size: 1}
- quote: {instrument: MSFT, bid: 1231, bid_size: 500, ask: 1231.01, ask_size: 500}
- quote: {instrument: "7203", bid: 2989, bid_size: 1000, ask: 2989.5, ask_size: 1000}
"""
_QUIET = """\
- quote: {instrument: MSFT, bid: 1199.99, bid_size: 500, ask: 1200, ask_size: 500}
- trade: {instrument: MSFT, price: 1200, size: 1}
"""
_SCENARIO = f"""\
{_FIRES}
- wait: 300ms
{_QUIET}
- wait_for: {{file: again, timeout: 90s}}
{_FIRES}
- wait_for: {{orders: 3, timeout: 30s}}
- wait: 300ms
- logout: CLIENT1
"""
_TRAIL = """
  - id: trail
    instrument: "7203"
    trail: {source: bid, by: 20 ticks}
    order: {side: sell, qty: 100, type: limit, price: trigger - 10 ticks}
"""
_RULES = [("entry", "fabric"), ("take-profit", "fabric"), ("trail", "runtime")]
_BEGIN = ["armed", "disarmed", "disarmed", "armed"]
_END = ["fired", "fired", "cancelled", "fired"]


@pytest.fixture(scope="module")
def strategy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dry")
    text = (ROOT / "strategies" / "bracket.yaml").read_text(encoding="utf-8")
    text = text.replace("venue: venues", f"venue: {ROOT}/strategies/venues")
    text = text.replace("order_qty: 10, limit_collar: 1%", "order_qty: 100")
    (folder / "dry.yaml").write_text(text + _TRAIL, encoding="utf-8")
    fixaccel("compile", str(folder / "dry.yaml"), "-o", str(folder / "bundle"))
    return folder / "bundle"


def states(desk: Desk) -> list[str]:
    """Of entry, take-profit, stop and trail."""
    return [rule["state"] for rule in desk.status()["rules"]]


def command(desk: Desk, *words: str) -> tuple[int, str]:
    """Exit code and text of a `fixaccel` command on the daemon."""
    done = fixaccel(*words, "--to", desk.control, check=False)
    return done.returncode, done.stdout + done.stderr


def runs_dry(desk: Desk) -> bool:
    status = desk.status()
    return bool(status["armed"] and status["dry_run"])


def fired_dry(desk: Desk) -> None:
    """Until all has fired that can, and nothing of it has reached the venue."""
    desk.tell("armed")
    fires = desk.wait_for_fires(len(_RULES))
    assert sorted((fire["rule"], fire["where"]) for fire in fires) == _RULES
    assert {fire["outcome"] for fire in fires} == {"dry"}
    assert all("msg_seq_num" not in fire for fire in fires)
    assert states(desk) == _END
    assert desk.record("order") == []


def fires_for_real(desk: Desk, daemon: Process) -> list[Json]:
    """Sees the same rules fire once more, each for the first time as its ClOrdID says; returns these fires."""
    desk.tell("again")
    end(desk, daemon)
    fires = desk.fires()[len(_RULES) :]
    assert sorted((fire["rule"], fire["where"]) for fire in fires) == _RULES
    assert {(fire["outcome"], fire["fires"]) for fire in fires} == {("sent", 1)}
    assert all(fire["cl_ord_id"].endswith("00000001") for fire in fires)
    return fires


def test_the_same_rules_fire_dry_and_then_for_real(desk: Desk, strategy: Path) -> None:
    capture = desk.start_capture()
    desk.start_board()
    play(desk, _SCENARIO)
    daemon = desk.start_daemon(strategy)
    code, text = command(desk, "deploy", str(strategy), "--dry-run")
    assert (code, text.splitlines()[-1]) == (0, "dry run, armed: 2 of 4 rules, 2 disarmed")
    assert states(desk) == _BEGIN
    fired_dry(desk)
    assert command(desk, "arm") == (1, "refused: a dry run is on: `fixaccel disarm` first\n")
    assert command(desk, "disarm") == (0, "disarmed\n")
    assert states(desk) == ["disarmed"] * 4
    assert command(desk, "arm") == (0, "armed: 2 of 4 rules, 2 disarmed\n")
    assert not desk.status()["dry_run"]
    assert command(desk, "arm", "--dry-run") == (1, "refused: the board is armed: `fixaccel disarm` first\n")
    fires_for_real(desk, daemon)
    capture.stop()
    findings = examine(desk.pcap, desk.client_address())
    assert findings.faults() == []
    assert len(findings.orders) == len(_RULES), "orders of the fabric and of the runtime, each once"


def test_a_daemon_killed_in_a_dry_run_goes_on_with_it(desk: Desk, strategy: Path) -> None:
    """It loads its bundle by itself, and arms as it was asked to last."""
    desk.start_board()
    play(desk, _SCENARIO)
    first = desk.start_daemon(strategy)
    assert command(desk, "deploy", str(strategy), "--dry-run")[0] == 0
    fired_dry(desk)
    first.kill()
    second = desk.start_daemon(strategy, "--bundle", str(strategy))
    wait_until("the dry run to go on", lambda: runs_dry(desk), 60, second.check_alive)
    assert states(desk) == _BEGIN
    assert desk.status()["in_doubt"] == []
    assert command(desk, "kill")[0] == 0
    assert not desk.status()["armed"]
    assert command(desk, "arm")[0] == 1, "while the kill switch is on"
    assert command(desk, "kill", "--undo")[0] == 0
    assert command(desk, "arm")[0] == 0
    fires_for_real(desk, second)
