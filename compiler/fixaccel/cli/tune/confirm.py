# SPDX-License-Identifier: Apache-2.0
"""`fixaccel tune confirm`: what was set may stay."""

import sys

import click

from fixaccel.cli.tune.common import Where, complete_runs, failing_with_1, json_option, machine_options, print_json
from fixaccel.tune.record import APPLIED, UNCONFIRMED, RecordError, Records
from fixaccel.tune.show import record_object
from fixaccel.tune.verdict import tell


@click.command()
@click.argument("run", metavar="[RUN]", required=False, shell_complete=complete_runs)
@machine_options
@json_option
def confirm(run: str | None, as_json: bool, at: Where) -> None:
    """Keep what `apply --confirm` has set; without RUN, the last one.

    Exit code 0: it stays; 1: no run waits, or it was taken back already.

    \b
    Examples:
      fixaccel tune confirm
    """
    records = at.records
    with failing_with_1(), records.locked():
        record = records.load(run) if run else records.last(UNCONFIRMED, APPLIED)
        if record is None or record.state != UNCONFIRMED:
            raise RecordError(_why(records, run))
        record.state, record.confirm_by = APPLIED, 0.0
        records.save(record)
        tell(records, at.host)
    if as_json:
        print_json({"run": record_object(record)})
    else:
        click.echo(f"run {record.id} stays")
    sys.exit(0)


def _why(records: Records, run: str | None) -> str:
    ids = records.ids()
    last = records.load(run or ids[-1]) if ids else None
    return f"no run waits to be confirmed: {last.id} is {last.state}" if last else "no run waits to be confirmed"
