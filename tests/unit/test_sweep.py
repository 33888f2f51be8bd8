# SPDX-License-Identifier: Apache-2.0
"""`fixaccel sweep`: what varies, the text around it, and what comes of the variants."""

import csv
import json
import multiprocessing
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from fixaccel.cli.main import cli
from fixaccel.diagnostics.report import Report
from fixaccel.events.file import open_events
from fixaccel.events.write import Event, write_events
from fixaccel.language.text.reader import read_tree
from fixaccel.source import MappingNode, Node, ScalarNode, SequenceNode, SourceFile
from fixaccel.sweep.report import _shaded
from fixaccel.sweep.run import SweepError, run_all, run_variant
from fixaccel.sweep.settings import SettingError, parse_setting, variants
from fixaccel.sweep.text import Places

STRATEGY = """\
fixaccel: 1
venue: venue.yaml
limits: {total_orders: 3, per_instrument: {MSFT: {total_qty: 100}}}  # both sides
rules:
  # The stop.
  - id: stop
    instrument: MSFT
    when: last <= 100   # to be found
    order: {side: sell, qty: 2, type: market}
  - {id: stop.two, instrument: MSFT, when: 'last >= 110', note: "a \\"note\\"",
     order: {side: buy, qty: 1, type: limit, price: trigger}, during: [09:30-16:00]}
"""


def values(text: str) -> tuple[str, ...]:
    return parse_setting(f"rules.stop.when={text}").texts


def test_ranges_and_lists():
    assert values("last <= {1170..1190 step 5}") == tuple(f"last <= {n}" for n in (1170, 1175, 1180, 1185, 1190))
    assert values("{1..3}") == ("1", "2", "3")
    assert values("{1.5..1 step 0.2}") == ("1.5", "1.3", "1.1")
    assert values("{-2..-1 step 0.5}") == ("-2", "-1.5", "-1")
    assert values("{10, 2%,5 ticks}") == ("10", "2%", "5 ticks")
    assert values("last <= 5") == ("last <= 5",)
    two = [parse_setting("a={1..2}"), parse_setting("b=x {y, z}")]
    assert [variant.values for variant in variants(two)] == [("1", "y"), ("1", "z"), ("2", "y"), ("2", "z")]
    assert [variant.texts["b"] for variant in variants(two)] == ["x y", "x z"] * 2


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("rules.stop.when", "is no setting"),
        ("a={1..2} {3..4}", "more than one"),
        ("a={1..2", "a brace without its other"),
        ("a={1..2} }", "a brace without its other"),
        ("a={}", "empty value"),
        ("a={1, 1}", "twice"),
        ("a={1..2 by 3}", "is no range"),
        ("a={x..2}", "is no range"),
        ("a={1.5..2}", "need a step"),
        ("a={1..2 step -1}", "above zero"),
        ("a={1..2 step 0}", "above zero"),
        ("a={0..1000000000 step 0.01}", "at most"),
    ],
)
def test_settings_that_cannot_be_read(text, why):
    with pytest.raises(SettingError, match=why):
        parse_setting(text)


def places(*paths: str, text: str = STRATEGY) -> Places:
    source = SourceFile.of("strategy.yaml", text)
    tree = read_tree(source, Report())
    assert tree is not None
    return Places(source, tree, list(paths))


def test_only_the_value_changes():
    text = places("rules.stop.when", "limits.per_instrument.MSFT.total_qty").with_values(
        {"rules.stop.when": "bid <= 99.5", "limits.per_instrument.MSFT.total_qty": "7"}
    )
    assert text == STRATEGY.replace("last <= 100 ", "bid <= 99.5 ").replace("total_qty: 100", "total_qty: 7")
    assert "'last >= 120'" not in places("rules.stop.two.when").with_values({"rules.stop.two.when": "last >= 120"})
    assert "09:31-16:00" in places("rules.stop.two.during.1").with_values({"rules.stop.two.during.1": "09:31-16:00"})
    windows = STRATEGY.replace("\n", "\r\n")
    changed = places("rules.stop.when", text=windows).with_values({"rules.stop.when": "bid <= 9"})
    assert changed == windows.replace("last <= 100", "bid <= 9")


