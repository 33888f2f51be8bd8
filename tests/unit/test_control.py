# SPDX-License-Identifier: Apache-2.0
import json
import socket
import threading
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from fixaccel.board.control import ControlClient, ControlError, ControlRefusedError
from fixaccel.cli.arm import arm
from fixaccel.cli.deploy import deploy
from fixaccel.cli.disarm import disarm
from fixaccel.cli.kill import kill
from fixaccel.cli.reconcile import reconcile
from fixaccel.cli.status import status
from fixaccel.cli.status_text import lines

STATUS = {
    "ok": True,
    "phase": "armed",
    "armed": True,
    "dry_run": False,
    "waiting": False,
    "problem": "",
    "epoch": "0001",
    "next_sender": 5,
    "next_target": 9,
    "in_doubt": [],
    "session": {"sender_comp_id": "CLIENT1", "target_comp_id": "SIMULATOR"},
    "fabric": {"kill": False, "disarm_reason": "", "blocking": ""},
    "load": {"how": "disarmed", "reason": "", "state": "loaded", "written": 1, "hold_cycles": 0, "ms": 1.5},
    "bundle": {"strategy": "quickstart"},
    "rules": [
        {
            "id": "protect-msft",
            "instrument": "MSFT",
            "source": "last",
            "direction": "<=",
            "threshold": "1180",
            "state": "fired",
            "order": {"side": "sell", "qty": "2", "type": "limit", "price": "1100"},
        }
    ],
    "resting": [{"cl_ord_id": "00010000000200000001", "instrument": "MSFT", "side": "sell", "price": "1210"}],
    "fires": [
        {
            "rule": "protect-msft",
            "threshold": "1180",
            "observed": "1179",
            "outcome": "sent",
            "cycles": 4,
            "msg_seq_num": 4,
            "cl_ord_id": "00010000000000000001",
            "order": {"status": "filled", "cum_qty": "2", "avg_px": "1179"},
        }
    ],
}


class Daemon:
    """Answers requests from a list of lines; what it was asked stands in ``asked``."""

    def __init__(self, path: Path, answers: list[bytes]) -> None:
        self.endpoint, self.asked = f"unix:{path}", []
        self._answers = answers
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(path))
        self._listener.listen()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        client, _ = self._listener.accept()
        with client, client.makefile("rb") as lines:
            for answer in self._answers:
                line = lines.readline()
                if not line:
                    return
                self.asked.append(json.loads(line))
                client.sendall(answer)

    def close(self) -> None:
        self._thread.join(5)
        self._listener.close()


@pytest.fixture
def daemon(tmp_path, request):
    made = []

    def start(*answers: object) -> Daemon:
        lines = [a if isinstance(a, bytes) else json.dumps(a).encode() + b"\n" for a in answers]
        made.append(Daemon(tmp_path / "control.sock", lines))
        return made[-1]

    yield start
    for one in made:
        one.close()


def run(command, *arguments: str) -> Result:
    return CliRunner().invoke(command, arguments)


def test_answers_and_refusals(daemon):
    running = daemon({"ok": True, "n": 1}, {"ok": False, "error": "too late"})
    with ControlClient(running.endpoint) as client:
        assert client.ask("status")["n"] == 1
        with pytest.raises(ControlRefusedError, match="too late"):
            client.ask("arm")
    assert [a["cmd"] for a in running.asked] == ["status", "arm"]


@pytest.mark.parametrize("answer", [b"", b"nonsense\n", b"[]\n", b"7\n", b"\xff\n"])
def test_an_answer_that_is_none_is_an_error(daemon, answer):
    with ControlClient(daemon(answer).endpoint) as client, pytest.raises(ControlError):
        client.ask("status")


def test_nobody_listens(tmp_path):
    with pytest.raises(ControlError, match="is fixacceld running"):
        ControlClient(f"unix:{tmp_path / 'none'}")
    with pytest.raises(ControlError, match="unix:PATH"):
        ControlClient("tcp:1")
    result = run(kill, "--to", f"unix:{tmp_path / 'none'}")
    assert result.exit_code == 2
    assert "Traceback" not in result.output


def test_a_full_queue_is_waited_for(tmp_path):
    path = tmp_path / "control.sock"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen(0)
        with socket.socket(socket.AF_UNIX) as first:
            first.connect(str(path))
            with pytest.raises(ControlError):
                ControlClient(f"unix:{path}", timeout_s=0.1)

            def take() -> None:
                connection, _ = listener.accept()
                connection.close()

            later = threading.Timer(0.2, take)
            later.start()
            with ControlClient(f"unix:{path}", timeout_s=20):
                later.join()


