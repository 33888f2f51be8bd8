# SPDX-License-Identifier: Apache-2.0
"""`fixaccel reconcile`: rules that may have fired unseen, and the operator's word on them."""

import json

import click

from fixaccel.cli.complete import complete_in_doubt
from fixaccel.cli.daemon import daemon, endpoint_option


@click.command()
@click.argument("rules", nargs=-1, metavar="[RULE]...", shell_complete=complete_in_doubt)
@endpoint_option
@click.option(
    "--sent/--not-sent", "sent", default=None, help="What has become of them: they have sent an order, or nothing."
)
@click.option("--json", "as_json", is_flag=True, help="Print the rules that are in doubt as JSON.")
def reconcile(rules: tuple[str, ...], endpoint: str, sent: bool | None, as_json: bool) -> None:
    """List rules that are in doubt since the board lost its memory, with the ClOrdID that each would have used.

    `fixaccel deploy --reconciled` asks the venue for them. What the venue does not tell, the desk may find out, on the
    venue's screen or by telephone, and say with RULE and `--sent` or `--not-sent`: a rule that has sent nothing may be
    armed again, one that has sent an order is spent. Who has said it is in the journal. A rule of several parts
    (`fall`, or one of them, `fall[2]`) stands for those that are in doubt. `--not-sent` needs a board that is disarmed.

    Exit code 1: refused, the reason is printed; 2: no daemon answers.

    \b
    Examples:
      fixaccel reconcile
      fixaccel reconcile protect-msft --sent
      fixaccel reconcile 'fall[2]' breakout --not-sent && fixaccel arm
    """
    if bool(rules) != (sent is not None):
        raise click.UsageError("name rules together with --sent or --not-sent, or neither to list what is in doubt")
    with daemon(endpoint) as client:
        if rules:
            client.ask("reconcile", rules=rules, sent=sent)
        doubts = client.ask("status")["in_doubt"]
    if as_json:
        click.echo(json.dumps(doubts))
        return
    count = {0: "no rule is in doubt", 1: "1 rule is in doubt:"}.get(len(doubts), f"{len(doubts)} rules are in doubt:")
    click.echo(count)
    for doubt in doubts:
        order = doubt["cl_ord_id"] or "of a ClOrdID that is not known"
        click.echo(f"  {doubt['rule']}  {doubt['instrument']} {doubt['side']}  {order}")
