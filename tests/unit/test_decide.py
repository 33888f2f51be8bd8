# SPDX-License-Identifier: Apache-2.0
"""Decisions by a Python function: what comes out of it, and that nothing it does harms the compiler."""

import os
import time
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from fixaccel.cli.main import cli
from fixaccel.decide import Instrument, Order, sandbox
from fixaccel.decide.sandbox import Bounds
from fixaccel.language.forms import Decision
from fixaccel.language.rules import Strategy
from fixaccel.passes.meaning import decide
from fixaccel.pipeline import load_strategy
from fixaccel.settings import DECIDE_SECONDS_VARIABLE
from fixaccel.values import TickTable

IMPORTS = "import os, sys, time\nimport numpy as np\nfrom fixaccel.decide import Order, Orders, vectorized\n"
ASKED = "decide: {{source: {source}, over: {over}, python: fair.py:decide}}"
RULE = f"- {{{{id: fair, instrument: {{instrument}}, {ASKED}, {{order}}}}}}"
MARKET = "order: {side: sell, qty: 100, type: market}"


def ask(desk, body: str, instrument: str = "MSFT", source: str = "last", over: str = "10..10.1", order: str = MARKET):
    (desk.folder / "fair.py").write_text(IMPORTS + body)
    return desk.load(RULE.format(instrument=instrument, source=source, over=over, order=order))


def decision(desk, body: str, **more: str) -> Decision:
    strategy, diagnostics = ask(desk, body, **more)
    assert strategy, [diagnostic.message for diagnostic in diagnostics]
    form = strategy.blocks[0].form
    assert isinstance(form, Decision)
    return form


def intervals(form: Decision) -> list[tuple[int, int, int, int]]:
    """Low, high, quantity and side code."""
    columns = (form.low, form.high, form.orders.qty, form.orders.side)
    return list(zip(*(column.tolist() for column in columns), strict=True))


def test_equal_neighbours_are_one_interval(desk) -> None:
    body = """
def decide(price, instrument):
    if price < 10 + instrument.tick(price) * 3:
        return Order(side="buy", qty=instrument.lot)
    return Order() if price >= 10 + 5 * instrument.tick(price) else None
"""
    form = decision(desk, body)
    assert intervals(form) == [(1000, 1002, 1, 0), (1005, 1010, 100, 1)]
    assert form.over == (1000, 1010)


def test_the_price_is_a_decimal_at_every_tick_of_the_table(desk) -> None:
    body = """
def decide(price, instrument):
    assert type(price).__name__ == "Decimal"
    return Order(type="limit", price=instrument.step(price, -1), qty=int(price * 10))
"""
    form = decision(desk, body.replace("int(price * 10)", "100"), instrument='"7203"', over="999.8..1001", order=MARKET)
    assert form.low.tolist() == [9998, 9999, 10000, 10005, 10010]
    assert form.orders.price.tolist() == [9997, 9998, 9999, 10000, 10005]


def test_mid_is_decided_at_half_ticks_too(desk) -> None:
    body = "def decide(price, instrument):\n    return Order(qty=int(price * 1000 - 9999))\n"
    form = decision(desk, body, source="mid", over="10..10.01")
    assert intervals(form) == [(2000, 2000, 1, 1), (2001, 2001, 6, 1), (2002, 2002, 11, 1)]


VECTORIZED = """
@vectorized
def decide(prices, instrument):
    assert (prices.units == np.round(np.asarray(prices) * 100)).all()
    return Orders(side=np.where(prices.floats < 10.05, "buy", "sell"), qty=np.where(prices.units > 1008, 2, 1),
                  type="limit", price=prices.floats - 0.05, where=prices.units != 1003)
"""


def test_a_vectorized_function_is_asked_once(desk) -> None:
    each = """
def decide(price, instrument):
    if price == Decimal("10.03"):
        return None
    return Order(side="buy" if price < Decimal("10.05") else "sell", qty=2 if price > Decimal("10.08") else 1,
                 type="limit", price=price - Decimal("0.05"))
"""
    at_once = decision(desk, VECTORIZED)
    one_by_one = decision(desk, "from decimal import Decimal\n" + each)
    assert intervals(at_once) == intervals(one_by_one)
    assert at_once.orders.price.tolist() == one_by_one.orders.price.tolist()
    assert len(at_once.low) == 10


