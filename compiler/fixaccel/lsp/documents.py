# SPDX-License-Identifier: Apache-2.0
"""Files as an editor shows them, or as they are on disk where it does not."""

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from pathlib import Path

from pygls.uris import from_fs_path, to_fs_path

from fixaccel.diagnostics.report import Report
from fixaccel.language.documents.venue import parse_venue
from fixaccel.language.keys.schema import Shape
from fixaccel.language.terms import Instrument
from fixaccel.language.text.files import FILE_BYTES, read_bytes
from fixaccel.lsp.contents import Contents, Known
from fixaccel.lsp.names import Name, names_of
from fixaccel.lsp.pieces import Pieces, cut, head_tree, tree_at
from fixaccel.lsp.places import value_of
from fixaccel.lsp.positions import Positions
from fixaccel.lsp.tolerant import tolerant_tree
from fixaccel.schemas import SHAPES
from fixaccel.source import Node, ScalarNode
from fixaccel.testing.load import SUFFIX

_KINDS = re.compile(r"^(fixaccel-venue|fixaccel-board|fixaccel-tune|fixaccel-bus|fixaccel|tests) *:", re.MULTILINE)
_KIND_OF = {
    "fixaccel-venue": "venue",
    "fixaccel-board": "board",
    "fixaccel-tune": "tune",
    "fixaccel-bus": "bus",
    "fixaccel": "strategy",
    "tests": "test",
}
_FILES_MOST = 2_000
_HEAD = 1 << 16


@dataclass(frozen=True)
class Document:
    """One text of one file. ``path`` is absolute; ``version`` is the editor's, None for a file on disk."""

    uri: str
    path: Path
    text: str
    version: int | None
    encoding: str
    known: Known = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def positions(self) -> Positions:
        """Its lines and columns."""
        return Positions(self.text, self.encoding)

    @cached_property
    def kind(self) -> str | None:
        """strategy, venue, board, test, tune or bus; None: it is none of ours."""
        return kind_of_text(self.path, self.text)

    @cached_property
    def shape(self) -> Shape | None:
        """The keys of its kind."""
        return SHAPES[self.kind] if self.kind else None

    @cached_property
    def tree(self) -> Node | None:
        """As far as it can be read."""
        return tolerant_tree(self.text, str(self.path))

    @cached_property
    def pieces(self) -> Pieces | None:
        """What can be read by itself; None where it is all one."""
        return cut(self.text)

    @cached_property
    def head(self) -> Node | None:
        """Its keys without what is listed below them. Only what it says counts, not where."""
        return head_tree(self.pieces, str(self.path)) if self.pieces else self.tree

    @cached_property
    def contents(self) -> Contents | None:
        """What stands in its pieces."""
        return Contents(self.kind, self.pieces, str(self.path), self.known, self.line_of) if self.pieces else None

    def tree_at(self, offset: int) -> Node | None:
        """The file as a tree in which what stands at ``offset`` is whole."""
        return tree_at(self.pieces, offset, str(self.path), self.line_of) if self.pieces else self.tree

    def line_of(self, offset: int) -> int:
        """Lines before the one at ``offset``, as YAML counts them."""
        return self.positions.place_of(offset)[0] - 1

    def names(self) -> Iterator[Name]:
        """All that are known. Only what they say counts, not where they stand."""
        yield from self.contents.names() if self.contents else names_of(self.kind, self.tree)

    def names_at_places(self, wanted: Callable[[Name], bool]) -> Iterator[Name]:
        """Those that are wanted, with their places."""
        if self.contents:
            yield from self.contents.found(wanted)
        else:
            yield from filter(wanted, names_of(self.kind, self.tree))

    @cached_property
    def instruments(self) -> dict[str, Instrument]:
        """Those of a venue that are sound."""
        read = parse_venue(self.tree, Report()) if self.tree is not None and self.kind == "venue" else None
        return dict(read.venue.instruments) if read else {}

    def named(self, *path: str) -> Path | None:
        """The file whose name stands at ``path``, relative to this one."""
        node = value_of(self.head, *path)
        if not isinstance(node, ScalarNode) or not node.text.strip() or "\0" in node.text:
            return None
        return beside(self.path, node.text)


