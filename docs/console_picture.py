# SPDX-License-Identifier: Apache-2.0
"""Draws the console with a moment of trading, as the terminal shows it."""

import asyncio
import re
from typing import Any

from fixaccel.console.algorithms import Best
from fixaccel.console.app import Console

_SIZE = (132, 36)
_BEGAN_NS = 1_772_461_867 * 10**9  # 2026-03-02 14:31:07
# Where a reader has the font it is used; nothing is fetched for it.
_FONTS = re.compile(r"@font-face \{.*?\}", re.DOTALL)

Event = dict[str, Any]


def _book(name: str, bids: list[list[str]], asks: list[list[str]], last: str) -> Event:
    return {"event": "book", "instrument": name, "bids": bids, "asks": asks, "last": [last, "1"]}


def _order(number: int, *, by: str = "", rule: str = "", **more: str) -> Event:
    name = f"YMJT01Z141Z3{number:08}" if by else f"YMJT{number:08}00000001"
    known: Event = {"event": "order", "cl_ord_id": name, "by": by, "rule": rule, "time_ns": _BEGAN_NS + number * 10**9}
    known |= {"instrument": "MSFT", "type": "limit", "tif": "day", "account": "CLIENT1", "replaces": "", "asked": ""}
    return {**known, "avg_px": "", "text": "", **more}


def _events() -> list[Event]:
    session: Event = {"event": "session", "phase": "armed", "armed": True, "dry_run": False, "killed": False}
    rests = _order(1, by="user 1000, process 4711", side="buy", qty="5", price="1184", status="new", cum_qty="0")
    best = _order(2, by="user 1000, process 4711", side="buy", qty="3", price="1184.99", status="new", cum_qty="0")
    sold = _order(0, rule="protect-msft", side="sell", qty="2", price="1100", status="new", cum_qty="0")
    fire: Event = {"event": "fire", "rule": "protect-msft", "observed": "1180", "threshold": "1180", "outcome": "sent"}
    fire |= {"msg_seq_num": 9, "cl_ord_id": sold["cl_ord_id"], "cycles": 8, "trigger_time_ns": _BEGAN_NS}
    return [
        {**session, "problem": "", "strategy": "quickstart"},
        _book("7203", [["2999.5", "1000"]], [["3000", "1000"]], "3000"),
        _book("ESZ6", [["6800.25", "40"]], [["6800.5", "40"]], "6800.5"),
        _book(
            "MSFT",
            [["1184.99", "500"], ["1184.98", "120"], ["1184.5", "80"], ["1184", "5"]],
            [["1185.01", "500"], ["1185.02", "40"], ["1185.1", "300"]],
            "1185",
        ),
        fire,
        sold,
        {**sold, "status": "filled", "cum_qty": "2", "avg_px": "1180"},
        rests,
        best,
        {**best, "status": "partially filled", "cum_qty": "1", "avg_px": "1184.99"},
    ]


async def _draw() -> str:
    app = Console("unix:", listen=False)
    async with app.run_test(size=_SIZE) as pilot:
        for event in _events():
            app.take(event)
        working = Best.of("MSFT", "buy", "3")
        working.order = "YMJT01Z141Z300000002"
        app.algorithms.append(working)
        app.show()
        app.query_one("#instruments").focus()
        await pilot.press("down", "down")
        app.show()
        await pilot.pause()
        return app.export_screenshot(title="fixaccel console")


def picture() -> str:
    """The screen as SVG."""
    return _FONTS.sub("", asyncio.run(_draw()))
