# SPDX-License-Identifier: Apache-2.0
"""The group of commands."""

import click

from fixaccel.cli.tune.apply import apply
from fixaccel.cli.tune.confirm import confirm
from fixaccel.cli.tune.inspect import inspect
from fixaccel.cli.tune.install import install, uninstall
from fixaccel.cli.tune.measure import baseline, echo, measure
from fixaccel.cli.tune.plan import plan
from fixaccel.cli.tune.report import report
from fixaccel.cli.tune.rollback import rollback
from fixaccel.cli.tune.run import run
from fixaccel.cli.tune.verify import verify


@click.group()
def tune() -> None:
    """Set up a machine for low latency, look whether it still is, and take all back.

    Looking needs no rights; what cannot be set without says what it needs.

    \b
    Examples:
      fixaccel tune inspect
      fixaccel tune plan desk.tune.yaml
      fixaccel tune apply desk.tune.yaml --confirm 60s
      fixaccel tune run desk.tune.yaml
      fixaccel tune verify
      fixaccel tune rollback
    """


for command in (
    inspect, plan, baseline, measure, apply, confirm, verify, rollback, run, report, install, uninstall, echo,
):  # fmt: skip
    tune.add_command(command)
