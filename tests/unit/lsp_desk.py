# SPDX-License-Identifier: Apache-2.0
"""A desk with an editor: texts with a place marked in them, and what the language server's parts say there."""

from pathlib import Path

from lsprotocol import types

from fixaccel.lsp.completion import complete
from fixaccel.lsp.documents import Document
from fixaccel.lsp.fixes import fixes
from fixaccel.lsp.hover import hover
from fixaccel.lsp.navigation import definition, references
from fixaccel.lsp.session import Session

HERE = "‸"  # stands for the cursor
VENUE = """\
fixaccel-venue: 1
name: test
time_zone: UTC
session: {begin_string: FIX.4.4, sender_comp_id: A, target_comp_id: B, connect: 127.0.0.1:9878, heartbeat: 30s}
market_data: {message: snapshot}
instruments:
  MSFT: {tick: 0.01, lot: 1, price_range: 0.01..10000}
  "7203": {tick: {0: 0.1, 1000: 0.5, 5000: 1}, lot: 100, price_range: 0.1..100000}
"""
HEAD = "fixaccel: 1\nvenue: venue.yaml\nlimits: {collar: 5%}\nrules:\n"
ENTRY = "  - {id: entry, instrument: MSFT, when: last <= 50, oco: pair, order: {side: buy, qty: 2, type: market}}\n"
EXIT = "  - {id: exit, instrument: MSFT, when: last >= 60, oco: pair, order: {side: sell, qty: 2, type: market}}\n"


class LspDesk:
    """A folder with a venue; `write` shows a text, `checked` analyses what is shown."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.told: dict[str, list[types.Diagnostic]] = {}
        self.faults: list[BaseException] = []
        self.session = Session(self._take, lambda _what, error: self.faults.append(error))
        (folder / "venue.yaml").write_text(VENUE)

    def _take(self, params: types.PublishDiagnosticsParams) -> None:
        self.told[Path(params.uri).name] = list(params.diagnostics)

    def write(self, text: str, name: str = "s.yaml") -> tuple[Document, types.Position]:
        """Shows the text without its mark; gives the mark's position."""
        path = self.folder / name
        before = text.partition(HERE)[0]
        document = self.session.documents.put(path.as_uri(), text.replace(HERE, ""), 1)
        return document, document.positions.position(len(before))

    def checked(self, *names: str, ask: bool = False) -> list[types.Diagnostic]:
        """Diagnostics of the first of these, after all were analysed."""
        for name in names or ("s.yaml",):
            self.session._analyse(self.folder / name, ask, lambda: False)
        assert not self.faults, self.faults
        return self.told.get((names or ("s.yaml",))[0], [])

    def labels(self, text: str, name: str = "s.yaml") -> list[str]:
        return [item.label for item in complete(self.session, *self.write(text, name)).items]

    def completed(self, text: str, label: str) -> str:
        """The text once that has been chosen."""
        document, position = self.write(text)
        item = next(item for item in complete(self.session, document, position).items if item.label == label)
        assert isinstance(item.text_edit, types.TextEdit)
        return edited(document, [item.text_edit])

    def hovered(self, text: str, name: str = "s.yaml") -> str:
        document, position = self.write(text, name)
        self.checked(name)
        found = hover(self.session, document, position)
        assert found is None or isinstance(found.contents, types.MarkupContent)
        return found.contents.value if found else ""

    def defined(self, text: str, name: str = "s.yaml") -> list[str]:
        return [self.shown(one) for one in definition(self.session, *self.write(text, name))]

    def used(self, text: str, name: str = "s.yaml") -> list[str]:
        document, position = self.write(text, name)
        return [self.shown(one) for one in references(self.session, document, position, declared=False)]

    def shown(self, location: types.Location) -> str:
        """File, line from 1, and the text that stands there."""
        path = Path(location.uri.removeprefix("file://"))
        document = self.session.documents.get(path)
        assert document
        positions = document.positions
        text = document.text[positions.offset(location.range.start) : positions.offset(location.range.end)]
        return f"{path.name}:{location.range.start.line + 1}:{text}"

    def fixed(self, text: str) -> list[str]:
        """The text after each of the fixes at the mark."""
        document, position = self.write(text)
        self.checked()
        actions = fixes(self.session, document, types.Range(position, position))
        edits = [action.edit.changes[document.uri] for action in actions if action.edit and action.edit.changes]
        return [edited(document, edit) for edit in edits]


def edited(document: Document, edits: list[types.TextEdit]) -> str:
    text, positions = document.text, document.positions
    for edit in sorted(edits, key=lambda one: positions.offset(one.range.start), reverse=True):
        start, end = positions.offset(edit.range.start), positions.offset(edit.range.end)
        text = text[:start] + edit.new_text + text[end:]
    return text
