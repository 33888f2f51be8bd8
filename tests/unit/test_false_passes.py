# SPDX-License-Identifier: Apache-2.0
"""Tests of rules that would pass, or fail without a reason, because what they show the rule is no observation."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from fixaccel.cli.main import cli
from fixaccel.simulate.rtl.run import BINARY_VARIABLE

RULES = """\
- {id: stop, instrument: MSFT, when: last <= 1180, order: {side: sell, qty: 2, type: market}}
- {id: half, instrument: MSFT, when: mid >= 1300, order: {side: buy, qty: 2, type: market}}
- {id: far, instrument: MSFT, trail: {source: bid, by: 10}, order: {side: sell, qty: 2, type: market}}
"""


def run(desk, test: str, *options: str, head: str = "", rules: str = RULES) -> Result:
    desk.load(rules, head)
    file = desk.folder / "a.test.yaml"
    file.write_text("strategy: test.yaml\ntests:\n" + "".join(f"  {line}\n" for line in test.splitlines()))
    result = CliRunner().invoke(cli, ["test", str(file), *options])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


@pytest.mark.parametrize(
    ("event", "why"),
    [
        ("MSFT last 1179.001", "`last 1179.001` is no observation: prices of MSFT are multiples of 0.01"),
        ("MSFT bid 1 last 20000", "`last 20000` is no observation: prices of MSFT lie in 0.01..10000"),
        ("7203 snapshot ask 0.05", "`ask 0.05` is no observation: prices of 7203 are multiples of 0.1"),
        ("CLZ6 last -100.01", "`last -100.01` is no observation: prices of CLZ6 lie in -100..500"),
    ],
)
def test_a_price_that_no_rule_can_see(desk, event: str, why: str) -> None:
    result = run(desk, f"- name: stays out\n  events: ['MSFT halt', '{event}']\n  expect: []", "--format", "json")
    (found,) = json.loads(result.output)["diagnostics"]
    assert (found["code"], found["severity"], found["message"]) == ("FX0807", "warning", why)
    line = (desk.folder / "a.test.yaml").read_text().splitlines()[found["line"] - 1]
    assert line[found["column"] - 1 : found["end_column"] - 1] == event.rsplit(maxsplit=1)[-1]
    assert result.exit_code == 0, "a warning alone fails no test"


@pytest.mark.parametrize("price", ["-", "1180.01", "0.01", "10000", "1179.5000"])
def test_a_price_that_can_be_seen(desk, price: str) -> None:
    result = run(desk, f"- name: a\n  events: [MSFT last {price} @10:00]\n  expect: []", "--format", "json")
    assert json.loads(result.output)["diagnostics"] == []


@pytest.mark.parametrize(
    ("rule", "event", "why"),
    [
        ("stop", "last 1179.001", "last 1179.001 at event 2 is no observation: prices of MSFT are multiples of 0.01"),
        ("half", "bid 20000", "bid 20000 at event 2 is no observation: prices of MSFT lie in 0.01..10000"),
        ("far", "bid 5.001", "bid 5.001 at event 2 is no observation: prices of MSFT are multiples of 0.01"),
    ],
)
def test_the_reason_names_the_price(desk, rule: str, event: str, why: str) -> None:
    test = f"- name: a\n  events: [MSFT bid 1200 ask 1201 last 1200, MSFT {event}]\n  expect: [{{rule: {rule}}}]"
    assert f"{rule} did not fire: {why}" in run(desk, test).output


def test_a_price_that_was_seen_later_is_the_reason(desk) -> None:
    test = "- name: a\n  events: [MSFT last 1179.001, MSFT last 1181]\n  expect: [{rule: stop}]"
    assert "last 1181 at event 2 came nearest to `last <= 1180`, 1 away" in run(desk, test).output


@pytest.mark.parametrize("rule", ["stop", "half"])
def test_the_reason_names_a_collar_without_reference(desk, rule: str) -> None:
    test = f"- name: a\n  events: [MSFT bid 1300 ask 1301 last 1180]\n  expect: [{{rule: {rule}}}]"
    output = run(desk, test, head="limits: {collar: 10%}\n").output
    assert "would have fired it, but the collar had no last or mid to compare it with" in output


def test_the_reason_names_a_collar_where_a_reference_had_been(desk) -> None:
    test = "- name: a\n  events: [MSFT last 1190, MSFT last -, MSFT last 1180]\n  expect: [{rule: stop}]"
    output = run(desk, test, head="limits: {collar: 10%}\n").output
    assert "last 1180 at event 3 would have fired it, but the collar had no last or mid to compare it with" in output


def test_the_reason_names_a_collar_for_a_trail(desk) -> None:
    rules = "- {id: far, instrument: MSFT, trail: {source: bid, by: 10}, order: {side: sell, qty: 2, type: market}}\n"
    test = "- name: a\n  events: [MSFT bid 1190]\n  expect: [{rule: far}]"
    output = run(desk, test, head="limits: {collar: 10%}\n", rules=rules).output
    assert "bid 1190 at event 1 was not eligible: the collar had no last or mid to compare it with" in output


def test_tests_of_which_none_was_run_fail(desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "rtlsim"
    program.write_text("#!/bin/false\n")
    program.chmod(0o755)
    monkeypatch.setenv(BINARY_VARIABLE, str(program))
    test = "- name: a\n  events: [MSFT gap]\n  expect: []"  # the fabric's wire carries no gap
    result = run(desk, test, "--engine", "rtl")
    assert result.exit_code == 1
    assert "0 passed, 0 failed, 1 not run" in result.output
    assert "none of the tests was run" in result.stderr
    allowed = run(desk, test, "--engine", "rtl", "--allow-not-run")
    assert (allowed.exit_code, allowed.stderr) == (0, "")
