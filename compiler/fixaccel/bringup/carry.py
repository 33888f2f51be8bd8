# SPDX-License-Identifier: Apache-2.0
"""Brings a plan and its files to a board and has it carried out there: on this machine, or on another by SSH."""

import json
import shlex
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from fixaccel.board.endpoint import Endpoint
from fixaccel.board.ssh import Machine, SshError, place
from fixaccel.bringup import on_board

PROGRAM = "on_board.py"
PLAN = "plan.json"
RESULT = "result.json"
FOLDER = "/var/lib/fixaccel-board"
PYTHON = "/usr/local/share/pynq-venv/bin/python3"  # of PYNQ's images since 3.0
_PAUSE_S = 1.0
_SSH_S = 60.0
# Not a child of the connection, which goes away with the controller; the same unit cannot run twice.
_BEGIN = """
set -e
rm -f "$3"
exec sudo -n systemd-run --quiet --collect --unit=fixaccel-board-init "$1" "$2/on_board.py" "$2/plan.json" "$3"
"""
_NOT_THERE = 3
_LOOK = f'if [ -f "$1" ]; then exec cat "$1"; fi; exit {_NOT_THERE}'


class CarryError(Exception):
    """The plan did not come to be carried out, or nothing is known of it; the text says what to do."""


def files_of(plan: Mapping[str, Any], overlay: bytes, bitstream: Path) -> dict[str, bytes]:
    """All that the board needs, by name. Raises OSError; the bitstream lies beside its handoff."""
    return {
        plan["bit"]: bitstream.read_bytes(),
        plan["hwh"]: bitstream.with_suffix(".hwh").read_bytes(),
        plan["dtbo"]: overlay,
        PLAN: json.dumps(plan, indent=1).encode("utf-8"),
        PROGRAM: Path(on_board.__file__).read_bytes(),
    }


def carry_here(files: Mapping[str, bytes], python: str, *options: str) -> dict[str, Any]:
    """On this machine, which is the board. Raises CarryError."""
    with tempfile.TemporaryDirectory(prefix="fixaccel-board-") as name:
        folder = _written(files, Path(name))
        result = folder / RESULT
        command = [python, str(folder / PROGRAM), str(folder / PLAN), str(result), *options]
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False)
        except OSError as error:
            raise CarryError(f"{python}: {error.strerror}; --python names the one that has pynq") from error
        if not result.is_file():
            raise CarryError(f"{python} has ended with {done.returncode} and no result: {_last(done.stderr)}")
        return _result(result.read_bytes())


def carry_there(
    files: Mapping[str, bytes],
    python: str,
    endpoint: Endpoint,
    timeout_s: float,
    told: Callable[[str], object],
    into: str = FOLDER,
) -> dict[str, Any]:
    """On the machine of ``endpoint``, which is the board; the connection may be lost meanwhile.

    Raises CarryError, SshError.
    """
    with tempfile.TemporaryDirectory(prefix="fixaccel-") as name:
        folder = _written(files, Path(name) / "board")
        there = place(endpoint, folder, into, _SSH_S)
    told(f"files are in {there}")
    result = f"{into.rstrip('/')}/{RESULT}"
    begun = _asked(endpoint, _BEGIN, python, there, result)
    if begun.returncode:
        raise CarryError(
            f"{endpoint} does not begin: {_last(begun.stderr)}; may that user use `sudo` without a password?"
        )
    told("it has begun; the connection may go while the Ethernet controller changes hands")
    end = time.monotonic() + timeout_s
    while time.monotonic() < end:
        time.sleep(_PAUSE_S)
        try:
            found = _asked(endpoint, _LOOK, result)
        except (SshError, subprocess.TimeoutExpired):
            continue
        if found.returncode == 0:
            return _result(found.stdout)
    raise CarryError(
        f"{endpoint} has said nothing within {timeout_s:g} s. Where it does not answer at all, its serial console "
        "does: `journalctl -u fixaccel-board-init` there says how far it came; a reset brings back what the board was"
    )


def _written(files: Mapping[str, bytes], folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return folder


def _asked(endpoint: Endpoint, script: str, *words: str) -> subprocess.CompletedProcess[bytes]:
    """A shell there runs ``script``. Raises SshError, subprocess.TimeoutExpired."""
    command = [*Machine.of(endpoint).command(), shlex.join(["sh", "-c", script, "sh", *words])]
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=_SSH_S, check=False)


def _result(content: bytes) -> dict[str, Any]:
    try:
        found = json.loads(content)
    except ValueError as error:
        raise CarryError(f"what the board says is no JSON: {error}") from error
    if not isinstance(found, dict) or "steps" not in found:
        raise CarryError("what the board says has no steps: another version wrote it")
    return found


def _last(said: str | bytes) -> str:
    text = said.decode("utf-8", "replace") if isinstance(said, bytes) else said
    return (text.strip().splitlines() or ["it says nothing"])[-1]