def test_answers_that_come_to_the_same_are_merged(desk) -> None:
    body = "def decide(price, instrument):\n    return Order(qty=100) if price > 10 else Order(side='sell')\n"
    assert intervals(decision(desk, body)) == [(1000, 1010, 100, 1)]


def test_the_same_strategy_always_gives_the_same_image(desk) -> None:
    body = "def decide(price, instrument):\n    return Order(qty=1 + hash('text') % 97)\n"
    assert intervals(decision(desk, body)) == intervals(decision(desk, body))


def test_imported_files_are_inputs(desk) -> None:
    (desk.folder / "model.py").write_text("FAIR = 10\n")
    strategy, _ = ask(desk, "import model\n\ndef decide(price, instrument):\n    return Order()\n")
    assert isinstance(strategy, Strategy)
    assert list(strategy.inputs) == ["test.yaml", "venue.yaml", "fair.py", "model.py"]


def test_over_is_cut_to_the_price_range(desk) -> None:
    (desk.folder / "fair.py").write_text(IMPORTS + "def decide(price, instrument):\n    return Order()\n")
    strategy, diagnostics = ask(desk, "def decide(price, instrument):\n    return Order()\n", over="9999.9..20000")
    assert strategy
    assert [diagnostic.code.slug for diagnostic in diagnostics] == ["decide-range"]
    assert strategy.blocks[0].form.over == (999990, 1000000)


@pytest.mark.parametrize(
    ("body", "slug", "words"),
    [
        ("def decide(p, i):\n    return 5\n", "decide-answer", "at the price 10: 5 is neither an Order nor None"),
        ("def decide(p, i):\n    return Order(side='Buy')\n", "decide-answer", "`side` is 'Buy'"),
        ("def decide(p, i):\n    return Order(qty=float('nan'))\n", "decide-answer", "`qty` is nan, not a number"),
        ("def decide(p, i):\n    return Order(qty=True)\n", "decide-answer", "`qty` is True, not a number"),
        ("def decide(p, i):\n    return Order(qty=[1])\n", "decide-answer", "`qty` is [1], not a number"),
        ("def decide(p, i):\n    return Order(qty=-5)\n", "not-a-lot", "sends at the price 10: -5 is not"),
        ("def decide(p, i):\n    return Order(qty=1.5)\n", "not-a-lot", "1.5 is not a positive multiple"),
        ("def decide(p, i):\n    return Order(price=p, type='market')\n", "order-price", "at the price 10: a market"),
        ("def decide(p, i):\n    return Order(price=p + i.tick(p) / 2, type='limit')\n", "off-grid", "10.005 lies"),
        ("def decide(p, i):\n    return Order(type='limit')\n", "order-price", "a limit order needs a price"),
        ("def decide(p, i):\n    return Order(type='limit', price='trigger')\n", "no-trigger", "at the price 10"),
        ("def decide(p, i):\n    return 1 / (p - i.ceil('10.043')) and None\n", "decide-raised", "at the price 10.05"),
        ("def decide(p, i):\n    sys.exit()\n", "decide-raised", "SystemExit"),
        ("def decide(p, i):\n    return decide(p, i)\n", "decide-raised", "RecursionError"),
        ("def decide(p, i):\n    input()\n", "decide-raised", "EOFError"),
        ("def decide(p):\n    return None\n", "decide-raised", "takes 1 positional argument"),
        ("n = []\ndef decide(p, i):\n    n.append(p)\n    return Order(qty=len(n))\n", "decide-answer", "again"),
        ("def decide(p, i):\n    os._exit(0)\n", "decide-stopped", "exit status 0"),
        ("def decide(p, i):\n    os.kill(os.getpid(), 11)\n", "decide-stopped", "signal 11"),
        ("def decide(p, i):\n    return bytearray(1 << 40)\n", "decide-stopped", "out of memory"),
        ("def decided(p, i):\n    return None\n", "decide-function", "did you mean `decided`?"),
        ("decide = 5\n", "decide-function", "`decide` is a int, not a function"),
        ("def decide(p, i)\n    return None\n", "decide-function", "expected ':'"),
        ("1 / 0\n", "decide-function", "ZeroDivisionError"),
        ("import no_such_module\n", "decide-function", "no_such_module"),
        ("@vectorized\ndef decide(p, i):\n    return p\n", "decide-answer", "is not an Orders"),
        ("@vectorized\ndef decide(p, i):\n    return Orders(qty=[1, 2])\n", "decide-answer", "there are 11 prices"),
        ("@vectorized\ndef decide(p, i):\n    return Orders(where=p.floats)\n", "decide-answer", "not 11 flags"),
        ("@vectorized\ndef decide(p, i):\n    return Orders(side=['x'] * 11)\n", "decide-answer", "`side` is 'x'"),
    ],
)  # fmt: skip
def test_faults_of_the_function(desk, body: str, slug: str, words: str) -> None:
    strategy, diagnostics = ask(desk, body)
    assert strategy is None
    slugs = {diagnostic.code.slug for diagnostic in diagnostics}
    # Where many answers are wrong their number is said too.
    assert slug in slugs
    assert slugs <= {slug, "decide-answer"}
    assert any(words in diagnostic.message for diagnostic in diagnostics)
    lines = (IMPORTS + body).splitlines()
    for diagnostic in diagnostics:
        in_file = diagnostic.span.file.endswith("fair.py")
        assert not in_file or diagnostic.span.line <= len(lines)


