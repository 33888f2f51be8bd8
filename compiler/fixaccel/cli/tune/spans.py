# SPDX-License-Identifier: Apache-2.0
"""Spans of time on the command line."""

import click

from fixaccel.board.limits import span_ms


class Seconds(click.ParamType[float]):
    """Such as 60s or 5m, in seconds."""

    name = "time"

    def convert(self, value: str | float, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Fails for what is no span, or none at all."""
        if not isinstance(value, str):
            return value
        try:
            found = span_ms(value) / 1000
        except ValueError as error:
            self.fail(str(error), param, ctx)
        return found or self.fail(f"{value} is no time", param, ctx)
