# SPDX-License-Identifier: Apache-2.0
"""What a mapping in a file may hold: keys with their kind and meaning. Reading checks keys; kinds check values."""

import difflib
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from fixaccel.diagnostics.codes import language as codes
from fixaccel.diagnostics.report import Report
from fixaccel.source import MappingNode, Node, ScalarNode, SequenceNode, Span

JsonSchema: TypeAlias = dict[str, Any]
T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Located(Generic[T]):
    """A value and the place where it is written."""

    value: T
    span: Span


class Kind(Protocol[T_co]):
    """Reads one form of value. ``read`` returns None after reporting what is wrong."""

    @property
    def form(self) -> str:
        """The form in words, for messages and the reference."""

    def json_schema(self) -> JsonSchema:
        """The form as a JSON Schema, for editors; they take `5` for a number and `true` for a flag."""

    def read(self, node: Node, key: str, report: Report) -> T_co | None:
        """The value of ``node``, which stands at ``key``."""


@dataclass(frozen=True)
class Key(Generic[T]):
    """A key of a mapping; ``doc`` goes into the reference."""

    name: str
    kind: Kind[T]
    doc: str
    required: bool = False


@dataclass(slots=True)
class Section:
    """The values of a mapping that could be read, by key."""

    span: Span
    values: dict[str, Located[Any]]
    keys: dict[str, Span]  # of all known keys that are present, readable or not

    def get(self, key: Key[T]) -> Located[T] | None:
        """The value at ``key``; None if it is absent or was reported."""
        return self.values.get(key.name)


class Shape:
    """The keys of one kind of mapping."""

    def __init__(self, name: str, keys: Iterable[Key[Any]]) -> None:
        self.name = name
        self.keys = {key.name: key for key in keys}
        self._required = [key.name for key in self.keys.values() if key.required]

    @property
    def form(self) -> str:
        """The form in words."""
        return self.name

    def json_schema(self) -> JsonSchema:
        """An object with these keys and no others."""
        return {
            "type": "object",
            "properties": {key.name: {"description": key.doc, **key.kind.json_schema()} for key in self.keys.values()},
            "required": self._required,
            "additionalProperties": False,
        }

    def read(self, node: Node, key: str, report: Report) -> Section | None:
        """Reads every known key of ``node``; reports unknown, empty and missing ones."""
        if not isinstance(node, MappingNode):
            way_out = "leave the dashes or brackets out" if isinstance(node, SequenceNode) else None
            report_shape(node, key, f"a mapping of {', '.join(list(self.keys)[:4])}, ...", report, way_out)
            return None
        section = Section(_start_of(node), {}, {})
        for entry, below in zip_longest(node.entries, node.entries[1:]):
            known = self.keys.get(entry.key.text)
            if known is None:
                meant = self._report_unknown(entry.key, report)
                if meant:
                    section.keys.setdefault(meant, entry.key.span)  # so that it is not reported as missing too
                continue
            section.keys[known.name] = entry.key.span
            if is_empty(entry.value):
                way_out = f"give {known.kind.form}, or leave the key out"
                if below and below.key.text not in self.keys and below.key.text in _keys_of(known):
                    way_out = f"indent `{below.key.text}` and what else belongs to it"
                elif below and below.key.text not in self.keys and below.key.text in _keys_of_entries(known):
                    way_out = f"indent its entries, and begin each with a dash: `  - {below.key.text}: ...`"
                report.add(codes.EMPTY_VALUE, f"`{known.name}` is empty", entry.key.span, help=way_out)
                continue
            value = known.kind.read(entry.value, known.name, report)
            if value is not None:
                section.values[known.name] = Located(value, entry.value.span)
        for name in self._required:
            if name not in section.keys:
                report.add(
                    codes.MISSING_KEY,
                    f"{self.name} needs `{name}`",
                    section.span,
                    help=f"add `{name}:` and {self.keys[name].kind.form}",
                )
        return section

    def _report_unknown(self, key: ScalarNode, report: Report) -> str | None:
        """Returns the key that was probably meant."""
        owner = next((name for name, known in self.keys.items() if key.text in _keys_of(known)), None)
        listed = next((name for name, known in self.keys.items() if key.text in _keys_of_entries(known)), None)
        close = None if owner or listed else nearest(key.text, self.keys, report)
        if owner:
            way_out = f"it is a key of `{owner}`: indent it below that"
        elif listed:
            way_out = f"it is a key of an entry of `{listed}`: indent it there, below a dash"
        elif key.text == "<<":
            way_out = "merge keys are not used here; `defaults` holds what all orders share"
        elif close:
            way_out = f"did you mean `{close}`?"
        else:
            way_out = f"known keys: {', '.join(self.keys)}"
        message = f"{self.name} has no key `{clip(key.text)}`"
        report.add(codes.UNKNOWN_KEY, message, key.span, help=way_out, instead=[close] if close else [])
        return close


def _keys_of(key: Key[Any]) -> Iterable[str]:
    """The keys of the mapping that stands at ``key``; none where it is no mapping."""
    return key.kind.keys if isinstance(key.kind, Shape) else ()


def _keys_of_entries(key: Key[Any]) -> Iterable[str]:
    """The keys of the mappings that are listed at ``key``; none where it is no list of mappings."""
    shape = getattr(key.kind, "entry_shape", None)
    return shape.keys if isinstance(shape, Shape) else ()


def _start_of(node: MappingNode) -> Span:
    """A small span to stand for a mapping: its first key."""
    return node.entries[0].key.span if node.entries else node.span


def is_empty(node: Node) -> bool:
    """Whether nothing stands there; the quoted empty text counts as something."""
    return isinstance(node, ScalarNode) and not node.text and not node.style


def report_shape(node: Node, key: str, wanted: str, report: Report, way_out: str | None = None) -> None:
    """Reports that ``node`` is a list, mapping or text where ``wanted`` belongs."""
    seen = {MappingNode: "a mapping", SequenceNode: "a list", ScalarNode: "a text"}[type(node)]
    span = _start_of(node) if isinstance(node, MappingNode) else node.span
    report.add(codes.WRONG_SHAPE, f"`{key}` is {seen}; it should be {wanted}", span, help=way_out)


def report_later(what: str, span: Span, report: Report) -> None:
    """Refuses a form of the language that this version cannot build."""
    way_out = "leave it out, or wait for a later version"
    report.add(codes.NOT_SUPPORTED, f"{what} is not supported yet by this version", span, help=way_out)


def nearest(name: str, names: Iterable[str], report: Report) -> str | None:
    """The most similar of ``names``, if one is similar enough."""
    # Nobody reads a thousand suggestions, and among many names each costs time.
    return None if report.crowded else suggest(name, names)


def suggest(name: str, names: Iterable[str]) -> str | None:
    """The most similar of ``names``, if one is similar enough; upper and lower case count as alike."""
    lowered = {known.lower(): known for known in names}
    close = difflib.get_close_matches(name[:64].lower(), lowered, n=1, cutoff=0.6)
    return lowered[close[0]] if close else None


def clip(text: str, length: int = 40) -> str:
    """``text`` for use in a message: one line, not longer than ``length``."""
    line = " ".join(text.split())
    return line if len(line) <= length else line[: length - 1] + "…"
