# SPDX-License-Identifier: Apache-2.0
"""While the fabric's parser has lost the stream the runtime stands in for it: each stop fires, and fires once."""

import random
import time
from pathlib import Path

import pytest

from fixaccel.lab.desk import Json, fixaccel
from fixaccel.lab.processes import Process, wait_until
from lab.desk import Desk
from lab.hostile_venue import snapshot
from lab.ladder import ladder, trade
from lab.quickstart import quickstart
from lab.venue import say, start

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

_GARBAGE = f"bytes {b'garbage'.hex()}"
# And the beginning of a message: it is not over before the next one comes.
_UNENDED = b"garbage\x018=FIX.4.4\x01".hex()
_STOP = f"good W {snapshot('MSFT', '1179')}"
_OTHER = "good W 55=ESZ6|268=1|269=1|270=6799.5|271=10|"
_RUNGS = 60


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """No heartbeat ends a gap before it has been looked at."""
    return quickstart(tmp_path_factory.mktemp("calm"), "30s")


def orders(venue: Process) -> int:
    return venue.text().count("|35=D|")


def notes(desk: Desk) -> list[str]:
    return [line["text"] for line in desk.journal_lines() if line["type"] == "note"]


def blind(desk: Desk, venue: Process) -> None:
    """The parser has lost the stream."""
    say(desk, venue, [f"bytes {_UNENDED}"])
    wait_until("the gap", lambda: bool(desk.status()["parser"]["lost"]), 30, venue.check_alive)


def given_back(desk: Desk, daemon: Process) -> Json:
    """Once the fabric is armed again, and sees the market."""

    def over() -> bool:
        stand_in = desk.status()["stand_in"]
        return not (stand_in["active"] or stand_in["blind"])

    wait_until("the fabric", over, 30, daemon.check_alive)
    return desk.status()


def test_a_stop_that_the_fabric_does_not_see(desk: Desk, bundle: Path) -> None:
    desk.start_board()
    venue = start(desk)
    daemon = desk.start_armed(bundle, deploy=True)
    blind(desk, venue)
    say(desk, venue, [_STOP])
    (fire,) = desk.wait_for_fires(1)
    assert (fire["rule"], fire["where"], fire["outcome"]) == ("protect-msft", "runtime", "sent")
    wait_until("the order", lambda: orders(venue) == 1, 30, daemon.check_alive)
    status = given_back(desk, daemon)
    assert (status["phase"], status["armed"], status["stand_in"]["times"]) == ("armed", True, 1)
    # What it had sent is spent in the fabric, too, and the fabric goes on with all else.
    say(desk, venue, [_STOP, _OTHER])
    fires = desk.wait_for_fires(2)
    assert fires[1]["where"] == "fabric"
    wait_until("the order", lambda: orders(venue) >= 2, 30, daemon.check_alive)
    assert orders(venue) == 2
    lines = desk.journal_lines()
    assert [line.get("stand_in", False) for line in lines if line["type"] == "fire"] == [True, False]
    assert sum(line["type"] == "armed" for line in lines) == 1
    assert sum("stands in for it, with rule protect-msft" in note for note in notes(desk)) == 1


def test_it_can_be_switched_off(desk: Desk, bundle: Path, tmp_path: Path) -> None:
    config = tmp_path / "fixacceld.toml"
    config.write_text("[session]\nstand_in = false\n", encoding="utf-8")
    desk.start_board()
    venue = start(desk)
    daemon = desk.start_armed(bundle, deploy=True, config=config)
    blind(desk, venue)
    say(desk, venue, [_STOP])
    wait_until("in step again", lambda: not desk.status()["parser"]["lost"], 30, daemon.check_alive)
    say(desk, venue, [_OTHER])
    (fire,) = desk.wait_for_fires(1)
    assert (fire["where"], fire["rule"]) == ("fabric", "buy-the-dip")


def test_an_order_by_hand_waits_where_the_board_keeps_the_limits(desk: Desk, tmp_path: Path) -> None:
    desk.start_board()
    venue = start(desk)
    daemon = desk.start_armed(quickstart(tmp_path, "30s", "{total_orders: 9}"), deploy=True)
    order = ("order", "MSFT", "buy", "1", "--limit", "1100", "--wait", "0", "--to", desk.control)
    blind(desk, venue)
    refused = fixaccel(*order, check=False)
    assert refused.returncode == 1
    assert "the runtime stands in for the fabric, which does not see the market" in refused.stderr
    assert orders(venue) == 0
    say(desk, venue, [_OTHER])
    given_back(desk, daemon)
    before = orders(venue)
    fixaccel(*order)
    wait_until("the order", lambda: orders(venue) == before + 1, 30, daemon.check_alive)
    commands = [
        line for line in desk.journal_lines() if line["type"] == "command" and line["request"]["cmd"] == "order"
    ]
    assert [line["ok"] for line in commands] == [False, True]


def test_killed_it_does_not_stand_in(desk: Desk, bundle: Path) -> None:
    desk.start_board()
    venue = start(desk)
    desk.start_armed(bundle, deploy=True)
    blind(desk, venue)
    fixaccel("kill", "--to", desk.control)
    say(desk, venue, [_STOP, "good 1 112=BEHIND|"])
    wait_until("what is behind it", lambda: "|112=BEHIND|" in venue.text(), 30, venue.check_alive)
    assert orders(venue) == 0
    assert desk.status()["stand_in"] == {"active": False, "blind": False, "times": 0}


@pytest.mark.parametrize("seed", [1, 2])
def test_each_stop_once_whoever_sees_it(desk: Desk, tmp_path: Path, seed: int) -> None:
    """Trades lower and lower as fast as the venue can say it, gaps among them, but for the first and the last."""
    rng = random.Random(seed)
    config = tmp_path / "fixacceld.toml"
    config.write_text("[limits]\nhold_ms = 4000\nwatchdog_ms = 4000\n", encoding="utf-8")
    desk.start_board()
    venue = start(desk)
    daemon = desk.start_armed(ladder(tmp_path, _RUNGS), deploy=True, config=config)
    say(desk, venue, [trade(1)])
    desk.wait_for_fires(1)
    rungs = 1
    while rungs < _RUNGS - 1:
        lines = ["breath 0"]
        for _ in range(rng.randrange(1, 8)):
            if rng.random() < 0.5:
                lines.append(_GARBAGE)
            rungs = min(_RUNGS - 1, rungs + rng.randrange(3))
            lines.append(trade(rungs))
        say(desk, venue, lines)
        time.sleep(rng.choice([0.0, 0.01, 0.05, 0.3]))
    wait_until("all but the last", lambda: orders(venue) == _RUNGS - 1, 30, daemon.check_alive)
    say(desk, venue, ["good 1 112=BEHIND|"])
    wait_until("what is behind them", lambda: "|112=BEHIND|" in venue.text(), 30, daemon.check_alive)
    given_back(desk, daemon)
    say(desk, venue, [trade(_RUNGS)])
    fires = desk.wait_for_fires(_RUNGS)
    assert sorted(fire["rule"] for fire in fires) == sorted(f"fall[{rung}]" for rung in range(1, _RUNGS + 1))
    assert {fire["outcome"] for fire in fires} == {"sent"}
    wait_until("the last one", lambda: orders(venue) == _RUNGS, 30, daemon.check_alive)
    where = [fire["where"] for fire in fires]
    assert (where[0], where[-1]) == ("fabric", "fabric")
    assert "runtime" in where
    assert desk.status()["armed"]
