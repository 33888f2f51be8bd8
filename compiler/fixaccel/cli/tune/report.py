# SPDX-License-Identifier: Apache-2.0
"""`fixaccel tune report`: before and after of a run."""

import json

import click

from fixaccel.cli.tune.common import Where, complete_runs, failing_with_1, json_option, machine_options
from fixaccel.tune.measured.show import (
    about,
    difference_rows,
    figure_rows,
    notes,
    trials_markdown,
    trials_object,
    verdicts,
)
from fixaccel.tune.measured.store import trials_of
from fixaccel.tune.record import RecordError, as_object
from fixaccel.tune.show import record_markdown, record_rows, table


@click.command()
@click.argument("run", metavar="[RUN]", required=False, shell_complete=complete_runs)
@click.option("--format", "form", type=click.Choice(["text", "json", "markdown"]), default="text", show_default=True,
              help="Of what form.")  # fmt: skip
@machine_options
@json_option
def report(run: str | None, form: str, as_json: bool, at: Where) -> None:
    """Show what a run found and what it left, and what it measured; without RUN, the last one.

    Of `fixaccel tune run` each stage or knob has its verdict, what was measured before and after it, and what else the
    machine did meanwhile.

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
        trials = trials_of(record.id, records)
    if form == "markdown" and not as_json:
        click.echo(record_markdown(record) + (trials_markdown(trials) if trials else ""), nl=False)
        return
    if as_json or form == "json":
        found = as_object(record) | {"trials": trials_object(trials) if trials else None}
        click.echo(json.dumps(found, indent=1, ensure_ascii=False))
        return
    head = f"run {record.id}, {record.started}, profile {record.profile}, interface {record.interface or 'none'}"
    click.echo(f"{head}: {record.state}")
    for line in table([["knob", "place", "before", "after", "", "verdict"], *record_rows(record, verdicts(trials))]):
        click.echo(line)
    if trials is None:
        return
    click.echo("")
    for line in table(difference_rows(trials)):
        click.echo(line)
    for one in (trials.before, trials.after):
        if one:
            click.echo(f"\n{'before' if one is trials.before else 'after'}: {about(one)}")
            for line in table(figure_rows(one)):
                click.echo(line)
    for note in notes(trials):
        click.echo(f"* {note}")
