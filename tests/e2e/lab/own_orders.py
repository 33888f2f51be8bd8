# SPDX-License-Identifier: Apache-2.0
"""Orders of rules and what becomes of them: as the daemon has them, and as a scripted venue reports on them."""

import re
from pathlib import Path

from fixaccel.board.control import ControlClient
from fixaccel.lab.desk import Json, fixaccel
from fixaccel.lab.processes import Process, wait_until
from lab.desk import Desk

_FIELDS = re.compile(r"(\d+)=([^|]*)\|")


def compiled(folder: Path, name: str, text: str) -> Path:
    """The bundle of a strategy."""
    (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    fixaccel("compile", str(folder / f"{name}.yaml"), "-o", str(folder / name))
    return folder / name


def rules(desk: Desk) -> dict[str, Json]:
    """What the daemon says of each rule."""
    with ControlClient(desk.control) as client:
        return {rule["id"]: rule for rule in client.ask("rules")["rules"]}


def states(desk: Desk, *names: str) -> tuple[str, ...]:
    found = rules(desk)
    return tuple(found[name]["state"] for name in names)


def armed_by_fills(desk: Desk) -> list[str]:
    """The rules that the fabric has armed, as its ring told it."""
    hits = [line for line in desk.journal_lines() if line["type"] == "watch" and line["watched"] == "fills"]
    return [hit["rule"] for hit in hits]


def orders(said: Process) -> list[dict[str, str]]:
    """The orders that a scripted venue has, the oldest first."""
    return [dict(_FIELDS.findall(line)) for line in said.text().splitlines() if "|35=D|" in line]


def sold(said: Process) -> list[tuple[float, str]]:
    """Price and quantity of those that sell, in the order of their prices."""
    return sorted((float(order["44"]), order["38"].lstrip("0")) for order in orders(said) if order["54"] == "2")


def order_of(said: Process, price: str) -> str:
    """ClOrdID of the order with that price."""
    wait_until(f"the order at {price}", lambda: any(float(o["44"]) == float(price) for o in orders(said)), 30)
    (found,) = [order["11"] for order in orders(said) if float(order["44"]) == float(price)]
    return found


def report(order: str, exec_id: str, kind: str, status: str, last: int, filled: int, more: str = "") -> str:
    """An ExecutionReport of 10: ExecType(150), OrdStatus(39), LastQty(32), CumQty(14)."""
    return (
        f"good 8 {more}37=V{order}|11={order}|17={exec_id}|150={kind}|39={status}|55=MSFT|54=1|38=10|32={last}|31=1178|"
        f"151={10 - filled}|14={filled}|6=1178|"
    )


def quote(ask: int) -> str:
    return f"good W 55=MSFT|268=2|269=0|270=1177|271=9|290=1|269=1|270={ask}|271=9|290=1|"
