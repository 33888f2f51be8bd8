# SPDX-License-Identifier: Apache-2.0
"""What is told of the word under the pointer: a rule, an instrument, a key, and what is wrong there."""

from collections.abc import Iterator

from lsprotocol import types

from fixaccel.lsp.documents import Document
from fixaccel.lsp.instrument_text import instrument_text
from fixaccel.lsp.key_text import key_text
from fixaccel.lsp.names import Name, Role, group_members, name_at
from fixaccel.lsp.places import Place, find_place, key_at
from fixaccel.lsp.session import Session

_SEPARATOR = "\n\n---\n\n"


def hover(session: Session, document: Document, position: types.Position) -> types.Hover | None:
    """None where there is nothing to tell."""
    offset = document.positions.offset(position)
    line, column = document.positions.place_of(offset)
    tree = document.tree_at(offset)
    name = name_at(document.kind, tree, line, column)
    place = find_place(tree, document.shape, line, column)
    parts = [*_of_name(session, document, name), *_of_place(document, place)]
    parts += _of_diagnostics(session, document, line, column)
    if not parts:
        return None
    span = name.span if name else place.node.span if place else None
    shown = document.positions.range_of(span) if span and span.line == span.end_line else None
    return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, _SEPARATOR.join(parts)), shown)


def _of_name(session: Session, document: Document, name: Name | None) -> Iterator[str]:
    if name is None:
        return
    if name.role is Role.RULE:
        yield from _of_rule(session, document, name)
    elif name.role is Role.INSTRUMENT:
        venue = session.venue_of(document)
        instrument = session.instruments(document).get(name.text)
        if instrument and venue:
            yield instrument_text(instrument, venue.path.name)
    elif name.role is Role.GROUP:
        yield _of_group(document, name)


def _of_rule(session: Session, document: Document, name: Name) -> Iterator[str]:
    source = session.strategy_of(document)
    text = session.rule_text(source.path, name.text, name.stem) if source else None
    if text:
        yield text


def _of_group(document: Document, name: Name) -> str:
    listed = ", ".join(f"`{member}`" for member in group_members(document.names(), name.text))
    return f"`oco` group **{name.text}**: of {listed} one that fires cancels the others"


def _of_place(document: Document, place: Place | None) -> Iterator[str]:
    key = key_at(place, document.shape) if place and place.path else None
    if key:
        yield key_text(key)


def _of_diagnostics(session: Session, document: Document, line: int, column: int) -> Iterator[str]:
    seen = set()
    for found in session.publishing.found_at(document.path):
        diagnostic = found.diagnostic
        span = diagnostic.span
        inside = (span.line, span.column) <= (line, column) <= (span.end_line, span.end_column)
        if inside and diagnostic.code not in seen:
            seen.add(diagnostic.code)
            yield f"**{diagnostic.code.number}** {diagnostic.code.title}. {diagnostic.code.explanation}"
