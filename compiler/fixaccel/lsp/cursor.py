# SPDX-License-Identifier: Apache-2.0
"""Where the cursor is in a text that is being written: the file is read with a mark in place of the word there."""

import re
from dataclasses import dataclass

from fixaccel.lsp.documents import Document
from fixaccel.lsp.places import Place, find_place
from fixaccel.lsp.tolerant import tolerant_tree
from fixaccel.source import MappingNode, ScalarNode

MARK = "\ue000"
_WORD_BEFORE = re.compile(r"[^\s,\[\]{}:'\"]*\Z")
_WORD_BEHIND = re.compile(r"[^\s,\[\]{}:'\"]*")
_BEGINS_LINE = re.compile(r" *(?:- +)*\Z")
_BEHIND = 4_000
_COLON = re.compile(r" *:")


@dataclass(frozen=True)
class Cursor:
    """``start`` and ``end`` are the offsets of the word that is being written, ``before`` what its value has before it.

    ``colon``: a colon stands behind it. ``quote`` is the one that stands before it.
    """

    place: Place
    start: int
    end: int
    before: str
    colon: bool
    quote: str

    @property
    def siblings(self) -> set[str]:
        """Keys that the mapping has already."""
        owner = self.place.owner
        keys = [entry.key.text for entry in owner.entries] if isinstance(owner, MappingNode) else []
        return {key for key in keys if MARK not in key}


def find_cursor(document: Document, offset: int) -> Cursor | None:
    """None where the text around the cursor cannot be read."""
    text = document.text
    line_start = max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1
    left = text[line_start:offset]
    if re.search(r"(?:^|\s)#", left):
        return None
    word, behind = _WORD_BEFORE.search(left), _WORD_BEHIND.match(text, offset)
    assert word
    assert behind
    start, end = line_start + word.start(), behind.end()
    quote = text[start - 1] if start > line_start and text[start - 1] in "'\"" else ""
    colon = _COLON.match(text, end) is not None
    mark = MARK
    if quote and text[end : end + 1] != quote:
        mark += quote
    elif _BEGINS_LINE.match(text[line_start:start]) and not colon:
        mark += ":"
    # Keys of the same mapping may stand behind the cursor; what is further on only takes time.
    last = text.find("\n", min(end + _BEHIND, len(text)))
    trial = text[:start] + mark + (text[end:last] if last >= 0 else text[end:])
    place = _find(document, trial, start)
    if place is None or not isinstance(place.node, ScalarNode):
        return None
    return Cursor(place, start, end, place.node.text.partition(MARK)[0], colon, quote)


def _find(document: Document, trial: str, start: int) -> Place | None:
    marked = Document(document.uri, document.path, trial, None, document.encoding)
    tree = tolerant_tree(trial, str(document.path))
    place = find_place(tree, document.shape, *marked.positions.place_of(start))
    return place if place and isinstance(place.node, ScalarNode) and MARK in place.node.text else None
