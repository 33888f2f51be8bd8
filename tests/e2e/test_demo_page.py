# SPDX-License-Identifier: Apache-2.0
"""The page over real programs: exchange, virtual board and daemon, with a market that moves and rules that fire."""

import json
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import connect

from fixaccel.demo.live import live, page_command, point_to
from lab.desk import INTERFACE, ROOT, Desk

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

_PATIENCE_S = 120.0
_LONGEST_S = 300.0
_NEAR = 118_580  # ticks: a few steps below the first rule, which a market from the middle is minutes away from


class Watcher(threading.Thread):
    """Looks at the page until it has seen what there is to see, and then kills."""

    def __init__(self, port: int) -> None:
        super().__init__(daemon=True)
        self._port = port
        self.seen: dict[str, Any] = {"names": set(), "fires": [], "fills": [], "trades": [], "killed": None}
        self.problem: BaseException | None = None

    def run(self) -> None:
        try:
            origin = f"http://127.0.0.1:{self._port}"
            with connect(f"ws://127.0.0.1:{self._port}/ws", origin=origin, max_size=None) as page:  # type: ignore[arg-type]
                while not self._enough():
                    self._take(json.loads(page.recv(_PATIENCE_S)))
                page.send('{"id": 1, "do": "kill"}')
                while "ok" not in (said := json.loads(page.recv(_PATIENCE_S))):
                    self._take(said)
                self.seen["answer"] = said
                while not self.seen["killed"]:
                    self._take(json.loads(page.recv(_PATIENCE_S)))
        except BaseException as error:  # noqa: BLE001 - it is the test's
            self.problem = error

    def _enough(self) -> bool:
        fires = [fire for fire in self.seen["fires"] if fire["cycles"]]
        # Its latency is asked for now and then, so it may be told behind the fire.
        timed = sum(self.seen.get("latency", {}).get("fabric", {}).get("counts", []))
        return bool(
            fires and timed and self.seen["fills"] and self.seen["trades"] and "NewOrderSingle" in self.seen["names"]
        )

    def _take(self, frame: dict[str, Any]) -> None:
        self.seen["names"] |= {message["name"] for message in frame.get("messages", [])}
        self.seen["trades"] += frame.get("trades", [])
        self.seen["fills"] += [
            order for order in frame.get("orders", []) if order["client"] == "CLIENT1" and order["status"] == "filled"
        ]
        accelerator = frame.get("accelerator") or {}
        self.seen["fires"] += accelerator.get("fires", [])
        self.seen["killed"] = accelerator.get("killed", self.seen["killed"])
        self.seen |= {key: accelerator[key] for key in ("rules", "latency", "limits") if key in accelerator}
        self.seen["books"] = self.seen.get("books", {}) | frame.get("books", {})
        self.seen["sessions"] = frame.get("sessions", self.seen.get("sessions"))


@pytest.fixture
def dictionary(tmp_path: Path) -> Path:
    file = tmp_path / "FIX44.xml"
    file.write_text(
        '<fix><messages><message name="NewOrderSingle" msgtype="D"/></messages>'
        '<fields><field number="35" name="MsgType"/></fields></fix>',
        encoding="utf-8",
    )
    return file


def test_fires_and_fills_of_a_moving_market_are_on_the_page_and_its_kill_switch_kills(
    tmp_path: Path, dictionary: Path
) -> None:
    command = [sys.executable, "-m", "fixaccel", *page_command(tmp_path, "127.0.0.1:0", INTERFACE)]
    command += ["--dictionary", str(dictionary)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as page, Desk(tmp_path) as desk:
        assert page.stdout is not None
        try:
            watcher = Watcher(int(page.stdout.readline().strip().rstrip("/").rpartition(":")[2]))
            watcher.start()  # the sources come later
            point_to(tmp_path, desk)
            end = time.monotonic() + _LONGEST_S
            live(desk, lambda: not watcher.is_alive() or time.monotonic() > end, print, middle=_NEAR)
        finally:
            page.terminate()
        assert page.wait(60) == 0
        killed = [line for line in desk.journal_lines() if line["type"] == "kill"]
    assert not watcher.is_alive(), watcher.seen
    assert watcher.problem is None, watcher.problem
    seen = watcher.seen
    assert seen["answer"] == {"id": 1, "ok": True}
    assert [line["on"] for line in killed] == [True]
    assert killed[0]["by"].endswith(f"process {page.pid}, dashboard")
    assert {rule["rule"] for rule in seen["rules"]} == {
        "sell-the-rise", "buy-the-dip", "breakout", "stop", "futures-dip"
    }  # fmt: skip
    assert sum(seen["latency"]["fabric"]["counts"]) > 0
    assert set(seen["books"]) == {"7203", "CLZ6", "ESZ6", "MSFT"}
    assert len(seen["books"]["MSFT"]["bids"]) >= 8
    assert any(trade["buyer"] == "CLIENT1" or trade["seller"] == "CLIENT1" for trade in seen["trades"])
