# SPDX-License-Identifier: Apache-2.0
"""A strategy of stops one below the other, each a quarter from the next, and trades that reach so many of them."""

from pathlib import Path

from fixaccel.lab.desk import VENUE, fixaccel
from lab.hostile_venue import snapshot

_TOP, _STEP = 1180, 0.25


def ladder(folder: Path, count: int, *rules: str) -> Path:
    """Bundle of `fall[1]` to ``fall[count]`` on MSFT, and of ``rules`` (a list entry's text each) behind them."""
    strategy = folder / "ladder.yaml"
    fall = f"""\
id: fall
    instrument: MSFT
    when: last <= {_TOP}
    ladder: {{step: -{_STEP}, count: {count}}}
    order: {{side: sell, qty: 1, type: limit, price: 1300}}
"""
    entries = "".join(f"  - {rule.strip()}\n" for rule in (fall, *rules))
    strategy.write_text(f"fixaccel: 1\nvenue: {VENUE}\nrules:\n{entries}", encoding="utf-8")
    fixaccel("compile", str(strategy), "-o", str(folder / "ladder"))
    return folder / "ladder"


def trade_at(step: int) -> str:
    """A step of a scenario: a trade at the price of that rung, from 0."""
    return f"- trade: {{instrument: MSFT, price: {_TOP - _STEP * step}, size: 1}}\n"


def trade(rungs: int) -> str:
    """A line for the venue: a trade at a price that so many rungs of the ladder wait for."""
    return f"good W {snapshot('MSFT', str(_TOP - _STEP * (rungs - 1)))}"
