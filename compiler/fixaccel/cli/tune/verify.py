# SPDX-License-Identifier: Apache-2.0
"""`fixaccel tune verify`: whether the machine still is as it was set."""

import sys
from collections import Counter

import click

from fixaccel.cli.tune.common import (
    LEFT,
    Where,
    complete_runs,
    failing_with_1,
    json_option,
    machine_options,
    print_json,
)
from fixaccel.tune.installed import load
from fixaccel.tune.record import APPLIED, BEGUN, UNCONFIRMED, Record, RecordError
from fixaccel.tune.show import record_object, table, verified_object, verified_rows
from fixaccel.tune.verdict import write
from fixaccel.tune.verify import Verdict
from fixaccel.tune.verify import verify as verify_run


@click.command()
@click.argument("run", metavar="[RUN]", required=False, shell_complete=complete_runs)
@machine_options
@json_option
def verify(run: str | None, as_json: bool, at: Where) -> None:
    """Compare each knob with what `apply` has left there; without RUN, with the last run in force.

    `drifted` was changed since, `lost at boot` went with the boot that it was set in. What `install` adds to the boot
    line is looked at, too. Needs no rights; with them the daemon is told, whose status says it.

    Exit code 0: all is as it was set; 1: something is not, or there is no run; 3: what can be seen from here is, and
    the rest is in another network namespace, or in the boot line from the next boot on.

    \b
    Examples:
      fixaccel tune verify
      fixaccel tune verify --json | jq '.knobs[] | select(.verdict != "ok")'
    """
    with failing_with_1():
        record = at.records.load(run) if run else at.records.last(APPLIED, UNCONFIRMED, BEGUN)
        installed = load(at.records)
        if record is None and not installed.files:
            write(None, (), at.host)
            raise RecordError("nothing is set: `fixaccel tune apply` sets it")
    verdicts = verify_run(record, at.host, installed)
    if not run:
        write(record, verdicts, at.host)
    counts = Counter(one.verdict for one in verdicts)
    text = ", ".join(f"{verdict.value}: {counts[verdict]}" for verdict in Verdict if counts[verdict]) or "nothing set"
    if as_json:
        knobs = [verified_object(one) for one in verdicts]
        print_json({"run": record_object(record) if record else None, "knobs": knobs, "summary": text})
    else:
        amiss = [one for one in verdicts if one.verdict is not Verdict.OK]
        for line in table([["knob", "place", "now", "was set", ""], *verified_rows(amiss)] if amiss else []):
            click.echo(line)
        click.echo(f"{_run_text(record)}: {text}")
    there = counts.keys() - {Verdict.OK}
    sys.exit(0 if not there else LEFT if there <= _LATER else 1)


_LATER = {Verdict.ELSEWHERE, Verdict.AT_NEXT_BOOT}


def _run_text(record: Record | None) -> str:
    if record is None:
        return "the boot line"
    return f"run {record.id}" + ("" if record.state == APPLIED else f" ({record.state})")