def test_status_shows_rule_fire_and_order(daemon):
    result = run(status, "--to", daemon(STATUS).endpoint)
    assert result.exit_code == 0
    assert "MSFT sell at 1210, 00010000000200000001" in result.output
    assert "fired     protect-msft: MSFT last <= 1180, sell 2 limit at 1100" in result.output
    assert (
        "seen 1179 at 1180, sent, MsgSeqNum 4, 00010000000000000001, 4 cycles, order filled 2 at 1179" in result.output
    )
    assert "next numbers 5 out, 9 in" in result.output


def test_status_json_is_the_answer(daemon):
    assert json.loads(run(status, "--to", daemon(STATUS).endpoint, "--json").output) == STATUS


def test_kill_and_undo(daemon, tmp_path):
    running = daemon({"ok": True})
    assert "ON" in run(kill, "--to", running.endpoint).output
    assert running.asked == [{"cmd": "kill"}]


def test_kill_undo(daemon):
    running = daemon({"ok": True})
    assert "off" in run(kill, "--to", running.endpoint, "--undo").output
    assert running.asked == [{"cmd": "unkill"}]


SHORT = {
    "ok": True,
    "kill": {"on": True, "by": "user 0, process 7", "time_ns": 1_700_000_000_000_000_000},
    "board_problem": "",
    "busy_ms": 3,
}


def test_status_says_who_killed_and_when(daemon):
    killed = {**STATUS, "kill": SHORT["kill"]}
    result = run(status, "--to", daemon(killed).endpoint)
    assert "KILL SWITCH ON since 2023-11-14 22:13:20 UTC, by user 0, process 7" in result.output


def test_the_short_status(daemon):
    off = {**SHORT, "kill": {"on": False, "by": "", "time_ns": 0}}
    late = {**SHORT, "board_problem": "no answer in time", "busy_ms": 2500}
    for answer, expected in (
        (off, "kill      off\n"),
        (SHORT, "kill      ON since 2023-11-14 22:13:20 UTC, by user 0, process 7\n"),
        (late, "problem   the board could not be told: no answer in time\ndaemon    busy for 2.5 s\n"),
    ):
        running = daemon(answer)
        result = run(status, "--short", "--to", running.endpoint)
        assert result.output.endswith(expected)
        assert running.asked == [{"cmd": "status", "short": True}]
        running.close()
        Path(running.endpoint.removeprefix("unix:")).unlink()


def test_a_kill_that_did_not_come_about_is_no_success(daemon):
    result = run(kill, "--to", daemon({"ok": False, "error": "the board could not be told"}).endpoint)
    assert (result.exit_code, result.output) == (1, "refused: the board could not be told\n")


def test_deploy_waits_until_armed(daemon, tmp_path):
    waiting = {**STATUS, "armed": False, "waiting": True, "phase": "connecting"}
    rule = {**STATUS["rules"][0], "state": "armed"}
    running = daemon({"ok": True, "loads": True}, waiting, waiting, {**STATUS, "rules": [rule]})
    result = run(deploy, str(tmp_path), "--to", running.endpoint)
    assert result.exit_code == 0, result.output
    assert result.output.splitlines() == ["connecting ...", "armed: 1 of 1 rules"]
    assert running.asked[0] == {"cmd": "deploy", "bundle": str(tmp_path), "rearm": False, "reconciled": False,
                                "dry_run": False}  # fmt: skip


def test_a_dry_run_is_asked_for_and_told(daemon, tmp_path):
    rule = {**STATUS["rules"][0], "state": "armed"}
    running = daemon({"ok": True}, {**STATUS, "dry_run": True, "rules": [rule]})
    result = run(arm, "--dry-run", "--to", running.endpoint)
    assert (result.exit_code, result.output) == (0, "dry run, armed: 1 of 1 rules\n")
    assert running.asked[0] == {"cmd": "arm", "dry_run": True, "rules": []}


def test_rules_that_were_rejected_are_listed(daemon):
    why = {"outcome": "rejected:collar", "time_ns": 1_700_000_000_000_000_000, "observed": "1179.5"}
    rejected = {**STATUS, "rules": [{**STATUS["rules"][0], "rejected": why}]}
    text = run(status, "--to", daemon(rejected).endpoint).output
    assert f"arm RULE`\n  {STATUS['rules'][0]['id']}: collar, seen 1179.5, 2023-11-14 22:13:20 UTC\n" in text


