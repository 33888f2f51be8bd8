# SPDX-License-Identifier: Apache-2.0
"""`fixaccel tune verify`: whether the machine still is as it was set."""

import sys
from collections import Counter
from dataclasses import dataclass
from typing import Any

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
from fixaccel.cli.tune.measure import measured, show_hint, show_measurement
from fixaccel.cli.tune.measuring import extent_options
from fixaccel.diagnostics.report import Report
from fixaccel.tune.bind import bind
from fixaccel.tune.installed import load
from fixaccel.tune.measured.effect import Judged, compare
from fixaccel.tune.measured.figures import Measurement, as_object
from fixaccel.tune.measured.show import difference_objects
from fixaccel.tune.measured.store import last, trials_of
from fixaccel.tune.measured.whole import Extent
from fixaccel.tune.plan_file import Plan
from fixaccel.tune.record import APPLIED, BEGUN, UNCONFIRMED, Record, RecordError
from fixaccel.tune.show import record_object, table, verified_object, verified_rows
from fixaccel.tune.verdict import write
from fixaccel.tune.verify import Verdict
from fixaccel.tune.verify import verify as verify_run


@click.command()
@click.argument("run", metavar="[RUN]", required=False, shell_complete=complete_runs)
@click.option("--measure", "measures", is_flag=True, help="Also measure, and compare with what the run measured.")
@extent_options
@machine_options
@json_option
def verify(run: str | None, measures: bool, extent: Extent, peer: str | None, as_json: bool, at: Where) -> None:
    """Compare each knob with what `apply` has left there; without RUN, with the last run in force.

    `drifted` was changed since, `lost at boot` went with the boot that it was set in. What `install` adds to the boot
    line is looked at, too. Needs no rights; with them the daemon is told, whose status says it.

    `--measure` measures as `fixaccel tune measure` does, and compares with what stayed of a `fixaccel tune run`, else
    with the last measurement. It says nothing of a knob, and is no part of the exit code.

    Exit code 0: all is as it was set; 1: something is not, or there is no run; 3: what can be seen from here is, and
    the rest is in another network namespace, or in the boot line from the next boot on.

    \b
    Examples:
      fixaccel tune verify
      fixaccel tune verify --measure
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
    now = _measured(at, record, extent, peer) if measures else None
    if as_json:
        knobs = [verified_object(one) for one in verdicts]
        print_json({"run": record_object(record) if record else None, "knobs": knobs, "summary": text} | _object(now))
    else:
        amiss = [one for one in verdicts if one.verdict is not Verdict.OK]
        for line in table([["knob", "place", "now", "was set", ""], *verified_rows(amiss)] if amiss else []):
            click.echo(line)
        click.echo(f"{_run_text(record)}: {text}")
        if now:
            now.show()
    there = counts.keys() - {Verdict.OK}
    sys.exit(0 if not there else LEFT if there <= _LATER else 1)


@dataclass(frozen=True)
class _Now:
    """A measurement, and what it was compared with; None where there is nothing."""

    measurement: Measurement
    before: Measurement | None

    @property
    def judged(self) -> Judged | None:
        return compare(self.before.blocks(), self.measurement.blocks(), seed=0) if self.before else None

    def show(self) -> None:
        click.echo("")
        show_measurement(self.measurement)
        if self.before and self.judged:
            show_hint(self.before, self.judged)
        else:
            click.echo("\nnothing was measured before: the next one is compared with this")


def _measured(at: Where, record: Record | None, extent: Extent, peer: str | None) -> _Now:
    with failing_with_1():
        trials = trials_of(record.id, at.records) if record else None
        before = (trials.after or trials.before) if trials else None
        before = before or last(at.records, "measure", "baseline")
    # The plan of the run, as far as it says what is measured.
    plan = Plan(record.profile, record.interface) if record else Plan()
    bound = bind(plan, at.host, None, Report())
    if bound is None:
        raise click.ClickException(f"the interface of the run, {plan.interface}, is not here: there is no such link")
    return _Now(measured("measure", bound, extent, peer, at), before)


def _object(now: _Now | None) -> dict[str, Any]:
    if now is None:
        return {}
    differences = difference_objects(now.judged.differences) if now.judged else []
    return {"measured": as_object(now.measurement), "differences": differences}


_LATER = {Verdict.ELSEWHERE, Verdict.AT_NEXT_BOOT}


def _run_text(record: Record | None) -> str:
    if record is None:
        return "the boot line"
    return f"run {record.id}" + ("" if record.state == APPLIED else f" ({record.state})")
