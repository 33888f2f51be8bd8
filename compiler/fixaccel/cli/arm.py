# SPDX-License-Identifier: Apache-2.0
"""`fixaccel arm`: arm what a daemon has loaded, for real or for a dry run."""

import click

from fixaccel.cli.arming import arming_options, tell_when_armed
from fixaccel.cli.daemon import daemon, endpoint_option


@click.command()
@endpoint_option
@arming_options
def arm(endpoint: str, dry_run: bool, timeout: float, as_json: bool) -> None:
    """Arm the bundle that is loaded. Returns when the board is armed.

    In a dry run rules fire, cancel and arm each other and count against their limits, and all that is in status and
    journal with the outcome `dry`; no order leaves. When it ends (`fixaccel disarm`, the kill switch, the end of
    session or daemon), every rule is as it was when it began. An armed board has to be disarmed before it is armed in
    the other way.

    Exit code 1: refused or not armed in time, the reason is printed; 2: no daemon answers.

    \b
    Examples:
      fixaccel arm --to unix:/run/fixaccel/control.sock
      fixaccel arm --dry-run
      fixaccel disarm && fixaccel arm
    """
    with daemon(endpoint) as client:
        client.ask("arm", dry_run=dry_run)
        tell_when_armed(client, timeout, as_json=as_json)
