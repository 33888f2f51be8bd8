# SPDX-License-Identifier: Apache-2.0
"""Other values in the text of a strategy: everything around them stays as it is written, comments too."""

import re
from collections.abc import Iterator, Mapping

from fixaccel.language.keys.schema import suggest
from fixaccel.source import BLOCK_STYLES, MappingNode, Node, ScalarNode, SequenceNode, SourceFile, Span
from fixaccel.sweep.settings import SettingError

_LINE_END = re.compile("\r\n|[\r\n\x85\u2028\u2029]")
# Text that needs no quotes anywhere in YAML, and that no reader takes for something else.
_PLAIN = re.compile(r"(?:[A-Za-z0-9./_]|-(?=[0-9]))(?:[A-Za-z0-9<>=.+%/_ -]|:(?=[0-9]))*(?<! )\Z")
# Events are read once, for the venue of the file as written.
_FIXED = {"venue", "fixaccel"}
_MOST_NAMES = 12


class Places:
    """Where the values that a sweep varies stand in a strategy. Raises SettingError for a path that leads nowhere."""

    def __init__(self, source: SourceFile, tree: Node, paths: Iterator[str] | list[str]) -> None:
        self._text = source.text
        self._starts = [0, *(match.end() for match in _LINE_END.finditer(source.text))]
        spans = [node.span for node in _scalars(tree)]
        self._places: dict[str, tuple[int, int]] = {}
        for path in paths:
            node = _find(tree, path)
            if spans.count(node.span) > 1:
                raise SettingError(f"`{path}` is shared by an alias; write the value out where it is to vary")
            place = self._offsets(node.span)
            if place in self._places.values():
                raise SettingError(f"`{path}` is set twice")
            self._places[path] = place

    def with_values(self, texts: Mapping[str, str]) -> str:
        """The strategy with these texts by path."""
        text = self._text
        for path, (begin, end) in sorted(self._places.items(), key=lambda item: -item[1][0]):
            text = text[:begin] + _scalar(texts[path]) + text[end:]
        return text

    def _offsets(self, span: Span) -> tuple[int, int]:
        return (
            self._starts[span.line - 1] + span.column - 1,
            self._starts[span.end_line - 1] + span.end_column - 1,
        )


def _scalar(text: str) -> str:
    return text if _PLAIN.match(text) else "'" + text.replace("'", "''") + "'"


def _scalars(node: Node) -> Iterator[ScalarNode]:
    match node:
        case ScalarNode():
            yield node
        case MappingNode():
            for entry in node.entries:
                yield from _scalars(entry.value)
        case SequenceNode():
            for item in node.items:
                yield from _scalars(item)


def _find(tree: Node, path: str) -> ScalarNode:
    """The value at `rules.ID.KEY...`, `limits.KEY`, `defaults.order.KEY`."""
    node, steps, walked = tree, path.split("."), ""
    if steps[0] in _FIXED:
        raise SettingError(f"`{path}` cannot vary; a sweep is over one venue")
    while steps:
        children = _children(node)
        # Ids and symbols may have dots themselves: the longest name that fits is meant.
        fits = [count for count in range(len(steps), 0, -1) if ".".join(steps[:count]) in children]
        if not fits:
            raise SettingError(_no_such(walked, ".".join(steps), children))
        name = ".".join(steps[: fits[0]])
        node, steps, walked = children[name], steps[fits[0] :], f"{walked}.{name}".lstrip(".")
    if not isinstance(node, ScalarNode):
        names = ", ".join(f"`{path}.{name}`" for name in list(_children(node))[:_MOST_NAMES])
        raise SettingError(f"`{path}` is no single value; it has {names or 'nothing in it'}")
    if node.style in BLOCK_STYLES:
        raise SettingError(f"`{path}` is written as a block of text; write it on one line to let it vary")
    return node


def _children(node: Node) -> dict[str, Node]:
    """What can follow in a path: keys, ids of rules, places from 1."""
    match node:
        case MappingNode():
            return {entry.key.text: entry.value for entry in node.entries}
        case SequenceNode():
            return {_id(item) or str(number): item for number, item in enumerate(node.items, 1)}
        case ScalarNode():
            return {}


def _id(item: Node) -> str | None:
    if not isinstance(item, MappingNode):
        return None
    found = (entry.value for entry in item.entries if entry.key.text == "id")
    return next((value.text for value in found if isinstance(value, ScalarNode)), None)


def _no_such(walked: str, wanted: str, children: Mapping[str, Node]) -> str:
    where = f"`{walked}`" if walked else "the strategy"
    if not children:
        return f"{where} has nothing below it, so no `{wanted}`"
    name = wanted.partition(".")[0]
    close = suggest(name, children)
    names = ", ".join(f"`{one}`" for one in list(children)[:_MOST_NAMES])
    more = ", ..." if len(children) > _MOST_NAMES else ""
    way = f"did you mean `{close}`?" if close else f"it has {names}{more}"
    return f"{where} has no `{name}` written in the file; {way}"
