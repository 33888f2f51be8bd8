# SPDX-License-Identifier: Apache-2.0
"""Limits that the risk desk changes while orders leave: at once, for a time, over a crash, and back by themselves."""

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from fixaccel.lab.desk import VENUE, Json, fixaccel
from fixaccel.lab.processes import Process, wait_until
from lab.desk import Desk
from lab.scenario import finish, play

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

_STRATEGY = """\
fixaccel: 1
venue: {venue}
limits: {limits}
rules:
  - id: fall
    instrument: MSFT
    when: last <= 1180
    ladder: {{step: -0.5, count: 8}}
    order: {{side: sell, qty: 1, type: limit, price: 1100}}
  - id: low
    instrument: MSFT
    when: last <= 1000
    {more}
    order: {{side: sell, qty: 1, type: market}}
"""
_RUNTIME = "rearm: {reset: last >= 1999, times: 40000}"  # more often than the fabric counts: all are in the runtime


def compiled(folder: Path, limits: str, where: str = "fabric", name: str = "bundle") -> Path:
    text = _STRATEGY.format(venue=VENUE, limits=limits, more=_RUNTIME if where == "runtime" else "")
    (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    fixaccel("compile", str(folder / f"{name}.yaml"), "-o", str(folder / name))
    return folder / name


def falls(count: int) -> str:
    """Each rung of the ladder when the test says so."""
    return "".join(
        f"- wait_for: {{file: fall{n}, timeout: 120s}}\n"
        f"- trade: {{instrument: MSFT, price: {1180 - 0.5 * (n - 1)}, size: 1}}\n"
        for n in range(1, count + 1)
    )


def outcomes(desk: Desk) -> Iterator[str]:
    """What becomes of one rung after the other."""
    for number in range(1, 9):
        desk.tell(f"fall{number}")
        yield str(desk.wait_for_fires(number)[-1]["outcome"])


def limits(desk: Desk, *words: str) -> tuple[int, str]:
    done = fixaccel("limits", *words, "--to", desk.control, check=False)
    return done.returncode, done.stdout + done.stderr


def in_force(desk: Desk, name: str) -> Json:
    text = fixaccel("limits", "--json", "--to", desk.control).stdout
    (found,) = [one for one in map(json.loads, text.splitlines()) if one["limit"] == name]
    return dict(found)


def until_reverted(desk: Desk, daemon: Process) -> None:
    """Its time is over, and what was armed is so again."""
    wait_until("the end", lambda: "change" not in in_force(desk, "total_orders"), 60, daemon.check_alive)
    desk.wait_armed(daemon)


@pytest.mark.parametrize("where", ["fabric", "runtime"])
def test_a_limit_is_changed_for_a_time(desk: Desk, tmp_path: Path, where: str) -> None:
    bundle = compiled(tmp_path, "{total_orders: 20}", where)
    desk.start_board()
    play(desk, falls(8) + "- wait_for: {file: seen, timeout: 120s}\n- logout: CLIENT1\n")
    daemon = desk.start_armed(bundle, deploy=True)
    desk.tell("armed")
    outcome = outcomes(desk)
    assert next(outcome) == "sent"

    # Tighter: at once, for rules and by hand alike.
    code, text = limits(desk, "set", "total_orders", "1", "--reason", "thin market", "--for", "2h")
    assert (code, text.splitlines()[0]) == (0, "total_orders              1, 1 used")
    assert text.endswith(": thin market (the bundle: 20)\n")
    desk.wait_armed(daemon)
    assert next(outcome) == "rejected:total_orders"
    assert desk.fires()[-1]["where"] == where
    done = fixaccel("order", "MSFT", "buy", "1", "--limit", "900", "--to", desk.control, check=False)
    assert (done.returncode, "total_orders" in done.stderr) == (1, True)

    # A crash changes nothing of it.
    daemon.kill()
    daemon = desk.start_armed(bundle, deploy=True)
    assert in_force(desk, "total_orders")["change"]["reason"] == "thin market"
    assert next(outcome) == "rejected:total_orders"
    assert limits(desk, "revert", "total_orders") == (0, "total_orders              20, 1 used\n")
    desk.wait_armed(daemon)
    assert next(outcome) == "sent"

    # What ends while nobody is there is not in force behind it, and what ends meanwhile ends by itself.
    assert limits(desk, "set", "total_orders", "2", "--reason", "r", "--for", "1s")[0] == 0
    daemon.kill()
    wait_until("its end", lambda: not _lasts(desk), 60)
    daemon = desk.start_armed(bundle, deploy=True)
    assert "change" not in in_force(desk, "total_orders")
    assert next(outcome) == "sent"
    assert limits(desk, "set", "total_orders", "3", "--reason", "r", "--for", "1500ms")[0] == 0
    until_reverted(desk, daemon)
    assert next(outcome) == "sent"

    # Looser, too.
    assert limits(desk, "set", "total_orders", "30", "--reason", "a good day", "--for", "2h")[0] == 0
    desk.wait_armed(daemon)
    assert (next(outcome), in_force(desk, "total_orders")["value"]) == ("sent", "30")

    # From zero: what was the last one is the first.
    assert limits(desk, "set", "total_orders", "5", "--reason", "all used", "--for", "2h")[0] == 0
    assert in_force(desk, "total_orders")["used"] == "5"
    code, text = limits(desk, "reset", "--reason", "flat again")
    assert (code, text.splitlines()[0]) == (0, "total_orders              5, 0 used")
    desk.wait_armed(daemon)
    daemon.kill()
    daemon = desk.start_armed(bundle, deploy=True)
    assert (next(outcome), in_force(desk, "total_orders")["used"]) == ("sent", "1")
    (reset,) = [line for line in desk.journal_lines() if line["type"] == "limits_reset"]
    assert (reset["reason"], reset["by"].startswith("user ")) == ("flat again", True)
    journal = finish(desk, daemon)
    changes = [line for line in journal if line["type"] in {"limit_set", "limit_reverted"}]
    assert [(line["type"], line["value"], line["reason"]) for line in changes] == [
        ("limit_set", 1, "thin market"),
        ("limit_reverted", 1, "asked"),
        ("limit_set", 2, "r"),
        ("limit_reverted", 2, "expired"),
        ("limit_set", 3, "r"),
        ("limit_reverted", 3, "expired"),
        ("limit_set", 30, "a good day"),
        ("limit_set", 5, "all used"),
    ]
    assert all(line["by"].startswith("user ") for line in changes if line["type"] == "limit_set")
    assert len(desk.record("order")) == 6


def _lasts(desk: Desk) -> bool:
    """Whether the last change that was made is not over yet, by this machine's clock."""
    end: int = [line["until_ns"] for line in desk.journal_lines() if line["type"] == "limit_set"][-1]
    return time.time_ns() < end


def test_other_bundles_and_what_is_refused(desk: Desk, tmp_path: Path) -> None:
    bundle = compiled(tmp_path, "{total_orders: 20, orders_per_second: 10}")
    other = compiled(tmp_path, "{total_orders: 10, orders_per_second: 5}", name="other")
    free = compiled(tmp_path, "{}", name="free")
    desk.start_board()
    play(desk, "- wait_for: {file: seen, timeout: 120s}\n- logout: CLIENT1\n")
    daemon = desk.start_armed(bundle, deploy=True)
    desk.tell("armed")
    for words, reason in (
        (("order_qty", "1"), "compiled into the orders"),
        (("total_odrers", "1"), "there is no limit total_odrers"),
        (("total_orders", "many"), "a whole number of orders, not 'many'"),
        (("total_qty", "1"), "say of which"),
        (("total_qty", "1", "--instrument", "MSTF"), "did you mean MSFT?"),
        (("repeat", "1s"), "rules of this bundle run in the fabric"),
        (("total_orders", "1", "--for", "48h"), "within 86400 seconds"),
    ):
        ends = () if "--for" in words else ("--for", "1h")
        code, text = limits(desk, "set", *words, "--reason", "r", *ends)
        assert (code, reason in text) == (1, True), text
    assert limits(desk, "revert", "total_orders")[0] == 1
    assert desk.status()["armed"], "nothing has changed"

    # Of another bundle only what is tighter than its own stays.
    assert limits(desk, "set", "total_orders", "15", "--reason", "r", "--for", "1h")[0] == 0
    assert limits(desk, "set", "orders_per_second", "2", "--reason", "r", "--for", "1h")[0] == 0
    assert limits(desk, "set", "total_qty", "7", "--instrument", "MSFT", "--reason", "r", "--for", "1h")[0] == 0
    desk.wait_armed(daemon)
    fixaccel("deploy", str(other), "--to", desk.control)
    desk.wait_armed(daemon)
    assert [in_force(desk, name)["value"] for name in ("total_orders", "orders_per_second", "total_qty")] == [
        "10",
        "2",
        "7",
    ]
    fixaccel("deploy", str(free), "--to", desk.control)
    desk.wait_armed(daemon)
    assert in_force(desk, "orders_per_second")["value"] == "2"
    changed = desk.status()["limits_changed"]
    assert [(one["limit"], one["value"]) for one in changed] == [("orders_per_second", "2"), ("total_qty", "7")]
    journal = finish(desk, daemon)
    ended = [(line["limit"], line["reason"]) for line in journal if line["type"] == "limit_reverted"]
    assert ended == [("total_orders", "another bundle is loaded")]


def test_a_limit_of_one_rule_is_changed_while_armed(desk: Desk, tmp_path: Path) -> None:
    text = _STRATEGY.format(venue=VENUE, limits="{}", more="")
    file = tmp_path / "own.yaml"
    file.write_text(text.replace("    ladder", "    limits: {total_orders: 5}\n    ladder", 1), encoding="utf-8")
    fixaccel("compile", str(file), "-o", str(tmp_path / "own"))
    desk.start_board()
    play(desk, falls(5) + "- wait_for: {file: seen, timeout: 120s}\n- logout: CLIENT1\n")
    daemon = desk.start_armed(tmp_path / "own", deploy=True)
    desk.tell("armed")
    outcome = outcomes(desk)
    assert next(outcome) == "sent"

    rule = ("--rule", "fall")
    for_now = ("--reason", "thin market", "--for", "2h")
    code, text = limits(desk, "set", "total_orders", "1", *rule, *for_now)
    assert (code, text.splitlines()[0]) == (0, "total_orders of rule fall  1, 1 used")
    assert next(outcome) == "rejected:total_orders"
    for name, whose, why in (
        ("repeat", "fall", "rule fall has no repeat of its own"),
        ("total_orders", "low", "rule low has no total_orders of its own"),
        ("total_orders", "none", "this bundle has no rule none"),
    ):
        value = "10s" if name == "repeat" else "3"
        code, text = limits(desk, "set", name, value, "--rule", whose, *for_now)
        assert (code, why in text) == (1, True), text

    daemon.kill()
    daemon = desk.start_armed(tmp_path / "own", deploy=True)
    assert next(outcome) == "rejected:total_orders"
    assert limits(desk, "revert", "total_orders", *rule) == (0, "total_orders of rule fall  5, 1 used\n")
    assert next(outcome) == "sent"
    assert limits(desk, "set", "total_orders", "2", *rule, "--reason", "r", "--for", "1s")[0] == 0
    wait_until("its end", lambda: "change" not in in_force(desk, "total_orders"), 60, daemon.check_alive)
    assert next(outcome) == "sent"
    journal = finish(desk, daemon)
    changes = [line for line in journal if line["type"] in {"limit_set", "limit_reverted"}]
    assert [(line["rule"], line["value"], line["reason"]) for line in changes] == [
        ("fall", 1, "thin market"),
        ("fall", 1, "asked"),
        ("fall", 2, "r"),
        ("fall", 2, "expired"),
    ]
    assert not [line for line in journal if line["type"] == "disarmed" and "limit" in line["reason"]]