def flat(node: Node, path: str = "") -> dict[str, str]:
    match node:
        case ScalarNode():
            return {path: node.text}
        case MappingNode():
            pairs = [(entry.key.text, entry.value) for entry in node.entries]
        case SequenceNode():
            pairs = [(str(number), item) for number, item in enumerate(node.items)]
    return {name: text for key, value in pairs for name, text in flat(value, f"{path}/{key}").items()}


@settings(deadline=None)
@given(st.text(st.characters(min_codepoint=32, max_codepoint=126), min_size=1, max_size=20))
def test_any_text_is_read_as_it_was_set(text):
    text = text.strip() or "x"
    for path, where in (("rules.stop.when", "/rules/0/when"), ("rules.stop.two.order.price", "/rules/1/order/price")):
        changed = places(path).with_values({path: text})
        tree = read_tree(SourceFile.of("strategy.yaml", changed), Report())
        before = read_tree(SourceFile.of("strategy.yaml", STRATEGY), Report())
        assert tree is not None
        assert before is not None
        assert flat(tree) == flat(before) | {where: text}


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("rules.stp.when", "did you mean `stop`"),
        ("rules.stop.confirm", "has no `confirm` written in the file; it has `id`, `instrument`"),
        ("rules.stop.order", "no single value; it has `rules.stop.order.side`"),
        ("rules.stop.when.x", "has nothing below it"),
        ("limits.collar", "`limits` has no `collar`"),
        ("venue", "over one venue"),
        ("nothing", "the strategy has no `nothing`"),
    ],
)
def test_paths_that_lead_nowhere(path, why):
    with pytest.raises(SettingError, match=why):
        places(path)


def test_values_that_cannot_vary():
    with pytest.raises(SettingError, match="set twice"):
        places("rules.stop.when", "rules.stop.when")
    shared = STRATEGY.replace("qty: 2", "qty: &many 2").replace("qty: 1,", "qty: *many ,")
    with pytest.raises(SettingError, match="alias"):
        places("rules.stop.order.qty", text=shared)
    block = STRATEGY.replace("last <= 100   # to be found", "|\n      last <= 100")
    with pytest.raises(SettingError, match="block of text"):
        places("rules.stop.when", text=block)


@pytest.fixture
def folder(desk, monkeypatch):
    # On one core nothing is started for what takes a moment.
    monkeypatch.setattr("os.sched_getaffinity", lambda _: {0})
    (desk.folder / "desk.yaml").write_text(STRATEGY)
    prices = (105, 101, 99, 97, 111)
    # 2026-03-02 10:00 UTC on, a second apart.
    events = [Event((1_772_445_600 + n) * 10**9, "MSFT", last=str(price)) for n, price in enumerate(prices)]
    write_events(desk.folder / "day.csv", events)
    return desk.folder


def run(folder: Path, *options: str):
    arguments = ["sweep", folder / "desk.yaml", "-e", folder / "day.csv", *options]
    return CliRunner().invoke(cli, [str(argument) for argument in arguments])


def test_a_row_for_each_variant(folder):
    result = run(folder, "--set", "rules.stop.when=last <= {96..102 step 2}", "--format", "csv")
    assert result.exit_code == 0, result.output
    rows = list(csv.DictReader(result.stdout.splitlines()))
    found = [(row["rules.stop.when"], row["fires"], row["sell"], row["buy"], row["first_fire"]) for row in rows]
    assert found == [
        ("96", "1", "0", "1", "10:00:04.000"),
        ("98", "2", "2", "1", "10:00:03.000"),
        ("100", "2", "2", "1", "10:00:02.000"),
        ("102", "2", "2", "1", "10:00:01.000"),
    ]
    head = run(folder, "--set", "limits.total_orders={1}").stdout.splitlines()[0]
    assert head.split("  ")[0] == "limits.total_orders"  # a path stays as it is written
    assert head.endswith("first fire")
    one = run(folder, "--set", "limits.total_orders={1}", "--format", "json")
    told = json.loads(one.stdout)["variants"]
    assert told == [
        {
            "values": {"limits.total_orders": "1"}, "set": {"limits.total_orders": "1"}, "fires": 2, "sent": 1,
            "rejected": {"total_orders": 1}, "first_ns": 1_772_445_602 * 10**9, "buy": 0, "sell": 2,
        }
    ]  # fmt: skip


