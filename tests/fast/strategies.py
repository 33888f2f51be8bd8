# SPDX-License-Identifier: Apache-2.0
"""Hypothesis makes templates of the whole language, and messages that they can carry."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeVar
from xml.sax.saxutils import quoteattr

from fast_support import templates
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from fixaccel.fast.encoder import Encoder
from fixaccel.fast.errors import EncodingError
from fixaccel.fast.messages import Content, Fields, Message
from fixaccel.fast.model import (
    EXPONENTS,
    RANGES,
    Group,
    Item,
    Kind,
    Operator,
    Reference,
    Repeated,
    Scalar,
    Scaled,
    SplitDecimal,
    Templates,
    Value,
)

T = TypeVar("T")
_MOST = 4  # fields of a level, elements of a sequence, messages of a datagram


def values(kind: Kind) -> st.SearchStrategy[Value]:
    """Values of a type, its edges among them."""
    if kind.is_integer:
        low, high = RANGES[kind]
        edges = [low, high, low + 1, high - 1, 63, 64, 127, 128, *([-64, -65] if low else [])]
        return st.one_of(st.sampled_from(edges), st.integers(low, high), st.integers(max(low, -9), 9))
    if kind is Kind.DECIMAL:
        mantissas = st.one_of(st.integers(-9999, 9999), st.integers(*RANGES[Kind.INT64]))
        return st.builds(Scaled, st.one_of(st.integers(-4, 2), st.integers(*EXPONENTS)), mantissas)
    if kind is Kind.ASCII:
        return st.text(st.characters(max_codepoint=127), max_size=8).map(str.encode)
    if kind is Kind.UNICODE:
        return st.text(st.characters(exclude_categories=("Cs",)), max_size=8).map(str.encode)
    return st.binary(max_size=8)


@dataclass
class _Writer:
    """Writes XML. No two fields of different types share an entry: keys have the type in them."""

    draw: DrawFn
    names: int = 0
    dynamic: bool = False  # whether a dynamic reference may stand here: a template that had one to itself never ends

    def pick(self, *options: T) -> T:
        return self.draw(st.sampled_from(options))

    def items(self, depth: int) -> str:
        return "".join(self.item(depth) for _ in range(self.draw(st.integers(0, _MOST))))

    def item(self, depth: int) -> str:
        kinds: list[Kind | str] = [*Kind, "split"]
        if depth < _MOST:
            kinds += ["group", "sequence", "reference"] * 2
        kind = self.pick(*kinds)
        self.names += 1
        name, optional = f"F{self.names}", self.pick(True, False)
        head = f'name="{name}" id="{self.names}"' + (' presence="optional"' if optional else "")
        match kind:
            case "reference":
                return self.pick('<templateRef name="Part"/>', *(["<templateRef/>"] if self.dynamic else []))
            case "group":
                return f"<group {head}>{self.items(depth + 1)}</group>"
            case "sequence":
                length = self.pick(
                    "",
                    f'<length name="{name}L" id="{self.names}">'
                    f"{self.operator(Kind.UINT32, optional=optional)}</length>",
                )
                end = f'<int32 name="{name}E" id="{self.names}"/>'  # an element takes a byte at the least
                return f"<sequence {head}>{length}{self.items(depth + 1)}{end}</sequence>"
            case "split":
                exponent = self.operator(Kind.INT32, optional=optional, most=EXPONENTS[1])
                parts = (
                    f"<exponent>{exponent}</exponent><mantissa>{self.operator(Kind.INT64, optional=False)}</mantissa>"
                )
                return f"<decimal {head}>{parts}</decimal>"
            case _:
                assert isinstance(kind, Kind)
                tag = kind.value.split()[-1]
                charset = ' charset="unicode"' if kind is Kind.UNICODE else ""
                return f"<{tag} {head}{charset}>{self.operator(kind, optional=optional)}</{tag}>"

    def operator(self, kind: Kind, *, optional: bool, most: int | None = None) -> str:
        usual = [Operator.NONE, Operator.CONSTANT, Operator.DEFAULT, Operator.COPY, Operator.DELTA]
        special = [Operator.INCREMENT] if kind.is_integer else [Operator.TAIL] if kind.is_bytes else []
        operator = self.pick(*usual, *special)
        if operator is Operator.NONE:
            return ""
        needed = operator is Operator.CONSTANT or (operator is Operator.DEFAULT and not optional)
        given = f" value={quoteattr(self.initial(kind, most))}" if needed or self.pick(True, False) else ""
        if operator.has_entry:
            given += self.pick("", ' dictionary="template"', ' dictionary="type"', ' dictionary="d1"')
            given += self.pick("", "", f" key={quoteattr(kind.value)}")
        return f"<{operator.value}{given}/>"

    def initial(self, kind: Kind, most: int | None) -> str:
        if most is not None:
            return str(self.draw(st.integers(-most, most)))
        if kind is Kind.DECIMAL:
            return self.pick("0", "12000", "-1.25", ".5", "9223372036854775807")
        if kind.is_bytes:
            text = self.draw(st.text("AB\u00e9 " if kind is Kind.UNICODE else "AB ", max_size=8))
            return text.encode().hex() if kind is Kind.BYTES else text
        return str(self.draw(values(kind)))


@st.composite
def files(draw: DrawFn, *, dictionaries_around: bool = True) -> str:
    """A file of two templates with identifiers and a part that both may refer to.

    ``dictionaries_around``: also on elements around the operators.
    """
    writer = _Writer(draw)
    part = f'<template name="Part">{writer.items(_MOST)}</template>'
    whole = []
    for name, number in (("First", writer.pick(1, 200)), ("Second", writer.pick(2, 2_000_000))):
        writer.dynamic = name == "First"
        dictionary = writer.pick("", ' dictionary="template"', ' dictionary="d2"') if dictionaries_around else ""
        items = writer.pick("", '<typeRef name="Quote"/>') + writer.items(0)
        whole.append(f'<template name="{name}" id="{number}"{dictionary}>{items}</template>')
    return f"<templates>{part}{''.join(whole)}</templates>"


@st.composite
def message_lists(draw: DrawFn, found: Templates) -> list[Message]:
    """Messages which the encoder takes one behind the other."""
    named = [one for one in found.all if one.id is not None]
    kept: list[Message] = []
    for _ in range(draw(st.integers(1, _MOST))):
        template = draw(st.sampled_from(named))
        message = Message(template, _fields(draw, template.items, found))
        try:
            Encoder().datagram([*kept, message])
        except EncodingError:
            continue  # a tail that is too short, a delta behind an absent field
        kept.append(message)
    return kept


@st.composite
def cases(draw: DrawFn) -> tuple[Templates, list[Message]]:
    """Templates, and messages for one datagram."""
    found = templates(draw(files()))
    return found, draw(message_lists(found))


def _fields(draw: DrawFn, items: Iterable[Item], found: Templates) -> Fields:
    contents = ((item.label, _content(draw, item, found)) for item in items)
    return {label: content for label, content in contents if content is not None}


def _content(draw: DrawFn, item: Item, found: Templates) -> Content | None:
    if isinstance(item, Reference):
        inner = found.all[-1]  # which has no dynamic references
        return Message(inner, _fields(draw, inner.items, found))
    if item.optional and draw(st.booleans()):
        return None
    match item:
        case Group():
            return _fields(draw, item.items, found)
        case Repeated():
            return [_fields(draw, item.items, found) for _ in range(draw(st.integers(0, 3)))]
        case SplitDecimal():
            value = draw(values(Kind.DECIMAL))
            assert isinstance(value, Scaled)
            constant = [
                one.initial if one.operator is Operator.CONSTANT else None for one in (item.exponent, item.mantissa)
            ]
            exponent, mantissa = (value[at] if part is None else part for at, part in enumerate(constant))
            assert isinstance(exponent, int)
            assert isinstance(mantissa, int)
            return Scaled(exponent, mantissa)
        case Scalar():
            likely = [st.just(item.initial)] if item.initial is not None else []
            return item.initial if item.operator is Operator.CONSTANT else draw(st.one_of(*likely, values(item.kind)))
