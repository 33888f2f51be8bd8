# SPDX-License-Identifier: Apache-2.0
"""`commit: message`: orders that may begin ahead of their frame's end, on a real session; what the daemon says."""

import re
from pathlib import Path

import pytest

from fixaccel.lab.capture import examine
from fixaccel.lab.desk import VENUE, fixaccel
from fixaccel.lab.processes import Process, wait_until
from lab.desk import Desk
from lab.scenario import finish, play
from lab.venue import say, start

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

_STRATEGY = """\
fixaccel: 1
venue: venue.yaml
rules:
  - id: fall
    instrument: MSFT
    when: last <= 1180
    ladder: {step: -1, count: 3}
    order: {side: sell, qty: 1, type: limit, price: 1100}
"""
# Trades of one moment, which the venue may send in one frame: the first fires ahead of what follows it.
_FALLS = "".join(
    f"- wait_for: {{file: fall{n}, timeout: 120s}}\n"
    f"- trade: {{instrument: MSFT, price: {1180 - n}, size: 1}}\n"
    + "".join(
        f"- quote: {{instrument: CLZ6, bid: {60 - i}, bid_size: 5, ask: {61 + i}, ask_size: 5}}\n" for i in range(6)
    )
    for n in range(3)
)


def compiled(folder: Path, commit: str) -> Path:
    venue = Path(VENUE).read_text(encoding="utf-8")
    (folder / "venue.yaml").write_text(f"{venue}commit: {commit}\n", encoding="utf-8")
    (folder / "strategy.yaml").write_text(_STRATEGY, encoding="utf-8")
    fixaccel("compile", str(folder / "strategy.yaml"), "-o", str(folder / commit))
    return folder / commit


def test_the_mode_is_loaded_shown_and_journalled(desk: Desk, tmp_path: Path) -> None:
    desk.start_board()
    play(desk, _FALLS + "- wait_for: {file: seen, timeout: 120s}\n- logout: CLIENT1\n")
    daemon = desk.start_armed(compiled(tmp_path, "message"), deploy=True)
    desk.tell("armed")
    shown = desk.status()["commit"]
    assert shown["mode"] == "message"
    assert shown["ahead"] > 0
    assert "commit    message: orders begin up to" in fixaccel("status", "--to", desk.control).stdout
    desk.tell("fall0")
    assert [fire["outcome"] for fire in desk.wait_for_fires(1)] == ["sent"]

    # Another mode is not one that a load while armed may change.
    fixaccel("deploy", str(compiled(tmp_path, "frame")), "--to", desk.control)
    desk.wait_armed(daemon)
    assert desk.status()["commit"] == {"mode": "frame", "ahead": 0, "aborted": shown["aborted"]}
    desk.tell("fall1")
    desk.wait_for_fires(2)
    fixaccel("deploy", str(tmp_path / "message"), "--to", desk.control)
    desk.wait_armed(daemon)
    desk.tell("fall2")
    desk.wait_for_fires(3)
    loads = [line["commit"] for line in finish(desk, daemon) if line["type"] == "load"]
    assert loads == ["message", "frame", "message"]


def fall_to(desk: Desk, venue: Process, price: int) -> None:
    """A trade and seven higher ones, all in one frame."""
    say(desk, venue, [f"many 8 W 55=MSFT|268=1|269=2|270={price // 10}{{}}|271=1|"])


def orders(venue: Process) -> list[str]:
    return [line for line in venue.text().splitlines() if "|35=D|" in line]


def test_a_bad_frame_spends_the_rule_and_no_number(desk: Desk, tmp_path: Path) -> None:
    """The frame that fires has a wrong FCS: the venue gets no order; armed again, the rule sends the next one."""
    capture = desk.start_capture()
    desk.start_board("--corrupt-holding", "270=1180\x01")
    venue = start(desk)
    daemon = desk.start_armed(compiled(tmp_path, "message"), deploy=True)
    fall_to(desk, venue, 1180)
    (fire,) = desk.wait_for_fires(1)
    assert (fire["rule"], fire["outcome"]) == ("fall[1]", "rejected:frame")
    # What was sent again fires nothing: the rule is spent.
    say(desk, venue, ["good 1 112=AGAIN|"])
    wait_until("a heartbeat behind it", lambda: "|112=AGAIN|" in venue.text(), 60, daemon.check_alive)
    assert desk.status()["commit"]["aborted"] == 1
    assert orders(venue) == []
    assert "  fall[1]: frame, " in fixaccel("status", "--to", desk.control).stdout

    fixaccel("arm", "fall[1]", "--to", desk.control)
    desk.wait_armed(daemon)
    fall_to(desk, venue, 1180)
    wait_until("the order", lambda: len(orders(venue)) == 1, 60, daemon.check_alive)
    fall_to(desk, venue, 1170)
    wait_until("two more", lambda: len(orders(venue)) == 3, 60, daemon.check_alive)
    fires = desk.wait_for_fires(4)
    assert [(one["rule"], one["outcome"]) for one in fires[1:]] == [(f"fall[{n}]", "sent") for n in (1, 2, 3)]
    status = desk.status()
    assert status["armed"]
    assert status["commit"]["aborted"] == 1
    assert daemon.stop() == 0, daemon.text()
    capture.stop()
    # No number was used for what did not leave, in either of the two streams.
    numbers = [int(found) for found in re.findall(r"\|34=(\d+)\|", venue.text())]
    assert numbers == list(range(1, len(numbers) + 1))
    assert len(examine(desk.pcap, desk.client_address()).orders) == 3
