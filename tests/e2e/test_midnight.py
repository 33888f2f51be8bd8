# SPDX-License-Identifier: Apache-2.0
"""Midnight UTC is a moment like any other: the session goes on, and the orders sent then carry the new date."""

import re
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from fixaccel.lab.capture import examine
from fixaccel.lab.desk import VENUE, fixaccel
from fixaccel.lab.processes import wait_until
from lab.clock import Clock
from lab.desk import Desk
from lab.scenario import end, play
from lab.venue import say, start

pytestmark = [pytest.mark.e2e, pytest.mark.slow, pytest.mark.waits]

_STEPS = 24
_STRATEGY = f"""\
fixaccel: 1
venue: {VENUE}
limits: {{order_qty: 10}}
rules:
  - id: fall
    instrument: MSFT
    when: last <= 1180
    ladder: {{step: -0.5, count: {_STEPS}}}
    order: {{side: sell, qty: 1, type: limit, price: trigger}}
  - id: trail
    instrument: ESZ6
    trail: {{source: bid, by: 20 ticks}}
    order: {{side: sell, qty: 1, type: limit, price: trigger - 10 ticks}}
"""
# One every 100 ms, from just before midnight on: the daemon sets the fabric's clock less than once a second.
_FALL = "".join(
    f"- trade: {{instrument: MSFT, price: {1180 - step / 2}, size: 1}}\n- wait: 80ms\n" for step in range(24)
)
_LEAD_NS = 1_200_000_000  # half of the fall
_TRAIL = """\
- quote: {instrument: ESZ6, bid: 6820, bid_size: 40, ask: 6821, ask_size: 40}
- quote: {instrument: ESZ6, bid: 6810, bid_size: 40, ask: 6811, ask_size: 40}
"""


@pytest.fixture(scope="module")
def ladder(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, float]:
    """The bundle, and for how long before midnight a desk has to begin that is to be ready then."""
    begin = time.monotonic()
    folder = tmp_path_factory.mktemp("midnight")
    (folder / "strategy.yaml").write_text(_STRATEGY, encoding="utf-8")
    fixaccel("compile", str(folder / "strategy.yaml"), "-o", str(folder / "bundle"))
    return folder / "bundle", 30 + 10 * (time.monotonic() - begin)


def day(order: bytes) -> str:
    """Date of an order's SendingTime."""
    return order.partition(b"\x0152=")[2][:8].decode("ascii")


def test_a_session_and_its_stops_go_on_over_midnight(desk: Desk, ladder: tuple[Path, float]) -> None:
    bundle, early_s = ladder
    desk.clock = clock = Clock(desk.folder, early_s)
    capture = desk.start_capture()
    desk.start_board()
    play(desk, _FALL + _TRAIL + f"- wait_for: {{orders: {_STEPS + 1}, timeout: 20s}}\n- wait: 3s\n- logout: CLIENT1\n")
    config = desk.folder / "fixacceld.toml"
    config.write_text("[limits]\nclock_max_age_ms = 4294\n", encoding="utf-8")  # the most that there is
    daemon = desk.start_armed(bundle, deploy=True, config=config)
    assert clock.now_ns() < clock.midnight_ns - _LEAD_NS, "this machine was too slow to get ready before midnight"
    clock.sleep_until(clock.midnight_ns - _LEAD_NS)
    desk.tell("armed")
    journal = end(desk, daemon)
    capture.stop()
    record = desk.record()
    fires = [line for line in journal if line["type"] == "fire"]
    assert [fire["outcome"] for fire in fires] == ["sent"] * (_STEPS + 1)
    assert [line["event"] for line in record if line["event"] in ("logon", "logout")] == ["logon", "logout"]
    assert sum(line["type"] == "reset" for line in journal) == 1, "the beginning of a new journal"
    today, tomorrow = (datetime.fromtimestamp(clock.midnight_ns / 1e9 + by, UTC).strftime("%Y%m%d") for by in (-1, 0))
    findings = examine(desk.pcap, desk.client_address())
    assert findings.faults() == []
    dates = [day(order) for order in findings.orders]
    before = dates.count(today)
    assert 0 < before < _STEPS, "orders on both sides of midnight"
    assert dates == [today] * before + [tomorrow] * (_STEPS + 1 - before)
    # The clock that the fabric fires by is the venue's own, to the lag of a simulated board.
    late = [fire["trigger_time_ns"] >= clock.midnight_ns for fire in fires]
    assert late == [date == tomorrow for date in dates]


_BUSY_S = 1.5  # before midnight and behind it


def test_midnight_in_the_middle_of_dense_traffic(desk: Desk, ladder: tuple[Path, float]) -> None:
    bundle, early_s = ladder
    desk.clock = clock = Clock(desk.folder, early_s)
    desk.remove_board()  # a virtual one is what the daemon would wait for
    venue = start(desk)
    daemon = desk.start_armed(bundle, deploy=True)
    begin_ns = clock.midnight_ns - int(_BUSY_S * 1e9)
    assert clock.now_ns() < begin_ns, "this machine was too slow to get ready before midnight"
    clock.sleep_until(begin_ns)
    # The engine is busy all the while, in calls that are shorter than its clock would go on in one.
    say(desk, venue, [f"volley {2 * _BUSY_S} 20"], 90)
    lines = [line for line in venue.text().splitlines() if "|35=0|" in line and "|112=V" in line]
    answers = [dict(re.findall(r"(\d+)=([^|]*)\|", line)) for line in lines]
    assert [answer["112"] for answer in answers] == [f"V{i}" for i in range(len(answers))]
    today, tomorrow = (datetime.fromtimestamp(clock.midnight_ns / 1e9 + by, UTC).strftime("%Y%m%d") for by in (-1, 0))
    dates = [answer["52"][:8] for answer in answers]
    before = dates.count(today)
    assert 0 < before < len(dates), "answers on both sides of midnight"
    assert dates == [today] * before + [tomorrow] * (len(dates) - before)
    numbers = [int(answer["34"]) for answer in answers]
    assert numbers == sorted(set(numbers)), "its numbers go on"
    assert venue.text().count("|35=A|") == 1, "one logon"
    assert "|35=5|" not in venue.text()
    say(desk, venue, ["good W 55=MSFT|268=1|269=2|270=1180|271=1|"])
    wait_until("the order", lambda: "|35=D|" in venue.text(), 60, daemon.check_alive)
    status = desk.status()
    assert status["armed"], status["fabric"]
    journal = desk.journal_lines()
    assert sum(line["type"] == "armed" for line in journal) == 1
    assert sum(line["type"] == "reset" for line in journal) == 1, "the beginning of a new journal"
