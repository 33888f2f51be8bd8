# SPDX-License-Identifier: Apache-2.0
"""The pipeline as a whole: warnings, shipped files, files that cannot be read, and inputs that mean nothing."""

import os
import random
import shutil
import subprocess
import sys
from decimal import Decimal
from pathlib import Path

import pytest

from fixaccel.pipeline import PASSES, check_file, load_board, load_strategy

STRATEGIES = Path(__file__).parents[2] / "strategies"


def two(desk, first: str, second: str) -> list[str]:
    return desk.slugs(f"- {{id: a, instrument: MSFT, {first}}}\n- {{id: b, instrument: MSFT, {second}}}")


BUY, SELL = "order: {side: buy, qty: 1, type: market}", "order: {side: sell, qty: 1, type: market}"


@pytest.mark.parametrize(
    ("first", "second", "slugs"),
    [
        (f"when: last <= 100, {SELL}", f"when: last < 100.01, {SELL}", ["same-rules"]),
        (f"when: last <= 100, {SELL}", f"when: last <= 99, {SELL}", []),
        (f"when: last <= 100, {SELL}", f"when: last <= 50, {BUY}", ["self-trade"]),
        (f"when: last <= 100, {SELL}", f"when: last >= 100, {BUY}", ["self-trade"]),
        (f"when: last <= 100, {SELL}", f"when: last > 100, {BUY}", []),
        (f"when: last >= 100, {BUY}", f"when: last <= 100, {SELL}", ["self-trade"]),
        (f"when: last >= 100, {BUY}", f"when: bid <= 100, {SELL}", []),
    ],
)
def test_warnings_about_pairs(desk, first: str, second: str, slugs: list[str]) -> None:
    assert two(desk, first, second) == slugs


def test_never_marketable(desk) -> None:
    assert desk.rule_slugs(more="order: {side: sell, qty: 1, type: limit, price: 1180.01}") == ["never-marketable"]
    assert desk.rule_slugs(more="order: {side: sell, qty: 1, type: limit, price: 1180}") == []
    assert desk.rule_slugs(when="last >= 1180", more="order: {side: buy, qty: 1, type: limit, price: 1179}") == [
        "never-marketable"
    ]


# What the examples accept with open eyes: a stop that must trade.
ACCEPTED = {"quickstart.yaml": ["no-collar"], "mean-reversion.yaml": ["off-fabric"]}


def test_shipped_files_are_right() -> None:
    # Their tests run as tests, and scenarios are the exchange simulator's.
    others = {*STRATEGIES.rglob("*.test.yaml"), *(STRATEGIES / "scenarios").glob("*.yaml")}
    for path in sorted(set(STRATEGIES.rglob("*.yaml")) - others):
        assert [found.code.slug for found in check_file(path).diagnostics] == ACCEPTED.get(path.name, []), path
    board = load_board()
    assert board.board
    assert board.diagnostics == []


def test_quickstart_means_what_the_demo_shows() -> None:
    loaded = load_strategy(STRATEGIES / "quickstart.yaml")
    assert loaded.strategy
    lines = (STRATEGIES / "quickstart.yaml").read_text().splitlines()
    assert lines[1].startswith("# "), "a head comment says what it is"
    assert len({rule.instrument.symbol for rule in loaded.strategy.rules}) >= 3
    assert loaded.strategy.venue.session.host == "10.77.0.1"
    assert set(loaded.strategy.inputs) == {"quickstart.yaml", "venues/simulator.yaml"}


def test_loading_twice_gives_the_same(desk) -> None:
    first, second = ([(rule.id, rule.condition, rule.order) for rule in desk.rule().rules] for _ in range(2))
    assert first == second
    assert desk.rule().rules[0].instrument.to_price(118000) == Decimal(1180)


def test_passes_are_described() -> None:
    assert len({step.name for step in PASSES}) == len(PASSES)
    assert all(step.description for step in PASSES)


@pytest.mark.parametrize("kind", ["missing", "folder", "pipe", "loop"])
def test_files_that_cannot_be_read(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "strategy.yaml"
    if kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "loop":
        path.symlink_to(path)
    loaded = load_strategy(path)
    assert loaded.strategy is None
    assert [diagnostic.code.slug for diagnostic in loaded.diagnostics] == ["cannot-read"]


def test_a_file_without_permission(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path, _: int) -> int:
        raise PermissionError(13, "Permission denied", path)

    monkeypatch.setattr(os, "open", refuse)  # file modes do not stop the superuser
    loaded = load_strategy(tmp_path / "strategy.yaml")
    assert "Permission denied" in loaded.diagnostics[0].message


def test_mutated_strategies_never_raise(tmp_path: Path) -> None:
    """The quickstart and its venue with pieces of text changed: a strategy, or an error that says why not."""
    shutil.copytree(STRATEGIES, tmp_path / "s")
    choose = random.Random(11)
    words = [
        "0",
        "-1",
        "1e9",
        "99999999999",
        "last",
        "{}",
        "[]",
        "''",
        "~",
        "trigger",
        "MSFT",
        "&a",
        "*a",
        "x: y",
        "- ",
        "\n",
        "  ",
        ":",
        "'",
        "é",
    ]
    outcomes = set()
    for _ in range(400):
        target = tmp_path / "s" / choose.choice(["quickstart.yaml", "venues/simulator.yaml"])
        original = target.read_text()
        text = original
        for _ in range(choose.randint(1, 4)):
            place = choose.randrange(len(text))
            end = place + choose.choice([0, 1, 3, 8])
            text = text[:place] + choose.choice(words) + text[end:]
        target.write_text(text)
        loaded = load_strategy(tmp_path / "s" / "quickstart.yaml")
        assert (loaded.strategy is None) == any(diagnostic.is_error for diagnostic in loaded.diagnostics)
        outcomes.add(loaded.strategy is None)
        target.write_text(original)
    assert outcomes == {True, False}


def test_a_strategy_without_a_table_is_checked_without_arrow() -> None:
    """Importing that takes longer than most checks."""
    program = (
        "import sys; from fixaccel.pipeline import load_strategy; from pathlib import Path; "
        "import fixaccel.cli.check; print(load_strategy(Path(sys.argv[1])).failed, 'pyarrow' in sys.modules)"
    )
    line = [sys.executable, "-c", program, str(STRATEGIES / "bracket.yaml")]
    assert subprocess.run(line, capture_output=True, text=True, check=True).stdout.split() == ["False", "False"]
