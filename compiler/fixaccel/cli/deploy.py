# SPDX-License-Identifier: Apache-2.0
"""`fixaccel deploy`: load a bundle into a running daemon and arm it."""

import sys
from pathlib import Path

import click

from fixaccel.board import ssh
from fixaccel.board.endpoint import Endpoint
from fixaccel.cli.arming import arming_options, tell_when_armed
from fixaccel.cli.daemon import daemon, endpoint_option
from fixaccel.emit.bundle import MANIFEST

_PLACE = "/srv/fixaccel"


@click.command()
@click.argument("bundle", type=click.Path(file_okay=False, path_type=Path))
@endpoint_option
@click.option(
    "--into",
    metavar="FOLDER",
    envvar="FIXACCEL_BUNDLES",
    default=_PLACE,
    show_default=True,
    show_envvar=True,
    help="With ssh:HOST: the folder of that machine where bundles are kept, which its daemon can read.",
)
@click.option("--rearm", is_flag=True, help="Arm rules again that have fired.")
@click.option(
    "--reconciled",
    is_flag=True,
    help="Ask the venue for rules in doubt since a board loss; what has sent nothing is armed again.",
)
@arming_options
def deploy(
    *,
    bundle: Path,
    endpoint: Endpoint,
    into: str,
    rearm: bool,
    reconciled: bool,
    dry_run: bool,
    timeout: float,
    as_json: bool,
) -> None:
    """Load BUNDLE into the daemon's board, log on and arm. Returns when the board is armed with it.

    An armed board stays armed: the rules change between two messages, and it says for how long messages waited. Where
    that cannot be, the board is disarmed for the load, and it says why. Rules whose meaning did not change keep their
    state: one that has fired stays spent.

    Rules that were armed when the board lost its memory are in doubt: they may have fired unseen, and nothing is loaded
    without `--reconciled`. With it the venue is asked after the logon, rule by rule. What has sent an order is spent,
    what has not is armed again, and what stays unknown stays spent (see `fixaccel reconcile`).

    With `--to ssh:HOST` BUNDLE is copied to that machine first, if it is not there yet. Else the daemon reads BUNDLE
    itself: with `--to tls:HOST:PORT` it is a path of that machine, from its root.

    Exit code 1: refused, the reason is printed; 2: no daemon answers.

    \b
    Examples:
      fixaccel deploy build/quickstart --to unix:/run/fixaccel/control.sock
      fixaccel deploy build/quickstart --to ssh:desk@pynq
      fixaccel deploy build/quickstart --dry-run
      fixaccel deploy build/quickstart --reconciled
    """
    path = _placed(bundle, endpoint, into, timeout) if endpoint.by_ssh else str(_bundle_path(bundle, endpoint))
    with daemon(endpoint) as client:
        loads = client.ask("deploy", bundle=path, rearm=rearm, reconciled=reconciled, dry_run=dry_run)["loads"]
        tell_when_armed(client, timeout, as_json=as_json, loads=loads)


def _bundle_path(bundle: Path, endpoint: Endpoint) -> Path:
    """As the daemon finds it."""
    if endpoint.is_remote:
        if not bundle.is_absolute():
            raise click.BadParameter(
                f"the daemon at {endpoint} reads {bundle} itself: give the path from the root of its machine",
                param_hint="'BUNDLE'",
            )
        return bundle
    return _existing(bundle).resolve()


def _placed(bundle: Path, endpoint: Endpoint, folder: str, timeout_s: float) -> str:
    """As it is named on the daemon's machine, to which it is copied."""
    if not folder.startswith("/"):
        raise click.BadParameter(f"{folder!r} is not a path from the root", param_hint="'--into'")
    if not (_existing(bundle) / MANIFEST).is_file():
        raise click.BadParameter(f"'{bundle}' is no bundle: it has no {MANIFEST}", param_hint="'BUNDLE'")
    try:
        return ssh.place(endpoint, bundle, folder, timeout_s)
    except OSError as error:
        raise click.BadParameter(f"{error.filename}: {error.strerror}", param_hint="'BUNDLE'") from error
    except ssh.SshError as error:
        click.echo(f"Error: {error}", err=True)
        sys.exit(2)


def _existing(bundle: Path) -> Path:
    if not bundle.exists():
        raise click.BadParameter(f"Directory '{bundle}' does not exist.", param_hint="'BUNDLE'")
    return bundle
