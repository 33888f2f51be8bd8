# SPDX-License-Identifier: Apache-2.0
"""`fixaccel status --watch`: what it shows of a daemon that comes and goes; tests/e2e/test_watch.py has a real one."""

import io
import json
import os
import pty
import signal
import subprocess
import sys
import time

import pytest
from answering import Answering
from click.testing import CliRunner
from rich.console import Console
from test_control import SHORT, STATUS

from fixaccel.board.polling import Poller
from fixaccel.cli import watch as module
from fixaccel.cli.status import status
from fixaccel.cli.watch import Changes, aspects, plain, screen

FIRE = STATUS["fires"][0]
AWAY = {"ok": False, "error": "no daemon answers at unix:x"}


def changes(*answers: dict) -> list[list[str]]:
    seen = Changes()
    return [list(seen.lines(answer)) for answer in answers]


def test_all_that_is_comes_first():
    assert changes(STATUS) == [
        [
            "session   armed, CLIENT1 at SIMULATOR",
            "board     armed",
            "epoch     0001",
            "rules     quickstart: 1 fired",
        ]
    ]


def test_what_changes_has_a_line():
    disarmed = {**STATUS, "armed": False, "phase": "ready", "problem": "the lease", "fabric": {**STATUS["fabric"]}}
    disarmed["fabric"]["disarm_reason"] = "the lease"
    rules = [*STATUS["rules"], {**STATUS["rules"][0], "state": "armed"}, {**STATUS["rules"][0], "state": "armed"}]
    _, same, changed, back, loaded = changes(STATUS, STATUS, disarmed, STATUS, {**STATUS, "rules": rules})
    assert same == []
    assert changed == [
        "session   ready, CLIENT1 at SIMULATOR",
        "board     disarmed: the lease",
        "problem   the lease",
    ]
    assert back == ["session   armed, CLIENT1 at SIMULATOR", "board     armed", "problem   none any more"]
    assert loaded == ["rules     quickstart: 2 armed, 1 fired"]


def test_numbers_and_times_that_go_on_are_no_change():
    loss = {"reason": "it closed", "time_ns": 0}
    comeback = {"loss": loss, "tries": 3, "next_try_ms": 8000, "awaits": "", "refused": ""}
    amiss = {**STATUS, "comeback": comeback, "parser": {"lost": True, "lost_ms": 1500, "from_message": 7}}
    later = {**amiss, "next_sender": 9, "next_target": 99}
    later["comeback"] = {**comeback, "next_try_ms": 100}
    later["parser"] = {**amiss["parser"], "lost_ms": 2500}
    first, second, tried = changes(amiss, later, {**later, "comeback": {**comeback, "tries": 4}})
    assert any("THE PARSER LOST THE STREAM" in line for line in first)
    assert second == []
    assert tried == ["lost      1970-01-01 00:00:00 UTC: it closed, 4 tries since"]


def test_fires_and_what_becomes_of_their_orders():
    new = {**FIRE, "rule": "rise", "msg_seq_num": 5, "cl_ord_id": "X5", "order": None}
    done = {**new, "order": {"status": "filled", "cum_qty": "1", "avg_px": "7"}}
    answers = [{**STATUS, "fires": fires} for fires in ([FIRE], [FIRE, new], [FIRE, done], [done])]
    text = "rise: seen 1179 at 1180, sent, MsgSeqNum 5, X5, 4 cycles"
    assert changes(*answers)[1:] == [[f"fire      {text}"], [f"order     {text}, order filled 1 at 7"], []]


def test_a_daemon_that_is_away_is_said_and_what_changed_meanwhile():
    first, still, back = changes(AWAY, AWAY, STATUS)
    assert (first, still) == (["daemon    no daemon answers at unix:x"], [])
    assert back[:2] == ["daemon    answers again", "session   armed, CLIENT1 at SIMULATOR"]
    idle = {**STATUS, "phase": "idle", "armed": False, "fires": [FIRE, {**FIRE, "cl_ord_id": "X9"}]}
    _, away, idled = changes(STATUS, AWAY, idle)
    assert away == ["daemon    no daemon answers at unix:x"]
    assert [line.split()[0] for line in idled] == ["daemon", "session", "board", "fire"]