def test_the_line_that_raised_is_shown(desk) -> None:
    _, diagnostics = ask(
        desk, "def decide(p, i):\n    x = 1\n    return helper(x)\n\ndef helper(x):\n    raise ValueError('no')\n"
    )
    span = diagnostics[0].span
    assert (IMPORTS.count("\n") + 6, 5) == (span.line, span.column)
    assert diagnostics[0].message.endswith("ValueError: no")


@pytest.mark.parametrize(
    ("body", "bounds", "why"),
    [
        # The clock's bound is far, for on a busy machine the processor's takes long; the start takes most of a second.
        ("while True: pass", Bounds(seconds=2, clock=200), "it used up its processor time, 2 seconds"),
        ("while True: print('x' * 1000)", Bounds(seconds=2, clock=200), "it used up its processor time, 2 seconds"),
        ("time.sleep(600)", Bounds(seconds=60, clock=12), "it did not end within 12 seconds"),
    ],
)
def test_what_does_not_end_is_ended(desk, monkeypatch: pytest.MonkeyPatch, body: str, bounds: Bounds, why: str) -> None:
    monkeypatch.setattr(decide, "bounds", lambda: bounds)
    begin = time.monotonic()
    _, diagnostics = ask(desk, f"def decide(p, i):\n    if p > 10:\n        {body}\n")
    assert time.monotonic() - begin < 190
    stopped = [diagnostic for diagnostic in diagnostics if diagnostic.code.slug == "decide-stopped"]
    assert f"at the price 10.01: {why}" in stopped[0].message


def test_nothing_is_left_running(desk) -> None:
    late = f"time.sleep(2)\n        open({str(desk.folder / 'late')!r}, 'w')"
    ask(desk, f"def decide(p, i):\n    if os.fork() == 0:\n        {late}\n    os._exit(0)\n")
    time.sleep(3)
    assert not (desk.folder / "late").exists()


def test_printing_is_harmless(desk) -> None:
    strategy, diagnostics = ask(desk, "print('hello')\ndef decide(p, i):\n    print(p)\n    return Order()\n")
    assert strategy
    assert [(one.code.slug, one.message) for one in diagnostics] == [("decide-printed", "`decide` printed: hello")]


def test_what_failed_is_not_asked_again_for_the_next_instrument(desk) -> None:
    body = f"def decide(p, i):\n    open({str(desk.folder / 'asked')!r}, 'a').write(i.symbol)\n    1 / 0\n"
    ask(desk, body, instrument="[MSFT, CLZ6]")
    assert (desk.folder / "asked").read_text() == "MSFT"


def test_too_many_prices_and_missing_files(desk) -> None:
    assert [one.code.slug for one in ask(desk, "", source="mid", over="0.01..10000")[1]] == ["decide-too-many"]
    (desk.folder / "fair.py").unlink()
    rule = RULE.format(instrument="MSFT", source="last", over="10..11", order=MARKET)
    assert desk.slugs(rule) == ["cannot-read"]