def test_rules_are_armed_again_by_name(daemon):
    rule = {**STATUS["rules"][0], "state": "armed"}
    running = daemon({"ok": True}, {**STATUS, "rules": [rule]})
    assert run(arm, rule["id"], "--to", running.endpoint).exit_code == 0
    assert running.asked[0] == {"cmd": "arm", "dry_run": False, "rules": [rule["id"]]}


def test_a_rule_that_was_not_rejected_is_refused(daemon):
    refused = run(arm, "fall", "--to", daemon({"ok": False, "error": "it has not fired"}).endpoint)
    assert (refused.exit_code, refused.output) == (1, "refused: it has not fired\n")


def test_deploy_for_a_dry_run(daemon, tmp_path):
    running = daemon({"ok": True, "loads": True}, {**STATUS, "dry_run": True})
    result = run(deploy, str(tmp_path), "--dry-run", "--json", "--to", running.endpoint)
    assert json.loads(result.output)["dry_run"]
    assert running.asked[0]["dry_run"]


def test_arm_refused(daemon):
    refusal = {"ok": False, "error": "a dry run is on: `fixaccel disarm` first"}
    result = run(arm, "--to", daemon(refusal).endpoint)
    assert (result.exit_code, "refused: a dry run is on" in result.output) == (1, True)


def test_arm_gives_the_reason_why_it_is_not(daemon):
    ready = {**STATUS, "armed": False, "phase": "ready", "problem": "the kill switch is on"}
    result = run(arm, "--to", daemon({"ok": True}, ready).endpoint)
    assert (result.exit_code, "not armed: the kill switch is on" in result.output) == (1, True)


def test_disarm(daemon):
    running = daemon({"ok": True})
    result = run(disarm, "--to", running.endpoint)
    assert (result.exit_code, result.output, running.asked) == (0, "disarmed\n", [{"cmd": "disarm"}])


def test_disarm_json_is_the_status(daemon):
    disarmed = {**STATUS, "armed": False}
    assert json.loads(run(disarm, "--json", "--to", daemon({"ok": True}, disarmed).endpoint).output) == disarmed


_DOUBTS = [
    {"rule": "fall[1]", "instrument": "MSFT", "side": "sell", "cl_ord_id": "YFA80000000000000001"},
    {"rule": "rise", "instrument": "MSFT", "side": "buy", "cl_ord_id": ""},
]


def test_what_is_in_doubt_is_listed(daemon):
    result = run(reconcile, "--to", daemon({**STATUS, "in_doubt": _DOUBTS}).endpoint)
    assert result.output.splitlines() == [
        "2 rules are in doubt:",
        "  fall[1]  MSFT sell  YFA80000000000000001",
        "  rise  MSFT buy  of a ClOrdID that is not known",
    ]


def test_what_is_in_doubt_as_json(daemon):
    result = run(reconcile, "--json", "--to", daemon({**STATUS, "in_doubt": _DOUBTS}).endpoint)
    assert json.loads(result.output) == _DOUBTS


def test_status_counts_what_is_in_doubt():
    assert any(line.startswith("in doubt  2 rules") for line in lines({**STATUS, "in_doubt": _DOUBTS}))


@pytest.mark.parametrize(("option", "sent"), [("--sent", True), ("--not-sent", False)])
def test_the_operators_word_on_what_is_in_doubt(daemon, option, sent):
    running = daemon({"ok": True}, STATUS)
    result = run(reconcile, "fall", option, "--to", running.endpoint)
    assert (result.exit_code, result.output) == (0, "no rule is in doubt\n")
    assert running.asked[0] == {"cmd": "reconcile", "rules": ["fall"], "sent": sent}


@pytest.mark.parametrize("arguments", [("fall",), ("--sent",)])
def test_a_word_on_nothing_or_no_word_is_a_mistake(arguments):
    result = run(reconcile, *arguments, "--to", "unix:/nowhere")
    assert (result.exit_code, "name rules together with" in result.output) == (2, True)


def test_an_order_that_the_venue_knows_of_is_told():
    fire = {"rule": "fall", "cl_ord_id": "X1", "outcome": "sent", "found": "venue", "where": "fabric"}
    assert "  fall: sent unseen, X1, says the venue" in list(lines({**STATUS, "fires": [fire]}))


