# SPDX-License-Identifier: Apache-2.0
"""What stands behind the address of a line: operation, flags and named numbers."""

import re
from collections.abc import Mapping
from typing import TypeVar

from fixaccel.diagnostics.codes import fast as codes
from fixaccel.diagnostics.report import Report
from fixaccel.fast.layout import FEED
from fixaccel.fast.model import Operator
from fixaccel.fast.program.tokens import Line, Token
from fixaccel.fast.program.words import (
    BlockWord,
    EndWord,
    FieldWord,
    InitialWord,
    Op,
    RawWord,
    Role,
    SkipWord,
    Type,
    Word,
)
from fixaccel.language.keys.schema import suggest
from fixaccel.source import Span

T = TypeVar("T")
_DIGITS = re.compile(r"0x[0-9a-f]{1,16}|[0-9]{1,20}")
_FIELD, _SKIP, _RAW, _BLOCK = (FEED.records[f"word_{name}"] for name in ("field", "skip", "raw", "block"))
_TYPES = {one.value: one for one in Type}
_OPERATORS = {one.value: one for one in Operator}
_ROLES = {one.value: one for one in Role if one is not Role.NONE}
_INITIAL = "initial"
_OPS = [*(op.value for op in Op), _INITIAL]


class Operands:
    """Takes the tokens of a line from the front, named ones and flags from anywhere."""

    def __init__(self, line: Line, first: int, report: Report) -> None:
        self._line, self._report = line, report
        self._left = list(line.tokens[first:])

    def _fault(self, message: str, span: Span, way_out: str | None = None, instead: str | None = None) -> None:
        self._report.add(codes.PROGRAM_TEXT, message, span, help=way_out, instead=[instead] if instead else [])

    def _end_of_line(self) -> Span:
        last = self._line.tokens[-1].span
        return Span(last.file, last.end_line, last.end_column, last.end_line, last.end_column + 1)

    def token(self, what: str) -> Token | None:
        """The next one."""
        if self._left:
            return self._left.pop(0)
        self._fault(f"{what} is missing", self._end_of_line())
        return None

    def number(self, what: str, most: int) -> int | None:
        """The next one, as a number from 0 to ``most``."""
        token = self.token(what)
        return None if token is None else self._number(token.text, token.span, most)

    def _number(self, text: str, span: Span, most: int) -> int | None:
        if not _DIGITS.fullmatch(text) or int(text, 0 if text.startswith("0x") else 10) > most:
            self._fault(f"`{text}` is no number from 0 to {most:,}", span)
            return None
        return int(text, 0 if text.startswith("0x") else 10)

    def word(self, what: str, known: Mapping[str, T]) -> T | None:
        """The next one, one of ``known``."""
        token = self.token(what)
        return None if token is None else self._known(token.text, token.span, what, known)

    def _known(self, text: str, span: Span, what: str, known: Mapping[str, T]) -> T | None:
        if text not in known:
            close = suggest(text, list(known))
            way_out = f"did you mean `{close}`?" if close else f"there are: {', '.join(known)}"
            self._fault(f"`{text}` is not {what}", span, way_out, close)
            return None
        return known[text]

    def flag(self, name: str) -> bool:
        """Whether it stands there."""
        for token in self._left:
            if token.text == name:
                self._left.remove(token)
                return True
        return False

    def _value(self, name: str) -> tuple[str, Span] | None:
        for token in self._left:
            if token.text.startswith(f"{name}="):
                self._left.remove(token)
                place = token.span._replace(column=token.span.column + len(name) + 1)
                text = token.text[len(name) + 1 :]
                return text, place if text else token.span
        return None

    def named(self, name: str, most: int, default: int | None = None) -> int | None:
        """The number behind `name=`; ``default`` where it is not there, a fault if there is none."""
        found = self._value(name)
        if found is None:
            if default is None:
                self._fault(f"`{name}=` is missing", self._end_of_line())
            return default
        return self._number(*found, most)

    def choice(self, name: str, known: Mapping[str, T]) -> T | None:
        """What is behind `name=`, None where it is not there."""
        found = self._value(name)
        return None if found is None else self._known(*found, f"a {name}", known)

    def end(self) -> None:
        """Reports what is left over."""
        for token in self._left:
            self._fault(f"`{token.text}` does not belong here", token.span, "remove it")
        self._left.clear()


def read_word(operands: Operands) -> Word | None:
    """The word of a line; None after reporting what is wrong with it."""
    op = operands.word("an operation", {name: name for name in _OPS})
    word = _read(op, operands) if op else None
    if op:
        operands.end()
    return word


def _read(op: str, operands: Operands) -> Word | None:
    match op:
        case "field":
            return _field(operands)
        case "skip":
            return _skip(operands)
        case "initial":
            slot = operands.named("slot", FEED.records["word_initial"].field("slot").high)
            return None if slot is None else InitialWord(slot)
        case "raw":
            size = operands.named("bytes", _RAW.field("bytes").high)
            big, little = operands.flag("big"), operands.flag("little")
            tag = operands.named("tag", _RAW.field("tag").high, 0)
            role = operands.choice("role", _ROLES)
            return None if size is None or tag is None else RawWord(size, big or not little, tag, role or Role.NONE)
        case "group" | "loop" | "next":
            target = operands.named("to", _BLOCK.field("target").high)
            flags = [operands.flag(name) for name in ("optional", "map", "observe")]
            return None if target is None else BlockWord(Op(op), target, *flags)
        case _:
            return EndWord(Op(op), operands.flag("reset") if op == Op.END.value else False)


def _field(operands: Operands) -> Word | None:
    kind = operands.word("a type", _TYPES)
    operator = operands.word("an operator", _OPERATORS) if kind else None
    flags = {name: operands.flag(name) for name in ("optional", "initial", "apart", "passed")}
    slot = operands.named("slot", _FIELD.field("slot").high, 0)
    tag = operands.named("tag", _FIELD.field("tag").high, 0)
    role = operands.choice("role", _ROLES)
    if kind is None or operator is None or slot is None or tag is None:
        return None
    return FieldWord(kind, operator, **flags, slot=slot, tag=tag, role=role or Role.NONE)


def _skip(operands: Operands) -> Word | None:
    entities = operands.number("how many entities", _SKIP.field("entities").high)
    rest = [operands.named(name, _SKIP.field(name).high, 0) for name in ("bits", "taken", "twice")]
    if entities is None:
        return None
    bits, taken, twice = (value or 0 for value in rest)
    return SkipWord(entities, bits, taken, twice)
