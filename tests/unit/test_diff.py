# SPDX-License-Identifier: Apache-2.0
"""`fixaccel diff`: what changed by meaning, and what a hot-load makes of it."""

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from fixaccel.cli.main import cli
from fixaccel.language.terms import Source
from fixaccel.pipeline import load_strategy
from fixaccel.semantics.messages import Kind, Message
from fixaccel.semantics.reference import Interpreter
from fixaccel.semantics.states import State

HEAD = "limits: {order_qty: 50, collar: 5%}\n"
RULES = """\
- {id: stop, instrument: MSFT, when: last <= 1180, order: {side: sell, qty: 2, type: limit, price: 1100}}
- {id: floor, instrument: MSFT, when: bid < 1000, order: {side: sell, qty: 5, type: market}, oco: g}
- {id: steps, instrument: MSFT, when: ask <= 50, ladder: {step: -5, count: 4}, order: {side: buy, qty: 1, type: market}}
- {id: child, instrument: MSFT, when: bid >= 1300, armed_by: stop, order: {side: sell, qty: 1, type: market}}
- {id: bands, instrument: MSFT, decide: {source: last, intervals: [{from: 100, to: 200, order: {qty: 1}}]},
   order: {type: market, side: buy}}
- {id: follow, instrument: MSFT, trail: {source: last, by: 10}, order: {side: sell, qty: 1, type: market}}
"""


class Two:
    """Two strategies beside one venue."""

    def __init__(self, desk) -> None:
        self._desk = desk
        self.old, self.new = desk.folder / "old.yaml", desk.folder / "new.yaml"
        self.write(self.old, RULES)

    def write(self, path: Path, rules: str, head: str = HEAD) -> None:
        strategy, diagnostics = self._desk.load(rules, head)
        assert strategy, [diagnostic.message for diagnostic in diagnostics]
        shutil.copy(self._desk.folder / "test.yaml", path)

    def diff(self, rules: str, head: str = HEAD, form: str = "full") -> Result:
        self.write(self.new, rules, head)
        return run(self.old, self.new, "--format", form)

    def data(self, rules: str, head: str = HEAD) -> dict:
        return json.loads(self.diff(rules, head, "json").output)


def run(*arguments: object) -> Result:
    result = CliRunner().invoke(cli, ["diff", *map(str, arguments)])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


@pytest.fixture
def two(desk) -> Two:
    return Two(desk)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("", ""),
        ("when: last <= 1180", "when: 'last   <=  1180.00'"),
        ("when: bid < 1000", "when: bid <= 999.99"),
        ("when: last <= 1180", "note: why, when: last <= 1180"),
        ("ladder: {step: -5, count: 4}", "ladder: {step: -500 ticks, count: 4}"),
        ("by: 10}", "by: 10.00}"),
    ],
)
def test_what_means_the_same_is_the_same(two: Two, old: str, new: str) -> None:
    assert old in RULES
    result = two.diff(RULES.replace(old, new))
    assert (result.exit_code, result.output) == (0, "9 parts unchanged, keep their state\n")


@pytest.mark.parametrize(
    ("old", "new", "part", "change"),
    [
        ("last <= 1180", "last <= 1181", "stop", "condition: last <= 1180 -> last <= 1181"),
        ("qty: 2", "qty: 3", "stop", "order: sell 2 at a limit of 1100, day -> sell 3 at a limit of 1100, day"),
        ("price: 1100", "price: 1100, tif: ioc", "stop", "limit of 1100, day -> sell 2 at a limit of 1100, ioc"),
        ("oco: g", "oco: h", "floor", "oco: g -> h"),
        (", oco: g", "", "floor", "oco: g -> none"),
        ("armed_by: stop", "armed_by: floor", "child", "armed_by: stop -> floor"),
        ("by: 10}", "by: 11}", "follow", "condition: last trailed by 10 -> last trailed by 11"),
        ("to: 200", "to: 201", "bands", "intervals: 1 of 1 -> 1 of 1"),
        ("id: stop,", "id: stop, confirm: 2,", "stop", "confirm: 1 -> 2"),
        ("id: stop,", "id: stop, if_already_through: wait,", "stop", "if_already_through: fire -> wait"),
        ("id: stop,", "id: stop, during: [09:30-16:00],", "stop", "during: none -> UTC, 09:30-16:00"),
        ("id: stop,", "id: stop, rearm: {after: 5s, times: 2},", "stop", "rearm: none -> after 5s, 2 times"),
    ],
)
def test_what_changed(two: Two, old: str, new: str, part: str, change: str) -> None:
    assert old in RULES
    result = two.diff(RULES.replace(old, new))
    assert result.exit_code == 1
    assert f"~ {part}  " in result.output
    assert change in result.output
    assert result.output.count("~") == 1
    fate = "disarmed until its parent fires" if part == "child" else "armed at the load"
    assert f"starts afresh, {fate}" in result.output
    assert "8 parts unchanged" in result.output


def test_steps_are_compared_one_by_one(two: Two) -> None:
    data = two.data(RULES.replace("count: 4", "count: 5"))
    assert [(part["name"], part["kind"]) for part in data["parts"]] == [("steps[5]", "added")]
    data = two.data(RULES.replace("count: 4", "count: 3"))
    assert [(part["name"], part["hot_load"]) for part in data["parts"]] == [("steps[4]", "gone, whatever its state")]
    assert data["unchanged"] == 8
    data = two.data(RULES.replace("ask <= 50", "ask <= 45"))
    assert [part["name"] for part in data["parts"]] == [f"steps[{number}]" for number in range(1, 5)]


