# SPDX-License-Identifier: Apache-2.0
"""`fixaccel tune inspect`: what a machine is, and how far from what is wanted."""

import click

from fixaccel.cli.tune.common import (
    Asked,
    Where,
    bound_plan,
    daemon_option,
    json_option,
    machine_options,
    plan_options,
    print_json,
)
from fixaccel.tune.machine import facts
from fixaccel.tune.show import fact_rows, step_object, step_rows, table
from fixaccel.tune.survey import survey, unasked


@click.command()
@plan_options
@click.option("--disk", metavar="NAME", help="The journal's disk [default: that of /var/lib/fixaccel].")
@machine_options
@daemon_option
@json_option
def inspect(asked: Asked, disk: str | None, as_json: bool, at: Where) -> None:
    """Show what this machine is, and each knob: what it is now, what is wanted, and what is missing.

    Without a PLAN the profile `low-latency` is meant. Needs no rights and changes nothing.

    Exit code 0: shown; 2: the plan has errors or cannot be read.

    \b
    Examples:
      fixaccel tune inspect
      fixaccel tune inspect desk.tune.yaml --json | jq '.knobs[] | select(.outcome == "would set")'
      fixaccel tune inspect --root recorded/desk7
    """
    bound = bound_plan(asked, at.host)
    steps = survey(bound, at.around())
    seen, alone = facts(bound, disk), unasked(bound)
    if as_json:
        knobs = [step_object(step) | {"why": step.knob.why, "cost": step.knob.cost} for step in steps]
        print_json({"machine": seen, "knobs": knobs, "left_alone": [knob.id for knob in alone]})
        return
    rows = [["knob", "now", "wanted", ""], *step_rows(steps)]
    for line in [*table(fact_rows(seen)), "", *table(rows)]:
        click.echo(line)
    if alone:
        click.echo(f"\nleft alone by this plan: {', '.join(knob.id for knob in alone)}")
