# SPDX-License-Identifier: Apache-2.0
"""The demo's second half: a bracket, and rules that change while the board is armed and the market goes on."""

from pathlib import Path

from fixaccel.data import data_path
from fixaccel.lab.desk import VENUE, Desk, Json

_QUICKSTART, _BRACKET = (data_path(f"strategies/{name}.yaml") for name in ("quickstart", "bracket"))
# What the second generation changes: a stop, moved up.
_FLOOR, _MOVED_FLOOR = "when: last < 1174", "when: last < 1190"

# Rules that fire ahead of the load, in this order, behind those of the quickstart; and behind the load.
BEFORE, BEHIND = ["entry"], ["take-profit", "floor-msft"]
# States when first armed, ahead of the load, behind it and at the end. Prices that fired protect-msft and entry come
# again behind the load; take-profit cancels stop, whose price comes too.
MOMENTS = ("at first", "before the load", "behind it", "at the end")
STATES = {
    "protect-msft": ("armed", "fired", "fired", "fired"),
    "floor-msft": ("armed", "armed", "armed", "fired"),
    "entry": ("armed", "fired", "fired", "fired"),
    "take-profit": ("disarmed", "armed", "armed", "fired"),
    "stop": ("disarmed", "armed", "armed", "cancelled"),
}

LOAD_NOW = "MSFT trades on while the stop below it is moved up to 1190"
_END = "- logout: CLIENT1\n"
# Some seconds, at prices that the entry would fire at again, so far apart that a slow virtual board keeps up.
_TRADES = 300
_TRADE = """\
  - batch:
      - quote: {{instrument: MSFT, bid: 1200.4{0}, bid_size: 500, ask: 1200.5{0}, ask_size: 500}}
      - trade: {{instrument: MSFT, price: 1200.4{0}, size: 1}}
  - wait: 10ms
"""
# They begin with the load, however long whoever watches takes to look at the rules ahead of it.
_BEGIN = "  - wait_for: {file: loading, timeout: 120s}\n"
_EXITS = """\
  - wait_for: {file: loaded, timeout: 120s}
  - say: MSFT is bid through the take-profit
  - quote: {instrument: MSFT, bid: 1231, bid_size: 500, ask: 1231.01, ask_size: 500}
  - wait_for: {orders: 8, timeout: 20s}
  - say: MSFT falls through the stop, which is cancelled, and the one that was moved
  - batch:
      - quote: {instrument: MSFT, bid: 1179.99, bid_size: 500, ask: 1180, ask_size: 500}
      - trade: {instrument: MSFT, price: 1180, size: 10}
  - wait_for: {orders: 9, timeout: 20s}
  - wait_for: {file: seen, timeout: 60s}
"""


def generations(folder: Path) -> tuple[Path, Path]:
    """Writes the quickstart with the bracket's rules, and the same with a stop moved; returns both files."""
    text = _QUICKSTART.read_text(encoding="utf-8") + _BRACKET.read_text(encoding="utf-8").partition("\nrules:\n")[2]
    text = text.replace("venue: venues/simulator.yaml", f"venue: {VENUE}")
    if text.count(_FLOOR) != 1 or "id: take-profit" not in text:
        raise ValueError(f"{_QUICKSTART} and {_BRACKET} are not what the demo is made of")
    first, second = folder / "first.yaml", folder / "second.yaml"
    first.write_text(text, encoding="utf-8")
    second.write_text(text.replace(_FLOOR, _MOVED_FLOOR), encoding="utf-8")
    return first, second


def scenario(quickstart: Path, folder: Path) -> Path:
    """Writes the market of ``quickstart``, and what follows here in place of its logout; returns the file."""
    text = quickstart.read_text(encoding="utf-8")
    if not text.endswith(_END):
        raise ValueError(f"{quickstart} does not end with a logout")
    trades = "".join(_TRADE.format(place % 9) for place in range(_TRADES))
    more = f"  - wait_for: {{orders: 7, timeout: 20s}}\n  - say: {LOAD_NOW}\n{_BEGIN}{trades}{_EXITS}  {_END}"
    path = folder / "scenario.yaml"
    path.write_text(text.removesuffix(_END).rstrip(" ") + more, encoding="utf-8")
    return path


def states(desk: Desk) -> dict[str, str]:
    """State of each rule now, if it runs in the fabric."""
    return {rule["id"]: rule["state"] for rule in desk.status()["rules"] if rule["where"] == "fabric"}


def market_data(journal: list[Json], record: list[Json], since_ns: int) -> int:
    """Messages with market data from ``since_ns`` until the last flip from one generation to the next."""
    until_ns = max((line["time_ns"] for line in journal if line["type"] == "flipped"), default=0)
    return sum(since_ns < line["time_ns"] < until_ns for line in record if line["event"] == "market_data")


def faults(journal: list[Json], seen: list[dict[str, str]], behind: list[str]) -> list[str]:
    """What the load was to show and did not.

    ``seen``: states of rules at `MOMENTS`; ``behind``: rules that were to fire in the second generation.
    """
    wrong = [
        f"{rule} is {moment.get(rule)} {when}, expected {state}"
        for rule, expected in STATES.items()
        for when, moment, state in zip(MOMENTS, seen, expected, strict=True)
        if moment.get(rule) != state
    ]
    loads = [line for line in journal if line["type"] == "load"]
    if [load["how"] for load in loads] != ["disarmed", "hot"]:
        wrong.append(f"loads: {[load['how'] for load in loads]}, expected one to begin with and one while armed")
    second = [
        line["rule"] for line in journal if line["type"] == "fire" and line["generation"] == loads[-1]["generation"]
    ]
    if second != behind:
        wrong.append(f"fired behind the load: {second}, expected {behind}")
    arming = [line["type"] for line in journal if line["type"] in ("armed", "disarmed")]
    if arming != ["armed", "disarmed"]:
        wrong.append(f"the board was {arming}: it was to be armed all along")
    return wrong
