# SPDX-License-Identifier: Apache-2.0
"""Quick fixes: what diagnostics offer to write instead."""

from pathlib import Path

from lsprotocol import types

from fixaccel.diagnostics.replacements import applicable
from fixaccel.diagnostics.report import Replacement
from fixaccel.lsp.documents import Document
from fixaccel.lsp.publishing import Found
from fixaccel.lsp.session import Session

_SHOWN = 40


def fixes(session: Session, document: Document, around: types.Range) -> list[types.CodeAction]:
    """Those of all diagnostics that touch the range; none for a text that has changed since it was analysed."""
    actions: list[types.CodeAction] = []
    for found in session.publishing.found_at(document.path):
        told = session.publishing.told(found)
        offers = applicable(found.diagnostic, found.analysis.sources)
        actions += [
            _action(session, found, told, one, alone=len(offers) == 1)
            for one in offers
            if _holds(session, found, one) and _touches(session, found, one, around)
        ]
    return actions


def _action(
    session: Session, found: Found, told: types.Diagnostic, one: Replacement, *, alone: bool
) -> types.CodeAction:
    uri = session.documents.uri(Path(one.span.file))
    edit = types.TextEdit(session.publishing.range(one.span, found.analysis.sources), one.text)
    shown = one.text if len(one.text) <= _SHOWN else f"{one.text[:_SHOWN]}..."
    title = f"Write `{shown}`" if shown.strip() else f"Begin the line with {len(one.text)} spaces"
    return types.CodeAction(
        title,
        kind=types.CodeActionKind.QuickFix,
        diagnostics=[told],
        is_preferred=alone or None,
        edit=types.WorkspaceEdit(changes={uri: [edit]}),
    )


def _holds(session: Session, found: Found, one: Replacement) -> bool:
    """Whether the text is still the one in which the place was found."""
    document = session.documents.get(Path(one.span.file))
    source = found.analysis.sources.get(one.span.file)
    return document is not None and source is not None and document.text.removeprefix("\ufeff") == source.text


def _touches(session: Session, found: Found, one: Replacement, around: types.Range) -> bool:
    """Whether the range meets what is wrong, or what is to be replaced."""
    spans = [found.diagnostic.span, *([one.span] if one.span.file == found.diagnostic.span.file else [])]
    return any(_meet(session.publishing.range(span, found.analysis.sources), around) for span in spans)


def _meet(one: types.Range, other: types.Range) -> bool:
    return _pair(one.start) <= _pair(other.end) and _pair(other.start) <= _pair(one.end)


def _pair(position: types.Position) -> tuple[int, int]:
    return position.line, position.character