def test_the_short_status_too():
    off = {**SHORT, "kill": {"on": False, "by": "", "time_ns": 0}}
    assert changes(off, off, SHORT)[1:] == [
        [],
        ["kill      ON since 2023-11-14 22:13:20 UTC, by user 0, process 7"],
    ]


def test_what_a_terminal_would_obey_is_not_said():
    assert (
        plain("a\x1b[31mb\nc\u202ed")
        == "a\N{REPLACEMENT CHARACTER}[31mb\N{REPLACEMENT CHARACTER}c\N{REPLACEMENT CHARACTER}d"
    )
    assert plain("Zürich, 1.5 €") == "Zürich, 1.5 €"


# On a terminal.


def drawn(answer: dict, height: int = 24, width: int = 100, **more: str) -> list[str]:
    text = io.StringIO()
    console = Console(file=text, width=width, height=height, force_terminal=True, color_system=None)
    console.print(screen(answer, height, **more))
    return [line.rstrip() for line in text.getvalue().splitlines()]


FABRIC = {
    "kill": False,
    "disarm_reason": "",
    "blocking": "",
    "counters": {"frames": 9, "frames_bad": 2, "rejected_collar": 3, "rejected_kill": 0, "desync": 0},
}


def test_the_screen_has_what_matters():
    load = {**STATUS["load"], "how": "hot", "state": "writing", "written": 0.5}
    lines = drawn({**STATUS, "fabric": FABRIC, "load": load, "problem": "the lease"})
    found = {line.partition(" ")[0]: line for line in lines}
    assert found["session"] == "session   armed, CLIENT1 at SIMULATOR, next numbers 5 out, 9 in"
    assert found["load"] == "load      while armed: writing, 50% of the tables"
    assert found["problem"] == "problem   the lease"
    assert found["rules"] == "rules     quickstart: 1 fired"
    assert found["resting"] == "resting   1 orders"
    assert found["faults"] == "faults    frames_bad 2"
    assert found["rejected"] == "rejected  collar 3"
    assert lines[-1].startswith("00:00:00.000000  protect-msft: seen 1179 at 1180, sent")


@pytest.mark.parametrize("height", [10, 24, 60])
def test_the_last_fires_fill_the_screen_and_no_more(height):
    fires = [{**FIRE, "cl_ord_id": f"X{n}"} for n in range(100)]
    lines = drawn({**STATUS, "fires": fires}, height)
    assert len(lines) <= height - 1
    assert len(lines) >= height - 3
    assert "X99" in "".join(line for line in lines if "protect-msft" in line and "seen" in line)[:100]


def test_a_screen_without_an_answer_says_so():
    lines = drawn(STATUS, reason="no daemon answers", since="14:31:07")
    assert lines[0] == "daemon    no daemon answers (since 14:31:07)"
    assert any(line.startswith("session") for line in lines)
    assert drawn({}, reason="no daemon answers", since="14:31:07") == ["daemon    no daemon answers (since 14:31:07)"]


def test_the_screen_of_the_short_status():
    assert drawn(SHORT) == ["kill      ON since 2023-11-14 22:13:20 UTC, by user 0, process 7"]


def test_an_odd_text_of_the_venue_is_drawn_as_it_is():
    assert "problem   [bold]no[/bold]" in drawn({**STATUS, "problem": "[bold]no[/bold]"})


@pytest.mark.parametrize(
    ("answer", "style"),
    [
        (STATUS, "green"),
        ({**STATUS, "dry_run": True}, "yellow"),
        ({**STATUS, "armed": False}, "bold yellow"),
        ({**STATUS, "kill": SHORT["kill"]}, "bold white on red"),
    ],
)
def test_the_boards_colour(answer, style):
    grid = screen(answer, 24).renderables[0]
    cells = dict(zip(*(list(column.cells) for column in grid.columns), strict=True))
    assert cells["board"].style == style


