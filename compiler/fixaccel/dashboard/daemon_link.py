# SPDX-License-Identifier: Apache-2.0
"""The daemon's side of the page: it is listened to in a thread of its own, and asked when something has changed."""

import asyncio
from contextlib import suppress
from typing import Any

from fixaccel.board.control import ControlClient, ControlError, ControlRefusedError
from fixaccel.console.link import Link
from fixaccel.dashboard.accelerator import Accelerator

Json = dict[str, Any]

AUTHOR = "dashboard"  # who asked, as the journal has it
SWITCHES = ("kill", "unkill", "arm", "disarm")

_PAUSE_S = 0.25  # between two rounds of questions
_ANYWAY_S = 2.0  # what nobody tells, such as counts of limits, is asked for that often


class DaemonLink:
    """Tells ``accelerator`` what the daemon at ``endpoint`` says, over its restarts."""

    def __init__(self, endpoint: str, accelerator: Accelerator) -> None:
        self._endpoint, self._accelerator = endpoint, accelerator
        self._stale = asyncio.Event()
        self._away = True
        self._knows_fires = False  # those from before we came

    async def run(self) -> None:
        """Until it is cancelled."""
        loop = asyncio.get_running_loop()

        def deliver(event: Json) -> None:
            with suppress(RuntimeError):  # the loop has ended meanwhile
                loop.call_soon_threadsafe(self._take, event)

        link = Link(self._endpoint, deliver)
        link.begin()
        try:
            while True:
                with suppress(TimeoutError):
                    async with asyncio.timeout(_ANYWAY_S):
                        await self._stale.wait()
                self._stale.clear()
                if not self._away:
                    await self._refresh()
                await asyncio.sleep(_PAUSE_S)
        finally:
            # Not on the loop: the thread may be about to hand something over to it.
            await asyncio.to_thread(link.end)

    async def switch(self, command: str) -> None:
        """`kill`, `unkill`, `arm` or `disarm`. Raises ControlError, ControlRefusedError with the daemon's reason."""
        await asyncio.to_thread(self._ask, command, author=AUTHOR)

    def _take(self, event: Json) -> None:
        was_away, self._away = self._away, event["event"] == "away"
        if self._accelerator.apply(event) or was_away:
            self._stale.set()
        if was_away and not self._away:
            self._knows_fires = False

    async def _refresh(self) -> None:
        try:
            answers = await asyncio.to_thread(self._questions, fires=not self._knows_fires)
        except (ControlError, ControlRefusedError):
            return  # the thread that listens says why
        try:
            self._accelerator.set_rules(answers["rules"]["rules"])
            self._accelerator.set_limits(answers["limits"]["limits"])
            self._accelerator.set_latency(answers["metrics"]["tally"])
            if "fires" in answers:
                self._accelerator.set_fires(answers["fires"]["fires"])
                self._knows_fires = True
        except (KeyError, TypeError, ValueError):
            self._accelerator.away(f"what {self._endpoint} says is not understood; is it a fixacceld?")

    def _questions(self, *, fires: bool) -> dict[str, Json]:
        with ControlClient(self._endpoint, timeout_s=5.0) as client:
            answers = {name: client.ask(name) for name in ("rules", "limits", "metrics")}
            return answers | ({"fires": client.ask("fires", last=200)} if fires else {})

    def _ask(self, command: str, **arguments: object) -> Json:
        with ControlClient(self._endpoint, timeout_s=10.0) as client:
            return client.ask(command, **arguments)
