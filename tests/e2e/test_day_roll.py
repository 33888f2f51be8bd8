# SPDX-License-Identifier: Apache-2.0
"""The venue's day ends at `day_roll`: out, both numbers anew, in again, and armed as it was."""

import time
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from fixaccel.lab.desk import VENUE, Json, fixaccel
from fixaccel.lab.processes import Process, wait_until
from lab.desk import Desk
from lab.scenario import play

pytestmark = [pytest.mark.e2e, pytest.mark.slow, pytest.mark.waits]

_ZONE = ZoneInfo("America/New_York")  # of strategies/venues/simulator.yaml
_STRATEGY = """\
fixaccel: 1
venue: venue.yaml
limits: {total_orders: 3, per_instrument: {MSFT: {total_qty: 3}}}
rules:
  - id: fall
    instrument: MSFT
    when: last <= 1180
    ladder: {step: -1, count: 6}
    order: {side: sell, qty: 1, type: limit, price: 1300}
  - id: lasting
    instrument: ESZ6
    when: ask <= 6799.75
    order: {side: buy, qty: 1, type: limit, price: 6000, tif: gtc}
"""
_TRADE = "- trade: {{instrument: MSFT, price: {}, size: 1}}\n- wait_for: {{orders: {}, timeout: 30s}}\n"
_DAY = (
    _TRADE.format(1180, 1)
    + "- quote: {instrument: ESZ6, bid: 6799.25, bid_size: 40, ask: 6799.5, ask_size: 40}\n"
    + "- wait_for: {orders: 2, timeout: 30s}\n"
)
_NEXT_DAY = (
    "- wait_for: {file: again, timeout: 120s}\n"
    + "".join(_TRADE.format(price, orders) for price, orders in ((1179, 3), (1178, 4), (1177, 5)))
    + "- trade: {instrument: MSFT, price: 1176, size: 1}\n- wait_for: {file: seen, timeout: 60s}\n- logout: CLIENT1\n"
)


def slowness_s(desk: Desk) -> float:
    """What a compilation takes: some of them are what lies between a time that is chosen and the desk that is ready."""
    begin = time.monotonic()
    compiled(desk, 3600, "rehearsal")
    return time.monotonic() - begin


def compiled(desk: Desk, in_s: float, name: str = "bundle") -> tuple[Path, str, float]:
    """A bundle of a venue whose day rolls in so many seconds; that time as its clocks show it, and when that is."""
    at = datetime.now(_ZONE).replace(microsecond=0) + timedelta(seconds=in_s)
    rolls = f'day_roll: "{at:%H:%M:%S}"\nmarket_data:'
    venue = VENUE.read_text(encoding="utf-8").replace("market_data:", rolls, 1)
    (desk.folder / "venue.yaml").write_text(venue, encoding="utf-8")
    (desk.folder / "strategy.yaml").write_text(_STRATEGY, encoding="utf-8")
    fixaccel("compile", str(desk.folder / "strategy.yaml"), "-o", str(desk.folder / name))
    return desk.folder / name, f"{at:%H:%M:%S}", at.timestamp()


def settings(desk: Desk, at: str | None) -> Path:
    """The daemon's configuration: its session's day rolls then, or never."""
    path = desk.folder / "fixacceld.toml"
    path.write_text(f'[session]\nday_roll = "{at}"\n' if at else "", encoding="utf-8")
    return path


def finish(desk: Desk, daemon: Process) -> tuple[list[Json], list[Json]]:
    """Journal and the exchange's record, once the next day's orders are there."""
    desk.tell("again")
    fires = desk.wait_for_fires(6, 60)
    desk.tell("seen")
    assert desk.exchange is not None
    assert desk.exchange.wait_exit(60) == 0, desk.exchange.text() + daemon.text()
    assert daemon.stop() == 0, daemon.text()
    assert [(fire["rule"], fire["outcome"]) for fire in fires] == [
        ("fall[1]", "sent"),
        ("lasting", "sent"),
        ("fall[2]", "sent"),
        ("fall[3]", "sent"),
        ("fall[4]", "sent"),
        ("fall[5]", "rejected:total_orders"),
    ], "what has fired stays spent, and the limit counts anew"
    return desk.journal_lines(), desk.record()


