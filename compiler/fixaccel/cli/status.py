# SPDX-License-Identifier: Apache-2.0
"""`fixaccel status`: what a daemon and its board are doing."""

import json

import click

from fixaccel.cli.daemon import daemon, endpoint_option
from fixaccel.cli.status_text import lines, short_lines


@click.command()
@endpoint_option
@click.option("--json", "as_json", is_flag=True, help="Print the whole status as one JSON object.")
@click.option("--watch", is_flag=True, help="Show it as it changes, until Ctrl-C.")
@click.option("--every", metavar="S", type=click.FloatRange(min=0.1), help="Seconds between two looks.  [default: 1]")
@click.option("--short", is_flag=True, help="The kill switch alone, at once, whatever the daemon is doing.")
def status(endpoint: str, as_json: bool, watch: bool, every: float | None, short: bool) -> None:
    """Show the session, the board, the rules and their fires with the state of each order.

    With `--watch` a terminal is redrawn in place. Elsewhere there is a line for each change, or with `--json` an object
    for each look. The daemon may be away or start anew meanwhile: it says so, and goes on.

    Exit code 1: refused; 2: no daemon answers. With `--watch` 0, once it is interrupted.

    \b
    Examples:
      fixaccel status --to unix:/run/fixaccel/control.sock
      fixaccel status --watch --every 5
      fixaccel status --watch --json | jq -c '{phase, armed, problem}'
      fixaccel status --short
    """
    if every is not None and not watch:
        raise click.UsageError("--every goes with --watch")
    if watch:
        # Only this draws.
        from fixaccel.cli.watch import watch as show_changes  # noqa: PLC0415

        show_changes(endpoint, every or 1.0, as_json=as_json, short=short)
        return
    with daemon(endpoint) as client:
        answer = client.ask("status", short=True) if short else client.ask("status")
    text = short_lines(answer) if short else lines(answer)
    click.echo(json.dumps(answer) if as_json else "\n".join(text))
