# SPDX-License-Identifier: Apache-2.0
"""The text of a program back to the program, with every fault at its place."""

import re
from dataclasses import dataclass
from pathlib import Path

from fixaccel.diagnostics.checked import Checked
from fixaccel.diagnostics.codes import fast as codes
from fixaccel.diagnostics.report import Report
from fixaccel.fast.layout import FEED, KEPT_BYTES
from fixaccel.fast.model import EXPONENTS, Scaled
from fixaccel.fast.program.check import check_program
from fixaccel.fast.program.listing import VERSION, string_text
from fixaccel.fast.program.operands import Operands, read_word
from fixaccel.fast.program.program import Limits, Program, Routine, Source, initial_slots
from fixaccel.fast.program.tokens import Line, Token, read_lines
from fixaccel.fast.program.words import Kind, Op, SkipWord, Word
from fixaccel.language.keys.schema import suggest
from fixaccel.language.text.files import read_source
from fixaccel.source import SourceFile, Span

_NUMBER = re.compile(r"(-?[0-9]{1,20})(?:e(-?[0-9]{1,3}))?")
_ESCAPED = re.compile(r"\\x([0-9a-f]{2})")
_ODD = re.compile(r"[^ -~]")
_LOW, _HIGH = -(1 << 63), (1 << 64) - 1
_KINDS = {kind.value: kind for kind in Kind}
_SIZES = {"multiplier": (1 << 32) - 1, "numbers": FEED.constant("numbers"), "strings": FEED.constant("strings")}


@dataclass(frozen=True)
class Assembled(Checked):
    """``program`` is None exactly if there is an error."""

    program: Program | None = None


def load_program_text(path: Path) -> Assembled:
    """Reads ``path``."""
    report = Report()
    sources: dict[str, SourceFile] = {}
    source = read_source(path, str(path), report, sources)
    program = assemble(source, report) if source else None
    return Assembled(report.sorted(), sources, report.dropped, None if report.failed else program)


def assemble(source: SourceFile, report: Report) -> Program | None:
    """The program of a text; None, or one of no use, where ``report`` has errors."""
    return _Assembler(source, report).program()