def check_both_days(journal: list[Json], record: list[Json]) -> None:
    """Both sides have the same orders; the second day's numbers begin at 1 again, its ClOrdIDs do not."""
    orders = [line for line in record if line["event"] == "order" and not line["poss_dup"]]
    sent = [line for line in journal if line["type"] == "fire" and line["outcome"] == "sent"]
    assert [(line["cl_ord_id"], int(line["msg_seq_num"])) for line in orders] == [
        (line["cl_ord_id"], int(line["msg_seq_num"])) for line in sent
    ]
    assert {line["status"] for line in orders} == {"accepted"}, "the venue takes a ClOrdID once"
    roll = next(place for place, line in enumerate(journal) if line["type"] == "day_roll")
    behind = journal[roll + 1 :]
    numbers = {
        line[key]
        for line in behind
        for key in ("seq", "msg_seq_num")
        if line["type"] in ("out", "fire") and key in line
    }
    assert numbers == set(range(1, len(numbers) + 1))
    logon = next(line for line in behind if line["type"] == "out")
    assert "\x01141=Y\x01" in logon["message"]
    assert all(line["where"] == "fabric" for line in sent)


def first_day(desk: Desk, *, session: bool = True) -> tuple[Process, Path, Path, float]:
    """The daemon, its bundle and settings, both orders of the day sent; and when it rolls, with the ``session``."""
    desk.start_board()
    play(desk, _DAY + _NEXT_DAY)
    bundle, at, roll_s = compiled(desk, 25 + 10 * slowness_s(desk))
    config = settings(desk, at if session else None)
    daemon = desk.start_armed(bundle, deploy=True, config=config)
    desk.tell("armed")
    desk.wait_for_orders(2)
    desk.wait_reported(daemon)
    assert time.time() < roll_s, "this machine was too slow"
    return daemon, bundle, config, roll_s


def wait_rolled(desk: Desk, daemon: Process, kind: str, roll_s: float) -> None:
    """Until the journal has a record of that type, which comes at ``roll_s``."""
    wait_until(
        "the roll",
        lambda: any(line["type"] == kind for line in desk.journal_lines()),
        roll_s - time.time() + 60,
        daemon.check_alive,
    )


def test_a_roll_while_armed(desk: Desk) -> None:
    daemon, _, _, roll_s = first_day(desk)
    before = desk.status()
    assert before["day_rolls_ns"] == int(roll_s) * 10**9
    assert len(before["resting"]) == 2
    wait_rolled(desk, daemon, "day_roll", roll_s)
    desk.wait_armed(daemon)
    after = desk.status()
    assert after["day_rolls_ns"] > before["day_rolls_ns"]
    assert [order["side"] for order in after["resting"]] == ["buy"], "gtc rests on, day does not"
    assert [fire["order"]["status"] for fire in after["fires"]] == ["done for day", "new"]
    journal, record = finish(desk, daemon)
    check_both_days(journal, record)
    told = [line["type"] if line["type"] != "session" else line["event"] for line in journal]
    kept = [what for what in told if what in ("armed", "disarmed", "logon", "logout", "disconnect", "day_roll")]
    assert kept == ["logon", "armed", "disarmed", "logout", "day_roll", "logon", "armed", "disarmed", "logout"]
    assert [line["event"] for line in record if line["event"] in ("logon", "logout")] == ["logon", "logout"] * 2


def test_a_roll_that_nobody_was_there_for(desk: Desk) -> None:
    first, bundle, config, roll_s = first_day(desk)
    first.kill()
    time.sleep(max(0.0, roll_s + 1 - time.time()))
    second = desk.start_armed(bundle, deploy=True, config=config)
    check_both_days(*finish(desk, second))


