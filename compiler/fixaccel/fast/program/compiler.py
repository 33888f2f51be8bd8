# SPDX-License-Identifier: Apache-2.0
"""Templates to a program: a routine for each template, a word for each field that anybody wants."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from fixaccel.diagnostics.codes import fast as codes
from fixaccel.diagnostics.report import Report
from fixaccel.fast import model
from fixaccel.fast.layout import FEED, TEMPLATES
from fixaccel.fast.model import Group, Item, Key, Reference, Repeated, Scalar, SplitDecimal, Template, Templates
from fixaccel.fast.program.interest import Found, Interest
from fixaccel.fast.program.program import Limits, Program, Routine, Source, find_multiplier
from fixaccel.fast.program.skipping import Run, can_be_skipped
from fixaccel.fast.program.slots import Slots
from fixaccel.fast.program.words import (
    BlockWord,
    EndWord,
    FieldWord,
    InitialWord,
    Kind,
    Op,
    Role,
    Type,
    Word,
    aimed,
)

LAST_TAG = FEED.constant("last_tag")
START = Source("start")
_TYPES = {
    model.Kind.INT32: Type.INT32,
    model.Kind.UINT32: Type.UINT32,
    model.Kind.INT64: Type.INT64,
    model.Kind.UINT64: Type.UINT64,
    model.Kind.DECIMAL: Type.DECIMAL,
    model.Kind.ASCII: Type.ASCII,
    model.Kind.UNICODE: Type.BYTES,
    model.Kind.BYTES: Type.BYTES,
}


def compile_program(
    templates: Templates, interest: Interest, limits: Limits, report: Report
) -> tuple[Program, dict[int, str]]:
    """The program of ``templates``, and the names of its tags. Useless where ``report`` has errors.

    Templates that have no identifier have no routine: they cannot stand in a stream by themselves.
    """
    return _Compiler(templates, interest, limits, report).compile()


class _Compiler:
    def __init__(self, templates: Templates, interest: Interest, limits: Limits, report: Report) -> None:
        self._templates, self._interest, self._limits, self._report = templates, interest, limits, report
        self._found = Found(interest, templates)
        self._slots = Slots(limits, report)
        self._needed = _needed(templates, self._found)
        self._words: list[Word] = []
        self._sources: list[Source] = []
        self._run = Run()
        self._tags: dict[tuple[str, str | None, str], int] = {}
        self._place = templates.all[0].span if templates.all else None

    def compile(self) -> tuple[Program, dict[int, str]]:
        for raw in self._interest.raw:
            self._add(raw, START)
        self._end(START)
        rows = [self._template(one) for one in self._templates.all if one.id is not None]
        if len(rows) > TEMPLATES:
            last = [one for one in self._templates.all if one.id is not None][TEMPLATES]
            message = f"there are {len(rows)} templates with an identifier, and a program holds {TEMPLATES}"
            self._report.add(codes.PROGRAM_CAPACITY, message, last.span)
        multiplier = find_multiplier([row.id for row in rows]) if len(rows) <= TEMPLATES else 1
        if multiplier is None:
            message = "no table of identifiers was found in which each has a row of its own"
            self._report.add(codes.PROGRAM_CAPACITY, message, self._templates.all[0].span)
        slots = self._slots
        program = Program(
            tuple(self._words), tuple(self._sources), tuple(rows), multiplier or 1,
            slots.used[False], slots.used[True], slots.numbers, slots.strings,
        )  # fmt: skip
        return program, {tag: name for (name, _, _), tag in self._tags.items()}

    def _template(self, template: Template) -> Routine:
        assert template.id is not None
        self._place = template.span
        target = len(self._words)
        kind = self._found.kind(template) or Kind.NONE
        source = Source(template.name.local)
        self._items(template.items, source)
        self._end(source)
        return Routine(
            template.id, template.name.local, min(target, self._limits.instructions - 1), kind, template.reset
        )

    def _end(self, source: Source) -> None:
        self._add(EndWord(Op.END, self._interest.reset_each_message), source)

    def _add(self, word: Word, source: Source) -> int:
        """Appends a word, what is to be passed over in front of it; returns its address."""
        for passed, whence in self._run.words():
            self._append(passed, whence)
        self._run = Run()
        return self._append(word, source)

    def _append(self, word: Word, source: Source) -> int:
        if len(self._words) == self._limits.instructions and self._place:
            message = f"the program has more than the {self._limits.instructions:,} words that there is room for"
            way_out = "fields that nobody wants take hardly any: `export: observations`"
            self._report.add(codes.PROGRAM_CAPACITY, message, self._place, help=way_out)
        self._words.append(word)
        self._sources.append(source)
        return len(self._words) - 1

    def _items(self, items: Iterable[Item], outer: Source) -> None:
        for item in items:
            self._place = item.span
            self._item(item, Source(outer.template, (*outer.path, item.label)))

    def _item(self, item: Item, source: Source) -> None:
        match item:
            case Scalar():
                self._scalar(item, source)
            case SplitDecimal():
                self._split(item, source)
            case Group():
                self._group(item, source)
            case Repeated():
                self._repeated(item, source)
            case Reference():
                self._add(EndWord(Op.CALL), source)

    def _scalar(self, field: Scalar, source: Source) -> None:
        role, tagged = self._found.role(field), self._found.tagged(field)
        kept = tagged or role is not Role.NONE or field.key in self._needed
        if kept:
            self._field(field, _TYPES[field.kind], source, self._tag(field, tagged), role)
        elif can_be_skipped(field):
            self._run.add(field, source)
        else:
            self._add(FieldWord(_TYPES[field.kind], field.operator, field.optional, passed=True), source)

    def _split(self, decimal: SplitDecimal, source: Source) -> None:
        role, tagged = self._found.role(decimal), self._found.tagged(decimal)
        keys = {decimal.exponent.key, decimal.mantissa.key} - {None}
        if not (tagged or role is not Role.NONE or keys & self._needed or decimal.optional):
            self._run.add(decimal.exponent, source)
            self._run.add(decimal.mantissa, source)
            return
        self._field(decimal.exponent, Type.EXPONENT, source, 0, Role.NONE)
        self._field(decimal.mantissa, Type.MANTISSA, source, self._tag(decimal, tagged), role)

    def _field(self, field: Scalar, kind: Type, source: Source, tag: int, role: Role) -> None:
        word = FieldWord(kind, field.operator, field.optional, tag=tag, role=role)
        if word.operator.has_entry:
            word = replace(word, slot=self._slots.entry(field))
        initial = word.slot
        if field.initial is not None:
            initial = self._slots.initial(field, word.slot if word.operator.has_entry else None)
            slot = word.slot if word.operator.has_entry else initial
            word = replace(word, initial=True, slot=slot, apart=slot != initial)
        self._add(word, source)
        if word.apart:
            self._add(InitialWord(initial), source)

    def _group(self, group: Group, source: Source) -> None:
        if not group.optional and not group.has_map:
            self._items(group.items, source)
            return
        begin = BlockWord(Op.GROUP, 0, group.optional, group.has_map)
        at = self._add(begin, source)
        self._items(group.items, source)
        if group.has_map:
            end = self._add(BlockWord(Op.NEXT, 0, map=True), source)
            self._words[end] = BlockWord(Op.NEXT, self._address(end), map=True)
        else:
            self._flush()
        self._words[at] = aimed(begin, self._address(len(self._words)))

    def _repeated(self, sequence: Repeated, source: Source) -> None:
        self._field(sequence.length, Type.LENGTH, source, 0, Role.NONE)
        observe = self._found.observes(sequence)
        begin = BlockWord(Op.LOOP, 0, map=sequence.has_map, observe=observe)
        at = self._add(begin, source)
        self._items(sequence.items, source)
        self._add(BlockWord(Op.NEXT, self._address(at + 1), map=sequence.has_map, observe=observe), source)
        self._words[at] = aimed(begin, self._address(len(self._words)))

    def _flush(self) -> None:
        for passed, whence in self._run.words():
            self._append(passed, whence)
        self._run = Run()

    def _address(self, at: int) -> int:
        """What `target` can name; where there are more words, that was reported."""
        return min(at, FEED.constant("instructions") - 1)

    def _tag(self, item: Scalar | SplitDecimal, tagged: bool) -> int:
        if not tagged:
            return 0
        kind = item.kind.value if isinstance(item, Scalar) else model.Kind.DECIMAL.value
        tag = self._tags.setdefault((item.label, item.id, kind), len(self._tags) + 1)
        if tag == LAST_TAG + 1:
            message = f"this is one more field than the {LAST_TAG} that tags can tell apart"
            self._report.add(codes.PROGRAM_CAPACITY, message, item.span, help="`export: observations` needs no tags")
        return min(tag, LAST_TAG)


def _needed(templates: Templates, found: Found) -> set[Key]:
    """Entries that a wanted field reads: each field that writes one keeps its word."""
    units = [unit for template in templates.all for unit in _units(template.items, found)]
    needed: set[Key] = set()
    for _ in units:
        more = {key for wanted, keys in units if wanted or keys & needed for key in keys} - needed
        if not more:
            break
        needed |= more
    return needed


def _units(items: Iterable[Item], found: Found) -> Iterator[tuple[bool, set[Key]]]:
    """Whether fields that are kept together are wanted, and their entries."""
    for item in items:
        match item:
            case Scalar() | SplitDecimal():
                wanted = found.tagged(item) or found.role(item) is not Role.NONE
                parts = (item,) if isinstance(item, Scalar) else (item.exponent, item.mantissa)
                # An optional decimal in parts is always kept: what follows depends on its exponent.
                wanted |= isinstance(item, SplitDecimal) and item.optional
                yield wanted, {part.key for part in parts if part.key}
            case Group():
                yield from _units(item.items, found)
            case Repeated():
                yield True, {item.length.key} if item.length.key else set()
                yield from _units(item.items, found)
            case Reference():
                pass
