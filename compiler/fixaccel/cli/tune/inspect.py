# SPDX-License-Identifier: Apache-2.0
"""`fixaccel tune inspect`: what a machine is, and how far from what is wanted."""

from pathlib import Path

import click

from fixaccel.cli.daemon import endpoint_option
from fixaccel.cli.tune.common import (
    bound_plan,
    circumstances,
    is_given,
    json_option,
    machine_options,
    plan_options,
    print_json,
    where,
)
from fixaccel.tune.machine import facts
from fixaccel.tune.show import fact_rows, step_object, step_rows, table
from fixaccel.tune.survey import survey, unasked


@click.command()
@plan_options
@click.option("--disk", metavar="NAME", help="The journal's disk, such as nvme0n1.")
@machine_options
@json_option
@endpoint_option
@click.pass_context
def inspect(
    ctx: click.Context, plan: Path | None, venue: Path | None, disk: str | None, root: Path | None,
    config: Path | None, state: Path | None, as_json: bool, endpoint: str,
) -> None:  # fmt: skip
    """Show what this machine is, and each knob: what it is now, what is wanted, and what is missing.

    Without a PLAN the profile `low-latency` is meant. Needs no rights and changes nothing.

    Exit code 0: shown; 2: the plan has errors or cannot be read.

    \b
    Examples:
      fixaccel tune inspect
      fixaccel tune inspect desk.tune.yaml --json | jq '.knobs[] | select(.outcome == "would set")'
      fixaccel tune inspect --root recorded/desk7
    """
    found = where(root, config, state)
    bound = bound_plan(plan, venue, found.host)
    steps = survey(bound, circumstances(found.host, endpoint, is_asked=is_given(ctx, "endpoint")))
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