def test_what_was_disarmed_stays_so(desk: Desk) -> None:
    desk.start_board()
    play(desk, "- wait_for: {file: seen, timeout: 60s}\n- logout: CLIENT1\n")
    bundle, at, roll_s = compiled(desk, 15 + 10 * slowness_s(desk))
    daemon = desk.start_armed(bundle, deploy=True, config=settings(desk, at))
    fixaccel("disarm", "--to", desk.control)
    assert time.time() < roll_s, "this machine was too slow"
    wait_rolled(desk, daemon, "day_roll", roll_s)
    wait_until("the next logon", lambda: desk.status()["phase"] == "ready", 40)
    time.sleep(1)
    assert not desk.status()["armed"]
    text = fixaccel("status", "--to", desk.control).stdout
    assert "rolls at" in text
    assert daemon.stop() == 0


def rolled(desk: Desk) -> list[Json]:
    """Records of what limits count beginning anew."""
    return [line for line in desk.journal_lines() if line["type"] == "limits_reset"]


def check_one_session(journal: list[Json], record: list[Json]) -> None:
    """What limits count began anew by itself; the session and its numbers went on."""
    (roll,) = [line for line in journal if line["type"] == "limits_reset"]
    assert (roll["by"], roll["reason"]) == ("day_roll", "the venue's day has rolled")
    assert not any(line["type"] == "day_roll" for line in journal)
    orders = [line for line in record if line["event"] == "order" and not line["poss_dup"]]
    numbers = [int(line["msg_seq_num"]) for line in orders]
    assert numbers == sorted(set(numbers))
    assert {line["status"] for line in orders} == {"accepted"}


def test_what_limits_count_rolls_alone(desk: Desk) -> None:
    daemon, _, _, roll_s = first_day(desk, session=False)
    status = desk.status()
    assert status["limits_roll_ns"] == int(roll_s) * 10**9
    assert "day_rolls_ns" not in status
    assert "limits    count anew at " in fixaccel("status", "--to", desk.control).stdout
    wait_rolled(desk, daemon, "limits_reset", roll_s)
    assert rolled(desk)[0]["time_ns"] >= status["limits_roll_ns"]
    desk.wait_armed(daemon)
    after = desk.status()
    assert after["limits_roll_ns"] > status["limits_roll_ns"]
    assert len(after["resting"]) == 2, "what rests goes on"
    journal, record = finish(desk, daemon)
    check_one_session(journal, record)
    told = [line["type"] for line in journal if line["type"] in ("armed", "disarmed", "limits_reset")]
    assert told == ["armed", "limits_reset", "disarmed", "armed", "disarmed"], "the board counts from zero, too"
    assert [line["event"] for line in record if line["event"] in ("logon", "logout")] == ["logon", "logout"]


def test_and_is_made_up_for_once(desk: Desk) -> None:
    first, bundle, config, roll_s = first_day(desk, session=False)
    first.kill()
    time.sleep(max(0.0, roll_s + 1 - time.time()))
    desk.start_armed(bundle, deploy=True, config=config).kill()
    second = desk.start_armed(bundle, deploy=True, config=config)
    check_one_session(*finish(desk, second))


def test_two_times_that_differ_are_refused(desk: Desk) -> None:
    desk.start_board()
    play(desk, "- wait_for: {file: seen, timeout: 60s}\n- logout: CLIENT1\n")
    bundle, at, _ = compiled(desk, 1800)
    other, until, _ = compiled(desk, 3600, "other")
    daemon = desk.start_armed(bundle, deploy=True, config=settings(desk, at))
    refused = fixaccel("deploy", str(other), "--to", desk.control, check=False)
    assert refused.returncode == 1
    assert f"session.day_roll is {at}" in refused.stderr
    assert f"`day_roll: {until}`" in refused.stderr
    assert desk.status()["armed"], "the bundle before goes on"
    assert daemon.stop() == 0
