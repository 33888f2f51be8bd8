# SPDX-License-Identifier: Apache-2.0
"""`fixaccel test`: what test files can say, what is compared, and what a failure shows."""

import json
from datetime import UTC, datetime
from pathlib import Path
from xml.etree import ElementTree as ET
from zoneinfo import ZoneInfo

import pytest
from click.testing import CliRunner, Result

from fixaccel.cli.main import cli
from fixaccel.testing import load
from fixaccel.testing.clock import Clock, TimeError

RULES = """\
- {id: stop, instrument: MSFT, when: last <= 1180, order: {side: sell, qty: 2, type: limit, price: 1100}}
- {id: floor, instrument: MSFT, when: last <= 1170, order: {side: sell, qty: 3, type: market}}
- {id: take, instrument: [MSFT, CLZ6], when: bid >= 1300, order: {side: buy, qty: 1, type: market}, enabled: ENABLED}
"""
PASSES = """\
- name: both stops
  events: [MSFT last 1181, MSFT last 1169.5]
  expect:
    - {event: 2, rule: stop, trigger: 1180.00, observed: 1169.5, price: 1100, side: sell, qty: 2, outcome: sent}
    - {event: 2, rule: floor, price: none, type: market, source: last}
"""


class Bench:
    """A folder with a strategy, and what `fixaccel test` makes of a test file beside it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file = folder / "a.test.yaml"

    def run(self, tests: str, *options: str) -> Result:
        self.file.write_text("strategy: strategy.yaml\ntests:\n" + "".join(f"  {x}\n" for x in tests.splitlines()))
        return self.again(*options, self.file)

    @staticmethod
    def again(*arguments: object) -> Result:
        result = CliRunner().invoke(cli, ["test", *map(str, arguments)])
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
        return result

    def event(self, event: str) -> Result:
        return self.run(f"- name: a\n  events: ['{event}']\n  expect: []", "--format", "concise")


@pytest.fixture
def tests(desk, tmp_path) -> Bench:
    desk.load(RULES.replace("ENABLED", "false"))
    (tmp_path / "test.yaml").rename(tmp_path / "strategy.yaml")
    return Bench(tmp_path)


@pytest.mark.parametrize("engine", ["rules", "image"])
def test_a_passing_test(tests: Bench, engine: str) -> None:
    result = tests.run(PASSES, "--engine", engine)
    assert (result.exit_code, result.output) == (0, f"{tests.file}: 1 passed, 0 failed\n1 passed, 0 failed\n")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("event: 2, rule: floor", "event: 1, rule: floor"),
        ("trigger: 1180.00", "trigger: 1180.01"),
        ("observed: 1169.5", "observed: 1169"),
        ("price: 1100", "price: none"),
        ("price: none", "price: 1"),
        ("side: sell", "side: buy"),
        ("qty: 2", "qty: 20"),
        ("type: market", "type: limit"),
        ("source: last", "source: bid"),
        ("outcome: sent", "outcome: rejected:collar"),
    ],
)
def test_every_key_is_compared(tests: Bench, old: str, new: str) -> None:
    assert old in PASSES
    result = tests.run(PASSES.replace(old, new))
    if "event: 1" in new:
        assert "FX0804" in result.output
        return
    assert result.exit_code == 1
    assert "0 passed, 1 failed" in result.output
    assert f"*{new.rsplit(', ', maxsplit=1)[-1].replace(':', '', 1)}*" in result.output


def test_expect_is_exhaustive_and_ordered(tests: Bench) -> None:
    events = "- name: a\n  events: [MSFT last 1160]\n  expect: "
    missing = tests.run(f"{events}[{{rule: stop}}]")
    assert missing.exit_code == 1
    assert "+" in missing.output
    assert "rule floor, side sell" in missing.output
    assert tests.run(f"{events}[{{rule: stop}}, {{}}]").exit_code == 0
    assert tests.run(f"{events}[{{rule: floor}}, {{rule: stop}}]").exit_code == 1


def test_another_rule_is_no_counterpart(tests: Bench) -> None:
    result = tests.run(PASSES.replace("rule: floor", "rule: stop"))
    assert result.exit_code == 1
    assert "stop did not fire again at event 2: it fired at event 2" in result.output


def test_a_rule_that_did_not_fire_says_why(tests: Bench) -> None:
    result = tests.run("- name: a\n  events: [MSFT last 1180.5, MSFT bid 1]\n  expect: [{event: 2, rule: stop}]")
    assert "-  event 2, rule stop  nothing" in result.output
    assert "stop did not fire at event 2: never satisfied: last 1180.5 at event 1 came nearest" in result.output


@pytest.mark.parametrize(
    ("event", "code"),
    [
        ("MSFT last", "FX0801"),
        ("MSFT last bid 3", "FX0801"),
        ("MSFT last 3 last 4", "FX0801"),
        ("MSFT lst 3", "FX0801"),
        ("MSFT last 1e3", "FX0801"),
        ("MSFT @10:00 last 3", "FX0801"),
        ("   ", "FX0801"),
        ("fill", "FX0801"),
        ("fill stop", "FX0801"),
        ("fill stop 1.5", "FX0801"),
        ("fill stop 0", "FX0801"),
        ("fill stop 2 at", "FX0801"),
        ("fill stop 2 at x", "FX0801"),
        ("fill stop 2 for 3", "FX0801"),
        ("done", "FX0801"),
        ("done stop 2", "FX0801"),
        ("reject @10:00", "FX0801"),
        ("fill stpo 2", "FX0803"),
        ("fill take 2", "FX0803"),
        ("fill stop 2 @10:61", "FX0802"),
        ("MSTF last 3", "FX0704"),
        ("* last 3", "FX0705"),
        ("MSFT gap last 3", "FX0705"),
        ("MSFT last 3 @25:00", "FX0802"),
        ("MSFT last 3 @", "FX0802"),
        ("MSFT last 3 @2026-02-30T10:00", "FX0802"),
        ("MSFT last 3 @1969-12-31T10:00", "FX0802"),
        ("MSFT last 3 @9999-12-31T10:00", "FX0802"),
        ("MSFT last 3 @10:00Z", "FX0802"),
    ],
)
def test_wrong_events(tests: Bench, event: str, code: str) -> None:
    result = tests.event(event)
    assert result.exit_code == 1
    assert "a.test.yaml:4:" in result.output
    assert code in result.output


@pytest.mark.parametrize(
    "event", ["MSFT", "* halt", "* open @10:00", "MSFT gap", "MSFT snapshot ask - bid 3 @+1ms", "7203 bid 0.1 ask 0.2"]
)
def test_sound_events(tests: Bench, event: str) -> None:
    assert tests.event(event).exit_code == 0


def test_events_are_a_morning_a_second_apart() -> None:
    zone = ZoneInfo("America/New_York")
    clock = Clock(zone.key)
    texts = [None, None, "+250ms", "10:00:05.5", "2026-01-05T15:00:06Z", "09:00", None]
    seen = [datetime.fromtimestamp(clock.next(text) / 1e9, UTC).astimezone(zone).isoformat() for text in texts]
    assert seen == [
        "2026-01-05T10:00:00-05:00",
        "2026-01-05T10:00:01-05:00",
        "2026-01-05T10:00:01.250000-05:00",
        "2026-01-05T10:00:05.500000-05:00",
        "2026-01-05T10:00:06-05:00",
        "2026-01-06T09:00:00-05:00",  # the next time that the clock shows it
        "2026-01-06T09:00:01-05:00",
    ]
    with pytest.raises(TimeError, match="before"):
        clock.next("2026-01-05T09:00")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("strategy: strategy.yaml\ntests: []\n", "FX0806"),
        ("strategy: strategy.yaml\ntests: []\nextra: 1\n", "FX0203"),
        ("tests: []\n", "FX0204"),
        ("strategy: strategy.yaml\ntests: [{name: a, events: []}]\n", "FX0204"),
        ("strategy: strategy.yaml\ntests: [{name: a, events: [], expect: [{qty: x}]}]\n", "FX0208"),
        ("strategy: strategy.yaml\ntests: [{name: a, events: [], expect: [{quantity: 1}]}]\n", "FX0203"),
        ("strategy: strategy.yaml\ntests: [{name: a, events: [], expect: [{rule: take}]}]\n", "FX0803"),
        (
            "strategy: strategy.yaml\ntests: [{name: a, events: [MSFT, MSFT], expect: [{event: 2}, {event: 1}]}]\n",
            "FX0804",
        ),
        ("- a list\n", "FX0205"),
        ("", "FX0120"),
        ("\0", "FX0104"),
    ],
)
def test_wrong_files(tests: Bench, text: str, code: str) -> None:
    tests.file.write_text(text)
    result = tests.again(tests.file, "--format", "concise")
    assert result.exit_code == 1
    assert code in result.output


def test_a_strategy_that_is_not_there_is_reported_where_it_is_named(tests: Bench) -> None:
    tests.file.write_text("strategy: nowhere.yaml\ntests: []\n")
    result = tests.again(tests.file, "--format", "concise")
    assert result.exit_code == 2
    assert "a.test.yaml:1:11: error: FX0101" in result.output


def test_a_wrong_strategy_fails_its_tests_and_no_others(tests: Bench) -> None:
    (tests.folder / "wrong.yaml").write_text("fixaccel: 1\nvenue: venue.yaml\nrules: [{id: UPPER}]\n")
    (tests.folder / "b.test.yaml").write_text("strategy: wrong.yaml\ntests: [{name: a, events: [], expect: []}]\n")
    tests.run(PASSES)
    result = tests.again(tests.folder)
    assert result.exit_code == 1
    assert "error[FX0210]" in result.output
    assert result.output.endswith("1 passed, 0 failed\n")


@pytest.mark.parametrize("content", [b"\xff\xfe", b"\x00\x01" * 50, b"[" * 3000, b"x" * (5 << 20)])
def test_content_that_is_no_test_file(tests: Bench, content: bytes) -> None:
    tests.file.write_bytes(content)
    assert tests.again(tests.file).exit_code == 1


def test_nothing_to_run(tests: Bench) -> None:
    empty = tests.folder / "empty"
    empty.mkdir()
    assert tests.again(empty).exit_code == 2
    assert tests.again(tests.folder / "nowhere.test.yaml").exit_code == 2
    result = tests.run(PASSES, "-k", "nothing like it")
    assert result.exit_code == 2
    assert "no test matches" in result.output


def test_filter_and_stop(tests: Bench) -> None:
    fails = "".join(f"- {{name: wrong {n}, events: [MSFT last 1], expect: []}}\n" for n in range(2))
    assert "0 passed, 2 failed" in tests.run(PASSES + fails, "-k", "wrong").output
    assert "1 passed, 1 failed" in tests.run(PASSES + fails, "-x").output
    assert "1 passed, 2 failed" in tests.run(PASSES + fails, "-k", "a.test").output


def test_coverage(tests: Bench) -> None:
    one = "- {name: a, events: [MSFT last 1175], expect: [{rule: stop}]}"
    result = tests.run(one, "--coverage")
    assert "1 of 2 rules fired in a test, 50 %" in result.output
    assert "never fired: floor" in result.output
    assert result.exit_code == 0
    assert tests.run(one, "--fail-under", "51").exit_code == 1
    assert tests.run(one, "--fail-under", "50").exit_code == 0


def test_junit_is_what_ci_reads(tests: Bench) -> None:
    report = tests.folder / "report.xml"
    fails = '- {name: "wrong \\t <&>", events: [MSFT last 1], expect: []}\n'
    tests.run(PASSES + fails.replace("\\t", ""), "--junit", str(report))
    root = ET.parse(report).getroot()
    assert root.tag == "testsuites"
    assert {name: root.get(name) for name in ("tests", "failures", "errors", "skipped")} == {
        "tests": "2",
        "failures": "1",
        "errors": "0",
        "skipped": "0",
    }
    (suite,) = root
    assert suite.get("name") == str(tests.file)
    passed, failed = suite
    assert (passed.get("classname"), passed.get("name"), len(passed)) == ("strategy", "both stops", 0)
    assert failed.get("name") == "wrong  <&>"
    assert "2 of 2 fires" in failed.find("failure").get("message")
    assert "expected nothing; seen" in failed.find("failure").text


def test_junit_tells_of_files_that_cannot_be_run(tests: Bench) -> None:
    report = tests.folder / "report.xml"
    tests.run(PASSES.replace("rule: floor", "rule: flor"), "--junit", str(report))
    root = ET.parse(report).getroot()
    assert (root.get("tests"), root.get("errors")) == ("1", "1")
    assert "FX0803" in root.find("testsuite/testcase/error").text


def test_json(tests: Bench) -> None:
    data = json.loads(tests.run(PASSES, "--format", "json", "--coverage").output)
    assert (data["passed"], data["failed"], data["not_run"], data["diagnostics"]) == (1, 0, 0, [])
    assert [pair["seen"]["rule"] for pair in data["tests"][0]["comparison"]] == ["stop", "floor"]
    assert data["coverage"][0]["percent"] == 100


def test_github_format_names_the_place(tests: Bench) -> None:
    result = tests.run("- {name: a, events: [MSFT last 1], expect: []}", "--format", "github")
    assert (
        result.output == f"::error file={tests.file},line=3,col=12,endLine=3,endColumn=13,title=test::test failed: a\n"
    )


def test_a_strategy_is_read_once(tests: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    read = []
    original = load.load_strategy
    monkeypatch.setattr(load, "load_strategy", lambda path: read.append(path) or original(path))
    for name in "bcd":
        (tests.folder / f"{name}.test.yaml").write_text("strategy: strategy.yaml\ntests:\n" + PASSES)
    assert tests.again(tests.folder).exit_code == 0
    assert len(read) == 1


def test_check_knows_test_files(tests: Bench) -> None:
    tests.run(PASSES)
    assert CliRunner().invoke(cli, ["check", str(tests.file)]).output == "1 file checked, nothing wrong\n"
    tests.run(PASSES.replace("rule: floor", "rule: flor"))
    result = CliRunner().invoke(cli, ["check", str(tests.file), "--format", "concise"])
    assert (result.exit_code, "FX0803" in result.output) == (1, True)