def test_instrument_helpers_keep_to_the_tick_table() -> None:
    table = TickTable.of({"0": "0.1", "1000": "0.5"})
    instrument = Instrument("X", 1, Decimal(1), Decimal(-10), Decimal(2000), table)
    assert [instrument.tick(price) for price in (999.9, 1000)] == [Decimal("0.1"), Decimal("0.5")]
    assert [str(instrument.floor(price)) for price in ("1000.4", 999.95, "-0.05", 1000)] == [
        "1000",
        "999.9",
        "-0.1",
        "1000",
    ]
    assert [str(instrument.ceil(price)) for price in ("1000.4", 999.95, "-0.05", 1000)] == [
        "1000.5",
        "1000",
        "0",
        "1000",
    ]
    assert [str(instrument.step(price, n)) for price, n in (("999.95", 1), ("999.95", -1), (1000, -2))] == [
        "1000",
        "999.9",
        "999.8",
    ]
    assert Order() == Order()


READS = "def decide(p, i):\n    return Order(qty=100 * int(open('data/levels.txt').read()))\n"


def levels(desk, text: str) -> None:
    (desk.folder / "data").mkdir(exist_ok=True)
    (desk.folder / "data" / "levels.txt").write_text(text)


def test_files_that_it_opens_are_inputs_by_the_strategys_folder(desk, monkeypatch, tmp_path_factory) -> None:
    levels(desk, "2")
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    strategy, diagnostics = ask(desk, READS)
    assert strategy, diagnostics
    assert list(strategy.inputs) == ["test.yaml", "venue.yaml", "fair.py", "data/levels.txt"]
    assert strategy.blocks[0].form.orders.qty.tolist() == [200]


def test_files_elsewhere_are_inputs_too_and_those_of_the_system_are_not(desk, tmp_path_factory) -> None:
    other = tmp_path_factory.mktemp("elsewhere") / "levels.npy"
    np.save(other, np.array([3]))
    body = f"import csv, json.tool\nn = int(np.load({str(other)!r})[0])\nopen('/etc/hostname').read()\n"
    strategy, _ = ask(desk, body + "def decide(p, i):\n    return Order(qty=n)\n")
    assert strategy
    assert list(strategy.inputs)[3:] == [os.path.relpath(other, desk.folder)]


def test_what_it_writes_or_looks_for_in_vain_is_no_input(desk) -> None:
    body = """
def decide(p, i):
    try:
        open("none.txt")
    except FileNotFoundError:
        open("out.txt", "w").close()
    return Order()
"""
    strategy, _ = ask(desk, body)
    assert strategy
    assert len(strategy.inputs) == 3


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The functions that were asked, and not remembered."""
    found: list[str] = []
    really = sandbox.decide

    def noted(request, *more):
        found.append(request.function)
        return really(request, *more)

    monkeypatch.setattr(decide, "decide", noted)
    return found


PLAIN = "def decide(p, i):\n    return Order(qty=100 if p > 10 else 200)\n"


def test_what_was_decided_is_remembered(desk, asked: list[str]) -> None:
    first, again = ask(desk, PLAIN)[0], ask(desk, PLAIN)[0]
    assert first
    assert again
    assert len(asked) == 1
    assert again.inputs == first.inputs
    assert intervals(again.blocks[0].form) == intervals(first.blocks[0].form)
    assert again.blocks[0].span == first.blocks[0].span


@pytest.mark.parametrize(
    "change",
    [
        lambda desk: ask(desk, PLAIN + "# a word\n"),
        lambda desk: ask(desk, PLAIN, over="10..10.2"),
        lambda desk: ask(desk, PLAIN, source="mid"),
        lambda desk: ask(desk, PLAIN, instrument="CLZ6"),
    ],
)
def test_what_changes_is_asked_anew(desk, asked: list[str], change) -> None:
    ask(desk, PLAIN)
    change(desk)
    assert len(asked) == 2


def test_files_that_change_are_read_anew(desk, asked: list[str]) -> None:
    levels(desk, "2")
    ask(desk, READS)
    ask(desk, READS)
    assert len(asked) == 1
    levels(desk, "3")
    strategy, _ = ask(desk, READS)
    assert len(asked) == 2
    assert strategy.blocks[0].form.orders.qty.tolist() == [300]


def test_a_module_that_changes_is_read_anew(desk, asked: list[str]) -> None:
    body = "import model\ndef decide(p, i):\n    return Order(qty=100 * model.N)\n"
    for n in (1, 1, 2):
        (desk.folder / "model.py").write_text(f"N = {n}\n")
        strategy, _ = ask(desk, body)
    assert len(asked) == 2
    assert strategy.blocks[0].form.orders.qty.tolist() == [200]


def test_a_file_that_comes_to_be_is_seen(desk, asked: list[str]) -> None:
    body = """
