# SPDX-License-Identifier: Apache-2.0
"""A daemon's control socket without a daemon: rules over a moving price, fires, limits, a kill switch."""

import asyncio
import json
import random
import time
from pathlib import Path
from typing import Any

Json = dict[str, Any]

_RULES = [
    ("protect-msft", "MSFT", "last", "down", "411.50", "sell", "fabric"),
    ("breakout-msft", "MSFT", "ask", "up", "413.75", "buy", "fabric"),
    ("buy-the-dip", "AAPL", "ask", "down", "189.50", "buy", "fabric"),
    ("protect-toyota", "TOYOTA", "bid", "down", "2816.00", "sell", "runtime"),
]


class FakeDaemon:
    """Serves ``path``."""

    def __init__(self, path: Path, seed: int = 7) -> None:
        self.path = path
        self.asked: list[Json] = []
        self.armed, self.killed = True, False
        self._random = random.Random(seed)
        self._fires: list[Json] = []
        self._states = {rule[0]: "armed" for rule in _RULES}
        self._watchers: set[asyncio.StreamWriter] = set()
        self._writers: set[asyncio.StreamWriter] = set()
        self._cycles = [0] * 12
        self._server: asyncio.Server | None = None

    async def start(self) -> None:
        self._server = await asyncio.start_unix_server(self._serve, self.path)

    async def stop(self) -> None:
        assert self._server is not None
        self._server.close()
        for writer in list(self._writers):
            writer.close()
        await self._server.wait_closed()
        self.path.unlink(missing_ok=True)

    def publish(self, *events: Json) -> None:
        for writer in self._watchers:
            for event in events:
                writer.write(json.dumps(event).encode() + b"\n")

    async def play(self, every_s: float = 2.0) -> None:
        """A rule fires now and then, for ever."""
        while True:
            await asyncio.sleep(every_s)
            if self.armed and not self.killed:
                self.fire()

    def fire(self, rule: str | None = None) -> Json:
        names = {each[0]: each for each in _RULES}
        name, symbol, source, direction, threshold, _, where = names[rule or self._random.choice(list(names))]
        fire: Json = {
            "rule": name, "where": where, "instrument": symbol, "source": source, "direction": direction,
            "threshold": threshold, "observed": threshold, "outcome": "sent", "msg_seq_num": 10 + len(self._fires),
            "cl_ord_id": f"YMJT{len(self._fires):08}", "trigger_time_ns": time.time_ns(),
        }  # fmt: skip
        if where == "fabric":
            fire["cycles"] = self._random.choice((8, 8, 8, 9, 12))
            self._cycles = [
                n + (fire["cycles"] <= bound) for n, bound in zip(self._cycles, self._bounds(), strict=True)
            ]
        else:
            fire["took_ns"] = self._random.randint(40_000, 90_000)
        self._fires.append(fire)
        self.publish({"event": "fire", **fire}, {"event": "rule", "id": name, "state": "fired"})
        return fire

    @staticmethod
    def _bounds() -> list[int]:
        return [4, 6, 8, 10, 12, 16, 24, 32, 64, 128, 512, 2048]

    def session(self) -> Json:
        return {
            "event": "session", "phase": "armed" if self.armed else "ready", "armed": self.armed, "dry_run": False,
            "killed": self.killed, "logged_on": True, "waiting": False, "problem": "", "strategy": "quickstart",
        }  # fmt: skip

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        try:
            while line := await reader.readline():
                request = json.loads(line)
                self.asked.append(request)
                answer = self._answer(request)
                writer.write(json.dumps({"ok": "error" not in answer, **answer}).encode() + b"\n")
                if request["cmd"] == "watch":
                    self._watchers.add(writer)
                    writer.write(json.dumps(self.session()).encode() + b"\n")
                await writer.drain()
        except ConnectionError:
            pass
        finally:
            self._watchers.discard(writer)
            self._writers.discard(writer)
            writer.close()

    def _answer(self, request: Json) -> Json:
        command = request["cmd"]
        if command == "rules":
            return {"rules": [self._rule(*each) for each in _RULES], "strategy": "quickstart"}
        if command == "fires":
            return {"fires": self._fires[-request.get("last", 1000) :]}
        if command == "limits":
            return {"limits": self._limits(), "strategy": "quickstart"}
        if command == "metrics":
            return {"tally": self._tally(), "phase": self.session()["phase"]}
        if command in {"kill", "unkill", "arm", "disarm"}:
            return self._switch(command)
        return {} if command == "watch" else {"error": f'unknown command "{command}"'}

    def _switch(self, command: str) -> Json:
        if command == "arm" and self.killed:
            return {"error": "the kill switch is on: `fixaccel kill --undo` turns it off"}
        self.killed = {"kill": True, "unkill": False}.get(command, self.killed)
        self.armed = command == "arm"
        self.publish(self.session())
        return {}

    def _rule(self, rule: str, symbol: str, source: str, direction: str, threshold: str, side: str, where: str) -> Json:
        order = {"side": side, "qty": "100", "type": "limit", "price": threshold}
        return {
            "id": rule, "index": 0, "instrument": symbol, "source": source, "direction": direction,
            "threshold": threshold, "order": order, "where": where, "state": self._states[rule],
            "fires": sum(fire["rule"] == rule for fire in self._fires),
        }  # fmt: skip

    def _limits(self) -> list[Json]:
        return [
            {"limit": "order_qty", "value": "1000"},
            {"limit": "total_orders", "value": "200", "used": str(len(self._fires))},
            {"limit": "total_qty", "instrument": "MSFT", "value": "5000", "bought": "300", "sold": "100"},
        ]

    def _tally(self) -> Json:
        took = [fire["took_ns"] for fire in self._fires if "took_ns" in fire]
        bounds = [1e4, 2e4, 5e4, 1e5, 2e5, 5e5, 1e6, 2e6, 5e6, 1e7, 1e8]
        counts = [sum(one <= bound for one in took) for bound in bounds]
        fabric = [fire["cycles"] for fire in self._fires if "cycles" in fire]
        return {
            "fabric_cycles": {
                "bounds": self._bounds(), "counts": self._cycles, "count": len(fabric), "sum": float(sum(fabric)),
            },
            "runtime_ns": {"bounds": bounds, "counts": counts, "count": len(took), "sum": float(sum(took))},
        }  # fmt: skip