class _Assembler:
    def __init__(self, source: SourceFile, report: Report) -> None:
        self._source, self._report = source, report
        self._sizes: dict[str, int] = {}
        self._numbers: dict[int, Scaled] = {}
        self._strings: dict[int, bytes] = {}
        self._routines: list[Routine] = []
        self._words: list[Word] = []
        self._sources: list[Source] = []
        self._places: list[Span] = []
        self._others: dict[tuple[str, int], Span] = {}  # of what is no word: lines by what they are about

    def program(self) -> Program | None:
        lines = read_lines(self._source, self._report)
        if not lines or lines[0].text != VERSION:
            place = lines[0].span if lines else Span(self._source.name, 1, 1, 1, 2)
            self._fault("a program begins with its version", place, help=f"write `{VERSION}`")
            return None
        for line in lines[1:]:
            self._line(line)
        for name in _SIZES:
            if name not in self._sizes and not self._report.failed:
                self._fault(
                    f"`{name}` is missing", lines[0].span, help=f"write `{name}` and a number below the first line"
                )
        if self._report.failed:
            return None
        routines = sorted(self._routines, key=lambda one: (one.target, one.id))
        program = Program(
            tuple(self._words), tuple(self._sources), tuple(routines), self._sizes["multiplier"],
            self._sizes["numbers"], self._sizes["strings"], self._numbers, self._strings,
        )  # fmt: skip
        self._check(program, lines[0].span)
        return program

    def _check(self, program: Program, whole: Span) -> None:
        for flaw in check_program(program, Limits()):
            about = self._others.get(flaw.of, whole) if flaw.of else whole
            self._fault(flaw.message, about if flaw.at is None else self._places[flaw.at])
        wanted = initial_slots(program.words)
        there = {(False, slot) for slot in program.initial_numbers} | {(True, slot) for slot in program.initial_strings}
        for (text, slot), at in wanted.items():
            if (text, slot) not in there:
                what = "string" if text else "number"
                way_out = f"write a line `{what} {slot} ...`"
                self._fault(f"slot {slot} has no initial value", self._places[at], help=way_out)
        for text, slot in sorted(there - wanted.keys()):
            what = "string" if text else "number"
            self._fault(f"nothing uses the initial value of {what} {slot}", self._others[what, slot])

    def _fault(self, message: str, span: Span, *, help: str | None = None) -> None:  # noqa: A002 - the diagnostic's word
        self._report.add(codes.PROGRAM_TEXT, message, span, help=help)

    def _line(self, line: Line) -> None:
        first = line.tokens[0]
        readers = {"number": self._number, "string": self._string, "template": self._template}
        readers |= dict.fromkeys(_SIZES, self._size)
        if first.text in readers:
            readers[first.text](line)
        elif first.text.isdigit():
            self._word(line)
        else:
            words = [*readers, *(op.value for op in Op)]
            close = suggest(first.text, words)
            way_out = f"did you mean `{close}`?" if close else f"a line begins with an address, or {', '.join(readers)}"
            if close in {op.value for op in Op} or first.text in words:
                way_out = f"write the address in front: `{len(self._words)} {close or first.text}`"
            self._fault(f"`{first.text}` begins no line", first.span, help=way_out)

    def _size(self, line: Line) -> None:
        operands = Operands(line, 1, self._report)
        value = operands.number("a number", _SIZES[line.tokens[0].text])
        if line.tokens[0].text in self._sizes:
            self._fault(f"a second `{line.tokens[0].text}`", line.tokens[0].span)
        if value is not None:
            self._sizes[line.tokens[0].text] = value
            self._others[line.tokens[0].text, 0] = line.span
        operands.end()

    def _number(self, line: Line) -> None:
        slot, token = self._slot(line, "numbers", self._numbers)
        match = _NUMBER.fullmatch(token.text) if token else None
        if token is None or slot is None:
            return
        mantissa, exponent = (int(match[1]), int(match[2] or 0)) if match else (0, 0)
        if not match or not _LOW <= mantissa <= _HIGH or not EXPONENTS[0] <= exponent <= EXPONENTS[1]:
            self._fault(f"`{token.text}` is no number of 64 bits", token.span, help="write it as `-2` or `125e-2`")
            return
        self._numbers[slot] = Scaled(exponent, mantissa & _HIGH)

    def _string(self, line: Line) -> None:
        slot, token = self._slot(line, "strings", self._strings)
        if token is None or slot is None:
            return
        if not token.quoted:
            self._fault(f"`{token.text}` is no text in quotes", token.span, help='write it as `"X"`')
            return
        if (odd := _ODD.search(token.text)) is not None:
            at = token.span._replace(column=token.span.column + odd.start(), end_column=token.span.column + odd.end())
            way_out = f"write its bytes: `{string_text(odd[0].encode())[1:-1]}`"
            self._fault(f"`{odd[0]}` is not printable ASCII", at, help=way_out)
            return
        data = _ESCAPED.sub(lambda found: chr(int(found[1], 16)), token.text[1:-1]).encode("latin-1")
        if len(data) > KEPT_BYTES:
            self._fault(f"it has {len(data)} bytes, and a slot holds {KEPT_BYTES}", token.span)
            return
        self._strings[slot] = data

    def _slot(
        self, line: Line, what: str, taken: dict[int, Scaled] | dict[int, bytes]
    ) -> tuple[int | None, Token | None]:
        operands = Operands(line, 1, self._report)
        slot = operands.number("a slot", _SIZES[what] - 1)
        if slot is not None and slot in taken:
            self._fault(f"slot {slot} has an initial value already", line.tokens[1].span)
        elif slot is not None:
            self._others[line.tokens[0].text, slot] = line.span
        token = operands.token("its value")
        operands.end()
        return slot, token

    def _template(self, line: Line) -> None:
        operands = Operands(line, 1, self._report)
        number = operands.number("an identifier", (1 << 32) - 1)
        target = operands.named("at", FEED.constant("instructions") - 1)
        kind = operands.choice("kind", _KINDS)
        reset = operands.flag("reset")
        operands.end()
        if number is not None and target is not None:
            self._others["template", number] = line.span
            self._routines.append(Routine(number, line.note, target, kind or Kind.NONE, reset))

    def _word(self, line: Line) -> None:
        first = line.tokens[0]
        if first.text != str(len(self._words)):
            self._fault(
                f"this is word {len(self._words)}, not {first.text}", first.span, help="words are numbered from 0"
            )
        word = read_word(Operands(line, 1, self._report))
        # In its place stands something, so that those behind it have their numbers.
        self._words.append(word or SkipWord(0))
        self._sources.append(Source(line.note))
        self._places.append(line.span)
