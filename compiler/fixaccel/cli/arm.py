# SPDX-License-Identifier: Apache-2.0
"""`fixaccel arm`: arm what a daemon has loaded, for real or for a dry run, and rules that were rejected."""

import click

from fixaccel.cli.arming import arming_options, tell_when_armed
from fixaccel.cli.complete import complete_rejected
from fixaccel.cli.daemon import daemon, endpoint_option


@click.command()
@click.argument("rules", nargs=-1, metavar="[RULE]...", shell_complete=complete_rejected)
@endpoint_option
@arming_options
def arm(rules: tuple[str, ...], endpoint: str, dry_run: bool, timeout: float, as_json: bool) -> None:
    """Arm the bundle that is loaded. Returns when the board is armed.

    With RULE, rules that have fired and were rejected, by a limit for example, may fire once more: `fixaccel status`
    lists them. A rule of several parts (`fall`, or one of them, `fall[2]`) stands for those that were rejected. Nothing
    changes if one of them was not: its order was sent, or it has not fired. An armed board is disarmed for a moment.

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
      fixaccel arm protect-msft 'fall[2]'
    """
    with daemon(endpoint) as client:
        client.ask("arm", dry_run=dry_run, rules=rules)
        tell_when_armed(client, timeout, as_json=as_json)
