# SPDX-License-Identifier: Apache-2.0
"""A desk to write strategies at: a folder with a venue file. And the pauses of what follows or watches something."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from fixaccel.diagnostics import Diagnostic
from fixaccel.diagnostics.codes.checks import NO_COLLAR
from fixaccel.language.rules import Strategy
from fixaccel.pipeline import load_strategy

VENUE = """\
fixaccel-venue: 1
name: test
time_zone: UTC
session: {begin_string: FIX.4.4, sender_comp_id: A, target_comp_id: B, connect: 127.0.0.1:9878, heartbeat: 30s}
market_data: {message: snapshot}
instruments:
  MSFT: {tick: 0.01, lot: 1, price_range: 0.01..10000}
  7203: {tick: {0: 0.1, 1000: 0.5, 5000: 1}, lot: 100, price_range: 0.1..100000}
  CLZ6: {tick: 0.01, lot: 1, multiplier: 1000, price_range: -100..500}
"""
MARKET = "order: {side: sell, qty: 100, type: market}"


class Desk:
    """A folder with a venue; loads strategies from text."""

    venue = VENUE

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "venue.yaml").write_text(VENUE)

    def load(self, rules: str, head: str = "") -> tuple[Strategy | None, list[Diagnostic]]:
        path = self.folder / "test.yaml"
        entries = "".join(f"  {line}\n" for line in rules.splitlines())
        path.write_text(f"fixaccel: 1\nvenue: venue.yaml\n{head}rules:\n{entries}")
        loaded = load_strategy(path)
        assert (loaded.strategy is None) == any(diagnostic.is_error for diagnostic in loaded.diagnostics)
        # Nearly all rules of these tests are market orders; what is said of those has a test of its own.
        return loaded.strategy, [diagnostic for diagnostic in loaded.diagnostics if diagnostic.code != NO_COLLAR]

    def rule(
        self, instrument: str = "MSFT", when: str = "last <= 1180", more: str = MARKET, head: str = ""
    ) -> Strategy:
        strategy, diagnostics = self.load(f"- id: a\n  instrument: {instrument}\n  when: {when}\n  {more}", head)
        assert strategy, [diagnostic.message for diagnostic in diagnostics]
        return strategy

    def slugs(self, rules: str, head: str = "") -> list[str]:
        return [diagnostic.code.slug for diagnostic in self.load(rules, head)[1]]

    def rule_slugs(self, instrument: str = "MSFT", when: str = "last <= 1180", more: str = MARKET) -> list[str]:
        return self.slugs(f"- id: a\n  instrument: {instrument}\n  when: {when}\n  {more}")


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Iterator[Callable[[], object]]]:
    """``pauses(module, *steps)``: where ``module`` pauses a step is taken, and behind the last the user ends it.
    Returns the steps that are still to come.
    """

    def of(module: ModuleType, *steps: Callable[[], object]) -> Iterator[Callable[[], object]]:
        waiting = iter(steps)

        def pause(_seconds: float) -> None:
            step = next(waiting, None)
            if step is None:
                raise KeyboardInterrupt
            step()

        # Only this module's clock: other threads sleep as they did.
        monkeypatch.setattr(module, "time", SimpleNamespace(**vars(time) | {"sleep": pause}))
        return waiting

    return of
