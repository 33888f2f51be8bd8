# SPDX-License-Identifier: Apache-2.0
"""`fixaccel fires` of a daemon and of a journal; with a real daemon it is in tests/e2e/test_watch.py."""

import itertools
import json
import time
from datetime import UTC, datetime

import click
import pytest
from answering import Answering
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from test_journal import FILE, FIRE, line

from fixaccel.board.fires import is_of, known_of
from fixaccel.cli import fires as module
from fixaccel.cli.complete import complete_fired
from fixaccel.cli.fires import fires

_NOON = int(datetime(2026, 3, 2, 12, tzinfo=UTC).timestamp() * 10**9)
_KEPT = 20


def fire(number: int, rule: str = "fall", **more: object) -> dict:
    return {
        "rule": rule,
        "observed": "1179",
        "threshold": "1180",
        "outcome": "sent",
        "msg_seq_num": number,
        "cl_ord_id": f"X{number}",
        "trigger_time_ns": _NOON + number * 10**9,
    } | more


def status(*found: dict, rules: tuple[str, ...] = ()) -> dict:
    return {"ok": True, "rules": [{"id": rule} for rule in rules], "fires": list(found)}


@pytest.fixture
def daemon(tmp_path):
    made = []

    def start(answer) -> Answering:
        made.append(Answering(tmp_path / "control.sock", answer if callable(answer) else lambda _: answer))
        return made[-1]

    yield start
    for one in made:
        one.stop()


def run(*arguments: str):
    return CliRunner().invoke(fires, arguments)


def ids(text: str) -> list[str]:
    return [json.loads(one)["cl_ord_id"] for one in text.splitlines()]


# What is new.


@given(st.lists(st.integers(0, 3), max_size=60), st.lists(st.integers(0, 30), max_size=12))
def test_each_fire_is_new_once(times, counts):
    """Whatever comes between two looks, if not more than is kept; fires may be alike but for their number."""
    made = [fire(number, trigger_time_ns=at) for number, at in enumerate(times)]
    seen, before, upto = [], [], 0
    for count in [*counts, len(made)]:
        upto = min(upto + min(count, _KEPT - 1), len(made))
        # Each look tells something new of the orders.
        now = [{**one, "order": {"status": str(upto)}} for one in made[max(0, upto - _KEPT) : upto]]
        seen += now[known_of(before, now) :]
        before = now
    assert [one["cl_ord_id"] for one in seen] == [one["cl_ord_id"] for one in made[:upto]]


def test_all_are_new_where_none_is_known_any_more():
    assert known_of([fire(1), fire(2)], [fire(3)]) == 0
    assert known_of([], [fire(3)]) == 0
    assert known_of([fire(1), fire(2)], []) == 0
    # Alike in all but what has become of it is the same; alike in all but one thing is another.
    assert known_of([fire(1)], [{**fire(1), "order": {}}, fire(2)]) == 1
    assert known_of([fire(1)], [{**fire(1), "committed": True}]) == 0


def test_a_rule_and_its_parts():
    assert is_of({"rule": "fall[2]"}, "fall")
    assert is_of({"rule": "low", "of_rule": "fall"}, "fall")
    assert not is_of({"rule": "fallen"}, "fall")
    assert not is_of({"rule": "fall[12]"}, "fall[1]")
    assert not is_of({}, "fall")


# Of a daemon.


def test_what_the_daemon_knows(daemon):
    done = {"status": "filled", "cum_qty": "2", "avg_px": "1179"}
    endpoint = daemon(status(fire(1, order=done), fire(2, rule="rise"))).endpoint
    result = run("--to", endpoint)
    assert result.output.splitlines() == [
        "2026-03-02 12:00:01.000000  fall: seen 1179 at 1180, sent, MsgSeqNum 1, X1, order filled 2 at 1179",
        "2026-03-02 12:00:02.000000  rise: seen 1179 at 1180, sent, MsgSeqNum 2, X2",
    ]
    assert ids(run("--to", endpoint, "--json", "--rule", "rise").output) == ["X2"]
    assert ids(run("--to", endpoint, "--json", "--since", "2026-03-02T12:00:02").output) == ["X2"]
    assert ids(run("--to", endpoint, "--json", "--since", "2026-03-02T13:00:02+01:00").output) == ["X2"]


def test_since_so_long_ago(daemon):
    now = time.time_ns()
    endpoint = daemon(status(*(fire(n, trigger_time_ns=now - s * 10**9) for n, s in ((1, 7000), (2, 10))))).endpoint
    assert ids(run("--to", endpoint, "--json", "--since", "1h").output) == ["X2"]
    assert ids(run("--to", endpoint, "--json", "--since", "2h").output) == ["X1", "X2"]


@pytest.mark.parametrize("since", ["yesterday", "15", "-3m", "2026-13-01", "1y"])
def test_a_time_that_is_none(since):
    result = run("--since", since)
    assert (result.exit_code, "neither a time" in result.output) == (2, True)


def test_a_rule_that_nobody_knows(daemon):
    endpoint = daemon(status(fire(1), rules=("rise[1]",))).endpoint
    result = run("--to", endpoint, "--rule", "fall", "--rule", "flal")
    assert (result.exit_code, result.output) == (1, "Error: no rule flal is loaded or has fired\n")
    # One that is loaded and has not fired is no mistake.
    assert (run("--to", endpoint, "--rule", "rise").exit_code) == 0


