# SPDX-License-Identifier: Apache-2.0
"""Known departures of foreign decoders from the standard, a rule each: what a difference is excused by.

A rule is of the text that such a decoder stops with, or of the fields that differ: then no others may differ than those
of the rule, and those that share a previous value with them.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, NamedTuple

from fixaccel.fast.decoder import Datagram
from fixaccel.fast.errors import Fault
from fixaccel.fast.messages import Content, Message
from fixaccel.fast.model import (
    RANGES,
    Item,
    Kind,
    Operator,
    Repeated,
    Scalar,
    Scaled,
    SplitDecimal,
    Templates,
    scalars,
    walk,
)

# Of ours alone, whoever is compared with us.
_OUR_BOUNDS = {Fault.U2, Fault.U3, Fault.U5}
_BIG = 1 << 63
_LARGEST = (Kind.INT64, Kind.UINT64)
_EXACT = 1 << 53  # beyond it a binary floating-point number has gaps
_LONG = re.compile(rb"[\x00-\x7f]{9}[\x80-\xff]")  # the bytes of an integer of so many bits
_WHOLE = "*"  # differs where messages are more or fewer
_ID = "id"  # of a message that a reference names


@dataclass(frozen=True)
class Difference:
    """What both say: names of the fields that differ, or the text that the foreign decoder stopped with."""

    found: Templates
    ours: Datagram
    fields: frozenset[str]
    text: str
    data: bytes

    def has(self, holds: Callable[[Scalar], bool]) -> bool:
        """Whether there is such a field in the templates."""
        return any(map(holds, self._scalars()))

    def covers(self, name: str, holds: Callable[[Scalar], bool]) -> bool:
        """Whether a field that differs is one of those, or shares a previous value with one."""
        keys = {field.key for field in self._scalars() if holds(field) and field.key}
        own = (field for item in self._items() if item.name.local == name for field in _own(item))
        return any(holds(field) or field.key in keys for field in own)

    def stops(self, pattern: str) -> bool:
        """Whether the foreign decoder stopped with such a text."""
        return re.search(pattern, self.text, re.IGNORECASE) is not None

    def values(self) -> Iterator[tuple[Scalar | SplitDecimal, Content]]:
        """Fields that we decoded."""
        for message in self.ours.messages:
            yield from _values(message.template.items, message.fields)

    def _items(self) -> Iterator[Any]:
        return (item for template in self.found.all for item in walk(template.items) if _own(item))

    def _scalars(self) -> Iterator[Scalar]:
        return (field for template in self.found.all for field in scalars(template.items))


def _own(item: Item) -> list[Scalar]:
    match item:
        case Scalar():
            return [item]
        case SplitDecimal():
            return [item.exponent, item.mantissa]
        case Repeated():
            return [item.length]
    return []


def _values(items: Iterable[Item], content: Content) -> Iterator[tuple[Scalar | SplitDecimal, Content]]:
    assert isinstance(content, dict)
    for item in items:
        match item, content.get(item.label):
            case _, Message() as inner:
                yield from _values(inner.template.items, inner.fields)
            case _, dict() as group:
                yield from _values(item.items, group)  # type: ignore[union-attr]
            case _, list() as elements:
                for element in elements:
                    yield from _values(item.items, element)  # type: ignore[union-attr]
            case Scalar() | SplitDecimal(), value if value is not None:
                yield item, value


def differing(mine: list[Any], theirs: list[Any]) -> frozenset[str]:
    """Names of fields whose values are not the same in two lists of messages."""
    if len(mine) != len(theirs):
        return frozenset([_WHOLE])
    return frozenset(name for pair in zip(mine, theirs, strict=True) for name in _differing(*pair))


def _differing(mine: list[Any], theirs: list[Any]) -> Iterator[str]:
    """Of two lists of pairs."""
    for name in dict.fromkeys(one[0] for one in [*mine, *theirs]):
        for a, b in zip_longest(*([one[1] for one in side if one[0] == name] for side in (mine, theirs))):
            if a == b:
                continue
            if _is_pairs(a) and _is_pairs(b):
                yield from _differing(a, b)
            elif _is_elements(a) and _is_elements(b) and len(a) == len(b):
                for pair in zip(a, b, strict=True):
                    yield from _differing(*pair)
            else:
                yield name


def _is_pairs(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, list) and one and isinstance(one[0], str) for one in value)


def _is_elements(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_pairs, value))


class Rules(NamedTuple):
    """Departures by their names: whether one explains why a decoder stopped; of which fields it changes values."""

    stops: dict[str, bool]
    values: dict[str, Callable[[Scalar], bool]]


def departure(oracle: str, what: Difference) -> str | None:
    """The departures of ``oracle`` that explain a difference, None where there are none known."""
    if what.ours.error and what.ours.error.fault in _OUR_BOUNDS:
        return "our own bounds"
    rules = (_fastlib if oracle == "fastlib" else _openfast)(what)
    if not what.fields:
        return next((name for name, holds in rules.stops.items() if holds), None)
    found = {field: _of_value(field, rules, what) for field in what.fields}
    return None if None in found.values() else " and ".join(sorted({str(name) for name in found.values()}))


def _of_value(field: str, rules: Rules, what: Difference) -> str | None:
    if field == _ID:
        return "a template behind a reference is told without its identifier"
    return next((name for name, holds in rules.values.items() if what.covers(field, holds)), None)


def _is_text(field: Scalar) -> bool:
    return field.kind is Kind.ASCII


def _has_zeros(what: Difference) -> bool:
    """Whether a string says with zeros that it begins with one, or that it is empty."""
    strings = [(field, value) for field, value in what.values() if isinstance(field, Scalar) and _is_text(field)]
    return bool(what.ours.counts[Fault.R9]) or any(
        isinstance(value, bytes) and (value[:1] == b"\0" or (not value and field.optional)) for field, value in strings
    )


def _is_edge(what: Difference) -> bool:
    """Whether there is a number of 64 bits that is none any more where it is one higher, as null wants it."""
    edges = {edge for kind in _LARGEST for edge in RANGES[kind]}
    return any(isinstance(value, int) and value in edges for _, value in what.values())


def _no_utf8(what: Difference) -> bool:
    """Whether a value that we let pass is no text."""
    return any(
        isinstance(field, Scalar) and field.kind is Kind.UNICODE and isinstance(value, bytes) and not _is_utf8(value)
        for field, value in what.values()
    )


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def _is_referred(what: Difference) -> Callable[[Scalar], bool]:
    """Of fields with a previous value in the dictionary `template` of a template that others refer to."""
    parts = {template.name.local for template in what.found.all if template.id is None}
    return lambda field: field.template in parts and field.key is not None and field.key.scope == "template"


def _if(holds: bool, rule: Callable[[Scalar], bool]) -> Callable[[Scalar], bool]:
    return rule if holds else lambda field: False


def _by_characters(field: Scalar) -> bool:
    """Whether it changes Unicode, of which others count characters, the standard bytes."""
    return field.kind is Kind.UNICODE and field.operator in {Operator.DELTA, Operator.TAIL}


def _common_stops(what: Difference) -> dict[str, bool]:
    return {
        "`delta` and `tail` of Unicode count characters": what.stops("subtraction length") and what.has(_by_characters)
    }


def _common(what: Difference) -> dict[str, Callable[[Scalar], bool]]:
    return {
        "`delta` and `tail` of Unicode count characters": _by_characters,
        "bytes that are no UTF-8 are others": _if(_no_utf8(what), lambda field: field.kind is Kind.UNICODE),
        "an optional integer at the edge of 64 bits is wrapped": _if(
            _is_edge(what), lambda field: field.kind in _LARGEST and field.optional
        ),
        "a delta of more than 64 bits is misread": _if(
            _LONG.search(what.data) is not None,
            lambda field: field.operator is Operator.DELTA and field.kind.is_integer,
        ),
        "a static reference has the dictionary of who refers": _is_referred(what),
    }


def _fastlib(what: Difference) -> Rules:
    def whole(*operators: Operator) -> Callable[[Scalar], bool]:
        return lambda field: field.operator in operators and field.kind is Kind.DECIMAL and field.initial is not None

    def refuses(operator: Operator, holds: Callable[[Scalar], bool]) -> bool:
        return what.stops(f"{operator.value} operator has no initial value") and what.has(holds)

    zeros = _has_zeros(what)
    return Rules(
        {
            "the initial value of a decimal with one operator is lost": any(
                refuses(one, whole(one)) for one in (Operator.CONSTANT, Operator.DEFAULT, Operator.COPY)
            ),
            "`default` without a value is refused": refuses(
                Operator.DEFAULT, lambda field: field.operator is Operator.DEFAULT and field.initial is None
            ),
            "a sum that does not fit is wrapped": bool(
                what.ours.error and what.ours.error.fault in {Fault.R1, Fault.R4}
            ),
            "`delta` of a string without characters panics": what.stops("^panic$")
            and what.has(lambda field: field.operator is Operator.DELTA and field.kind.is_bytes),
            "zeros in front of a string are misread": zeros and what.stops("subtraction length|invalid utf-8"),
            "bytes that are no UTF-8 stop it (R2)": what.stops("invalid utf-8") and _no_utf8(what),
            "a static reference has the dictionary of who refers": what.stops(
                "^(Runtime|Dynamic) Error.*(no (initial|previous) value|is empty)"
            )
            and what.has(_is_referred(what)),
            **_common_stops(what),
        },
        {
            "the initial value of a decimal with one operator is lost": whole(Operator.DEFAULT, Operator.COPY),
            "an initial value without characters is none": lambda field: field.kind.is_bytes and field.initial == b"",
            "zeros in front of a string are misread": _if(zeros, _is_text),
            **_common(what),
        },
    )


def _openfast(what: Difference) -> Rules:
    def is_big(value: Any) -> bool:
        return isinstance(value, int) and value >= _BIG

    def is_vector(field: Scalar) -> bool:
        changes = field.operator in {Operator.DELTA, Operator.TAIL}
        return changes and field.kind in {Kind.BYTES, Kind.UNICODE}

    def is_uint64(field: Scalar) -> bool:
        return field.kind is Kind.UINT64

    def is_long(field: Scalar) -> bool:
        return isinstance(field.initial, Scaled) and abs(field.initial.mantissa) >= _EXACT

    keys = Counter(field.key for one in what.found.all for field in scalars(one.items) if field.key and field.key.part)
    big = any(is_big(value) for _, value in what.values()) or what.has(
        lambda field: is_uint64(field) and is_big(field.initial)
    )
    zeros = _has_zeros(what)
    return Rules(
        {
            "uInt64 from 2^63 is negative": big and what.stops("(compatable with|range for) type uInt64"),
            "a map with a needless byte stops it (R7)": what.stops("is overlong") and bool(what.ours.counts[Fault.R7]),
            "bits of a map that nothing uses stop it (R8)": what.stops("too many bits")
            and bool(what.ours.counts[Fault.R8]),
            "a string with a needless zero stops it (R9)": what.stops("R9") and bool(what.ours.counts[Fault.R9]),
            "`delta` and `tail` of byte vectors and Unicode are taken for those of strings": what.has(is_vector)
            and what.stops("ByteVectorValue cannot be cast|the datagram ends|not been registered"),
            "a static reference has the dictionary of who refers": what.stops(
                "no previous value existed|out of range for type"
            )
            and what.has(_is_referred(what)),
            **_common_stops(what),
        },
        {
            "uInt64 from 2^63 is negative": _if(big, is_uint64),
            "an increment stops at the type's maximum": lambda field: field.operator is Operator.INCREMENT,
            "zeros in front of a string are misread": _if(zeros, _is_text),
            "decimals of one name do not share the previous values of their parts": lambda field: keys[field.key] > 1,
            "`delta` and `tail` of byte vectors and Unicode are taken for those of strings": is_vector,
            "a decimal's initial value has 53 bits": is_long,
            **_common(what),
        },
    )
