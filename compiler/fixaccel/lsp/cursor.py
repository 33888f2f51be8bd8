# SPDX-License-Identifier: Apache-2.0
"""Where the cursor is in a text that is being written: the file is read with a mark in place of the word there."""

import re
from dataclasses import dataclass

from fixaccel.lsp.documents import Document
from fixaccel.lsp.pieces import cut, tree_at, tree_with
from fixaccel.lsp.places import Place, find_place
from fixaccel.lsp.tolerant import tolerant_tree
from fixaccel.source import MappingNode, Node, ScalarNode

MARK = "\ue000"
_WORD_BEFORE = re.compile(r"[^\s,\[\]{}:'\"]*\Z")
_WORD_BEHIND = re.compile(r"[^\s,\[\]{}:'\"]*")
_BEGINS_LINE = re.compile(r" *(?:- +)*\Z")
_BEHIND = 4_000
_SHORT = 1_000  # characters of a file that has no key yet
_COLON = re.compile(r" *:")


@dataclass(frozen=True)
class Cursor:
    """``start`` and ``end`` are the offsets of the word that is being written, ``before`` what its value has before it.

    ``colon``: a colon stands behind it. ``quote`` is the one that stands before it.
    """

    tree: Node | None
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
    tree = _marked(document, start, end, mark)
    place = find_place(tree, document.shape, *document.positions.place_of(start))
    if place is None or not isinstance(place.node, ScalarNode) or MARK not in place.node.text:
        return None
    return Cursor(tree, place, start, end, place.node.text.partition(MARK)[0], colon, quote)


def _marked(document: Document, start: int, end: int, mark: str) -> Node | None:
    """The tree with the mark in place of the word; lines before it are those of the document."""
    text, name = document.text, str(document.path)
    if document.pieces:
        return tree_with(document.pieces, start, end, mark, name, document.line_of)
    trial = text[:start] + mark + text[end:]
    pieces = cut(trial) if len(text) < _SHORT else None
    if pieces:
        return tree_at(pieces, start, name, document.line_of)
    # Keys of the same mapping may stand behind the cursor; what is further on only takes time.
    last = trial.find("\n", min(start + len(mark) + _BEHIND, len(trial)))
    return tolerant_tree(trial[:last] if last >= 0 else trial, name)
