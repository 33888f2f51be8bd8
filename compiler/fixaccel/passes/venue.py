# SPDX-License-Identifier: Apache-2.0
"""Pass `venue`: the venue file that the strategy names."""

import os

from fixaccel.language.files import read_source
from fixaccel.language.reader import read_tree
from fixaccel.language.venue_file import parse_venue
from fixaccel.passes.work import Work


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
    if read:
        work.venue, work.unreadable = read.venue, read.unreadable
