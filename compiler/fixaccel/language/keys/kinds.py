# SPDX-License-Identifier: Apache-2.0
"""Kinds of plain values: text, words, numbers, durations, lists. Each turns raw text into one Python value."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from typing import Generic, TypeVar

from fixaccel.diagnostics.codes import language as codes
from fixaccel.diagnostics.codes import reading
from fixaccel.diagnostics.report import Code, Report
from fixaccel.language.keys.schema import (
    JsonSchema,
    Kind,
    Located,
    Shape,
    clip,
    is_empty,
    nearest,
    report_later,
    report_shape,
)
from fixaccel.source import BLOCK_STYLES, Entry, MappingNode, Node, ScalarNode, SequenceNode
from fixaccel.values import DECIMAL_CHARS, parse_decimal

T = TypeVar("T")
_PRINTABLE = re.compile(r"[\x20-\x7e]+\Z")
_DURATION = re.compile(r"([0-9]{1,9})(ms|s|m|h)\Z")
_NANOSECONDS = {"ms": 10**6, "s": 10**9, "m": 60 * 10**9, "h": 3600 * 10**9}
_LONGEST = 100 * 366 * 24 * _NANOSECONDS["h"]  # fits 64 bits wherever it is added to a time
LINE_CHARS = 4_000  # far more than any value needs; patterns stay cheap on what is shorter
_WHOLE = re.compile(r"[0-9]+\Z")


def pattern_of(pattern: re.Pattern[str]) -> str:
    """The pattern as JSON Schema writes it: anchored at both ends, groups without names."""
    return "^" + re.sub(r"\(\?P<\w+>", "(", pattern.pattern).removesuffix(r"\Z") + "$"


def text_schema(pattern: str) -> JsonSchema:
    """A text of the pattern, where editors may read digits as a number and words as a flag."""
    return {"anyOf": [{"type": "string", "pattern": pattern}, {"type": ["number", "boolean"]}]}


def number_schema() -> JsonSchema:
    """A decimal, or its text in quotes."""
    return {"anyOf": [{"type": "number"}, {"type": "string", "pattern": r"^-?[0-9]+(\.[0-9]+)?$"}]}


def scalar_text(node: Node, key: str, form: str, report: Report) -> ScalarNode | None:
    """``node`` if it is a text on one line; otherwise reports."""
    if not isinstance(node, ScalarNode):
        report_shape(node, key, form, report)
        return None
    if node.style in BLOCK_STYLES:
        report.add(
            reading.BLOCK_SCALAR, f"YAML reads `{node.style}` at the start of `{key}` as a block of text", node.span,
            help=f'write it on one line; if it begins with `{node.style}`, quote it: `{key}: "{node.style}..."`',
        )  # fmt: skip
        return None
    if len(node.text) > LINE_CHARS:
        report.add(codes.BAD_TEXT, f"`{key}` has {len(node.text):,} characters; it should be {form}", node.span)
        return None
    if "\n" in node.text or node.span.line != node.span.end_line:
        report.add(codes.BAD_TEXT, f"`{key}` runs over several lines", node.span, help="write it on one line")
        return None
    return node


@dataclass(frozen=True)
class Text:
    """Printable ASCII on one line, as FIX can carry it."""

    chars: int = 64
    form: str = "a text"

    def json_schema(self) -> JsonSchema:
        """A text; editors read a text of digits as a number."""
        return text_schema(rf"^[ -~]{{1,{self.chars}}}$")

    def read(self, node: Node, key: str, report: Report) -> str | None:
        """The text."""
        scalar = scalar_text(node, key, self.form, report)
        if scalar is None:
            return None
        if len(scalar.text) > self.chars:
            report.add(
                codes.BAD_TEXT,
                f"`{key}` has {len(scalar.text)} characters, at most {self.chars} are allowed",
                scalar.span,
            )
            return None
        if not _PRINTABLE.match(scalar.text):
            message = f"`{key}` is empty" if not scalar.text else f"`{key}` holds characters that FIX cannot carry"
            report.add(codes.BAD_TEXT, message, scalar.span, help="use printable ASCII characters")
            return None
        return scalar.text


@dataclass(frozen=True)
class FreeText:
    """Any text of moderate length, over any number of lines."""

    chars: int = 4000
    form: str = "a text"

    def json_schema(self) -> JsonSchema:
        """A text; editors read a text of digits as a number."""
        return {"type": ["string", "number", "boolean"], "maxLength": self.chars}

    def read(self, node: Node, key: str, report: Report) -> str | None:
        """The text."""
        if not isinstance(node, ScalarNode):
            report_shape(node, key, self.form, report)
            return None
        if len(node.text) > self.chars:
            report.add(
                codes.BAD_TEXT, f"`{key}` has {len(node.text)} characters, at most {self.chars} are allowed", node.span
            )
            return None
        return node.text


@dataclass(frozen=True)
class Matching:
    """Text that matches a pattern; another code for each use."""

    pattern: re.Pattern[str]
    form: str
    code: Code
    help: str

    def json_schema(self) -> JsonSchema:
        """A text of the pattern; editors read a text of digits as a number."""
        return text_schema(pattern_of(self.pattern))

    def read(self, node: Node, key: str, report: Report) -> str | None:
        """The text."""
        scalar = scalar_text(node, key, self.form, report)
        if scalar is None:
            return None
        if not self.pattern.match(scalar.text):
            bare = scalar.text.strip()
            if bare != scalar.text and self.pattern.match(bare):
                message = f"`{clip(bare)}` with blanks around it is not {self.form}"
                report.add(self.code, message, scalar.span, help=f"write `{clip(bare)}`", instead=[bare])
                return None
            report.add(self.code, f"`{clip(scalar.text)}` is not {self.form}", scalar.span, help=self.help)
            return None
        return scalar.text


@dataclass(frozen=True)
class Choice(Generic[T]):
    """One of a few words. ``later`` holds words of the language that no fabric of this version has.

    ``elsewhere``: words that others have for what is written in another way here, with that way.
    """

    words: dict[str, T]
    later: tuple[str, ...] = ()
    elsewhere: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def form(self) -> str:
        """The words."""
        return "one of " + ", ".join(f"`{word}`" for word in (*self.words, *self.later))

    def json_schema(self) -> JsonSchema:
        """The words; editors read some of them as flags or numbers."""
        words: list[str | int | bool] = list(self.words)
        words += [word == "true" for word in self.words if word in {"true", "false"}]
        words += [int(word) for word in self.words if _WHOLE.match(word)]
        return {"enum": words}

    def read(self, node: Node, key: str, report: Report) -> T | None:
        """What the word stands for."""
        scalar = scalar_text(node, key, self.form, report)
        if scalar is None:
            return None
        if scalar.text in self.words:
            return self.words[scalar.text]
        if scalar.text in self.later:
            report_later(f"`{key}: {scalar.text}`", scalar.span, report)
            return None
        known = self.elsewhere.get(re.sub(r"[ _]", "-", scalar.text.lower()))
        close = None if known else nearest(scalar.text, self.words, report)
        way_out = f"{known}; " if known else f"did you mean `{close}`? " if close else ""
        report.add(
            codes.BAD_CHOICE,
            f"`{clip(scalar.text)}` is not a value of `{key}`",
            scalar.span,
            help=f"{way_out}it is {self.form}",
            instead=[close] if close else [],
        )
        return None


FLAG = Choice({"true": True, "false": False})


@dataclass(frozen=True)
class Number:
    """An exact decimal."""

    form: str = "a decimal number"

    def json_schema(self) -> JsonSchema:
        """A number, or its text in quotes."""
        return number_schema()

    def read(self, node: Node, key: str, report: Report) -> Decimal | None:
        """The value."""
        scalar = scalar_text(node, key, self.form, report)
        if scalar is None:
            return None
        value = parse_decimal(scalar.text)
        if value is None:
            report.add(
                codes.BAD_NUMBER,
                f"`{clip(scalar.text)}` is not {self.form}",
                scalar.span,
                help=number_help(scalar.text),
                instead=numbers_meant(scalar.text),
            )
        return value


def numbers_meant(text: str) -> list[str]:
    """What ``text`` may have been meant to be; none where nobody can tell."""
    if re.match(r"-?[0-9]+,[0-9]+\Z", text) and len(text) <= DECIMAL_CHARS:
        point = text.replace(",", ".")
        # Nobody can know which was meant, and one is a thousand times the other.
        return [text.replace(",", ""), point] if re.search(r",[0-9]{3}\Z", text) else [point]
    plain = text.replace(",", "").replace("_", "").replace("'", "").removeprefix("+").strip()
    plain = f"0{plain}" if plain.startswith(".") else plain.removesuffix(".")
    return [plain] if plain != text and parse_decimal(plain) is not None else []


def number_help(text: str) -> str:
    """How to write what ``text`` seems to mean."""
    if meant := numbers_meant(text):
        return f"write {' or '.join(meant)}"
    return "a number is digits, perhaps a `-` before them and a `.` between them: 1180 or -0.25"


@dataclass(frozen=True)
class Whole:
    """A whole number within bounds."""

    low: int
    high: int

    @property
    def form(self) -> str:
        """The bounds."""
        return f"a whole number from {self.low} to {self.high}"

    def json_schema(self) -> JsonSchema:
        """A whole number, or its text in quotes."""
        number = {"type": "integer", "minimum": self.low, "maximum": self.high}
        return {"anyOf": [number, {"type": "string", "pattern": "^[0-9]+$"}]}

    def read(self, node: Node, key: str, report: Report) -> int | None:
        """The value."""
        scalar = scalar_text(node, key, self.form, report)
        if scalar is None:
            return None
        if self._holds(scalar.text):
            return int(scalar.text)
        meant = [text for text in numbers_meant(scalar.text) if self._holds(text)]
        way_out = f"write {meant[0]}" if meant else None
        message = f"`{clip(scalar.text)}` is not {self.form}"
        report.add(codes.BAD_NUMBER, message, scalar.span, help=way_out, instead=meant)
        return None

    def _holds(self, text: str) -> bool:
        # The length first: Python refuses to convert thousands of digits.
        return bool(_WHOLE.match(text)) and len(text) <= 20 and self.low <= int(text) <= self.high


@dataclass(frozen=True)
class Duration:
    """A time span in nanoseconds."""

    form: str = "a duration such as `30s`"

    def json_schema(self) -> JsonSchema:
        """A text of the pattern."""
        return {"type": "string", "pattern": pattern_of(_DURATION)}

    def read(self, node: Node, key: str, report: Report) -> int | None:
        """Nanoseconds."""
        scalar = scalar_text(node, key, self.form, report)
        if scalar is None:
            return None
        match = _DURATION.match(scalar.text)
        if match is None:
            unit = f"write `{scalar.text}s` for seconds" if _WHOLE.match(scalar.text) else "units are ms, s, m, h"
            instead = [f"{scalar.text}s"] if _WHOLE.match(scalar.text) else []
            message = f"`{clip(scalar.text)}` is not a duration"
            report.add(codes.BAD_DURATION, message, scalar.span, help=clip(unit, 80), instead=instead)
            return None
        nanoseconds = int(match[1]) * _NANOSECONDS[match[2]]
        if nanoseconds >= _LONGEST:
            report.add(codes.BAD_DURATION, f"`{scalar.text}` is longer than a hundred years", scalar.span)
            return None
        return nanoseconds


@dataclass(frozen=True)
class ListOf(Generic[T]):
    """A list of values of one kind; with ``single`` one value may stand without brackets, ``filled`` needs one."""

    kind: Kind[T]
    single: bool = False
    filled: bool = False

    @property
    def entry_shape(self) -> Shape | None:
        """The keys of its entries, where these are mappings."""
        kind: object = self.kind
        return kind if isinstance(kind, Shape) else None

    @property
    def form(self) -> str:
        """The form of the values."""
        return f"{self.kind.form}, or a list of them" if self.single else f"a list of: {self.kind.form}"

    def json_schema(self) -> JsonSchema:
        """An array, perhaps one value by itself."""
        item = self.kind.json_schema()
        array = {"type": "array", "items": item, "minItems": int(self.filled)}
        return {"anyOf": [item, array]} if self.single else array

    def read(self, node: Node, key: str, report: Report) -> list[Located[T]] | None:
        """The values that could be read, with their places."""
        if self.single and isinstance(node, ScalarNode):
            value = self.kind.read(node, key, report)
            return None if value is None else [Located(value, node.span)]
        if not isinstance(node, SequenceNode):
            report_shape(node, key, self.form, report, self._as_list(node, key))
            return None
        if self.filled and not node.items:
            way_out = f"give {self.kind.form}"
            report.add(codes.EMPTY_VALUE, f"the list at `{key}` is empty", node.span, help=way_out)
            return None
        found: list[Located[T]] = []
        for number, item in enumerate(node.items, start=1):
            if is_empty(item):
                report.add(codes.EMPTY_VALUE, f"an entry of `{key}` is empty", item.span, help=f"give {self.kind.form}")
                continue
            value = self.kind.read(item, f"{key}[{number}]", report)
            if value is not None:
                found.append(Located(value, item.span))
        return found

    def _as_list(self, node: Node, key: str) -> str | None:
        """How to make a list of what stands there, as the entry should be written."""
        if isinstance(node, ScalarNode):
            faults = Report()
            self.kind.read(node, key, faults)
            ways = [one.text for fault in faults for one in fault.replacements]
            return f"write a list: `{key}: [{ways[0] if ways else clip(node.text)}]`"
        if isinstance(node, MappingNode) and node.entries:
            return f"begin each entry with a dash: `- {clip(node.entries[0].key.text)}: ...`"
        return None


@dataclass(frozen=True)
class MapOf(Generic[T]):
    """A mapping whose keys are data; keys stay scalars so that their text and place are kept."""

    kind: Kind[T]
    form: str

    def json_schema(self) -> JsonSchema:
        """An object with any keys."""
        return {"type": "object", "additionalProperties": self.kind.json_schema()}

    def read(self, node: Node, key: str, report: Report) -> list[tuple[ScalarNode, Located[T] | None]] | None:
        """Pairs in file order; a value that was reported is None."""
        if not isinstance(node, MappingNode):
            report_shape(node, key, self.form, report)
            return None
        return [(entry.key, self._value(entry, report)) for entry in node.entries]

    def _value(self, entry: Entry, report: Report) -> Located[T] | None:
        name = entry.key.text
        if is_empty(entry.value):
            way_out = f"give {self.kind.form}"
            report.add(codes.EMPTY_VALUE, f"`{clip(name)}` is empty", entry.key.span, help=way_out)
            return None
        value = self.kind.read(entry.value, name, report)
        return None if value is None else Located(value, entry.value.span)
