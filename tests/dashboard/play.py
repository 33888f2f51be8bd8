# SPDX-License-Identifier: Apache-2.0
"""Serves the dashboard over a market and a daemon that are made up: `python tests/dashboard/play.py [PORT] [SEED]`."""

import asyncio
import sys
import tempfile
from pathlib import Path

from fake_daemon import FakeDaemon
from fake_exchange import FakeExchange, RandomVenue


async def play(port: int, seed: int) -> None:
    with tempfile.TemporaryDirectory(prefix="dashboard-") as folder:
        exchange = FakeExchange(Path(folder) / "exchange.sock", RandomVenue(seed))
        daemon = FakeDaemon(Path(folder) / "control.sock", seed)
        await exchange.start()
        await daemon.start()
        sources = ["--exchange", f"unix:{exchange.path}", "--daemon", f"unix:{daemon.path}"]
        command = [sys.executable, "-m", "fixaccel", "dashboard", *sources, "--listen", f"127.0.0.1:{port}"]
        served = await asyncio.create_subprocess_exec(*command)
        plays = [asyncio.create_task(each.play()) for each in (exchange, daemon)]
        try:
            await served.wait()
        finally:
            for each in plays:
                each.cancel()
            if served.returncode is None:
                served.terminate()
                await served.wait()


if __name__ == "__main__":
    asyncio.run(play(int((sys.argv[1:2] or ["8765"])[0]), int((sys.argv[2:3] or ["7"])[0])))
