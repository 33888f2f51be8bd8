# SPDX-License-Identifier: Apache-2.0
"""What can stand at the cursor: keys of the schema, its words, and names of the strategy, the venue and the folder."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from lsprotocol import types

from fixaccel.formatting.kinds import shape_of
from fixaccel.language.documents.kind import VERSION_KEYS
from fixaccel.language.keys.schema import Shape
from fixaccel.lsp.cursor import Cursor, find_cursor
from fixaccel.lsp.documents import Document
from fixaccel.lsp.key_text import form_of, key_text
from fixaccel.lsp.offers import Offer, values
from fixaccel.lsp.session import Session

_MOST = 200  # names in one answer
_KINDS = {
    "word": types.CompletionItemKind.EnumMember,
    "instrument": types.CompletionItemKind.Constant,
    "rule": types.CompletionItemKind.Event,
    "group": types.CompletionItemKind.Class,
    "file": types.CompletionItemKind.File,
}


def complete(session: Session, document: Document, position: types.Position) -> types.CompletionList:
    """Everything that fits; the editor picks by what is typed. Of a great many the first that go with that."""
    offset = document.positions.offset(position)
    cursor = find_cursor(document, offset)
    if cursor is None:
        return types.CompletionList(is_incomplete=False, items=[])
    items = _items(session, document, cursor, document.text[cursor.start : offset].lower())
    found = list(islice(items, _MOST + 1))
    return types.CompletionList(is_incomplete=len(found) > _MOST, items=found[:_MOST])


def _items(session: Session, document: Document, cursor: Cursor, typed: str) -> Iterator[types.CompletionItem]:
    where = _Where(document, cursor)
    if not cursor.place.on_key:
        yield from where.values(_likely(values(session, document, cursor), typed))
        return
    shape = shape_of(cursor.place.kind)
    if shape:
        yield from where.keys(shape)
    elif document.kind is None and len(cursor.place.path) == 1:
        yield from where.beginnings()
    else:
        yield from where.values(_likely(values(session, document, cursor), typed))


def _likely(offers: Iterable[Offer], typed: str) -> Iterable[Offer]:
    """All of them, as the editor picks by itself; of more than are told those that hold what is typed."""
    every = list(offers)
    if len(every) <= _MOST:
        return every
    holding = [offer for offer in every if typed in offer.text.lower()]
    return sorted(holding, key=lambda offer: not offer.text.lower().startswith(typed))


@dataclass(frozen=True)
class _Where:
    document: Document
    cursor: Cursor

    def keys(self, shape: Shape) -> Iterator[types.CompletionItem]:
        """Those that are not there yet, required ones first."""
        for number, key in enumerate(sorted(shape.keys.values(), key=lambda key: not key.required)):
            if key.name not in self.cursor.siblings:
                yield types.CompletionItem(
                    key.name,
                    kind=types.CompletionItemKind.Property,
                    detail=form_of(key),
                    documentation=types.MarkupContent(types.MarkupKind.Markdown, key_text(key)),
                    sort_text=f"{number:04}",
                    text_edit=self._edit(key.name if self.cursor.colon else f"{key.name}: "),
                )

    def beginnings(self) -> Iterator[types.CompletionItem]:
        """How each kind of file begins."""
        texts = [f"{key}: 1" for key in VERSION_KEYS.values()] + ["strategy: "]
        for text in texts:
            yield types.CompletionItem(text.strip(), kind=types.CompletionItemKind.File, text_edit=self._edit(text))

    def values(self, offers: Iterable[Offer]) -> Iterator[types.CompletionItem]:
        """Names and words, quoted where they look like numbers."""
        as_key = self.cursor.place.on_key and not self.cursor.colon and self._is_data_key
        for number, offer in enumerate(offers):
            text = offer.text
            if offer.kind == "instrument" and not self.cursor.quote and not text[0].isalpha():
                text = f'"{text}"'
            yield types.CompletionItem(
                offer.text,
                kind=_KINDS[offer.kind],
                detail=offer.detail or None,
                sort_text=f"{number:04}",
                text_edit=self._edit(f"{text}: " if as_key else text),
            )

    @property
    def _is_data_key(self) -> bool:
        """A key such as a symbol; in a list of texts the mark only looks like a key."""
        return len(self.cursor.place.path) > 1 and isinstance(self.cursor.place.path[-2], str)

    def _edit(self, text: str) -> types.TextEdit:
        return types.TextEdit(self.document.positions.range(self.cursor.start, self.cursor.end), text)
