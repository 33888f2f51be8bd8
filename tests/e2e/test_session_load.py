# SPDX-License-Identifier: Apache-2.0
"""Much to answer on the session: neither the watchdog nor the lease expires, and stops fire behind it as before."""

import re
import time
from pathlib import Path

import pytest

from fixaccel.lab.processes import wait_until
from lab.desk import Desk
from lab.hold import stopped
from lab.hostile_venue import snapshot
from lab.ladder import ladder, trade
from lab.venue import say, start

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

# What is said and answered takes longer than the lease and the watchdog, orders alone a dozen leases of 16 KiB.
_TESTS = 2000
_AHEAD = 200  # of the orders, which a gap fill goes over
_ORDERS = 1000
_BUSY_S = 240  # for thousands of messages, where others have most of the cores
_LAST = """\
id: last
    instrument: ESZ6
    when: ask <= 6799.75
    order: {side: buy, qty: 1, type: limit, price: 6000}
"""
_STOP = "good W 55=ESZ6|268=1|269=1|270=6799.5|271=10|"


def fields(line: str) -> dict[str, str]:
    return dict(re.findall(r"(\d+)=([^|]*)\|", line))


def _answered(text: str) -> tuple[int, int]:
    """Answers to the TestRequest behind a ResendRequest, which do not wait for it; orders that were sent again."""
    lines = text.splitlines()
    return (
        sum("|112=BEHIND|" in line for line in lines),
        sum("|35=D|" in line and "|43=Y|" in line for line in lines),
    )


def test_two_thousand_test_requests(desk: Desk, bundle: Path) -> None:
    desk.start_board()
    venue = start(desk)
    daemon = desk.start_daemon(bundle)
    desk.wait_armed(daemon)
    say(desk, venue, [f"many {_TESTS} 1 112=T{{}}|"])
    wait_until("the last answer", lambda: f"|112=T{_TESTS - 1}|" in venue.text(), 120, daemon.check_alive)
    answered = [fields(line)["112"] for line in venue.text().splitlines() if "|35=0|" in line and "|112=T" in line]
    assert answered == [f"T{i}" for i in range(_TESTS)]
    status = desk.status()
    assert status["armed"], status["fabric"]
    say(desk, venue, [f"good W {snapshot('MSFT', '1179')}"])
    wait_until("the order", lambda: "|35=D|" in venue.text(), 30, daemon.check_alive)
    (fire,) = desk.wait_for_fires(1)
    assert fire["rule"] == "protect-msft"
    assert sum(line["type"] == "armed" for line in desk.journal_lines()) == 1


@pytest.mark.parametrize("policy", ["resend", "gap-fill"])
def test_a_resend_request_over_thousands_of_messages(desk: Desk, tmp_path: Path, policy: str) -> None:
    config = tmp_path / "fixacceld.toml"
    # The ring fills up while the daemon has no core: by default a fire waits 100 ms for it, which is another test's.
    config.write_text(f'[session]\nresend_orders = "{policy}"\n[limits]\nhold_ms = 4000\n', encoding="utf-8")
    desk.start_board()
    venue = start(desk)
    daemon = desk.start_armed(ladder(tmp_path, _ORDERS, _LAST), deploy=True, config=config)
    say(desk, venue, [f"many {_AHEAD} 1 112=T{{}}|"])
    say(desk, venue, [trade(rungs) for rungs in range(50, _ORDERS + 1, 50)])
    wait_until("the orders", lambda: venue.text().count("|35=D|") == _ORDERS, _BUSY_S, daemon.check_alive)
    for turn in (1, 2):
        say(desk, venue, ["good 2 7=1|16=0|", "good 1 112=BEHIND|"])
        again = turn * _ORDERS if policy == "resend" else 0
        wait_until("the end", lambda: _answered(venue.text()) == (turn, again), _BUSY_S, daemon.check_alive)  # noqa: B023
    status = desk.status()
    assert status["armed"], status["fabric"]
    say(desk, venue, [_STOP])
    fires = desk.wait_for_fires(_ORDERS + 1)
    sent = [fields(line) for line in venue.text().splitlines() if "|35=D|" in line]
    wait_until("the stop", lambda: f"|11={fires[-1]['cl_ord_id']}|" in venue.text(), 30, daemon.check_alive)
    first = [fields(line) for line in venue.text().splitlines() if "|35=D|" in line and "|43=Y|" not in line]
    assert [(fire["cl_ord_id"], int(fire["msg_seq_num"])) for fire in fires] == [
        (order["11"], int(order["34"])) for order in first
    ]
    repeated = [order for order in sent if order.get("43") == "Y"]
    orders = [(order["11"], int(order["34"])) for order in first[:-1]]
    assert [(order["11"], int(order["34"])) for order in repeated] == (orders * 2 if policy == "resend" else [])
    assert sum(line["type"] == "armed" for line in desk.journal_lines()) == 1


def test_what_has_come_meanwhile_is_heard_before_the_venue_is_taken_for_silent(desk: Desk, bundle: Path) -> None:
    desk.remove_board()
    venue = start(desk)
    daemon = desk.start_armed(bundle, deploy=True)
    with stopped(daemon.pid):
        time.sleep(3)
        say(desk, venue, ["good 0 "])
        time.sleep(3)  # 4.8 s of silence would be the end: 2.4 heartbeats
    say(desk, venue, ["good 1 112=STILL|"])
    wait_until("the answer", lambda: "|112=STILL|" in venue.text(), 30, daemon.check_alive)
    assert "Timed out" not in daemon.text()
    assert venue.text().count("|35=A|") == 1
