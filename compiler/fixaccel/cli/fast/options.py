# SPDX-License-Identifier: Apache-2.0
"""Options that say how a feed's datagrams are made."""

import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import click

from fixaccel.cli.output import show
from fixaccel.diagnostics.checked import Checked
from fixaccel.diagnostics.report import Report
from fixaccel.diagnostics.text import printable
from fixaccel.fast.layout import DATAGRAM_BYTES
from fixaccel.fast.model import Templates
from fixaccel.fast.observed import NO_INSTRUMENTS, Instruments, Observed
from fixaccel.fast.program.compiler import compile_program
from fixaccel.fast.program.interest import Interest
from fixaccel.fast.program.program import Limits, Program
from fixaccel.fast.program.raw import skipped
from fixaccel.fast.reader import LoadedTemplates, load_templates
from fixaccel.language.terms import Group
from fixaccel.pipeline import LoadedFeed, load_feed
from fixaccel.source import SourceFile

F = TypeVar("F")
_GROUP = re.compile(r"(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3}):(\d{1,5})")
RESETS = ("datagram", "message")


def groups(ctx: click.Context, param: click.Parameter, given: tuple[str, ...]) -> tuple[Group, ...]:
    """A callback for options: the addresses of `ADDRESS:PORT`."""
    return tuple(_group(text, ctx, param) for text in given)


def _group(text: str, ctx: click.Context, param: click.Parameter) -> Group:
    match = _GROUP.fullmatch(text)
    parts = [int(part) for part in match.groups()] if match else []
    if not parts or max(parts[:4]) > 255 or not 0 < parts[4] < 1 << 16:
        raise click.BadParameter(f"{text!r} is no address such as 239.195.1.1:16001", ctx, param)
    return Group(".".join(map(str, parts[:4])), parts[4])


def templates_option(function: F, *, required: bool = True) -> F:
    """Adds `--templates`, passed as ``templates``."""
    decorate: Any = click.option(
        "--templates", metavar="FILE", required=required, type=click.Path(path_type=Path), help="FAST templates, XML."
    )
    return decorate(function)  # type: ignore[no-any-return]


def venue_option(function: F) -> F:
    """Adds `--venue`."""
    decorate: Any = click.option(
        "--venue",
        metavar="FILE",
        type=click.Path(path_type=Path),
        help="Venue file whose feed it is; templates that are named beside it take the place of its own.",
    )
    return decorate(function)  # type: ignore[no-any-return]


def skip_option(function: F) -> F:
    """Adds `--skip`; None where it is not given."""
    decorate: Any = click.option(
        "--skip",
        metavar="N",
        type=click.IntRange(0, DATAGRAM_BYTES),
        help="Raw bytes in front of the first FAST byte of each datagram  [default: 0].",
    )
    return decorate(function)  # type: ignore[no-any-return]


def reset_option(function: F) -> F:
    """Adds `--reset`; None where it is not given."""
    decorate: Any = click.option(
        "--reset", type=click.Choice(RESETS), help=f"When previous values are forgotten  [default: {RESETS[0]}]."
    )
    return decorate(function)  # type: ignore[no-any-return]


@dataclass(frozen=True)
class Framing:
    """How datagrams are made, and what of them names instruments. No ``groups``: all that there are."""

    templates: Templates
    interest: Interest
    skip: int
    sources: Mapping[str, SourceFile]
    groups: frozenset[Group] = frozenset()
    senders: Mapping[Group, str] = field(default_factory=dict)
    observed: Observed | None = None

    @property
    def known(self) -> Instruments:
        """The venue's instruments; none without a venue."""
        return self.observed.known if self.observed else NO_INSTRUMENTS


def framing_or_exit(venue: Path | None, templates: Path | None, skip: int | None, reset: str | None) -> Framing:
    """As the venue says it, or else the options; ends the program, faults shown, where there are faults."""
    if venue is None:
        if templates is None:
            raise click.UsageError("name the templates with --templates, or the venue file with --venue")
        interest = Interest(raw=skipped(skip or 0), reset_each_message=reset == "message")
        loaded = templates_or_exit(templates)
        assert loaded.templates
        return Framing(loaded.templates, interest, skip or 0, loaded.sources)
    for name, given in (("skip", skip), ("reset", reset)):
        if given is not None:
            raise click.UsageError(f"--{name} is for templates without a venue file, which says it itself")
    loaded_feed = feed_or_exit(venue, templates)
    read = loaded_feed.feed
    assert read
    channels = read.terms.channels.values()
    return Framing(
        read.templates,
        read.interest,
        read.terms.skip,
        loaded_feed.sources,
        frozenset(group for channel in channels for group in channel.groups),
        {group: channel.source for channel in channels if channel.source for group in channel.groups},
        read.found.observed(read.templates, read.known),
    )


def feed_or_exit(venue: Path, templates: Path | None) -> LoadedFeed:
    """The venue's feed; ends the program with code 2, its faults shown, where there are faults or is no feed."""
    loaded = load_feed(venue, templates)
    if loaded.feed is None and not loaded.failed:
        raise click.UsageError(no_feed(venue))
    show(loaded, "full", err=True)
    if loaded.feed is None:
        sys.exit(2)
    return loaded


def program_or_exit(
    templates: Templates, interest: Interest, limits: Limits, sources: Mapping[str, SourceFile], *, code: int
) -> Program:
    """The program; ends the one that runs with ``code``, faults shown, where there is no room for it."""
    report = Report()
    program, _ = compile_program(templates, interest, limits, report)
    if report.failed:
        show(Checked(report.sorted(), sources, report.dropped), "full", err=True)
        sys.exit(code)
    return program


def no_feed(venue: Path) -> str:
    """What is said of such a venue file."""
    return f"{printable(str(venue))} has no `feed`: its prices come in FIX messages"


def templates_or_exit(path: Path) -> LoadedTemplates:
    """The templates; ends the program with code 2, their faults shown, where there are faults."""
    loaded = load_templates(path)
    if loaded.templates is None:
        show(loaded, "full", err=True)
        sys.exit(2)
    return loaded
