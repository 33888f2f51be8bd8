# SPDX-License-Identifier: Apache-2.0
"""Pass `venue`: the venue file that the strategy names."""

import os

from fixaccel.drafts.work import Work
from fixaccel.language.documents.venue import parse_venue
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
    if read:
        work.venue, work.unreadable = read.venue, read.unreadable