def test_rows_of_a_table_by_their_names(two: Two, desk) -> None:
    rows = "id,when,side,qty,type\na,last <= 10,buy,1,market\nb,last <= 9,buy,1,market\nc,last <= 8,buy,1,market\n"
    (desk.folder / "one.csv").write_text(rows)
    (desk.folder / "two.csv").write_text(rows.replace("b,last <= 9", "d,last <= 9").replace("8,buy,1", "8,buy,2"))
    two.write(two.old, "- {id: t, instrument: MSFT, table: one.csv}", "")
    data = two.data("- {id: t, instrument: MSFT, table: two.csv}", "")
    kinds = {part["name"]: (part["kind"], part["renamed_from"]) for part in data["parts"]}
    assert kinds == {"d": ("added", "b"), "c": ("changed", None), "b": ("removed", None)}
    assert data["unchanged"] == 1


def test_a_new_name_is_a_new_rule(two: Two) -> None:
    result = two.diff(RULES.replace("id: floor", "id: ground"))
    assert "+ ground" in result.output
    assert "- floor" in result.output
    assert "it means the same as floor, which is gone: another name is another rule" in result.output


def test_limits_and_venue(two: Two, desk) -> None:
    result = two.diff(RULES, "limits: {order_qty: 60, per_instrument: {MSFT: {total_qty: 9}}}\n")
    assert result.exit_code == 1
    for text in ("order_qty: 50 -> 60", "collar: 5% -> none", "per_instrument.MSFT.total_qty: none -> 9"):
        assert text in result.output
    result = two.diff(RULES, HEAD.replace("5%", "5%, self_trade: reject, repeat: 90s"))
    assert "self_trade: none -> reject" in result.output
    assert "repeat: none -> 90s" in result.output
    venue = desk.folder / "venue.yaml"
    other = desk.folder / "other.yaml"
    other.write_text(
        venue.read_text()
        .replace("time_zone: UTC", "time_zone: Asia/Tokyo")
        .replace("heartbeat: 30s", "heartbeat: 5s")
        .replace("CLZ6: {tick: 0.01, lot: 1", "CLZ6: {tick: 0.01, lot: 5")
        .replace("  7203:", "  7204:")
    )
    two.new.write_text(two.old.read_text().replace("venue.yaml", "other.yaml"))
    result = run(two.old, two.new)
    for text in (
        "time_zone: UTC -> Asia/Tokyo", "session.heartbeat_s: 30 -> 5", "instruments.CLZ6.lot: 1 -> 5",
        "instruments.7203: there -> none", "instruments.7204: none -> there", "9 parts unchanged",
    ):  # fmt: skip
        assert text in result.output


def test_the_interpreter_agrees_about_who_keeps_its_state(two: Two) -> None:
    """The fates that are promised are those of the reference interpreter."""
    rules = (
        RULES.replace("qty: 2", "qty: 3").replace("count: 4", "count: 5").replace("armed_by: stop", "armed_by: floor")
    )
    changed = {part["name"]: part["hot_load"] for part in two.data(rules)["parts"]}
    old, new = load_strategy(two.old).strategy, load_strategy(two.new).strategy
    assert old
    assert new
    interpreter = Interpreter(old)
    prices = {Source.LAST: "1", Source.ASK: "1", Source.BID: "1"}
    for event in (1, 2):
        list(interpreter.process(Message(event, event, "MSFT", Kind.UPDATE, prices, {})))
    before = {part.rule.id: part.state for part in interpreter.parts}
    interpreter.load(new)
    for part in interpreter.parts:
        fate = changed.get(part.rule.id, "keeps its state")
        expected = (
            before[part.rule.id] if fate == "keeps its state" else State.DISARMED if "disarmed" in fate else State.ARMED
        )
        assert part.state is expected, part.rule.id
    assert set(before.values()) == {State.FIRED, State.ARMED}


def test_large_tables_are_compared_in_columns(two: Two, desk) -> None:
    ladder = "- {id: s, instrument: MSFT, when: last <= 9000, ladder: {step: -1 ticks, count: COUNT}, ORDER}\n"
    ladder = ladder.replace("ORDER", "order: {side: sell, qty: 1, type: market}")
    two.write(two.old, ladder.replace("COUNT", "200000"), "")
    data = two.data(ladder.replace("COUNT", "200001"), "")
    assert (data["unchanged"], [part["name"] for part in data["parts"]]) == (200_000, ["s[200001]"])


@pytest.mark.parametrize("content", [None, b"\0", b"\xff", b"fixaccel: 1\nvenue: venue.yaml\nrules: [{id: A}]\n"])
def test_what_cannot_be_compared(two: Two, content: bytes | None) -> None:
    if content is not None:
        two.new.write_bytes(content)
    result = run(two.old, two.new)
    assert result.exit_code == 2
    assert "error[FX" in result.output
    assert run(two.old.parent, two.old).exit_code == 2


def test_other_formats(two: Two) -> None:
    result = two.diff(RULES.replace("qty: 2", "qty: 3"), form="concise")
    assert "changed stop: starts afresh, armed at the load" in result.output
