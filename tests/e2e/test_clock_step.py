# SPDX-License-Identifier: Apache-2.0
"""Somebody sets the machine's clock by two hours: what leaves carries the time as before, and the session goes on."""

import re
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from fixaccel.lab.desk import VENUE, Json, fixaccel
from fixaccel.lab.processes import Process, wait_until
from lab.clock import SteppingClock
from lab.desk import Desk
from lab.hostile_venue import snapshot
from lab.venue import say, start

pytestmark = [pytest.mark.e2e, pytest.mark.slow, pytest.mark.waits]

_STEP_S = 7200
_NEAR_S = 0.2  # by which a clock that makes up for a step may be ahead or behind
_QUOTE = "good W 55=7203|268=2|269=0|270={}|271=100|269=1|270=3100|271=100|"
_STRATEGY = """\
fixaccel: 1
venue: {venue}
rules:
  - id: fall
    instrument: MSFT
    when: last <= 1180
    ladder: {{step: -5, count: 4}}
    order: {{side: sell, qty: 1, type: limit, price: 1100}}
  - id: runtime
    instrument: "7203"
    trail: {{source: bid, by: 20 ticks}}
    order: {{side: sell, qty: 200, type: limit, price: trigger - 10 ticks}}
"""


def sent_s(message: str) -> float:
    """Its SendingTime."""
    (text,) = re.findall(r"\|52=([^|]+)\|", message)
    return datetime.strptime(text, "%Y%m%d-%H:%M:%S.%f").replace(tzinfo=UTC).timestamp()


def check_sent(messages: list[str], since_s: float, ahead_s: float = 0) -> None:
    """They were sent from ``since_s`` until now, by a clock that is so far ahead: however late they were read."""
    for message in messages:
        assert since_s - _NEAR_S <= sent_s(message) - ahead_s <= time.time() + _NEAR_S, message


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Rules of the fabric, and one that the runtime runs."""
    folder = tmp_path_factory.mktemp("clock")
    (folder / "strategy.yaml").write_text(_STRATEGY.format(venue=VENUE), encoding="utf-8")
    fixaccel("compile", str(folder / "strategy.yaml"), "-o", str(folder / "bundle"))
    return folder / "bundle"


def clock_of(desk: Desk) -> Json:
    clock: Json = desk.status()["clock"]
    return clock


def apart(desk: Desk) -> tuple[float, float]:
    """How far the daemon's clock is from the system's, and when that was asked."""
    return clock_of(desk)["apart_ns"], time.monotonic()


def orders(venue: Process) -> list[str]:
    """Those that the venue has, the oldest first."""
    return [line for line in venue.text().splitlines() if "|35=D|" in line]


@pytest.mark.parametrize("step_s", [_STEP_S, -_STEP_S])
def test_a_step_goes_into_no_message(desk: Desk, both: Path, step_s: int) -> None:
    desk.start_board()
    venue = start(desk)
    desk.clock = clock = SteppingClock(desk.folder)
    daemon = desk.start_armed(both, deploy=True)
    desk.clock = None
    places = {rule["id"]: rule["where"] for rule in desk.status()["rules"]}
    assert (places["fall[1]"], places["runtime"]) == ("fabric", "runtime")
    assert not clock_of(desk)["was_set"]

    clock.step(step_s)
    wait_until("the step to be seen", lambda: bool(clock_of(desk)["was_set"]), 30, daemon.check_alive)
    before, begin_s = len(venue.text()), time.time()
    say(
        desk,
        venue,
        ["good 1 112=BEHIND|", f"good W {snapshot('MSFT', '1179')}", _QUOTE.format(3010), _QUOTE.format(2999)],
    )
    wait_until("both orders", lambda: venue.text().count("|35=D|") == 2, 30, daemon.check_alive)
    say(desk, venue, ["good 2 7=1|16=0|"])
    wait_until("the gap fill", lambda: "|35=4|" in venue.text(), 30, daemon.check_alive)
    wait_until("both orders again", lambda: venue.text().count("|35=D|") == 4, 30, daemon.check_alive)
    # Longer than three heartbeats: neither side takes the other for dead.
    time.sleep(7)
    text = venue.text()[before:]
    assert {"0", "D", "4"} <= set(re.findall(r"\|35=([^|]+)", text))
    check_sent(text.splitlines(), begin_s)
    fresh = [sent_s(line) for line in text.splitlines() if "|43=Y|" not in line]
    assert fresh == sorted(fresh), "SendingTime never goes back"
    # The fabric's clock was set again meanwhile, several times.
    begin_s = time.time()
    say(desk, venue, [f"good W {snapshot('MSFT', '1174')}"])
    wait_until("the next order", lambda: venue.text().count("|35=D|") >= 5, 30, daemon.check_alive)
    check_sent(orders(venue)[-1:], begin_s)

    status = desk.status()
    assert status["armed"], status["fabric"]
    assert abs(status["clock"]["apart_ns"] / 1e9 - step_s) < 1
    assert "set 7200" in fixaccel("status", "--to", desk.control).stdout
    journal = desk.journal_lines()
    assert [line["type"] for line in journal if line["type"] in ("armed", "disarmed")] == ["armed"]
    assert max(abs(line["time_ns"] / 1e9 - time.time()) for line in journal) < 60
    for fire in (line for line in journal if line["type"] == "fire"):
        assert abs(fire["trigger_time_ns"] / 1e9 - time.time()) < 60

    clock.step(0)
    wait_until("the clock to be back", lambda: not clock_of(desk)["was_set"], 30, daemon.check_alive)
    clock.step(step_s)
    wait_until("the step to be seen", lambda: bool(clock_of(desk)["was_set"]), 30, daemon.check_alive)
    begin_s = time.time()
    assert daemon.stop() == 0
    wait_until("the logout", lambda: "|35=5|" in venue.text(), 30, venue.check_alive)
    check_sent([line for line in venue.text().splitlines() if "|35=5|" in line], begin_s)


def test_a_new_daemon_takes_the_new_time(desk: Desk, both: Path) -> None:
    """That is how an operator confirms it; here it is wrong, and the two sides refuse each other's times."""
    desk.start_board()
    venue = start(desk, "keep")
    desk.clock = clock = SteppingClock(desk.folder)
    daemon = desk.start_armed(both, deploy=True)
    clock.step(_STEP_S)
    wait_until("the step to be seen", lambda: bool(clock_of(desk)["was_set"]), 30, daemon.check_alive)
    assert daemon.stop() == 0
    before, begin_s = len(venue.text()), time.time()
    daemon = desk.start_daemon(both)
    fixaccel("deploy", str(both), "--to", desk.control, "--timeout", "0", check=False)
    wait_until("a logon", lambda: "|35=A|" in venue.text()[before:], 30, daemon.check_alive)
    assert not clock_of(desk)["was_set"]
    logon = next(line for line in venue.text()[before:].splitlines() if "|35=A|" in line)
    check_sent([logon], begin_s, _STEP_S)


