# SPDX-License-Identifier: Apache-2.0
"""The group, and what `fixaccel exchange --config FILE` is short for."""

import click

from fixaccel.cli.exchange.diff import diff
from fixaccel.cli.exchange.export import export
from fixaccel.cli.exchange.replay import replay
from fixaccel.cli.exchange.run import run
from fixaccel.cli.exchange.ticks import ticks


class ExchangeGroup(click.Group):
    """Options without a subcommand are those of `run`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Puts `run` in front of options that are not the group's own."""
        if args and args[0].startswith("-") and args[0] not in ctx.help_option_names:
            args = [run.name or "run", *args]
        return super().parse_args(ctx, args)


@click.group(cls=ExchangeGroup)
def exchange() -> None:
    """A venue to trade against, that behaves, or misbehaves on demand; and its records.

    `fixaccel exchange --config FILE` is short for `fixaccel exchange run --config FILE`.

    \b
    Examples:
      fixaccel exchange --config strategies/venues/simulator.yaml --listen 127.0.0.1:9878
      fixaccel exchange replay day.jsonl
      fixaccel exchange export day.jsonl -o day.parquet
    """


for command in (run, replay, diff, export, ticks):
    exchange.add_command(command)