def test_nobody_answers(tmp_path):
    result = run("--to", f"unix:{tmp_path}/none")
    assert (result.exit_code, "no daemon answers" in result.output) == (2, True)


def test_a_journal_needs_no_daemon(tmp_path):
    result = run(str(tmp_path), "--to", "unix:x")
    assert (result.exit_code, "leave --to out" in result.output) == (2, True)


# Followed, of a daemon.


@pytest.fixture
def follow(pauses):
    """Follows ``endpoint``; before each pause but the last a step is taken."""

    def of(endpoint: str, *steps, options: tuple[str, ...] = ()):
        pauses(module, *steps)
        return CliRunner().invoke(fires, ["--to", endpoint, "--follow", "--json", *options])

    return of


def test_followed_over_a_restart(daemon, follow):
    known = [fire(1), fire(2)]
    running = daemon(lambda _: status(*known))

    def more(*found):
        return lambda: known.extend(found)

    def back():
        known.append(fire(4))
        running.start()

    result = follow(running.endpoint, lambda: None, more(fire(3)), running.stop, lambda: None, back, lambda: None)
    assert ids(result.stdout) == ["X1", "X2", "X3", "X4"]
    assert "no daemon answers" in result.stderr
    assert result.stderr.endswith("the daemon answers again\n")
    assert result.exit_code == 0


def test_followed_where_more_came_than_are_known(daemon, follow):
    known = [fire(1), fire(2)]

    def forget():
        known[:] = [fire(7), fire(8)]

    result = follow(daemon(lambda _: status(*known)).endpoint, forget)
    assert ids(result.stdout) == ["X1", "X2", "X7", "X8"]
    assert "some may be missing" in result.stderr


def test_a_refusal_is_no_end(daemon, follow):
    answers = itertools.chain([{"ok": False, "error": "32 requests wait"}], itertools.repeat(status(fire(1))))
    result = follow(daemon(lambda _: next(answers)).endpoint, lambda: None)
    assert ids(result.stdout) == ["X1"]
    assert "32 requests wait" in result.stderr


# Of a journal.


def recorded(number: int, **more: object) -> dict:
    return {**FIRE, "cl_ord_id": f"X{number}", "trigger_time_ns": _NOON + number * 10**9, "order": 3, **more}


def test_fires_of_a_journal_with_what_became_of_them(tmp_path):
    report = {"type": "execution", "cl_ord_id": "X1", "status": "filled", "cum_qty": "2", "avg_px": "1179"}
    load = {"type": "load", "rules": [{"id": "low", "rule": "fall"}]}
    reject = {"type": "reject", "cl_ord_id": "X2", "text": "no"}
    content = [load, recorded(1), report, recorded(2), reject, recorded(3, rule="low", of_rule="fall")]
    (tmp_path / FILE).write_bytes(b"".join(map(line, content)))
    result = run(str(tmp_path), "--json")
    found = [json.loads(one) for one in result.output.splitlines()]
    assert [one.get("order", {}).get("status") for one in found] == ["filled", "rejected", None]
    assert run(str(tmp_path)).output.splitlines()[0].endswith("X1, 4 cycles, order filled 2 at 1179")
    assert ids(run(str(tmp_path), "--json", "--rule", "fall").output) == ["X3"]
    assert run(str(tmp_path), "--rule", "rise").exit_code == 1


def test_a_damaged_journal_is_said_to_be_one(tmp_path):
    (tmp_path / "journal-000000000007.log").write_bytes(line(recorded(1)) + b"nonsense\n" + line(recorded(2)))
    (tmp_path / "journal-000000000012.log").write_bytes(line(recorded(3))[:-9])
    result = CliRunner().invoke(fires, [str(tmp_path), "--json"])
    assert (result.exit_code, ids(result.stdout)) == (0, ["X1", "X2"])
    assert result.stderr.splitlines() == [
        f"the journal in {tmp_path} begins with record 7: what was before is not shown",
        "journal-000000000007.log, line 2, is damaged or not whole: it may have been a fire",
        "the file with the records 9 to 11 is not there: fires may be in it",
        "journal-000000000012.log, line 1, is damaged or not whole: it may have been a fire",
    ]


@pytest.mark.parametrize("options", [(), ("--follow",)])
def test_no_journal(tmp_path, options):
    result = run(str(tmp_path), *options)
    assert (result.exit_code, "there is no journal in it" in result.output) == (2, True)


# The shell.


def test_the_shell_offers_rules(daemon, tmp_path):
    running = daemon(status(fire(1, rule="former"), rules=("fall[1]", "fall[2]", "rise")))
    (tmp_path / FILE).write_bytes(line({"type": "load", "rules": [{"id": "low"}]}) + line(FIRE) + b"torn")

    def offered(typed: str, **parameters: object) -> list[str]:
        context = click.Context(fires)
        context.params = parameters
        return [item.value for item in complete_fired(context, fires.params[0], typed)]

    assert offered("f", endpoint=running.endpoint) == ["fall[1]", "fall[2]", "former"]
    assert offered("", folder=tmp_path) == ["low", "protect-msft"]
    assert offered("", folder=tmp_path / "none") == []
    assert offered("", endpoint=f"unix:{tmp_path}/none") == []