def kind_of_text(path: Path, text: str) -> str | None:
    """Which kind of file it is, as `fixaccel check` takes it."""
    if path.name.endswith(SUFFIX):
        return "test"
    found = _KINDS.search(text.removeprefix("\ufeff"))
    return _KIND_OF[found[1]] if found else None


def beside(path: Path, name: str) -> Path:
    """The file called ``name`` in another one, by its name in diagnostics."""
    return Path(os.path.normpath(path.parent / name.strip()))


def path_of(uri: str) -> Path:
    """The file of an address; of one that is no file's, a name in the working folder that no file has."""
    found = to_fs_path(uri) if uri.startswith("file:") else None
    return Path(os.path.normpath(found)) if found else Path.cwd() / f"<{re.sub(r'[^A-Za-z0-9.-]', '-', uri)}>"


class Documents:
    """What is open, by path, and what is on disk."""

    def __init__(self) -> None:
        self.encoding = "utf-16"
        self.roots: list[Path] = []
        self._open: dict[Path, Document] = {}
        self._read: dict[Path, tuple[object, Document]] = {}

    def put(self, uri: str, text: str, version: int | None) -> Document:
        """A text that an editor shows."""
        path = path_of(uri)
        before = self._open.get(path)
        document = Document(uri, path, text, version, self.encoding, before.known if before else {})
        self._open[path] = document
        return document

    def close(self, uri: str) -> Path:
        """The editor shows it no longer; gives its path."""
        path = path_of(uri)
        self._open.pop(path, None)
        return path

    def opened(self, path: Path) -> Document | None:
        """The text that is shown."""
        return self._open.get(path)

    def all_open(self) -> list[Document]:
        """In the order in which they were opened."""
        return list(self._open.values())

    def get(self, path: Path) -> Document | None:
        """The text as shown or as it is on disk; None where there is none that can be read."""
        shown = self._open.get(path)
        if shown:
            return shown
        try:
            status = path.stat()
            stamp = (status.st_mtime_ns, status.st_size, status.st_ino)
            known = self._read.get(path)
            if known and known[0] == stamp:
                return known[1]
            data = read_bytes(path, FILE_BYTES)
            if len(data) > FILE_BYTES:
                return None
            document = Document(self.uri(path), path, data.decode("utf-8"), None, self.encoding)
        except (OSError, ValueError):
            return None
        self._read[path] = (stamp, document)
        return document

    def uri(self, path: Path) -> str:
        """As the editor wrote it, or as a file's is written."""
        shown = self._open.get(path)
        return shown.uri if shown else from_fs_path(str(path)) or path.as_uri()

    def unsaved(self) -> dict[str, bytes]:
        """Texts by path, for `fixaccel.language.text.files.unsaved`."""
        return {str(path): document.text.encode("utf-8", "replace") for path, document in self._open.items()}

    def ours(self, near: Path, wanted: Callable[[str], bool]) -> Iterator[Document]:
        """Files of ours that are open, and those in and below the folders of the workspace, or beside ``near``.

        Only those whose text is ``wanted``. Of a great many files only the first are looked at.
        """
        yield from (document for document in self.all_open() if document.kind and wanted(document.text))
        seen = set(self._open)
        for root in self.roots or [near.parent]:
            files = root.rglob("*.yaml") if self.roots else root.glob("*.yaml")
            for path in islice(files, _FILES_MOST):
                if path in seen or not path.is_file():
                    continue
                seen.add(path)
                document = self.get(path) if _may_be_ours(path) else None
                if document and document.kind and wanted(document.text):
                    yield document


def _may_be_ours(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return kind_of_text(path, file.read(_HEAD).decode("utf-8", "replace")) is not None
    except OSError:
        return False
