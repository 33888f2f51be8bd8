# SPDX-License-Identifier: Apache-2.0
"""From a name to where it is given its meaning, and to where it is used."""

import re
from collections.abc import Iterator

from lsprotocol import types

from fixaccel.lsp.documents import Document, beside
from fixaccel.lsp.names import Name, Role, name_at
from fixaccel.lsp.session import Session
from fixaccel.source import Span


def definition(session: Session, document: Document, position: types.Position) -> list[types.Location]:
    """Where the name under the cursor is given its meaning; of a file its beginning, of a group its rules."""
    name = _name(document, position)
    if name is None:
        return []
    if name.role is Role.FILE:
        return _start(session, document, name.text)
    if name.role is Role.FUNCTION:
        return _function(session, document, name.text)
    home = _home(session, document, name)
    if home is None:
        return []
    wanted = list(home.names_at_places(lambda one: one.role is name.role and one.text == name.stem))
    defined = [one for one in wanted if one.defines] or ([] if name.role is not Role.GROUP else wanted)
    return [_location(home, one.span) for one in defined]


def references(
    session: Session, document: Document, position: types.Position, *, declared: bool
) -> list[types.Location]:
    """All uses of the name under the cursor in files of the workspace; with ``declared`` its meaning's place too."""
    name = _name(document, position)
    if name is None or name.role in {Role.FILE, Role.FUNCTION}:
        return []
    home = _home(session, document, name)
    if home is None:
        return []
    found = [home] if name.role is Role.GROUP else [home, *_users(session, home, name)]
    places = dict.fromkeys(
        (other, one.span)
        for other in found
        for one in other.names_at_places(lambda one: one.role is name.role and one.stem == name.stem)
        if declared or not one.defines
    )
    return [_location(other, span) for other, span in places]


def _name(document: Document, position: types.Position) -> Name | None:
    offset = document.positions.offset(position)
    return name_at(document.kind, document.tree_at(offset), *document.positions.place_of(offset))


def _home(session: Session, document: Document, name: Name) -> Document | None:
    """The file in which a name has its meaning."""
    return session.venue_of(document) if name.role is Role.INSTRUMENT else session.strategy_of(document)


def _users(session: Session, home: Document, name: Name) -> Iterator[Document]:
    """Other files that mean the same by it: those whose strategy or venue it is."""
    for other in session.documents.ours(home.path, lambda text: name.stem in text):
        if other.path == home.path:
            continue
        of = session.venue_of(other) if name.role is Role.INSTRUMENT else session.strategy_of(other)
        if of and of.path == home.path:
            yield other


def _start(session: Session, document: Document, text: str) -> list[types.Location]:
    path = beside(document.path, text) if "\0" not in text else document.path
    start = types.Position(0, 0)
    there = path != document.path and path.is_file()
    return [types.Location(session.documents.uri(path), types.Range(start, start))] if there else []


def _function(session: Session, document: Document, text: str) -> list[types.Location]:
    """`FILE.py:FUNCTION`: the line that defines it, or the file's beginning."""
    file, _, function = text.rpartition(":")
    found = _start(session, document, file)
    source = session.documents.get(beside(document.path, file)) if found else None
    match = re.search(rf"^def[ \t]+({re.escape(function)})\b", source.text, re.MULTILINE) if source else None
    if source and match:
        return [types.Location(source.uri, source.positions.range(*match.span(1)))]
    return found


def _location(document: Document, span: Span) -> types.Location:
    return types.Location(document.uri, document.positions.range_of(span))
