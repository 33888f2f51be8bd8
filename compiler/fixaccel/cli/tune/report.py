# SPDX-License-Identifier: Apache-2.0
"""`fixaccel tune report`: before and after of a run."""

import json

import click

from fixaccel.cli.tune.common import Where, complete_runs, failing_with_1, json_option, machine_options
from fixaccel.tune.record import RecordError, as_object
from fixaccel.tune.show import record_markdown, record_rows, table


@click.command()
@click.argument("run", metavar="[RUN]", required=False, shell_complete=complete_runs)
@click.option("--format", "form", type=click.Choice(["text", "json", "markdown"]), default="text", show_default=True,
              help="Of what form.")  # fmt: skip
@machine_options
@json_option
def report(run: str | None, form: str, as_json: bool, at: Where) -> None:
    """Show what a run found and what it left; without RUN, the last one.

    Exit code 0: shown; 1: there is no such run, or its record is damaged.

    \b
    Examples:
      fixaccel tune report
      fixaccel tune report 7 --format markdown > tuning.md
    """
    records = at.records
    with failing_with_1():
        ids = records.ids()
        if not (run or ids):
            raise RecordError(f"there is no run in {records.folder}")
        record = records.load(run or ids[-1])
    if form == "markdown" and not as_json:
        click.echo(record_markdown(record), nl=False)
        return
    if as_json or form == "json":
        click.echo(json.dumps(as_object(record), indent=1, ensure_ascii=False))
        return
    head = f"run {record.id}, {record.started}, profile {record.profile}, interface {record.interface or 'none'}"
    click.echo(f"{head}: {record.state}")
    for line in table([["knob", "place", "before", "after", ""], *record_rows(record)]):
        click.echo(line)
