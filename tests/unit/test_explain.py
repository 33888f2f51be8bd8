# SPDX-License-Identifier: Apache-2.0
"""`fixaccel explain STRATEGY`: what is said of each form, and the pictures."""

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner, Result

from fixaccel.cli.complete import rule_ids
from fixaccel.cli.main import cli

STRATEGIES = Path(__file__).parents[2] / "strategies"
SVG = "{http://www.w3.org/2000/svg}"

RULES = """\
- {id: strict, instrument: MSFT, when: last > 1200, order: {side: buy, qty: 5, type: market}, oco: g, note: why not}
- {id: limit, instrument: MSFT, when: bid <= 1100, order: {side: sell, qty: 2, type: limit, price: trigger}, oco: g}
- id: steps
  instrument: [MSFT, CLZ6]
  when: ask <= 50
  ladder: {step: -5, count: 4}
  order: {side: buy, qty: 1, type: limit, price: trigger + 2 ticks, tif: ioc, account: A}
- {id: late, instrument: MSFT, when: mid >= 1000, confirm: 2, during: [22:00-02:00], armed_by: strict,
   if_already_through: wait, rearm: {after: 90s, times: 3}, order: {side: buy, qty: 1, type: market}}
- {id: follow, instrument: MSFT, trail: {source: last, by: 1%, activate: last >= 1250},
   order: {side: sell, qty: 2, type: limit, price: trigger - 5 ticks}}
- {id: bands, instrument: MSFT, decide: {source: last, intervals: [
   {from: 100, to: 200, order: {side: buy, qty: 1}}, {from: 300, to: 400, order: {side: sell, qty: 2}}]},
   order: {type: market}}
"""


@pytest.fixture
def strategy(desk) -> Path:
    strategy, diagnostics = desk.load(RULES)
    assert strategy, [diagnostic.message for diagnostic in diagnostics]
    return desk.folder / "test.yaml"


def run(*arguments: object) -> Result:
    result = CliRunner().invoke(cli, ["explain", *map(str, arguments)])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def rule(strategy: Path, name: str) -> str:
    result = run(strategy, name)
    assert result.exit_code == 0, result.output
    return " ".join(result.stdout.split())


@pytest.mark.parametrize(
    ("name", "texts"),
    [
        ("strict", [
            "When the last price of MSFT is at or above 1200.01, buy 5 at market.",
            "last >= 1200.01, written `last > 1200`", "g: the first order sent cancels limit", "arms late",
            "runtime: placed whole with", "buy 5 in 1 order, notional 6,000.05", "note why not",
        ]),
        ("limit", ["When the bid of MSFT is at or below 1100, sell 2 at a limit of 1100.", "condition bid <= 1100"]),
        ("steps", ["steps@MSFT", "steps@CLZ6", "one of 4 prices, 35 to 50, buy 1 each at limits of 35.02 to 50.02.",
                   "ioc, account A", "buy 4 in 4 orders, notional 170.08", "notional 170,080"]),
        ("steps@CLZ6", ["is at or below one of 4 prices",
                        "8 cycles, 64 ns", "at most 35 cycles, 280 ns, where the symbol comes last"]),
        ("steps@CLZ6[2]", ["When the ask of CLZ6 is at or below 45, buy 1 at a limit of 45.02."]),
        ("late", ["by two observations in a row", "22:00-02:00", "waits until", "an order of strict; disarmed",
                  "90s after an order, at most 3 times", "buy 4 in 4 orders, notional 4,000"]),
        ("follow", ["Once `last >= 1250`, follow the highest last price of MSFT at a distance of 1%; at or below",
                    "that stop, sell 2 at a limit of 5 ticks below the stop.", "sell 2 in 1 order"]),
        ("bands", ["lands in one of 2 intervals of 100 to 400", "100..200 buy 1 at market",
                   "300..400 sell 2 at market", "sell 2 in 1 order, notional 800", "buy 1 in 1 order, notional 200"]),
    ],
)  # fmt: skip
def test_what_is_said(strategy: Path, name: str, texts: list[str]) -> None:
    said = rule(strategy, name)
    assert [text for text in texts if text not in said] == [], said


def test_the_whole_strategy(strategy: Path) -> None:
    result = run(strategy)
    assert result.exit_code == 0
    assert "test: 7 rules of 13 parts on 2 instruments of test; " in result.stdout
    assert "Worst case" in result.stdout


def test_json(strategy: Path) -> None:
    data = json.loads(run(strategy, "--format", "json").stdout)
    assert [entry["id"] for entry in data["rules"]] == [
        "strict", "limit", "steps@MSFT", "steps@CLZ6", "late", "follow", "bands",
    ]  # fmt: skip
    assert {"name": "condition", "text": "last >= 1200.01, written `last > 1200`"} in data["rules"][0]["facts"]
    assert data["worst_case"]["total"]["orders"] > 0
    assert isinstance(data["diagnostics"], list)


@pytest.mark.parametrize(
    ("arguments", "code", "text"),
    [
        (["STRATEGY", "strcit"], 2, "did you mean strict?"),
        (["STRATEGY", "steps[9]"], 2, "no rule"),
        (["STRATEGY", "-o", "x.svg"], 2, "goes with --picture svg"),
        (["nowhere.yaml"], 2, "FX0101"),
        (["FX9999"], 2, "no diagnostic and no file"),
        (["x" * 5000], 2, "no diagnostic and no file"),
        (["./"], 2, "FX0101"),
        (["STRATEGY", "--board", "nowhere.yaml"], 2, "FX0101"),
    ],
)
def test_what_cannot_be_explained(strategy: Path, arguments: list[str], code: int, text: str) -> None:
    result = run(*[strategy if argument == "STRATEGY" else argument for argument in arguments])
    assert (result.exit_code, text in result.output) == (code, True), result.output


