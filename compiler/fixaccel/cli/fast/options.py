# SPDX-License-Identifier: Apache-2.0
"""Options that say how a feed's datagrams are made."""

import re
import sys
from pathlib import Path
from typing import Any, TypeVar

import click

from fixaccel.cli.output import show
from fixaccel.fast.capture import Group
from fixaccel.fast.layout import DATAGRAM_BYTES
from fixaccel.fast.model import Templates
from fixaccel.fast.reader import load_templates

F = TypeVar("F")
_GROUP = re.compile(r"(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3}):(\d{1,5})")


def groups(ctx: click.Context, param: click.Parameter, given: tuple[str, ...]) -> tuple[Group, ...]:
    """A callback for options: the addresses of `ADDRESS:PORT`."""
    return tuple(_group(text, ctx, param) for text in given)


def _group(text: str, ctx: click.Context, param: click.Parameter) -> Group:
    match = _GROUP.fullmatch(text)
    parts = [int(part) for part in match.groups()] if match else []
    if not parts or max(parts[:4]) > 255 or not 0 < parts[4] < 1 << 16:
        raise click.BadParameter(f"{text!r} is no address such as 239.195.1.1:16001", ctx, param)
    return Group(".".join(map(str, parts[:4])), parts[4])


def templates_option(function: F) -> F:
    """Adds `--templates`, passed as ``templates``."""
    decorate: Any = click.option(
        "--templates", metavar="FILE", required=True, type=click.Path(path_type=Path), help="FAST templates, XML."
    )
    return decorate(function)  # type: ignore[no-any-return]


def skip_option(function: F) -> F:
    """Adds `--skip`."""
    decorate: Any = click.option(
        "--skip",
        metavar="N",
        type=click.IntRange(0, DATAGRAM_BYTES),
        default=0,
        show_default=True,
        help="Raw bytes in front of the first FAST byte of each datagram.",
    )
    return decorate(function)  # type: ignore[no-any-return]


def reset_option(function: F) -> F:
    """Adds `--reset`."""
    decorate: Any = click.option(
        "--reset",
        type=click.Choice(["datagram", "message"]),
        default="datagram",
        show_default=True,
        help="When previous values are forgotten.",
    )
    return decorate(function)  # type: ignore[no-any-return]


def templates_or_exit(path: Path) -> Templates:
    """The templates; ends the program with code 2, their faults shown, where there are faults."""
    loaded = load_templates(path)
    if loaded.templates is None:
        show(loaded, "full", err=True)
        sys.exit(2)
    return loaded.templates
