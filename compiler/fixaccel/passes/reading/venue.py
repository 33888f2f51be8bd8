# SPDX-License-Identifier: Apache-2.0
"""Pass `venue`: the venue file that the strategy names."""

import os
from dataclasses import replace
from pathlib import Path

from fixaccel.drafts.work import Work
from fixaccel.language.documents.venue import VenueFile, parse_venue
from fixaccel.language.text.files import read_source
from fixaccel.language.text.reader import read_tree


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
    work.venue, work.unreadable = read.venue, read.unreadable
    _feed(work, read, named.value.strip())


def _feed(work: Work, read: VenueFile, name: str) -> None:
    """The program of the venue's feed. Few venues have one, and what compiles it takes time to import."""
    if not (read.feed or any({"channel", "id"} & one.places.keys() for one in read.venue.instruments.values())):
        return
    from fixaccel.passes.reading import feed  # noqa: PLC0415

    if read.feed:
        found = feed.feed_of(work, read.venue, read.feed, Path(name).parent)
        work.venue = replace(read.venue, feed=found)
    elif read.venue.market_data != "feed":
        feed.refuse_feed_keys(read.venue, work.report)
