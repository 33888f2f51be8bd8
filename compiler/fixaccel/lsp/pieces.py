# SPDX-License-Identifier: Apache-2.0
"""A text cut into pieces that can be read by themselves: the keys of the file, and each rule, test or instrument.

A large file is never read as a whole for an answer: only the piece at the cursor is. Cutting looks at how lines begin.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from fixaccel.lsp.tolerant import DIRECTIVE, tolerant_tree
from fixaccel.source import Entry, MappingNode, Node, ScalarNode, SequenceNode, Span

_LISTED = ("rules", "tests", "instruments")
# Patterns begin with the line's end before: that is looked for much faster than a line's start.
_KEY = r"""(["']?)([A-Za-z\ue000][\w\ue000.-]*)\1 *:(?=\s|\Z)"""
_FIRST_KEY = re.compile(rf"\ufeff?{_KEY}")
_TOP = re.compile(rf"\n{_KEY}")
_NEW_DOCUMENT = re.compile(r"\n(?:---|\.\.\.)(?=\s|\Z)")
_NOTHING = r"(?:[ \t]*(?:#[^\r\n]*)?\r?\n)*+"
_PREAMBLE = re.compile(rf"\ufeff?{_NOTHING}(?:---[ \t]*(?:#[^\r\n]*)?\r?\n{_NOTHING})?\Z")
_HEAD_LINE = re.compile(r"[^\n]*:[ \t]*(?:#[^\n]*)?\r?\n")
_NO_CONTENT = re.compile(_NOTHING)
_FIRST_LINE = re.compile(r"( *)(- |-(?=\r?\n|\Z))?")


class Piece(NamedTuple):
    """From ``start`` to ``end``: the key ``key`` with its value, or where ``listed`` one of those below it.

    A tuple, because a file has ten thousand of them.
    """

    key: str
    start: int
    end: int
    listed: bool = False


class Pieces:
    """The pieces of one text, which cover it from its first key on."""

    def __init__(self, text: str, pieces: list[Piece]) -> None:
        self.text = text
        self.pieces = pieces
        self.keys = tuple(dict.fromkeys(piece.key for piece in pieces if not piece.listed))
        self._starts = [piece.start for piece in pieces]

    def at(self, offset: int) -> Piece | None:
        """The piece that an offset is in; its end is that of the next one."""
        number = bisect_right(self._starts, offset) - 1
        return self.pieces[number] if number >= 0 and offset <= self.pieces[number].end else None

    def text_of(self, piece: Piece) -> str:
        """What the piece is made of."""
        return self.text[piece.start : piece.end]


def cut(text: str) -> Pieces | None:
    """None for what cannot be cut: a file in brackets, or indented as a whole."""
    first = _FIRST_KEY.match(text)
    tops = [(first.start(), first[2])] if first else []
    tops += [(top.start() + 1, top[2]) for top in _TOP.finditer(text)]
    if not tops or DIRECTIVE.match(text) or not _PREAMBLE.match(text[: tops[0][0]]):
        return None
    over = _NEW_DOCUMENT.search(text, tops[0][0])
    end = over.start() + 1 if over else len(text)
    tops = [top for top in tops if top[0] < end]
    ends = [*(start for start, _ in tops[1:]), end]
    pieces: list[Piece] = []
    for (start, key), last in zip(tops, ends, strict=True):
        pieces += _of_key(text, key, start, last)
    return Pieces(text, pieces)


def _of_key(text: str, key: str, start: int, end: int) -> Iterator[Piece]:
    """The key, and what is listed below it in pieces of their own."""
    head = _HEAD_LINE.match(text, start, end) if key in _LISTED else None
    body = _NO_CONTENT.match(text, head.end(), end) if head else None
    first = _FIRST_LINE.match(text, body.end(), end) if body and body.end() < end else None
    if head is None or first is None or not (first[1] or first[2]):
        yield Piece(key, start, end)
        return
    begins = rf"\n{first[1]}-(?=\s|\Z)" if first[2] else rf"\n{first[1]}(?=[^\s#])"
    # Comments above an item go with the one before it.
    starts = [one.start() + 1 for one in re.compile(begins).finditer(text, first.start() - 1, end)]
    yield Piece(key, start, starts[0] if starts else end)
    for one, last in zip(starts, [*starts[1:], end], strict=True):
        yield Piece(key, one, last, listed=True)


def read_piece(pieces: Pieces, piece: Piece, name: str, line: int = 0) -> Node | None:
    """The file's tree with this piece alone. ``line`` lines stand before it; 0: its places count from its own start."""
    read = tolerant_tree(pieces.text_of(piece), name, line)
    if not piece.listed:
        return read
    if not isinstance(read, MappingNode | SequenceNode):
        read = SequenceNode([], Span(name, line + 1, 1, line + 1, 1))
    nowhere = Span(name, 0, 0, 0, 0)
    return MappingNode([Entry(ScalarNode(piece.key, "", nowhere), read)], nowhere)


def tree_at(pieces: Pieces, offset: int, name: str, line_of: Callable[[int], int]) -> Node | None:
    """The file's tree with the piece at ``offset`` whole, and of others no more than the keys.

    ``line_of`` tells how many lines stand before a place of the text.
    """
    piece = pieces.at(offset)
    read = read_piece(pieces, piece, name, line_of(piece.start)) if piece else None
    return _with_keys(read, pieces.keys, name)


def tree_with(pieces: Pieces, start: int, end: int, word: str, name: str, line_of: Callable[[int], int]) -> Node | None:
    """The same of a text in which ``word``, in one line, stands in place of what is from ``start`` to ``end``."""
    old = pieces.at(start)
    if old is None:
        read = tolerant_tree(word, name, line_of(start))
        return _with_keys(read, pieces.keys, name)
    # What is written may begin a piece of its own, but only inside of the one that it stands in.
    head = f"{old.key}:\n" if old.listed else ""
    new = cut(f"{head}{pieces.text[old.start : start]}{word}{pieces.text[end : max(end, old.end)]}")
    shift = old.start - len(head)
    piece = new.at(start - shift) if new else None
    read = read_piece(new, piece, name, line_of(piece.start + shift)) if new and piece else None
    return _with_keys(read, pieces.keys, name)


def _with_keys(read: Node | None, keys: Iterable[str], name: str) -> Node | None:
    entries = list(read.entries) if isinstance(read, MappingNode) else []
    if read and not entries:
        return read
    nowhere = Span(name, 0, 0, 0, 0)
    known = {entry.key.text for entry in entries}
    entries += [Entry(ScalarNode(key, "", nowhere), ScalarNode("", "", nowhere)) for key in keys if key not in known]
    return MappingNode(entries, nowhere)


def head_tree(pieces: Pieces, name: str) -> Node | None:
    """The file's keys with their values, without what is listed; places count from each key's own start."""
    entries: list[Entry] = []
    for piece in pieces.pieces:
        read = None if piece.listed else read_piece(pieces, piece, name)
        entries += read.entries if isinstance(read, MappingNode) else []
    return MappingNode(entries, Span(name, 1, 1, 1, 1))
