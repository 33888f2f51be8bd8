# SPDX-License-Identifier: Apache-2.0
"""`fixaccel fast check`: all faults of template files."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fixaccel.cli.fast.options import no_feed, venue_option
from fixaccel.cli.output import checking_format_option, show
from fixaccel.diagnostics.checked import Checked
from fixaccel.diagnostics.codes.reading import CANNOT_READ
from fixaccel.diagnostics.text import printable
from fixaccel.fast.model import Item, Reference, Repeated, Templates, walk
from fixaccel.fast.program.interest import NUMBER, USUAL
from fixaccel.fast.reader import load_templates
from fixaccel.pipeline import load_feed

if TYPE_CHECKING:
    from fixaccel.passes.reading.feed import ReadFeed


@click.command()
@click.argument("templates", nargs=-1, type=click.Path(path_type=Path))
@venue_option
@checking_format_option
def check(templates: tuple[Path, ...], venue: Path | None, form: str) -> None:
    """Check files of FAST templates: each fault with its place and, where the standard has one, its code.

    With --venue what the venue's feed needs of its templates is checked, too, and shown: the fields that it is read
    for.

    Exit code 0: no error; 1: errors; 2: a file could not be read.

    \b
    Examples:
      fixaccel fast check templates.xml
      fixaccel fast check feeds/*.xml --format sarif
      fixaccel fast check --venue venue.yaml
    """
    if venue:
        _with_venue(templates, venue, form)
        return
    if not templates:
        raise click.UsageError("name a file of templates, or a venue file with --venue")
    loaded = [load_templates(path) for path in dict.fromkeys(templates)]
    found = Checked.merge(loaded)
    show(found, form, err=form == "full")
    if form == "full":
        for path, one in zip(dict.fromkeys(templates), loaded, strict=True):
            if one.templates:
                click.echo(f"{printable(str(path))}: {_summary(one.templates)}")
    _exit(found)


def _with_venue(templates: tuple[Path, ...], venue: Path, form: str) -> None:
    if len(templates) > 1:
        raise click.UsageError("with --venue one file of templates can stand in place of the venue's")
    loaded = load_feed(venue, templates[0] if templates else None)
    if loaded.feed is None and not loaded.failed:
        raise click.UsageError(no_feed(venue))
    show(loaded, form, err=form == "full")
    if form == "full" and loaded.feed:
        place = os.path.normpath(templates[0] if templates else venue.parent / loaded.feed.terms.templates)
        click.echo(f"{printable(place)}: {_summary(loaded.feed.templates)}")
        click.echo(f"{printable(str(venue))}: its feed is read for")
        for what, where in _needs(loaded.feed):
            click.echo(f"  {what:12} {printable(where)}")
    _exit(loaded)


def _needs(feed: "ReadFeed") -> Iterator[tuple[str, str]]:
    """What a feed is read for, and the fields that say it."""
    sequence = feed.terms.sequence
    for what, tags in USUAL.items():
        fields = {
            f"{item.name} ({number})" if (number := _id(item)) else str(item.name)
            for template in feed.templates.all
            for item in walk(template.items)
            if not isinstance(item, Reference) and what in feed.found.taken_for(item)
        }
        where = ", ".join(sorted(fields)) or f"none, by {' or '.join(tags)}"
        if what == NUMBER:
            in_front = f"{sequence.bytes} bytes at byte {sequence.offset}"
            where = f"{in_front if sequence.bytes else where}, of {sequence.of}"
        if what == "instrument":
            where += ", by number" if feed.by_number else ", by symbol"
        yield what, where


def _id(item: Item) -> str | None:
    """That of a field; of a sequence its own, or its length's."""
    if isinstance(item, Reference):
        return None
    return item.id or (item.length.id if isinstance(item, Repeated) else None)


def _exit(found: Checked) -> None:
    if any(diagnostic.code is CANNOT_READ for diagnostic in found.diagnostics):
        sys.exit(2)
    sys.exit(1 if found.failed else 0)


def _summary(templates: Templates) -> str:
    count, fields = len(templates.all), sum(len(list(walk(one.items))) for one in templates.all)
    named = ", ".join(f"{one.name} ({one.id})" for one in templates.all if one.id is not None)
    plural = "" if count == 1 else "s"
    return f"{count} template{plural}, {fields:,} instructions" + (f": {printable(named)}" if named else "")
