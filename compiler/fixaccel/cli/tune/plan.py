# SPDX-License-Identifier: Apache-2.0
"""`fixaccel tune plan`: what `apply` would do."""

import json
import sys

import click

from fixaccel.cli.tune.common import (
    LEFT,
    Asked,
    Knobs,
    Where,
    bound_plan,
    daemon_option,
    json_option,
    knob_options,
    machine_options,
    plan_options,
)
from fixaccel.tune.exports import shell, tuned
from fixaccel.tune.show import step_object, step_rows, table
from fixaccel.tune.survey import Outcome, Step, survey

_FORMATS = ("text", "json", "sh", "tuned")
_OPEN = {Outcome.WOULD_SET}


@click.command()
@plan_options
@knob_options
@click.option("--format", "form", type=click.Choice(_FORMATS), default="text", show_default=True, help="Of what form.")
@machine_options
@daemon_option
@json_option
def plan(asked: Asked, knobs: Knobs, form: str, as_json: bool, at: Where) -> None:
    """Show what `apply` would do, in its order, with what is there now.

    `--format sh` are commands to read; `--format tuned` is a profile for TuneD, which owns the machine's knobs where it
    is active.

    Exit code 0: all could be set, or is; 3: some could not; 2: the plan has errors or cannot be read.

    \b
    Examples:
      fixaccel tune plan desk.tune.yaml
      fixaccel tune plan --only net.tcp-timestamps
      fixaccel tune plan desk.tune.yaml --format tuned > /etc/tuned/fixaccel/tuned.conf
    """
    bound = bound_plan(asked, at.host, knobs.skip)
    steps = [step for step in survey(bound, at.around(), knobs.only) if step.knob.cls != "told"]
    click.echo(_text(steps, "json" if as_json else form), nl=False)
    sys.exit(0 if all(step.outcome.is_done or step.outcome in _OPEN for step in steps) else LEFT)


def _text(steps: list[Step], form: str) -> str:
    if form == "sh":
        return shell(steps)
    if form == "tuned":
        return tuned(steps)
    if form == "json":
        return json.dumps({"knobs": [step_object(step) for step in steps]}, indent=1, ensure_ascii=False) + "\n"
    lines = table([["knob", "now", "wanted", ""], *step_rows(steps)]) if steps else ["nothing is asked for"]
    return "\n".join(lines) + "\n"
