# SPDX-License-Identifier: Apache-2.0
"""When an order may begin to leave: how much of its frame may still be to come."""

from collections.abc import Iterator, Sequence

from fixaccel.diagnostics import Diagnostic
from fixaccel.diagnostics.codes.image import COMMIT
from fixaccel.image.layout import Layout
from fixaccel.image.templates.template import Template
from fixaccel.language.documents.board import GEM_BRAM
from fixaccel.language.terms import Board, Venue


def commit_ahead(venue: Venue, templates: Sequence[Template], layout: Layout) -> int:
    """Bytes for the register: a frame of which so many are to come is judged while the shortest order is leaving."""
    if venue.commit == "frame" or not templates:
        return 0
    return min(template.length for template in templates) + layout.constant("commit_beyond")


def check_commit(board: Board, venue: Venue) -> Iterator[Diagnostic]:
    """Ahead of the verdict nothing begins where nothing says how long the rest of a frame takes."""
    if venue.commit != "frame" and board.interface == GEM_BRAM and venue.commit_span:
        message = f"`commit: {venue.commit}` is not for board {board.name}, whose interface is {GEM_BRAM}"
        yield Diagnostic(
            COMMIT, message, venue.commit_span, help="leave it out, or compile for a board with `interface: wire`"
        )
