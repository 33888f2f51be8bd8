# SPDX-License-Identifier: Apache-2.0
"""A daemon on another machine by SSH: bundles are copied there, and every command speaks to its socket."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from fixaccel.lab.processes import wait_until
from lab import sshd
from lab.desk import Desk
from lab.venue import start

pytestmark = [pytest.mark.e2e, pytest.mark.slow]


def test_a_board_of_another_machine_is_deployed_to_watched_and_killed(desk: Desk, bundle: Path) -> None:
    server, environment = sshd.start(desk)
    place = desk.folder / "srv"
    place.mkdir()
    control = desk.control.removeprefix("unix:")
    to = f"ssh:board{control}"

    def command(*words: str, endpoint: str = to) -> list[str]:
        python = (sys.executable, "-m", "fixaccel")
        return desk.wire.inside(desk.wire.client, *python, *words, "--to", endpoint)

    def asked(*words: str, endpoint: str = to) -> tuple[int, str]:
        done = subprocess.run(
            command(*words, endpoint=endpoint), capture_output=True, text=True, check=False, env=environment
        )
        return done.returncode, done.stdout + done.stderr

    desk.remove_board()
    start(desk)
    code, text = asked("status")
    assert code == 2
    assert "is fixacceld running there, and is that its socket?" in text, text
    daemon = desk.start_daemon(bundle)

    code, text = asked("deploy", str(bundle), "--into", str(place))
    assert (code, "armed: " in text) == (0, True), text
    assert len(list(place.iterdir())) == 1
    there = next(place.iterdir())
    files = sorted(file.relative_to(bundle) for file in bundle.rglob("*") if file.is_file())
    assert sorted(file.relative_to(there) for file in there.rglob("*") if file.is_file()) == files
    assert all((there / file).read_bytes() == (bundle / file).read_bytes() for file in files)
    assert {file.stat().st_mode & 0o777 for file in there.rglob("*") if file.is_file()} == {0o640}
    first = there.stat().st_ino

    # Once more it is there already; what watches hears of it through a connection of its own.
    watching = desk.processes.start("watch", ["env", f"PATH={environment['PATH']}", *command("watch", "--json")])
    wait_until("the stream to begin", lambda: '"armed": true' in watching.text(), 30, watching.check_alive)
    assert asked("deploy", str(bundle), "--into", str(place))[0] == 0
    assert [entry.stat().st_ino for entry in place.iterdir()] == [first]
    assert asked("kill") == (0, "kill switch ON: no order leaves\n")
    wait_until("the stream to tell", lambda: '"armed": false' in watching.text(), 30, watching.check_alive)
    assert json.loads(asked("status", "--json")[1])["kill"]["on"]
    deploys = [line for line in desk.journal_lines() if line["type"] == "command"]
    assert [line["request"]["bundle"] for line in deploys if line["request"]["cmd"] == "deploy"] == [str(there)] * 2

    # What is in the way is said, with what to do about it.
    code, text = asked("deploy", str(bundle), "--into", str(desk.folder / "none"))
    assert (code, "cannot be copied to" in text, "No such file or directory" in text) == (2, True, True), text
    code, text = asked("status", endpoint=f"ssh:stranger{control}")
    assert (code, "Host key verification failed.; connect to it once with `ssh`" in text) == (2, True), text

    # Who watches hears of it when the machine goes: as ssh says it, which depends on what it was about to send.
    server.kill()
    lost = ("closed by remote host", "client_loop: send disconnect", "Connection reset by peer")
    wait_until("watch to hear of it", lambda: any(words in watching.text() for words in lost), 30, watching.check_alive)
    assert daemon.stop() == 0, daemon.text()
