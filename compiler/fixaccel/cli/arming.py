# SPDX-License-Identifier: Apache-2.0
"""What the commands that arm a daemon share: they wait until it is armed, and say what is."""

import json
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import click

from fixaccel.board.control import ControlClient

F = TypeVar("F")

_POLL_S = 0.1
_GIVEN_UP = {"logged out", "idle"}
# States that are neither armed nor spent or in doubt, in the words of the status.
_ASLEEP = ("waiting", "rearming", "disarmed", "cancelled")


def arming_options(function: F) -> F:
    """Adds `--dry-run`, `--timeout` and `--json`, passed as ``dry_run``, ``timeout`` and ``as_json``."""
    for decorate in (
        click.option("--json", "as_json", is_flag=True, help="Print the daemon's last status as JSON."),
        click.option(
            "--timeout", metavar="S", type=click.FloatRange(min=0), default=60, show_default=True, help="Longest wait."
        ),
        click.option(
            "--dry-run", is_flag=True, help="All is as when armed, but no order leaves and no rule is spent for good."
        ),
    ):
        function = decorate(function)  # type: ignore[type-var]
    return function


def tell_when_armed(client: ControlClient, timeout_s: float, *, as_json: bool, loads: bool = False) -> None:
    """Waits until the daemon is armed and prints what is; exits with 1 and the reason if it is not in time.

    ``loads``: with what is being loaded, and how that came about.
    """
    progress = (lambda _: None) if as_json else (lambda phase: click.echo(f"{phase} ..."))
    status = wait_armed(client, timeout_s, progress)
    if as_json:
        click.echo(json.dumps(status))
    load = status["load"]
    if load["state"] != "loaded":
        click.echo(_NOT_LOADED[load["state"]], err=True)
        sys.exit(1)
    if loads and not as_json and (text := loaded_text(load)):
        click.echo(text)
    if not status["armed"]:
        click.echo(f"not armed: {status['problem'] or 'still ' + status['phase']}", err=True)
        sys.exit(1)
    if not as_json:
        click.echo(armed_text([rule["state"] for rule in status["rules"]], dry_run=status["dry_run"]))


_NOT_LOADED = {
    "writing": "not loaded: still writing the tables; the rules before are armed, and the load goes on",
    "flipping": "not loaded: still waiting for a message to begin; the rules before are armed, and the load goes on",
    "dropped": "not loaded: the board was disarmed before the load had come about; the rules before are loaded",
}


def loaded_text(load: Mapping[str, Any]) -> str:
    """How the rules came that were loaded; empty where nobody would ask."""
    if load["how"] == "hot":
        return f"loaded while armed, in {load['ms']:.0f} ms; messages waited for {load['hold_cycles']} cycles"
    return f"disarmed for the load: {load['reason']}" if load["reason"] else ""


def armed_text(states: Sequence[str], *, dry_run: bool = False) -> str:
    """How many of a strategy's rules are in which state, once it is armed."""
    counts = [f"{states.count(state)} {state}" for state in _ASLEEP if state in states]
    spent = sum(state not in ("armed", *_ASLEEP) for state in states)
    counts += [f"{spent} spent"] if spent else []
    how = "dry run, armed" if dry_run else "armed"
    return ", ".join([f"{how}: {states.count('armed')} of {len(states)} rules", *counts])


def wait_armed(client: ControlClient, timeout_s: float, progress: Callable[[str], None]) -> dict[str, Any]:
    """The status in which the daemon is armed or has given up, or the last one before ``timeout_s`` ran out.

    A load while armed has come about, too, or not.
    """
    end = time.monotonic() + timeout_s
    shown = ""
    while True:
        status = client.ask("status")
        if status["phase"] != shown and not status["armed"]:
            shown = status["phase"]
            progress(shown)
        done = status["armed"] or status["phase"] in _GIVEN_UP or not status["waiting"]
        loading = status["load"]["state"] in {"writing", "flipping"}
        if (done and not loading) or time.monotonic() > end:
            return status
        time.sleep(_POLL_S)
