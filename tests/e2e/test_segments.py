# SPDX-License-Identifier: Apache-2.0
"""A journal of many small segments under kill -9: nothing is lost, nothing comes twice, and a start reads little."""

from pathlib import Path

import pytest

from fixaccel.board.journal import segments
from fixaccel.lab.desk import VENUE, fixaccel
from fixaccel.lab.processes import wait_until
from lab.desk import Desk
from lab.scenario import end, play

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

_SEGMENT_BYTES = 4096  # two or three fires
_STEPS = 6
_TRAIL_AT = 3  # with that step the runtime's rule fires too
_HIGH = 1190  # that the trail begins with
_QUOTES = 60


def price(step: int) -> int:
    return 1180 - step


def orders_behind(step: int) -> int:
    return step + 1 + (step >= _TRAIL_AT)


def _round(step: int) -> str:
    """Market data that satisfies nothing, then a trade that does."""
    quotes = "".join(
        f"- quote: {{instrument: MSFT, bid: {1184 - i % 2}, bid_size: 500, ask: {1186 + i % 2}, ask_size: 500}}\n"
        for i in range(_QUOTES)
    )
    return (
        f"- wait_for: {{file: step-{step}, timeout: 90s}}\n{quotes}"
        f"- trade: {{instrument: MSFT, price: {price(step)}, size: 1}}\n"
        f"- wait_for: {{orders: {orders_behind(step)}, timeout: 30s}}\n"
    )


@pytest.fixture(scope="module")
def stairs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("stairs")
    rules = "".join(
        f"  - {{id: s{step}, instrument: MSFT, when: last <= {price(step)},"
        " order: {side: sell, qty: 1, type: limit, price: 1100}}\n"
        for step in range(_STEPS)
    )
    by = _HIGH - price(_TRAIL_AT) - 0.5
    (folder / "stairs.yaml").write_text(
        f"fixaccel: 1\nvenue: {VENUE}\nlimits: {{collar: 20%}}\nrules:\n{rules}"
        f"  - {{id: trail, instrument: MSFT, trail: {{source: last, by: {by}}},"
        " order: {side: sell, qty: 1, type: limit, price: 1100}}\n",
        encoding="utf-8",
    )
    fixaccel("compile", str(folder / "stairs.yaml"), "-o", str(folder / "bundle"))
    config = folder / "bundle" / "client" / "small.toml"
    config.write_text(f'bundle = ".."\njournal_segment_bytes = {_SEGMENT_BYTES}\n', encoding="utf-8")
    return folder / "bundle"


def test_killed_behind_every_order(desk: Desk, stairs: Path) -> None:
    small = stairs / "client" / "small.toml"
    desk.start_board()
    high = f"- trade: {{instrument: MSFT, price: {_HIGH}, size: 1}}\n"
    play(desk, high + "".join(map(_round, range(_STEPS))) + "- wait: 300ms\n- logout: CLIENT1\n")
    daemon = desk.start_armed(stairs, config=small)
    desk.tell("armed")
    # A crash may cost a trail what it has seen last.
    wait_until("the trail to be kept", lambda: any(line["type"] == "trails" for line in desk.journal_lines()), 30)
    for step in range(_STEPS):
        if step:
            # The order is at the exchange; whatever the daemon is just doing, it does not get done.
            daemon.kill()
            daemon = desk.start_armed(stairs, config=small)
        desk.tell(f"step-{step}")
        wanted = orders_behind(step)
        wait_until("the order at the exchange", lambda n=wanted: len(desk.record("order")) == n, 30)
    journal = end(desk, daemon)
    assert sorted(fire["rule"] for fire in journal if fire["type"] == "fire") == [
        *(f"s{step}" for step in range(_STEPS)),
        "trail",
    ]
    files = segments(desk.journal)
    assert len(files) >= _STEPS
    assert [line for line in journal if line["type"] == "damaged"] == []
    starts = [line for line in journal if line["type"] == "open"]
    assert len(starts) == _STEPS
    # What it read is in the last segment, or in the one before while no snapshot was there yet.
    most = max(file.read_bytes().count(b"\n") for file in files)
    assert all(start["read"] <= 2 * most for start in starts), starts
    assert starts[-1]["records"] > 2 * most
