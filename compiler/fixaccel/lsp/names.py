# SPDX-License-Identifier: Apache-2.0
"""Names in a file: what each means, and whether it is given its meaning there or used.

They come from the tree as far as it can be read, not from the checked strategy: what is being written has faults.
"""

import re
from collections.abc import Iterable, Iterator
from enum import Enum
from typing import NamedTuple

from fixaccel.lsp.places import scalar_texts, value_of
from fixaccel.source import MappingNode, Node, ScalarNode, SequenceNode, Span

_WORD = re.compile(r"[^ ]+")
_PART = re.compile(r"[\[@]")
# Events of a test that are about a rule's order, not about an instrument.
_EXECUTIONS = ("fill", "done", "reject")


class Role(Enum):
    """What a name is the name of."""

    RULE = "rule"
    GROUP = "group"
    INSTRUMENT = "instrument"
    FILE = "file"
    FUNCTION = "function"


class Name(NamedTuple):
    """``text`` as written; of a rule it may be that of a part. ``defines``: it is given its meaning here."""

    role: Role
    text: str
    span: Span
    defines: bool = False

    @property
    def stem(self) -> str:
        """Of a part of a rule the rule."""
        return _PART.split(self.text)[0] if self.role is Role.RULE else self.text


def names_of(kind: str | None, tree: Node | None) -> Iterator[Name]:
    """All names of one file, in no certain order."""
    if kind == "strategy":
        yield from _of_strategy(tree)
    elif kind == "venue":
        for key in _keys(value_of(tree, "instruments")):
            yield Name(Role.INSTRUMENT, key.text, key.span, defines=True)
    elif kind == "test":
        yield from _of_tests(tree)


def name_at(kind: str | None, tree: Node | None, line: int, column: int) -> Name | None:
    """The name at a place, counted from 1; its end belongs to it."""
    for name in names_of(kind, tree):
        span = name.span
        if (span.line, span.column) <= (line, column) <= (span.end_line, span.end_column):
            return name
    return None


def rules(tree: Node | None) -> list[MappingNode]:
    """The mappings below `rules`."""
    listed = value_of(tree, "rules")
    items = listed.items if isinstance(listed, SequenceNode) else []
    return [item for item in items if isinstance(item, MappingNode)]


def rule_ids(names: Iterable[Name]) -> list[str]:
    """Ids of a strategy's rules, in its order."""
    return list(dict.fromkeys(name.text for name in names if name.role is Role.RULE and name.defines))


def group_names(names: Iterable[Name]) -> list[str]:
    """`oco` groups of a strategy, in its order."""
    return list(dict.fromkeys(name.text for name in names if name.role is Role.GROUP))


def group_members(names: Iterable[Name], group: str) -> list[str]:
    """Ids of the rules of an `oco` group."""
    members, rule = [], ""
    for name in names:
        if name.role is Role.RULE and name.defines:
            rule = name.text
        elif name.role is Role.GROUP and name.text == group:
            members.append(rule)
    return members


def _of_strategy(tree: Node | None) -> Iterator[Name]:
    yield from _texts(value_of(tree, "venue"), Role.FILE)
    yield from _limited(tree)
    for rule in rules(tree):
        yield from _texts(value_of(rule, "id"), Role.RULE, defines=True)
        yield from _texts(value_of(rule, "instrument"), Role.INSTRUMENT)
        yield from _texts(value_of(rule, "oco"), Role.GROUP)
        for key in ("armed_by", "cancels"):
            value = value_of(rule, key)
            yield from _texts(value_of(value, "rule") if isinstance(value, MappingNode) else value, Role.RULE)
        yield from _texts(value_of(rule, "table"), Role.FILE)
        yield from _texts(value_of(rule, "decide", "python"), Role.FUNCTION)
        yield from _limited(rule)


def _limited(owner: Node | None) -> Iterator[Name]:
    for key in _keys(value_of(owner, "limits", "per_instrument")):
        yield Name(Role.INSTRUMENT, key.text, key.span)


def _of_tests(tree: Node | None) -> Iterator[Name]:
    yield from _texts(value_of(tree, "strategy"), Role.FILE)
    for case in _items(value_of(tree, "tests")):
        for entry in _items(value_of(case, "expect")):
            yield from _texts(value_of(entry, "rule"), Role.RULE)
        for event in _items(value_of(case, "events")):
            if isinstance(event, ScalarNode):
                yield from _of_event(event)


def _of_event(event: ScalarNode) -> Iterator[Name]:
    words = list(_WORD.finditer(event.text))[:2]
    about_rule = len(words) == 2 and words[0][0] in _EXECUTIONS
    if words:
        word = words[1] if about_rule else words[0]
        yield Name(Role.RULE if about_rule else Role.INSTRUMENT, word[0], event.part(*word.span()))


def _items(node: Node | None) -> list[Node]:
    return node.items if isinstance(node, SequenceNode) else []


def _keys(node: Node | None) -> list[ScalarNode]:
    return [entry.key for entry in node.entries] if isinstance(node, MappingNode) else []


def _texts(node: Node | None, role: Role, *, defines: bool = False) -> Iterator[Name]:
    for scalar in scalar_texts(node) if node is not None else ():
        if scalar.text:
            yield Name(role, scalar.text, scalar.span, defines)
