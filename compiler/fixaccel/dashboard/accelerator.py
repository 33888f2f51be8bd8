# SPDX-License-Identifier: Apache-2.0
"""The accelerator's part of the page, from a daemon's control API. No socket and no clock."""

import itertools
from collections import deque
from collections.abc import Iterable
from typing import Any

from fixaccel.board.limits import limit_name

Json = dict[str, Any]

FIRES = 200
_CONNECTED, _WAITING = "connected", "waiting"
_SESSION = ("phase", "armed", "dry_run", "killed", "logged_on", "problem", "strategy")


class Accelerator:
    """What is known, and which of its parts have changed. ``clock_hz``: of the board; 0: nobody knows."""

    def __init__(self, clock_hz: int = 0) -> None:
        self._cycle = {"cycle_ns": 1e9 / clock_hz} if clock_hz else {}
        self._parts: Json = {"state": _WAITING, "why": "not connected yet"}
        self._fires: deque[Json] = deque(maxlen=FIRES)
        self._states: dict[str, str] = {}
        self._changed: set[str] = set(self._parts)
        self._new_fires: list[Json] = []
        self._all_anew = False

    def away(self, why: str) -> None:
        """Nobody knows what holds now."""
        self._set(state=_WAITING, why=why)

    def apply(self, event: Json) -> bool:
        """One event of the daemon. Returns whether more has changed than it says: the rest is to be asked for."""
        kind = event["event"]
        if kind == "away":
            self.away(event["reason"])
            return False
        self._set(state=_CONNECTED, why="")
        if kind == "session":
            self._set(**{key: event[key] for key in _SESSION if key in event})
        elif kind == "rule":
            self._states[event["id"]] = event["state"]
            self._set(rules=[self._with_state(rule) for rule in self._parts.get("rules", [])])
        elif kind == "fire":
            self._fired([event])
        return kind in {"fire", "limit", "session", "rule"}

    def set_rules(self, rules: Iterable[Json]) -> None:
        """Of the answer to `rules`."""
        found = [rule_view(rule) for rule in rules]
        self._states = {rule["rule"]: rule["state"] for rule in found}
        self._set(rules=found)

    def set_limits(self, limits: Iterable[Json]) -> None:
        """Of the answer to `limits`."""
        self._set(limits=[limit_view(limit) for limit in limits])

    def set_fires(self, fires: Iterable[Json]) -> None:
        """Of the answer to `fires`: those from before we came."""
        self._fires.clear()
        self._new_fires = []
        self._all_anew = True
        self._fired(fires)

    def set_latency(self, tally: Json) -> None:
        """Of the answer to `metrics`."""
        fabric, software = tally["fabric_cycles"], tally["runtime_ns"]
        self._set(
            latency={
                "fabric": {"edges_cycles": fabric["bounds"], "counts": apart(fabric), **self._cycle},
                "software": {"edges_ns": software["bounds"], "counts": apart(software)},
            }
        )

    def take(self) -> Json:
        """Parts that have changed since the last call, of the fires those that are new; with ``full`` all of it."""
        taken = {key: self._parts[key] for key in self._changed}
        if self._new_fires:
            taken["fires"] = self._new_fires
        if self._all_anew:
            taken = self.everything()
        self._changed, self._new_fires, self._all_anew = set(), [], False
        return taken

    def everything(self) -> Json:
        """All of it."""
        return {"full": True, **self._parts, "fires": list(self._fires)}

    def _set(self, **parts: object) -> None:
        for key, value in parts.items():
            if key not in self._parts or self._parts[key] != value:
                self._parts[key] = value
                self._changed.add(key)

    def _fired(self, fires: Iterable[Json]) -> None:
        known = {_identity(fire) for fire in self._fires}  # one may be told and be in the answer to a question, too
        found = [fire_view(fire, self._orders()) for fire in fires][-FIRES:]
        found = [fire for fire in found if _identity(fire) not in known]
        self._fires += found
        self._new_fires = [*self._new_fires, *found][-FIRES:]

    def _orders(self) -> Json:
        return {rule["rule"]: rule["order"] for rule in self._parts.get("rules", [])}

    def _with_state(self, rule: Json) -> Json:
        return {**rule, "state": self._states.get(rule["rule"], rule["state"])}


def _identity(fire: Json) -> tuple[object, ...]:
    return (fire["time_ns"], fire["rule"], fire["cl_ord_id"], fire["outcome"])


def rule_view(rule: Json) -> Json:
    """A rule as the page has it."""
    return {
        "rule": rule["id"],
        "instrument": rule["instrument"],
        "when": f"{rule['source']} {rule['direction']} {rule['threshold']}",
        "source": rule["source"],
        "direction": rule["direction"],
        "threshold": rule["threshold"],
        "side": rule["order"]["side"],
        "order": rule["order"],
        "state": rule["state"],
        "placement": rule["where"],
        "uses": rule["fires"],
    }


def fire_view(fire: Json, orders: Json) -> Json:
    """A fire as the page has it; ``orders``: terms of the rules that are loaded."""
    rule = fire.get("rule", "")
    return {
        "time_ns": fire.get("trigger_time_ns"),
        "rule": rule,
        "symbol": fire.get("instrument"),
        "price": fire.get("observed"),
        "side": orders.get(rule, {}).get("side"),
        "qty": orders.get(rule, {}).get("qty"),
        "cycles": fire.get("cycles"),
        "took_ns": fire.get("took_ns"),
        "where": fire.get("where"),
        "outcome": fire.get("outcome"),
        "cl_ord_id": fire.get("cl_ord_id"),
    }


def limit_view(limit: Json) -> Json:
    """A limit as the page has it; ``used`` is None where nothing is counted."""
    used = limit.get("used")
    if "bought" in limit:
        used = str(int(limit["bought"]) + int(limit["sold"]))
    return {**limit, "name": limit_name(limit), "used": used, "limit": limit["value"]}


def apart(histogram: Json) -> list[int]:
    """Counts of each bin from the daemon's, which are of all up to a bound; one bin more for what is beyond."""
    upto = [0, *histogram["counts"], histogram["count"]]
    return [after - before for before, after in itertools.pairwise(upto)]
