# SPDX-License-Identifier: Apache-2.0
"""Killed for good, by a signal: at each write and at each sync of the record."""

import os
import signal
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from runs import Trouble, applied, records
from trees import VETH, VIRTUAL, contents, make, scratch

from fixaccel.tune.apply import finish
from fixaccel.tune.host import Tree
from fixaccel.tune.record import APPLIED, BEGUN
from fixaccel.tune.take_back import take_back

PLAN = f"profile: process\ninterface: {VETH}\nset: {{nic.mtu: 1400, host.cpuset: made}}\n"


class Killed(Trouble):
    """By SIGKILL, behind the write of a number."""

    def __init__(self, root: Path, number: int) -> None:
        super().__init__(root)
        self._number = number

    def write(self, place: str, form: str, value: str | None) -> None:
        super().write(place, form, value)
        if self.count > self._number:
            os.kill(os.getpid(), signal.SIGKILL)


def in_child(work: Callable[[], object]) -> int:
    """The signal that ended it, 0 if none did."""
    child = os.fork()
    if child == 0:
        work()
        os._exit(0)
    return os.WTERMSIG(os.waitpid(child, 0)[1])


def killed_at_write(root: Path, number: int) -> None:
    applied(Killed(root, number), PLAN)


def killed_at_sync(root: Path, number: int) -> None:
    left, sync = [number], os.fsync

    def counted(file: int) -> None:
        if not left[0]:
            os.kill(os.getpid(), signal.SIGKILL)
        left[0] -= 1
        sync(file)

    os.fsync = counted  # in this process, which ends here
    applied(Tree(root), PLAN)


@pytest.mark.parametrize("by_rollback", [True, False])
@pytest.mark.parametrize("at", ["write", "sync"])
def test_it_is_finished(at: str, by_rollback: bool) -> None:
    with scratch() as folder:
        number = _killed_at_each(make(VIRTUAL, Path(folder)), at, by_rollback)
    assert number > 10


def _killed_at_each(root: Path, at: str, by_rollback: bool) -> int:
    """Until there is nothing left to be killed at; the number of it."""
    (root / "proc/sys/net/core/dev_weight").unlink()  # a namespace of our own
    before, number, ended = contents(root), 0, True
    while ended:
        killed = partial(killed_at_write if at == "write" else killed_at_sync, root, number)
        ended = bool(in_child(killed))
        kept = records(Tree(root))
        with kept.locked():
            if not by_rollback:
                finish(kept, Tree(root))
            record = kept.last(APPLIED, BEGUN)
            if record:
                take_back(record, Tree(root))
                kept.save(record)
        assert contents(root) == before, number
        number += 1
    return number
