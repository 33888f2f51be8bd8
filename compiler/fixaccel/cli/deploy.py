# SPDX-License-Identifier: Apache-2.0
"""`fixaccel deploy`: load a bundle into a running daemon and arm it."""

import json
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from fixaccel.board.control import ControlClient
from fixaccel.cli.daemon import daemon, endpoint_option

_POLL_S = 0.1
_GIVEN_UP = {"logged out", "idle"}


@click.command()
@click.argument("bundle", type=click.Path(exists=True, file_okay=False, path_type=Path))
@endpoint_option
@click.option("--rearm", is_flag=True, help="Arm rules again that have fired.")
@click.option(
    "--reconciled",
    is_flag=True,
    help="The orders were compared with the venue's: rules in doubt since a board loss may be armed again.",
)
@click.option(
    "--timeout", metavar="S", type=click.FloatRange(min=0), default=60, show_default=True, help="Longest wait."
)
@click.option("--json", "as_json", is_flag=True, help="Print the daemon's last status as JSON.")
def deploy(bundle: Path, endpoint: str, rearm: bool, reconciled: bool, timeout: float, as_json: bool) -> None:
    """Load BUNDLE into the daemon's board, log on and arm. Returns when the board is armed with it.

    An armed board stays armed: the rules change between two messages, and it says for how long messages waited. Where
    that cannot be, the board is disarmed for the load, and it says why. Rules whose meaning did not change keep their
    state: one that has fired stays spent. Exit code 1: refused, the reason is printed; 2: no daemon answers.

    \b
    Example:
      fixaccel deploy build/quickstart --to unix:/run/fixaccel/control.sock
    """
    with daemon(endpoint) as client:
        loads = client.ask("deploy", bundle=str(bundle.resolve()), rearm=rearm, reconciled=reconciled)["loads"]
        progress = (lambda _: None) if as_json else (lambda phase: click.echo(f"{phase} ..."))
        status = wait_armed(client, timeout, progress)
    load = status["load"]
    if as_json:
        click.echo(json.dumps(status))
    if load["state"] != "loaded":
        click.echo(_NOT_LOADED[load["state"]], err=True)
        sys.exit(1)
    if not as_json and loads and (text := loaded_text(load)):
        click.echo(text)
    if not status["armed"]:
        click.echo(f"not armed: {status['problem'] or 'still ' + status['phase']}", err=True)
        sys.exit(1)
    if not as_json:
        click.echo(armed_text([rule["state"] for rule in status["rules"]]))


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


# States that are neither armed nor spent or in doubt, in the words of the status.
_ASLEEP = ("waiting", "rearming", "disarmed", "cancelled")


def armed_text(states: Sequence[str]) -> str:
    """How many of a strategy's rules are in which state, once it is armed."""
    counts = [f"{states.count(state)} {state}" for state in _ASLEEP if state in states]
    spent = sum(state not in ("armed", *_ASLEEP) for state in states)
    counts += [f"{spent} spent"] if spent else []
    return ", ".join([f"armed: {states.count('armed')} of {len(states)} rules", *counts])


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
        loading = status["load"]["state"] in {"writing", "flipping"}
        done = status["armed"] or status["phase"] in _GIVEN_UP or not status["waiting"]
        if (done and not loading) or time.monotonic() > end:
            return status
        time.sleep(_POLL_S)