def test_status_of_a_dry_run(daemon):
    fires = [{**STATUS["fires"][0], "outcome": "rejected:kill", "dry": True}]
    result = run(status, "--to", daemon({**STATUS, "dry_run": True, "fires": fires}).endpoint)
    assert "board     DRY RUN: armed, nothing leaves" in result.output
    assert "rejected:kill in a dry run" in result.output


def test_deploy_refused(daemon, tmp_path):
    result = run(deploy, str(tmp_path), "--to", daemon({"ok": False, "error": "damaged"}).endpoint)
    assert (result.exit_code, "refused: damaged" in result.output) == (1, True)


def test_deploy_gives_the_reason_why_nothing_is_armed(daemon, tmp_path):
    ready = {**STATUS, "armed": False, "phase": "ready", "problem": "TCP timestamps are on"}
    result = run(deploy, str(tmp_path), "--to", daemon({"ok": True, "loads": True}, ready).endpoint)
    assert result.exit_code == 1
    assert "not armed: TCP timestamps are on" in result.output


def test_deploy_gives_up_in_time(daemon, tmp_path):
    waiting = {**STATUS, "armed": False, "waiting": True, "phase": "connecting", "problem": ""}
    result = run(deploy, str(tmp_path), "--timeout", "0", "--to", daemon({"ok": True, "loads": True}, waiting).endpoint)
    assert result.exit_code == 1
    assert "still connecting" in result.output


def test_deploy_onto_an_armed_board(daemon, tmp_path):
    load = {**STATUS["load"], "how": "hot", "hold_cycles": 40, "ms": 220.4}
    steps = [
        {**STATUS, "load": {**load, "state": state, "written": 0.5}} for state in ("writing", "flipping", "loaded")
    ]
    running = daemon({"ok": True, "loads": True}, *steps)
    result = run(deploy, str(tmp_path), "--to", running.endpoint)
    assert result.output.splitlines() == [
        "loaded while armed, in 220 ms; messages waited for 40 cycles",
        "armed: 0 of 1 rules, 1 spent",
    ]
    assert "load      while armed: writing, 50% of the tables" in lines(steps[0])
    assert "load      loaded while armed, messages waited for 40 cycles" in lines(steps[2])


@pytest.mark.parametrize("loads", [True, False])
def test_deploy_says_why_it_disarmed(daemon, tmp_path, loads):
    load = {**STATUS["load"], "reason": "it takes more than half of the board"}
    running = daemon({"ok": True, "loads": loads}, {**STATUS, "load": load})
    told = ["disarmed for the load: it takes more than half of the board"] if loads else []
    result = run(deploy, str(tmp_path), "--to", running.endpoint)
    assert result.output.splitlines() == [*told, "armed: 0 of 1 rules, 1 spent"]


@pytest.mark.parametrize("state", ["flipping", "dropped"])
def test_deploy_that_did_not_come_about(daemon, tmp_path, state):
    answer = {**STATUS, "load": {**STATUS["load"], "how": "hot", "state": state}}
    running = daemon({"ok": True, "loads": True}, answer)
    result = run(deploy, str(tmp_path), "--timeout", "0", "--to", running.endpoint)
    assert (result.exit_code, result.output.startswith("not loaded: ")) == (1, True)


def test_status_says_what_is_amiss():
    assert not any("clock" in line or "lost" in line for line in lines(STATUS))
    loss = {"reason": "it closed", "time_ns": 1_772_461_867_000_000_000}
    comeback = {"loss": loss, "tries": 3, "next_try_ms": 8000, "awaits": "that", "refused": "this"}
    clock = {"was_set": True, "apart_ns": -7_200_000_000_000}
    parser = {"lost": True, "gaps": 2, "lost_ms": 1500, "from_message": 7}
    text = list(lines({**STATUS, "comeback": comeback, "clock": clock, "parser": parser, "armed": False}))
    assert "lost      2026-03-02 14:31:07 UTC: it closed, 3 tries since, the next in 8.0 s" in text
    assert "waits     to be armed again, until it is known that" in text
    assert "not armed again: this" in text
    assert "clock     the system's was set 7200.0 s back, and is not followed" in text
    (board,) = [line for line in text if line.startswith("board")]
    assert board.startswith("board     armed, but THE PARSER LOST THE STREAM 1.5 s ago, near message 7:")
