# SPDX-License-Identifier: Apache-2.0
"""How long the compiler takes to read and check ten thousand rules written by hand."""

import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import yaml

import market
from fixaccel.pipeline import load_strategy
from report import Figure, figure

RULES = 10_000
NOTE = (
    f"Seconds for a file of {RULES:,} rules of mixed forms, wall clock; a sample is a run. "
    "The ratio is to yaml.compose with the C loader; the bound is twice its time and half a second."
)
_SAMPLES = 5
SYMBOLS = market.symbols(100)
_HEAD = """fixaccel: 1
venue: venue.yaml
defaults:
  order: {tif: day, account: CLIENT1}
limits:
  order_qty: 5000
  order_notional: 100000000
  collar: 5%
rules:
"""
# Rules of each form in turn, in flow and in block style; NUMBER makes ids and prices differ.
_FORMS = """\
  - {id: stop-NUMBER, instrument: SYMBOL, when: last <= PRICE, order: {side: sell, qty: QTY, type: market}}

  - id: limit-NUMBER
    instrument: SYMBOL
    when: bid <= PRICE
    order:
      side: sell
      qty: QTY
      type: limit
      price: trigger - 5 ticks

  - id: entry-NUMBER
    instrument: SYMBOL
    when: last > PRICE
    confirm: 2
    during: ["09:30-11:00", "14:00-16:00"]
    order: {side: buy, qty: QTY, type: market}
    oco: pair-FIRST

  - {id: exit-NUMBER, instrument: SYMBOL, when: ask >= PRICE, oco: pair-FIRST, if_already_through: wait,
     order: {side: sell, qty: QTY, type: limit, price: PRICE}}

  - id: grid-NUMBER
    instrument: SYMBOL
    when: ask <= PRICE
    ladder: {step: -0.05, count: 10}
    order: {side: buy, qty: QTY, type: limit, price: trigger + 2 ticks}

  - id: trail-NUMBER
    instrument: SYMBOL
    trail: {source: last, by: 1.5%, activate: last >= PRICE}
    note: follows the high
    order: {side: sell, qty: QTY, type: market}

  - {id: again-NUMBER, instrument: SYMBOL, when: mid <= PRICE, rearm: {after: 30s, times: 3},
     order: {side: buy, qty: QTY, type: limit, price: trigger}}

  - id: child-NUMBER
    instrument: SYMBOL
    when: bid <= PRICE
    armed_by: stop-FIRST
    order: {side: sell, qty: QTY, type: market, tif: ioc}

  - id: bands-NUMBER
    instrument: SYMBOL
    decide:
      source: last
      intervals:
        - {from: 1000, to: 1010, order: {side: buy, qty: QTY, type: market}}
        - {from: 1020, to: 1030, order: {side: sell, qty: QTY, type: market}}
""".split("\n\n")  # noqa: SIM905 - as it looks in a file


def measure() -> list[Figure]:
    """Composing the tree alone, then the whole front half of the compiler."""
    with tempfile.TemporaryDirectory(prefix="fixaccel-bench-") as folder:
        path = Path(folder) / "rules.yaml"
        market.venue(Path(folder) / "venue.yaml", SYMBOLS)
        text = strategy(RULES)
        path.write_text(text, encoding="utf-8")
        compose = figure("yaml.compose", "s", _seconds(lambda: yaml.compose(text, Loader=yaml.CSafeLoader)))
        load = figure("load_strategy", "s", _seconds(lambda: _load(path)), compose)
    return [compose, load, figure("bound", "s", [2 * (compose.median or 0) + 0.5], compose)]


def strategy(rules: int) -> str:
    """So many rules over the instruments of `SYMBOLS`."""
    return _HEAD + "\n".join(_rule(number) for number in range(rules)) + "\n"


def _rule(number: int) -> str:
    first = number - number % len(_FORMS)
    values = {
        "NUMBER": str(number),
        "FIRST": str(first),
        "SYMBOL": SYMBOLS[number % len(SYMBOLS)],
        "PRICE": f"{1000 + number % 997}.{number % 10}",
        "QTY": str(1 + number % 50),
    }
    text = _FORMS[number % len(_FORMS)]
    for name, value in values.items():
        text = text.replace(name, value)
    return text


def _load(path: Path) -> None:
    loaded = load_strategy(path)
    if loaded.strategy is None:
        raise RuntimeError("\n".join(diagnostic.message for diagnostic in loaded.diagnostics[:5]))


def _seconds(work: Callable[[], object]) -> list[float]:
    samples = []
    for _ in range(_SAMPLES):
        start = time.perf_counter()
        work()
        samples.append(time.perf_counter() - start)
    return samples
