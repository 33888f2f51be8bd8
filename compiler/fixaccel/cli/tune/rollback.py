# SPDX-License-Identifier: Apache-2.0
"""`fixaccel tune rollback`: what was there before."""

import sys

import click

from fixaccel.cli.tune.common import (
    LEFT,
    Where,
    complete_runs,
    daemon_option,
    failing_with_1,
    json_option,
    machine_options,
    print_json,
)
from fixaccel.tune.record import APPLIED, BEGUN, UNCONFIRMED, Record, RecordError, Records
from fixaccel.tune.show import backed_object, backed_rows, record_object, table
from fixaccel.tune.take_back import Back, take_back
from fixaccel.tune.verdict import tell
from fixaccel.tune.watchman import keep

_IN_FORCE = (APPLIED, UNCONFIRMED, BEGUN)


@click.command()
@click.argument("run", metavar="[RUN]", required=False, shell_complete=complete_runs)
@click.option("--force", is_flag=True, help="Also where others have changed the value, or a session would be cut.")
@click.option("--unless-confirmed", "waiting_s", type=float, hidden=True)
@machine_options
@daemon_option
@json_option
def rollback(run: str | None, force: bool, waiting_s: float | None, as_json: bool, at: Where) -> None:
    """Write back what was there before, last first; without RUN, before the last run in force.

    Also ends a run that was killed in the middle. A value that is no longer the one that was set is left, and named.
    After a boot nothing is left to take back but the daemon's settings.

    Exit code 0: all is as it was before; 3: something was left; 1: a write failed, or there is no such run.

    \b
    Examples:
      fixaccel tune rollback
      fixaccel tune rollback 7 --force
    """
    if waiting_s is not None:
        with failing_with_1():
            keep(run or "", at.records, at.host, waiting_s)
        return
    session = at.around().session
    with failing_with_1(), at.records.locked():
        record = _meant(at.records, run, force=force)
        backed = take_back(record, at.host, session=session, force=force)
        at.records.save(record)
        tell(at.records, at.host)
    if as_json:
        print_json({"run": record_object(record), "knobs": [backed_object(one) for one in backed]})
    else:
        for line in table([["knob", "place", "before", ""], *backed_rows(backed)] if backed else []):
            click.echo(line)
        left = sum(not one.outcome.is_done for one in backed)
        way_out = f"; {left} left: `fixaccel tune rollback {record.id}` tries them again" if left else ""
        click.echo(f"run {record.id}: {record.state}{way_out}")
    outcomes = {one.outcome for one in backed}
    sys.exit(1 if Back.FAILED in outcomes else 0 if all(one.is_done for one in outcomes) else LEFT)


def _meant(records: Records, run: str | None, *, force: bool) -> Record:
    if run is None:
        record = records.last(*_IN_FORCE)
        if record is None:
            raise RecordError("nothing is set that could be taken back")
        return record
    record = records.load(run)
    younger = [id_ for id_ in records.ids() if int(id_) > int(run)]
    above = next((id_ for id_ in reversed(younger) if records.load(id_).state in _IN_FORCE), None)
    if above and not force:
        raise RecordError(f"run {above} was set after {run}: take that back first, or use --force")
    return record
