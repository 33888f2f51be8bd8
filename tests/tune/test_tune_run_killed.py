# SPDX-License-Identifier: Apache-2.0
"""A trial that is killed in the middle: whatever it was at, one `rollback` gives back every byte."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from commands import plan, run
from made_up import MadeUp
from runs import Trouble, bound, records
from test_tune_killed import Killed, in_child
from trees import VETH, VIRTUAL, contents, make, scratch

from fixaccel.tune.host import Tree
from fixaccel.tune.measured.whole import Extent
from fixaccel.tune.survey import Circumstances
from fixaccel.tune.trial import Course
from fixaccel.tune.trial import run as run_trials

PLAN = f"profile: process\ninterface: {VETH}\n"
ONLY = frozenset({"process.poll", "process.core", "net.tcp-autocorking", "nic.tso"})


def machine(root: Path) -> Path:
    make(VIRTUAL, root)
    (root / "proc/sys/net/core/dev_weight").unlink()  # a namespace of our own
    return root


def tried(host: Tree) -> None:
    kept, meant = records(host), bound(host, PLAN)
    course = Course(6, 1, Extent(60, 0.01, host.root))
    with kept.locked(), MadeUp(meant) as scene:
        run_trials(meant, Circumstances(), kept, scene, course, ONLY, lambda stage: True, lambda text: None)


def killed_at_sync(root: Path, number: int) -> None:
    left, sync = [number], os.fsync

    def counted(file: int) -> None:
        if not left[0]:
            os.kill(os.getpid(), signal.SIGKILL)
        left[0] -= 1
        sync(file)

    os.fsync = counted  # in this process, which ends here
    tried(Tree(root))


def writes(root: Path) -> int:
    host = Trouble(root)
    tried(host)
    return host.count


def test_at_a_write() -> None:
    with scratch() as counted:
        count = writes(machine(Path(counted)))
    with scratch() as folder:
        root = machine(Path(folder))
        before = contents(root)
        # Each of the first, when values go in and out for the first time, then some of the many that do the same.
        for number in [*range(8), *range(8, count, 9)]:
            assert in_child(lambda number=number: tried(Killed(root, number))) == signal.SIGKILL, number
            assert run("rollback", "--root", root).exit_code == 0, number
            assert contents(root) == before, number


def test_at_a_sync_of_the_record() -> None:
    with scratch() as folder:
        root = machine(Path(folder))
        before, number = contents(root), 0
        while in_child(lambda number=number: killed_at_sync(root, number)):
            run("rollback", "--root", root)
            assert contents(root) == before, number
            number += 1
        assert run("rollback", "--root", root).exit_code == 0
        assert contents(root) == before
    assert number > 10


def running(parent: int) -> list[int]:
    return [
        int(path.parent.name)
        for path in Path("/proc").glob("[0-9]*/stat")
        if (text := _text(path)) and int(text.rpartition(")")[2].split()[1]) == parent
    ]


def _text(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:
        return ""


@pytest.mark.parametrize("by", [signal.SIGKILL, signal.SIGINT])
def test_the_command_itself(tmp_path: Path, by: signal.Signals) -> None:
    root = machine(tmp_path / "m")
    before = contents(root)
    asked = plan(tmp_path, PLAN)
    words = [sys.executable, "-m", "fixaccel", "tune", "run", str(asked), "--root", str(root), "--yes"]
    with subprocess.Popen([*words, "--samples", "60", "--time", "10ms"], stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr
        for line in process.stderr:
            if "network: pair 2" in line:
                break
        while contents(root) == before:
            assert process.poll() is None
            time.sleep(0.01)
        measuring = running(process.pid)
        process.send_signal(by)
        process.stderr.read()
    assert measuring
    assert process.returncode == (-signal.SIGKILL if by is signal.SIGKILL else 130)
    if by is signal.SIGKILL:
        assert run("rollback", "--root", root).exit_code == 0
    assert contents(root) == before
    end = time.monotonic() + 20
    while any(_text(Path(f"/proc/{child}/stat")) for child in measuring):
        assert time.monotonic() < end, "what measures has outlived the command"
        time.sleep(0.05)