def test_a_small_step_is_made_up_for_slowly(desk: Desk, both: Path) -> None:
    desk.start_board()
    venue = start(desk)
    desk.clock = clock = SteppingClock(desk.folder)
    daemon = desk.start_armed(both, deploy=True)
    clock.step(1)
    wait_until("the step to be seen", lambda: clock_of(desk)["apart_ns"] > 5e8, 30, daemon.check_alive)
    first, before_s = apart(desk)
    time.sleep(3)
    second, behind_s = apart(desk)
    passed_ns = (behind_s - before_s) * 1e9
    assert passed_ns / 3000 < first - second < passed_ns / 300, "a thousandth of the time that passes"
    status = desk.status()
    assert status["armed"]
    assert not status["clock"]["was_set"]
    begin_s = time.time()
    say(desk, venue, [f"good W {snapshot('MSFT', '1179')}"])
    wait_until("the order", lambda: "|35=D|" in venue.text(), 30, daemon.check_alive)
    check_sent(orders(venue), begin_s)


def test_whether_somebody_synchronises_it_is_said_and_can_be_asked_for(desk: Desk, both: Path, tmp_path: Path) -> None:
    config = tmp_path / "fixacceld.toml"
    config.write_text("[limits]\nclock_max_error_us = 500\n", encoding="utf-8")
    desk.start_board()
    start(desk)
    desk.clock = clock = SteppingClock(desk.folder)
    daemon = desk.start_daemon(both, config=config)
    refused = fixaccel("deploy", str(both), "--to", desk.control, check=False)
    assert refused.returncode == 1
    assert "nobody synchronises the system's clock, and clock_max_error_us asks for 500: " in refused.stderr
    assert "clock     nobody synchronises the system's" in fixaccel("status", "--to", desk.control).stdout
    clock.synchronise(900)
    wait_until("the clock", lambda: bool(clock_of(desk)["synchronised"]), 30, daemon.check_alive)
    fixaccel("arm", "--to", desk.control, check=False)
    wait_until("the refusal", lambda: "at most 900 us off, and" in desk.status()["problem"], 30, daemon.check_alive)
    clock.synchronise(200)
    wait_until("it to be better", lambda: clock_of(desk)["max_error_us"] == 200, 30, daemon.check_alive)
    fixaccel("arm", "--to", desk.control)
    desk.wait_armed(daemon)
    assert "clock     synchronised, at most 200 us off" in fixaccel("status", "--to", desk.control).stdout
    # What is armed stays so: a clock that nobody keeps drifts by some seconds a day.
    clock.synchronise(None)
    wait_until("nobody", lambda: not clock_of(desk)["synchronised"], 30, daemon.check_alive)
    assert desk.status()["armed"]
    said = [line["text"] for line in desk.journal_lines() if line["type"] == "note" and "synchronise" in line["text"]]
    assert said == [
        "nobody synchronises the system's clock",
        "the system's clock is synchronised, at most 900 us off",
        "nobody synchronises the system's clock",
    ]