def decide(p, i):
    try:
        return Order(qty=100 * int(open("late.txt").read()))
    except FileNotFoundError:
        return Order()
"""
    ask(desk, body)
    (desk.folder / "late.txt").write_text("4")
    strategy, _ = ask(desk, body)
    assert len(asked) == 2
    assert strategy.blocks[0].form.orders.qty.tolist() == [400]


@pytest.mark.parametrize(
    "line",
    [
        "os.listdir('.')",
        "os.system('true')",
        "import subprocess; subprocess.run(['true'])",
        "open('out.txt', 'w').close()",
        "print('a word')",
        "import pyarrow",  # reads files past Python
        "import sqlite3; sqlite3.connect(':memory:')",
    ],
)
def test_what_depends_on_more_than_files_is_not_remembered(desk, asked: list[str], line: str) -> None:
    for _ in range(2):
        strategy, _ = ask(desk, f"{line}\n{PLAIN}")
        assert strategy
    assert len(asked) == 2


def test_a_folder_that_cannot_be_written_changes_nothing(desk, asked: list[str], monkeypatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "/proc/none")
    assert [bool(ask(desk, PLAIN)[0]) for _ in range(2)] == [True, True]
    assert len(asked) == 2


def test_what_was_kept_and_then_damaged_is_asked_anew(desk, asked: list[str]) -> None:
    ask(desk, PLAIN)
    (kept_file,) = (Path(os.environ["XDG_CACHE_HOME"]) / "fixaccel" / "decide").glob("*.json")
    for text in ("", "5", "{}", '{"read": {}, "outcome": {}}', kept_file.read_text().replace('"runs"', '"rums"')):
        kept_file.write_text(text)
        assert ask(desk, PLAIN)[0]
    assert len(asked) == 6


def test_progress_is_told(desk) -> None:
    told: list[tuple[str, float]] = []
    desk.load(RULE.format(instrument="MSFT", source="last", over="10..10.1", order=MARKET))
    (desk.folder / "fair.py").write_text(IMPORTS + "def decide(p, i):\n    time.sleep(0.05)\n    return Order()\n")
    loaded = load_strategy(desk.folder / "test.yaml", progress=lambda *one: told.append(one))
    assert loaded.strategy
    assert {name for name, _ in told} == {"fair.py:decide"}
    assert [done for _, done in told] == sorted(done for _, done in told)
    assert max(done for _, done in told) > 0.2


@pytest.mark.parametrize(("text", "seconds"), [("120", 120), ("", 30), ("x", 30), ("-5", 30), ("0", 30), ("nan", 30)])
def test_the_bound_can_be_raised(monkeypatch: pytest.MonkeyPatch, text: str, seconds: float) -> None:
    monkeypatch.setenv(DECIDE_SECONDS_VARIABLE, text)
    assert decide.bounds().seconds == seconds


def test_the_bound_is_an_option_of_all_commands(desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(DECIDE_SECONDS_VARIABLE, raising=False)
    monkeypatch.setattr(os, "environ", os.environ.copy())
    ask(desk, "1 / 0\n")
    (desk.folder / "fair.py").write_text("def decide(p, i):\n    while True: pass\n")
    found = CliRunner().invoke(cli, ["--decide-seconds", "2", "check", str(desk.folder / "test.yaml")])
    assert "it used up its processor time, 2 seconds" in found.output
    assert CliRunner().invoke(cli, ["--decide-seconds", "0", "check", "x"]).exit_code == 2
