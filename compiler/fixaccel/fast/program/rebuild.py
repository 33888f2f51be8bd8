# SPDX-License-Identifier: Apache-2.0
"""Messages out of what a program tells, where it tells every field."""

from bisect import bisect_right
from collections.abc import Iterable

from fixaccel.fast.messages import Content, Fields, Message
from fixaccel.fast.model import Group, Item, Reference, Repeated, Templates
from fixaccel.fast.program.interpreter import Event, What
from fixaccel.fast.program.program import Program
from fixaccel.fast.program.words import BlockWord, EndWord, FieldWord, Op, Type


class Rebuilder:
    """Of one program, made of ``templates`` with every field tagged."""

    def __init__(self, templates: Templates, program: Program) -> None:
        self._templates = [templates.by_id[routine.id] for routine in program.routines]
        self._places: dict[tuple[int, tuple[str, ...]], int] = {}
        starts = [routine.target for routine in program.routines]
        for at, (word, source) in enumerate(zip(program.words, program.sources, strict=True)):
            routine = bisect_right(starts, at) - 1
            if routine < 0:
                continue  # in front of the FAST bytes
            begins = isinstance(word, BlockWord) and word.op is not Op.NEXT
            calls = isinstance(word, EndWord) and word.op is Op.CALL
            tells = isinstance(word, FieldWord) and word.type not in {Type.EXPONENT, Type.LENGTH}
            if begins or calls or tells:
                self._places[routine, source.path] = at

    def messages(self, events: Iterable[Event]) -> tuple[Message, ...]:
        """All messages of a datagram, raw integers in front left out."""
        self._events = list(events)
        self._at = 0
        found = []
        while self._at < len(self._events):
            event = self._take()
            if event.what is What.MESSAGE:
                found.append(self._message(event))
        return tuple(found)

    def _take(self) -> Event:
        self._at += 1
        return self._events[self._at - 1]

    def _is_next(self, what: What, place: int | None) -> bool:
        event = self._events[self._at] if self._at < len(self._events) else None
        return event is not None and place is not None and (event.what, event.at) == (what, place)

    def _message(self, begin: Event) -> Message:
        assert isinstance(begin.value, int)
        template = self._templates[begin.value]
        fields = self._fields(template.items, begin.value, ())
        end = self._take()
        assert end.what in {What.END, What.RETURN}, end
        return Message(template, fields)

    def _fields(self, items: Iterable[Item], routine: int, outer: tuple[str, ...]) -> Fields:
        found: Fields = {}
        for item in items:
            content = self._content(item, routine, (*outer, item.label))
            if content is not None:
                found[item.label] = content
        return found

    def _content(self, item: Item, routine: int, path: tuple[str, ...]) -> Content | None:
        place = self._places.get((routine, path))
        match item:
            case Reference():
                assert self._is_next(What.CALL, place)
                return self._message(self._take())
            case Group():
                return self._group(item, routine, path, place)
            case Repeated():
                if not self._is_next(What.SEQUENCE, place):
                    return None
                length = self._take().value
                assert isinstance(length, int)
                return [self._element(item, routine, path) for _ in range(length)]
            case _:
                return self._take().value if self._is_next(What.VALUE, place) else None

    def _group(self, group: Group, routine: int, path: tuple[str, ...], place: int | None) -> Fields | None:
        if group.optional or group.has_map:
            if not self._is_next(What.GROUP, place):
                return None
            self._take()
        return self._element(group, routine, path) if group.has_map else self._fields(group.items, routine, path)

    def _element(self, block: Group | Repeated, routine: int, path: tuple[str, ...]) -> Fields:
        fields = self._fields(block.items, routine, path)
        end = self._take()
        assert end.what is What.ELEMENT, end
        return fields