# The command.


@pytest.fixture
def daemon(tmp_path):
    running = Answering(tmp_path / "control.sock", lambda _: STATUS)
    yield running
    running.stop()


def test_a_line_a_look_as_json_over_a_restart(daemon, pauses):
    pauses(module, daemon.stop, lambda: None, daemon.start)
    result = CliRunner().invoke(status, ["--watch", "--json", "--to", daemon.endpoint])
    found = [json.loads(line) for line in result.output.splitlines()]
    assert [one["ok"] for one in found] == [True, False, False, True]
    assert (found[0], found[3], result.exit_code) == (STATUS, STATUS, 0)
    assert "no daemon answers" in found[2]["error"]


def test_a_daemon_that_was_restarted_between_two_looks_is_asked_at_once(daemon):
    with Poller(daemon.endpoint) as poller:
        assert poller.ask("status") == STATUS
        daemon.stop()
        daemon.start()
        assert poller.ask("status") == STATUS
    assert changes(STATUS, {**STATUS, "epoch": "0002"})[1] == ["epoch     0002"]


def test_a_busy_daemon_is_not_one_that_is_away(daemon):
    def slow(request: dict) -> dict | None:
        if request.get("short"):
            return {**SHORT, "busy_ms": 7000}
        time.sleep(0.3)
        return STATUS

    daemon.answer = slow
    with Poller(daemon.endpoint, patience_s=0.05) as poller:
        first = poller.ask("status")
        daemon.answer = lambda _: {"ok": True, "n": 2}
        # What the first question would have got comes too late, and is not taken for this one's answer.
        assert poller.ask("status") == {"ok": True, "n": 2}
    assert first == {
        "ok": False,
        "error": f"the daemon at {daemon.endpoint} has been busy for 7 s, the kill switch is ON",
    }


def test_every_goes_with_watch():
    result = CliRunner().invoke(status, ["--every", "5"])
    assert (result.exit_code, "--every goes with --watch" in result.output) == (2, True)


def test_aspects_know_every_label_of_the_status():
    """What is new in the status is watched, too."""
    load = {**STATUS["load"], "how": "hot"}
    doubts = [{"rule": "a", "cl_ord_id": ""}]
    clock = {"was_set": True, "apart_ns": 10**10}
    full = {**STATUS, "load": load, "in_doubt": doubts, "clock": clock, "day_rolls_ns": 0}
    assert list(aspects(full)) == ["session", "board", "day", "load", "clock", "in doubt", "epoch", "rules"]


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM])
def test_on_a_terminal_it_redraws_in_place_and_leaves_it_as_it_was(daemon, end):
    ours, theirs = pty.openpty()
    # Whoever runs the tests in the background has it ignore SIGINT.
    command = ["env", "--default-signal=INT", sys.executable, "-m", "fixaccel", "status", "--watch", "--every", "0.1"]
    command += ["--to", daemon.endpoint]
    env = os.environ | {"TERM": "xterm", "LINES": "20", "COLUMNS": "90"}
    process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=env)
    os.close(theirs)
    seen = b""

    def read_until(text: bytes) -> None:
        nonlocal seen
        deadline = time.monotonic() + 30
        while text not in seen:
            assert time.monotonic() < deadline, seen
            seen += os.read(ours, 65536)

    try:
        read_until(b"SIMULATOR")
        daemon.stop()
        read_until(b"no daemon answers")
        daemon.answer = lambda _: {**STATUS, "problem": "the lease"}
        daemon.start()
        read_until(b"the lease")
        process.send_signal(end)
        assert process.wait(20) == 0
        read_until(b"\x1b[?25h")  # the cursor is there again
    finally:
        process.kill()
        process.wait()
        os.close(ours)
    assert b"\x1b[?1049h" in seen
    assert b"\x1b[?1049l" in seen
    assert b"Traceback" not in seen
