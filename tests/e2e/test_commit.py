# SPDX-License-Identifier: Apache-2.0
"""`commit: message`: orders that may begin ahead of their frame's end, on a real session; what the daemon says."""

from pathlib import Path

import pytest

from lab.desk import VENUE, Desk, fixaccel
from lab.scenario import finish, play, tell

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
    tell(desk, "armed")
    shown = desk.status()["commit"]
    assert shown["mode"] == "message"
    assert shown["ahead"] > 0
    assert "commit    message: orders begin up to" in fixaccel("status", "--to", desk.control).stdout
    tell(desk, "fall0")
    assert [fire["outcome"] for fire in desk.wait_for_fires(1)] == ["sent"]

    # Another mode is not one that a load while armed may change.
    fixaccel("deploy", str(compiled(tmp_path, "frame")), "--to", desk.control)
    desk.wait_armed(daemon)
    assert desk.status()["commit"] == {"mode": "frame", "ahead": 0, "aborted": shown["aborted"]}
    tell(desk, "fall1")
    desk.wait_for_fires(2)
    fixaccel("deploy", str(tmp_path / "message"), "--to", desk.control)
    desk.wait_armed(daemon)
    tell(desk, "fall2")
    desk.wait_for_fires(3)
    loads = [line["commit"] for line in finish(desk, daemon) if line["type"] == "load"]
    assert loads == ["message", "frame", "message"]
