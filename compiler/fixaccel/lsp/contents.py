# SPDX-License-Identifier: Apache-2.0
"""What stands in a whole file, kept by its pieces: an edit has the changed pieces read, and no more."""

import time
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, TypeAlias

from fixaccel.lsp.names import Name, names_of
from fixaccel.lsp.outline import Item, items_of
from fixaccel.lsp.pieces import Piece, Pieces, read_piece
from fixaccel.source import Span

READ_MOST = 32_000  # characters read for one answer beside the piece at the cursor; the rest comes with the analysis
_KEPT = 2  # pieces known for each of the text: an undone edit finds its piece again
_ALWAYS_KEPT = 1_000
_POLL_S = 0.05


class Content(NamedTuple):
    """What stands in one piece; lines count from the piece's own start."""

    names: tuple[Name, ...]
    items: tuple[Item, ...]


Known: TypeAlias = dict[str, Content]  # by the text of a piece


def content_of(kind: str | None, pieces: Pieces, piece: Piece, name: str) -> Content:
    """Read now. ``name`` is the file's."""
    tree = read_piece(pieces, piece, name)
    return Content(tuple(names_of(kind, tree)), tuple(items_of(tree)))


class Contents:
    """Of one text of one file. ``known`` is shared by all its versions."""

    def __init__(
        self, kind: str | None, pieces: Pieces, name: str, known: Known, line_of: Callable[[int], int]
    ) -> None:
        self._kind = kind
        self._pieces = pieces
        self._name = name
        self._known = known
        self._line_of = line_of

    def names(self) -> Iterator[Name]:
        """In the order of the file; their lines count from their piece's start."""
        for _, content in self._by_piece(READ_MOST):
            yield from content.names

    def found(self, wanted: Callable[[Name], bool]) -> Iterator[Name]:
        """Names that are wanted, where they stand in the file."""
        for piece, content in self._by_piece(READ_MOST):
            for name in content.names:
                if wanted(name):
                    yield name._replace(span=_moved(name.span, self._line_of(piece.start)))

    def items(self, patience_s: float) -> Iterator[Item]:
        """The whole outline; what is read elsewhere is waited for so long."""
        end = time.monotonic() + patience_s
        while self.unread > READ_MOST and time.monotonic() < end:
            time.sleep(_POLL_S)
        for piece, content in self._by_piece(None):
            lines = self._line_of(piece.start)
            for item in content.items:
                yield item._replace(named=_moved(item.named, lines), whole=_moved(item.whole, lines))

    @property
    def unread(self) -> int:
        """Characters of which nothing is known."""
        pieces = self._pieces
        return sum(piece.end - piece.start for piece in pieces.pieces if pieces.text_of(piece) not in self._known)

    def learn(self, contents: Iterable[tuple[str, Content]]) -> None:
        """Takes what was read elsewhere, by pieces' texts; forgets pieces of long ago."""
        self._known.update(contents)
        if len(self._known) > _KEPT * len(self._pieces.pieces) + _ALWAYS_KEPT:
            texts = map(self._pieces.text_of, self._pieces.pieces)
            kept = {text: self._known[text] for text in texts if text in self._known}
            self._known.clear()
            self._known.update(kept)

    def _by_piece(self, most: int | None) -> Iterator[tuple[Piece, Content]]:
        """Each piece that is known; of the others so many characters are read."""
        for piece in self._pieces.pieces:
            text = self._pieces.text_of(piece)
            content = self._known.get(text)
            if content is None and (most is None or len(text) <= most):
                most = None if most is None else most - len(text)
                content = content_of(self._kind, self._pieces, piece, self._name)
                self._known[text] = content
            if content:
                yield piece, content


def _moved(span: Span, lines: int) -> Span:
    file, line, column, end_line, end_column = span
    return Span(file, line + lines, column, end_line + lines, end_column)
