# SPDX-License-Identifier: Apache-2.0
"""One file, laid out anew and compared with what it was."""

from fixaccel.diagnostics.codes.language import WRONG_KIND
from fixaccel.diagnostics.report import Report
from fixaccel.formatting.comments import attach, find_comments
from fixaccel.formatting.kinds import inner, shape_of
from fixaccel.formatting.layout import Layout
from fixaccel.formatting.tree import Node as Piece
from fixaccel.formatting.tree import compose
from fixaccel.language.documents.kind import VERSION_KEYS, kind_of_file
from fixaccel.language.keys.schema import Shape
from fixaccel.language.text.reader import read_tree
from fixaccel.schemas import SHAPES
from fixaccel.source import MappingNode, Node, ScalarNode, SourceFile

_ROUNDS = 5


class LayoutError(Exception):
    """The new layout would not say the same: the file must be left alone."""


def format_source(source: SourceFile, report: Report) -> str | None:
    """The file laid out; None after reporting that it cannot be read. Raises LayoutError."""
    tree = read_tree(source, report)
    if tree is None or report.failed:
        return None
    kind = kind_of(tree)
    if kind is None:
        start = tree.entries[0].key.span if isinstance(tree, MappingNode) and tree.entries else tree.span
        known = ", ".join(f"`{key}: 1`" for key in VERSION_KEYS.values())
        report.add(WRONG_KIND, "this is no file of fixaccel's", start, help=f"it begins with {known} or `strategy:`")
        return None
    shape = SHAPES[kind]
    text = _settled(_plain_lines(source.text), shape)
    _check(source, tree, text, shape)
    return text


def kind_of(tree: Node) -> str | None:
    """strategy, venue, board, test, tune or bus; None for a file of another kind."""
    if kind := kind_of_file(tree):
        return kind
    keys = {entry.key.text for entry in tree.entries} if isinstance(tree, MappingNode) else set()
    return "test" if {"strategy", "tests"} <= keys else None


def _plain_lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _settled(text: str, shape: Shape) -> str:
    """A comment in an unusual place may find its own only in a second round."""
    for _ in range(_ROUNDS):
        before, text = text, _laid_out(text, shape)
        if text == before:
            return text
    raise LayoutError("its layout does not settle")


def _laid_out(text: str, shape: Shape) -> str:
    root: Piece = compose(text)
    head, foot = attach(text, root, find_comments(text, root))
    return Layout(text).document(root, shape, head, foot)


def _check(source: SourceFile, before: Node, text: str, shape: Shape) -> None:
    report = Report()
    after = read_tree(SourceFile.of(source.name, text), report)
    if after is None or report.failed or not _same(before, after, shape):
        raise LayoutError("its values would change")
    if _comments(_plain_lines(source.text)) != _comments(text):
        raise LayoutError("a comment would be lost")


def _comments(text: str) -> list[str]:
    return sorted(comment.text for comment in find_comments(text, compose(text)))


def _same(before: Node, after: Node, kind: object) -> bool:
    """Whether both say the same; only keys that a shape names may stand in another order."""
    if isinstance(before, ScalarNode) or isinstance(after, ScalarNode):
        both = isinstance(before, ScalarNode) and isinstance(after, ScalarNode)
        return both and (before.text, before.style) == (after.text, after.style)  # type: ignore[union-attr]
    if isinstance(before, MappingNode) and isinstance(after, MappingNode):
        old = {entry.key.text: entry.value for entry in before.entries}
        new = {entry.key.text: entry.value for entry in after.entries}
        if old.keys() != new.keys() or (shape_of(kind) is None and list(old) != list(new)):
            return False
        return all(_same(value, new[name], inner(kind, name)) for name, value in old.items())
    if isinstance(before, MappingNode) or isinstance(after, MappingNode) or len(before.items) != len(after.items):
        return False
    return all(_same(a, b, inner(kind)) for a, b in zip(before.items, after.items, strict=True))
