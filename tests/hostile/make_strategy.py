# SPDX-License-Identifier: Apache-2.0
"""The strategy, venue and board of the hostile wire: rules on ten instruments, and a thousand stops at one price.

Usage: make_strategy.py FOLDER [BASIS_POINTS] writes them, with a collar of so many basis points, and instruments.txt,
links.txt, decisions.txt, confirmed.txt and collar.txt for the reference; make_strategy.py --parameters prints the
capacities as Verilator parameters for CMake. The choice of rules is random but fixed by a seed, so every build has the
same.
"""

import random
import sys
from decimal import Decimal
from pathlib import Path

from decided_rules import Decision, decision
from linked_rules import Linker, Rule, links, threshold

RULES_PER_INSTRUMENT = 44
RANGE = 5000  # ticks between the middle and the ends of the price range
CAPACITY = {"instruments": 16, "triggers": 2048, "intervals": 64, "orders": 512, "templates": 64, "groups": 64}
PARAMETERS = ("instruments", "triggers", "orders", "templates", "groups")
# Tick, middle of the market, lot. Symbols of one character and of the most, a pair of which one begins the other,
# coarse and fine ticks, prices on both sides of zero.
INSTRUMENTS = {
    "MSFT": ("0.01", "1180", 1),
    "ESZ6": ("0.25", "6800", 1),
    "7203": ("0.5", "3000", 100),
    "CLZ6": ("0.01", "0", 1),
    "F": ("0.0001", "12.5", 1),
    "EUR/USD": ("0.00001", "1.1", 1000),
    "TWELVECHARS1": ("0.05", "100", 1),
    "AB": ("1", "50000", 1),
    "ABC": ("0.1", "-40", 1),
    "Z.-_9": ("0.125", "4096", 10),
}
# What has a decision, and so no threshold `>=` of its source.
DECIDED = [
    ("7203", "last"),
    ("ESZ6", "bid"),
    ("ESZ6", "ask"),
    ("CLZ6", "mid"),
    ("EUR/USD", "last"),
    ("TWELVECHARS1", "mid"),
    ("ABC", "last"),
]
# What takes two observations: scenarios, which promise fires of the first message, come to offers last. Not too many.
CONFIRMED = [("MSFT", "ask"), ("F", "ask"), ("AB", "ask"), ("Z.-_9", "ask")]
# Rules of these stand alone: behind a fire that arms, quotes at line rate fill the fabric's queue.
ALONE = {"AB", "ABC"}
# The last one is quoted by the scenario of a burst alone: all its stops stand at one price, a tick below the middle.
BURST, BURST_STOPS = ("BURST", ("1", "6000", 1)), 1000

BOARD = """\
fixaccel-board: 1
name: hostile
part: xc7z020clg400-1
clock: 125MHz
interface: wire
bytes_per_beat: 1
capacity: {%s}
"""
VENUE = """\
fixaccel-venue: 1
name: hostile
time_zone: UTC
session:
  begin_string: FIX.4.4
  sender_comp_id: CLIENT1
  target_comp_id: VENUE
  connect: 10.0.0.1:9878
  heartbeat: 30s
market_data: {message: snapshot}
commit: message
instruments:
"""
STRATEGY = """\
fixaccel: 1
venue: venue.yaml
defaults:
  order: {tif: day, account: CLIENT1}
"""


def rules(choice: random.Random) -> list[Rule]:
    """The rules of the instruments that are quoted all the time."""
    out: list[Rule] = []
    for symbol, terms in INSTRUMENTS.items():
        for _ in range(RULES_PER_INSTRUMENT):
            out.append(threshold(len(out), symbol, terms, choice, DECIDED, CONFIRMED))
    out += [decision(len(out) + n, *place, INSTRUMENTS[place[0]], choice) for n, place in enumerate(DECIDED)]
    Linker([rule for rule in out if rule.symbol not in ALONE], choice).link()
    choice.shuffle(out)
    return out


def burst() -> list[str]:
    """The stops at one price, each a line of YAML."""
    symbol, (tick, middle, lot) = BURST
    when = f"last <= {Decimal(middle) - Decimal(tick):f}"
    return [
        f"  - {{id: burst{number}, instrument: {symbol}, when: {when}, "
        f"order: {{side: sell, qty: {lot * (1 + number % 40)}, type: market}}}}"
        for number in range(BURST_STOPS)
    ]


def price_range(tick: str, middle: str) -> tuple[Decimal, Decimal]:
    """Lowest and highest price that is an observation."""
    return Decimal(middle) - RANGE * Decimal(tick), Decimal(middle) + RANGE * Decimal(tick)


def instruments() -> list[str]:
    """The venue's instruments, each a line of YAML."""
    return [
        f'  "{symbol}": {{tick: {tick}, lot: {lot}, price_range: {low:f}..{high:f}}}'
        for symbol, (tick, middle, lot) in (*INSTRUMENTS.items(), BURST)
        for low, high in [price_range(tick, middle)]
    ]


def limits() -> list[str]:
    """Symbol, tick, middle, lowest and highest price of each instrument, for the reference."""
    return [
        f"{symbol} {tick} {middle} {low:f} {high:f}"
        for symbol, (tick, middle, _) in (*INSTRUMENTS.items(), BURST)
        for low, high in [price_range(tick, middle)]
    ]


def main() -> None:
    """Writes the files, or prints the parameters."""
    if sys.argv[1] == "--parameters":
        print(";".join(f"-G{name.upper()}={CAPACITY[name]}" for name in PARAMETERS), end="")
        return
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    all_rules = rules(random.Random(7))
    lines = [rule.yaml() for rule in all_rules] + burst()
    board = BOARD % ", ".join(f"{name}: {value}" for name, value in CAPACITY.items())
    (folder / "board.yaml").write_text(board, encoding="utf-8")
    (folder / "venue.yaml").write_text(VENUE + "\n".join(instruments()) + "\n", encoding="utf-8")
    (folder / "instruments.txt").write_text("\n".join(limits()) + "\n", encoding="utf-8")
    decisions = [line for rule in all_rules if isinstance(rule, Decision) for line in rule.lines()]
    (folder / "decisions.txt").write_text("\n".join(decisions) + "\n", encoding="utf-8")
    confirmed = [part for rule in all_rules if "confirm: 2" in rule.text for part in rule.parts()]
    (folder / "confirmed.txt").write_text("\n".join(confirmed) + "\n", encoding="utf-8")
    (folder / "links.txt").write_text("\n".join(links(all_rules)) + "\n", encoding="utf-8")
    collar = int(sys.argv[2]) if len(sys.argv) > 2 else None
    (folder / "collar.txt").write_text("" if collar is None else f"{collar}\n", encoding="utf-8")
    head = "" if collar is None else f"limits: {{collar: {Decimal(collar) / 100}%}}\n"
    (folder / "strategy.yaml").write_text(STRATEGY + head + "rules:\n" + "\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
