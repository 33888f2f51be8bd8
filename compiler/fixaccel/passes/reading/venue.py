# SPDX-License-Identifier: Apache-2.0
"""Pass `venue`: the venue file that the strategy names."""

import os
from dataclasses import replace
from pathlib import Path

from fixaccel.diagnostics.report import Report
from fixaccel.drafts.work import Work
from fixaccel.language.documents.venue import VenueFile, parse_venue
from fixaccel.language.terms import Venue
from fixaccel.language.text.files import read_source
from fixaccel.language.text.reader import read_tree
from fixaccel.source import SourceFile


def run(work: Work) -> None:
    """Fills ``venue`` and ``unreadable``."""
    if work.written is None or work.written.venue is None:
        return
    named = work.written.venue
    path = work.path.parent / named.value.strip()
    name = os.path.normpath(path)
    source = read_source(path, name, work.report, work.sources, asked_at=named.span)
    if source is None:
        return
    work.inputs[named.value.strip()] = source.digest
    tree = read_tree(source, work.report)
    read = parse_venue(tree, work.report) if tree is not None else None
    if read is None:
        return
    work.venue, work.unreadable = with_feed(read, path.parent, work.report, work.sources), read.unreadable
    if read.feed and (templates := work.sources.get(os.path.normpath(path.parent / read.feed.templates))):
        work.inputs[(Path(named.value.strip()).parent / read.feed.templates).as_posix()] = templates.digest


def with_feed(read: VenueFile, folder: Path, report: Report, sources: dict[str, SourceFile]) -> Venue:
    """The venue of a file in ``folder``, with its feed. Few have one, and what compiles it takes time to import."""
    if not (read.feed or any({"channel", "id"} & one.places.keys() for one in read.venue.instruments.values())):
        return read.venue
    from fixaccel.passes.reading import feed  # noqa: PLC0415

    if read.feed:
        return replace(read.venue, feed=feed.feed_of(read.venue, read.feed, folder, report, sources))
    if read.venue.market_data != "feed":
        feed.refuse_feed_keys(read.venue, report)
    return read.venue
