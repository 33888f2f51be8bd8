# SPDX-License-Identifier: Apache-2.0
"""Units of systemd: whether they run, and starting and stopping them."""

import errno
import subprocess
from collections.abc import Sequence

ACTIVE, INACTIVE = "active", "inactive"
RUNS = "run/systemd/system"  # there where systemd runs the machine
_PROGRAM = "systemctl"
_WAIT_S = 30
_RUNNING = {"active", "activating", "reloading", "refreshing"}


def state(unit: str) -> str | None:
    """`active` or `inactive`, None where there is no such unit. Raises OSError."""
    said = _said(["show", "--property=LoadState", "--property=ActiveState", unit])
    found = dict(line.split("=", 1) for line in said.splitlines() if "=" in line)
    if found.get("LoadState") != "loaded":
        return None
    # One that has failed does not run either.
    return ACTIVE if found.get("ActiveState") in _RUNNING else INACTIVE


def switch(unit: str, wanted: str) -> None:
    """Starts or stops it, and waits until it has. Raises OSError."""
    _said(["--no-ask-password", "start" if wanted == ACTIVE else "stop", unit])


def _said(words: Sequence[str]) -> str:
    try:
        done = subprocess.run([_PROGRAM, *words], capture_output=True, text=True, check=False, timeout=_WAIT_S)
    except subprocess.TimeoutExpired as error:
        raise OSError(errno.ETIMEDOUT, f"{_PROGRAM} {words[-1]}: no answer in {_WAIT_S} s") from error
    if done.returncode:
        raise OSError(errno.EIO, done.stderr.strip() or f"{_PROGRAM} {words[-1]}: exit code {done.returncode}")
    return done.stdout