@pytest.mark.parametrize("content", [b"\0", b"\xff\xfe\0", b"fixaccel: 1\nvenue: venue.yaml\nrules: [{id: A}]\n"])
def test_a_wrong_strategy(strategy: Path, content: bytes) -> None:
    strategy.write_bytes(content)
    assert run(strategy).exit_code == 1
    assert run(strategy, "--picture", "svg").exit_code == 1


@pytest.mark.parametrize("path", [p for p in sorted(STRATEGIES.glob("*.yaml")) if ".test" not in p.name], ids=str)
def test_pictures_of_what_ships(path: Path) -> None:
    wide = run(path, "--picture", "terminal", "--width", "60", "--ascii")
    assert wide.exit_code == 0, wide.output
    assert max(map(len, wide.stdout.splitlines())) <= 60
    assert wide.stdout.isascii()
    root = ET.fromstring(run(path, "--picture", "svg").stdout.partition("\n")[2])
    assert root.tag == f"{SVG}svg"


def test_the_picture_has_everything(strategy: Path, tmp_path: Path) -> None:
    out = tmp_path / "picture.svg"
    assert run(strategy, "--picture", "svg", "-o", out).output == f"wrote {out}\n"
    text = out.read_text(encoding="utf-8")
    root = ET.fromstring(text.partition("\n")[2])
    words = [element.text for element in root.iter(f"{SVG}text")]
    for name in ("test", "MSFT", "CLZ6", "strict", "steps@CLZ6 (4)", "late", "follow", "bands", "last >= 1,200.01"):
        assert name in words
    assert words.index("strict") < words.index("bands") < words.index("limit"), "buys, decisions, sells"
    assert "prefers-color-scheme: dark" in text
    assert len([e for e in root.iter(f"{SVG}circle") if e.get("class", "").startswith("ring")]) == 1 + 4 + 4 + 1
    assert len(list(root.iter(f"{SVG}polygon"))) == 1 + 1 + 4 + 4 + 1 + 1 + 1
    drawn = run(strategy, "--picture", "terminal", "--width", "90").stdout
    assert "◀" in drawn
    assert "stop 1% below the highest last" in drawn


def test_the_picture_in_the_docs_is_fresh() -> None:
    shown = STRATEGIES.parent / "docs" / "_static" / "quickstart.svg"
    command = "fixaccel explain strategies/quickstart.yaml --picture svg -o docs/_static/quickstart.svg"
    assert run(STRATEGIES / "quickstart.yaml", "--picture", "svg").stdout == shown.read_text(encoding="utf-8"), command


def test_one_rule_alone_in_a_picture(strategy: Path) -> None:
    drawn = run(strategy, "limit", "--picture", "terminal").stdout
    assert "limit" in drawn
    assert "strict" not in drawn


def test_thousands_of_thresholds_become_a_density(desk, tmp_path: Path) -> None:
    rules = "- {id: big, instrument: MSFT, when: last <= 5000, ladder: {step: -1 ticks, count: 5000}, ORDER}\n"
    rules += "".join(f"- {{id: r{n}, instrument: CLZ6, when: last <= {n}, ORDER}}\n" for n in range(60))
    strategy, _ = desk.load(rules.replace("ORDER", "order: {side: sell, qty: 1, type: market}"))
    assert strategy
    text = run(tmp_path / "test.yaml", "--picture", "svg").stdout
    assert len(text) < 60_000
    assert "big (5,000)" in text
    assert "last &lt;= (60)" in text
    drawn = run(tmp_path / "test.yaml", "--picture", "terminal", "--width", "80", "--ascii").stdout
    assert "###" in drawn


def test_completion_offers_the_ids_that_are_there(strategy: Path, tmp_path: Path) -> None:
    assert rule_ids(strategy) == ["strict", "limit", "steps", "late", "follow", "bands"]
    assert rule_ids(tmp_path / "nowhere") == []
    assert rule_ids(tmp_path) == []
    words = f"fixaccel explain {strategy} st"
    variables = {"_FIXACCEL_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": "3"}
    shown = CliRunner().invoke(cli, prog_name="fixaccel", env=variables, complete_var="_FIXACCEL_COMPLETE").output
    assert shown.split() == ["plain,strict", "plain,steps"]
    variables |= {"COMP_WORDS": "fixaccel explain bad-con", "COMP_CWORD": "2"}
    shown = CliRunner().invoke(cli, prog_name="fixaccel", env=variables, complete_var="_FIXACCEL_COMPLETE").output
    assert "plain,bad-condition" in shown


@pytest.mark.parametrize(("times", "there"), [(3, True), (40_000, False)])
def test_who_arms_a_rule_again(desk, times: int, there: bool) -> None:
    order = "order: {side: sell, qty: 100, type: market}"
    path = desk.folder / "test.yaml"
    desk.load(f"- {{id: a, instrument: MSFT, when: last >= 5, rearm: {{after: 1ms, times: {times}}}, {order}}}\n")
    said = rule(path, "a")
    assert ("armed again by the fabric alone, with the first message of the instrument at or after" in said) == there
