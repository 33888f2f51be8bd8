# SPDX-License-Identifier: Apache-2.0
"""`fixaccel rules`: the rules that a daemon has loaded, and their states."""

import json

import click

from fixaccel.cli.complete import complete_loaded
from fixaccel.cli.daemon import daemon, endpoint_option
from fixaccel.cli.status_text import rule_text


@click.command()
@click.argument("rules", metavar="[RULE]...", nargs=-1, shell_complete=complete_loaded)
@click.option("--state", "states", multiple=True, help="Only those in this state, such as `fired`; may be repeated.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@endpoint_option
def list_rules(rules: tuple[str, ...], states: tuple[str, ...], as_json: bool, endpoint: str) -> None:
    """List the rules that are loaded with their states: all, or those that are named.

    A rule of several parts (`fall`) stands for all of them (`fall[2]`).

    Exit code 1: no such rule is loaded; 2: no daemon answers.

    \b
    Examples:
      fixaccel rules
      fixaccel rules fall 'grid[7]'
      fixaccel rules --state fired --json | jq -r .id
    """
    with daemon(endpoint) as client:
        found = client.ask("rules", rules=list(rules))["rules"]
    for rule in found:
        if not states or rule["state"] in states:
            click.echo(json.dumps(rule) if as_json else rule_text(rule))
