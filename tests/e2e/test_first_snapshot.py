# SPDX-License-Identifier: Apache-2.0
"""The first snapshots tell the fabric what they tell the runtime, also behind a logon that asks for messages again."""

from pathlib import Path

import pytest

from fixaccel.lab.desk import VENUE, fixaccel
from fixaccel.lab.processes import wait_until
from lab.desk import Desk
from lab.scenario import play

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

_STARTS = 5


def test_a_stop_behind_each_restart(desk: Desk, tmp_path: Path) -> None:
    # With a collar the first message of an instrument is its reference, and only the next may fire.
    rules = "".join(
        f"  - {{id: at-{1180 - start}, instrument: MSFT, when: last <= {1180 - start}, "
        "order: {side: sell, qty: 1, type: limit, price: 1100}}\n"
        for start in range(_STARTS)
    )
    strategy = tmp_path / "strategy.yaml"
    strategy.write_text(f"fixaccel: 1\nvenue: {VENUE}\nlimits: {{collar: 20%}}\nrules:\n{rules}", encoding="utf-8")
    fixaccel("compile", str(strategy), "-o", str(tmp_path / "bundle"))
    desk.start_board()
    steps = "".join(
        f"- wait_for: {{file: start-{start}, timeout: 90s}}\n"
        f"- trade: {{instrument: MSFT, price: {1180 - start}, size: 1}}\n"
        f"- wait_for: {{orders: {start + 1}, timeout: 60s}}\n"
        for start in range(_STARTS)
    )
    play(desk, steps + "- logout: CLIENT1\n")
    daemon = desk.start_armed(tmp_path / "bundle")
    desk.tell("armed")
    for start in range(_STARTS):
        if start:
            # It has not written down every number that it has had, so it asks for some messages once more.
            daemon.kill()
            daemon = desk.start_armed(tmp_path / "bundle")
        desk.tell(f"start-{start}")
        wait_until(
            "the order", lambda expected=start + 1: len(desk.record("order")) == expected, 20, daemon.check_alive
        )
