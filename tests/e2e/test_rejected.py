# SPDX-License-Identifier: Apache-2.0
"""Rules that were rejected are listed with the reason, and can be armed again one by one."""

import json
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete

from fixaccel.cli.main import cli
from fixaccel.lab.desk import VENUE, fixaccel
from lab.desk import Desk
from lab.scenario import finish, play

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

# `more` keeps all of them in the runtime: what a limit counts runs in one place.
_STRATEGY = """\
fixaccel: 1
venue: {venue}
limits: {{orders_per_second: 1}}
rules:
  - id: high
    instrument: MSFT
    when: last <= 1180
    order: {{side: sell, qty: 1, type: market}}
  - id: fall
    instrument: MSFT
    when: last <= 1179
    ladder: {{step: -0.5, count: 3}}
    order: {{side: sell, qty: 1, type: market}}
  - id: low
    instrument: MSFT
    when: last <= 1000
    {more}
    order: {{side: sell, qty: 1, type: market}}
"""
_AGAIN = "- trade: {{instrument: MSFT, price: 1178.5, size: 1}}\n- wait_for: {{orders: {}, timeout: 30s}}\n"


@pytest.mark.parametrize("where", ["fabric", "runtime"])
def test_rejected_rules_one_by_one(desk: Desk, tmp_path: Path, where: str) -> None:
    more = "rearm: {reset: last >= 1999, times: 40000}" if where == "runtime" else ""
    (tmp_path / "strategy.yaml").write_text(_STRATEGY.format(venue=VENUE, more=more), encoding="utf-8")
    bundle = tmp_path / "bundle"
    fixaccel("compile", str(tmp_path / "strategy.yaml"), "-o", str(bundle))
    desk.start_board()
    waits = [
        f"- wait_for: {{file: again{number}, timeout: 60s}}\n- wait: 1100ms\n" + _AGAIN.format(number)
        for number in (2, 3)
    ]
    play(desk, _AGAIN.format(1) + "".join(waits) + "- wait_for: {file: seen, timeout: 60s}\n- logout: CLIENT1\n")
    daemon = desk.start_armed(bundle, deploy=True)
    desk.tell("armed")
    desk.wait_for_fires(3)
    desk.wait_for_orders(1)
    desk.wait_reported(daemon)
    rules = {rule["id"]: rule for rule in desk.status()["rules"]}
    assert [id_ for id_, rule in rules.items() if "rejected" in rule] == ["fall[1]", "fall[2]"]
    why = rules["fall[1]"]["rejected"]
    assert (why["outcome"], why["observed"], rules["fall[1]"]["where"]) == (
        "rejected:orders_per_second",
        "1178.5",
        where,
    )
    assert why["time_ns"] == desk.fires()[1]["trigger_time_ns"]
    text = fixaccel("status", "--to", desk.control).stdout
    assert "rejected, until `fixaccel arm RULE`\n  fall[1]: orders_per_second, seen 1178.5, 20" in text

    shell = ShellComplete(cli, {}, "fixaccel", "")
    offered = shell.get_completions(["arm", "--to", desk.control], "fa")
    assert [(item.value, item.help) for item in offered] == [
        (rule, "rejected:orders_per_second") for rule in ("fall[1]", "fall[2]")
    ]

    lines = len(desk.journal_lines())
    for names, reason in (
        (["high"], "its order was sent"),
        (["fall[2]", "low"], "it has not fired"),
        (["fall[1]", "fel"], "no such rule is loaded"),
    ):
        done = fixaccel("arm", *names, "--to", desk.control, check=False)
        assert (done.returncode, reason in done.stderr) == (1, True), done.stderr
    assert desk.status()["armed"]
    assert {line["type"] for line in desk.journal_lines()[lines:]} <= {"next", "out", "command"}, "nothing has changed"

    fixaccel("arm", "fall[2]", "--to", desk.control)
    assert desk.fires()[3:] == [], "the next observation decides"
    desk.tell("again2")
    assert [fire["rule"] for fire in desk.wait_for_fires(4)[3:]] == ["fall[2]"]
    status = json.loads(fixaccel("arm", "fall", "--json", "--to", desk.control).stdout)
    assert {rule["id"] for rule in status["rules"] if rule["state"] == "armed"} == {"fall[1]", "fall[3]", "low"}
    desk.tell("again3")
    fires = desk.wait_for_fires(5)
    assert [(fire["rule"], fire["outcome"], fire["where"]) for fire in fires] == [
        ("high", "sent", where),
        ("fall[1]", "rejected:orders_per_second", where),
        ("fall[2]", "rejected:orders_per_second", where),
        ("fall[2]", "sent", where),
        ("fall[1]", "sent", where),
    ]
    assert not any("rejected" in rule for rule in desk.status()["rules"])
    finish(desk, daemon)