def test_two_settings_make_a_map_and_a_page(folder):
    options = ("--set", "rules.stop.order.qty={1..2}", "--set", "limits.total_orders={1, 2, no}", "--metric", "sell")
    result = run(folder, *options, "--html", folder / "map.html")
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    start = lines.index("sell: rules.stop.order.qty down, limits.total_orders across")
    assert [line.split() for line in lines[start + 1 : start + 4]] == [
        ["1", "2", "no"], ["1", "1", "1", "error"], ["2", "2", "2", "error"],
    ]  # fmt: skip
    # What is wrong stands with its values, at its place in the file as it would be.
    assert "rules.stop.order.qty=1, limits.total_orders=no: " in result.stderr
    assert f"{folder / 'desk.yaml'}:3:24: error: " in result.stderr
    html = (folder / "map.html").read_text()
    assert html.count('class="wrong"') == 2 * 5 + 2
    assert "http" not in html.replace("http-equiv", "")


def test_what_a_user_may_do_wrong(folder):
    for options, why in (
        (["--set", "rules.stop.when=last <= {1..2000 step 1}"], "allow them with --most 2000"),
        (["--set", "rules.stp.when={1..2}"], "did you mean `stop`"),
        (["--set", "rules.stop.when=last <= {99..101}", "--html", folder / "desk.yaml"], "is an input"),
        (["--set", "rules.stop.when=last <= {99..101}", "--html", folder / "day.csv"], "is an input"),
        ([], "--set"),
    ):
        result = run(folder, *options)
        assert (result.exit_code, why in result.stderr) == (2, True), result.stderr
    assert (folder / "desk.yaml").read_text() == STRATEGY
    two = ("--set", "rules.stop.when=last <= {99..100}", "--most")
    assert [run(folder, *two, most).exit_code for most in ("1", "2")] == [2, 0]
    (folder / "day.csv").write_text("x\n")
    assert run(folder, "--set", "rules.stop.when=last <= {99..101}").exit_code == 1
    (folder / "desk.yaml").write_text(STRATEGY.replace("venue.yaml", "none.yaml"))
    assert run(folder, "--set", "rules.stop.when=last <= {99..101}").exit_code == 2


def test_processes_say_what_one_says_and_end_when_interrupted(folder, monkeypatch):
    monkeypatch.setattr("os.sched_getaffinity", lambda _: {0, 1})
    file = open_events(folder / "day.csv", ["MSFT", "7203", "CLZ6"])
    (events,) = file.batches()
    setting = [parse_setting("rules.stop.when=last <= {96..102}")]
    texts = [places("rules.stop.when").with_values(variant.texts) for variant in variants(setting)]
    seen: list[int] = []
    outcomes = run_all(folder / "desk.yaml", texts, events, seen.append)
    assert outcomes == [run_variant(folder / "desk.yaml", text, events) for text in texts]
    assert seen == list(range(1, len(texts) + 1))
    assert len({outcome.first_ns for outcome in outcomes}) > 2

    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_all(folder / "desk.yaml", texts * 50, events, interrupt)
    assert multiprocessing.active_children() == []


def test_a_library_that_is_missing_is_an_error(folder, monkeypatch):
    monkeypatch.setenv("FIXACCEL_TABLE_LIBRARY", str(folder / "none.so"))
    (events,) = open_events(folder / "day.csv", ["MSFT", "7203", "CLZ6"]).batches()
    with pytest.raises(SweepError):
        run_all(folder / "desk.yaml", [STRATEGY], events, lambda _: None)


def test_figures_below_zero_have_a_colour_of_their_own() -> None:
    assert _shaded([[-20.0, 0.0], [10.0, None]]) == [[("-20.0", -100), ("0.0", 0)], [("10.0", 50), (None, 0)]]
    assert _shaded([[0.0]]) == [[("0.0", 0)]]
