# SPDX-License-Identifier: Apache-2.0
"""`fixaccel tune apply`: sets what a plan asks for."""

import sys
from functools import partial
from typing import Any

import click

from fixaccel.cli.tune.common import (
    LEFT,
    Asked,
    Knobs,
    Where,
    bound_plan,
    daemon_option,
    failing_with_1,
    json_option,
    knob_options,
    machine_options,
    plan_options,
    print_json,
)
from fixaccel.cli.tune.spans import Seconds
from fixaccel.tune.apply import Applied
from fixaccel.tune.apply import apply as apply_plan
from fixaccel.tune.record import UNCONFIRMED
from fixaccel.tune.show import backed_object, backed_rows, record_object, step_object, step_rows, table
from fixaccel.tune.verdict import tell
from fixaccel.tune.watchman import start


@click.command()
@plan_options
@knob_options
@click.option("--confirm", "confirm_s", metavar="TIME", type=Seconds(), help="Take all back unless confirmed in time.")
@machine_options
@daemon_option
@json_option
def apply(asked: Asked, knobs: Knobs, confirm_s: float | None, as_json: bool, at: Where) -> None:
    """Set what a PLAN asks for, without one the profile `low-latency`.

    What was there before is recorded, on disk, before anything is written; each value is read back. If one write fails
    all of this run is taken back. A run that has ended in the middle is taken back first. What needs a right that you
    do not have is left, and said.

    What resets a link is refused while the daemon has a session. `--confirm 60s` takes all back after that time unless
    `fixaccel tune confirm` is said: for a login that comes through the network which is set.

    Exit code 0: all that was asked is set; 3: some is left; 1: a write, or the record, failed; 2: the plan has errors
    or cannot be read.

    \b
    Examples:
      fixaccel tune apply desk.tune.yaml
      fixaccel tune apply desk.tune.yaml --skip boot.isolcpus --skip nic.mtu
      fixaccel tune apply desk.tune.yaml --confirm 60s
      fixaccel tune apply --only net.tcp-timestamps
    """
    bound, around = bound_plan(asked, at.host, knobs.skip), at.around()
    watch = partial(start, records=at.records, host=at.host, seconds=confirm_s or 0)
    with failing_with_1(), at.records.locked():
        done = apply_plan(bound, around, at.records, knobs.only, confirm_s or 0, watch)
        tell(at.records, at.host)
    _show(done, confirm_s, as_json=as_json)
    sys.exit(1 if done.failure else 0 if all(step.outcome.is_done for step in done.steps) else LEFT)


def _show(done: Applied, confirm_s: float | None, *, as_json: bool) -> None:
    steps = [step for step in done.steps if step.knob.cls != "told"]
    if as_json:
        made: dict[str, Any] = {
            "run": record_object(done.record) if done.record else None,
            "failure": done.failure,
            "knobs": [step_object(step) for step in steps],
            "taken_back": [backed_object(one) for one in done.backed],
            "finished": record_object(done.finished) if done.finished else None,
            "finished_taken_back": [backed_object(one) for one in done.earlier],
        }
        print_json(made)
        return
    if done.finished:
        click.echo(f"run {done.finished.id} had not come to its end, and was taken back:")
        for line in table(backed_rows(done.earlier)):
            click.echo(f"  {line}")
    rows = step_rows(steps)
    for line in table([["knob", "now", "wanted", ""], *rows]) if rows else ["nothing is asked for"]:
        click.echo(line)
    if done.failure:
        click.echo(f"Error: {done.failure}; this run was taken back, `--skip` leaves a knob alone", err=True)
        for line in table(backed_rows(one for one in done.backed if not one.outcome.is_done)):
            click.echo(f"  left: {line}", err=True)
    elif done.record:
        click.echo(f"\nrun {done.record.id}")
        if done.record.state == UNCONFIRMED:
            click.echo(f"taken back in {confirm_s:g} s unless you say `fixaccel tune confirm`")
