# SPDX-License-Identifier: Apache-2.0
"""What a program does, word by word, as the fabric's engine runs it. Written apart from the reference decoder.

Previous values are slots with a state; the place in a sequence or group is a stack of blocks; a datagram is bytes.
"""

from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from fixaccel.fast.errors import Counts, Fault
from fixaccel.fast.layout import MESSAGE_INSTRUMENTS, REFERENCES
from fixaccel.fast.observed import NO_INSTRUMENTS, Instruments
from fixaccel.fast.program.cursor import Cursor, Map, StopError
from fixaccel.fast.program.program import Program, Routine, row_of
from fixaccel.fast.program.values import Slots, Value, Values
from fixaccel.fast.program.words import BlockWord, EndWord, FieldWord, InitialWord, Kind, Op, RawWord, Role, SkipWord


class What(Enum):
    """Kinds of events."""

    MESSAGE = "message"  # value: index of its routine
    VALUE = "value"
    GROUP = "group"
    SEQUENCE = "sequence"  # value: length
    ELEMENT = "element"  # one has ended
    CALL = "call"  # value: index of the routine
    RETURN = "return"
    END = "end"  # of a message


class Event(NamedTuple):
    """What the engine tells; ``at`` is the address of the word."""

    what: What
    at: int
    value: Value | None = None


class Stopped(NamedTuple):
    """A fatal fault: its byte, the address of the word, and the addresses of the references around it.

    ``routine``: index of the innermost routine that had begun, None between messages.
    """

    fault: Fault
    byte: int
    at: int
    calls: tuple[int, ...]
    routine: int | None


@dataclass(frozen=True)
class Outcome:
    """``events`` are none where a fault ``stopped`` the datagram."""

    events: tuple[Event, ...]
    counts: Counts
    stopped: Stopped | None = None


@dataclass
class _Block:
    map: Map | None  # of what is around it
    left: int


@dataclass
class _Call:
    back: int
    map: Map
    blocks: list[_Block]
    routine: int


@dataclass
class _Run(Slots):
    """One datagram."""

    events: list[Event] = field(default_factory=list)
    blocks: list[_Block] = field(default_factory=list)
    calls: list[_Call] = field(default_factory=list)
    routine: int | None = None
    id: int | None = None
    observed: bool = False  # the message is market data
    named: set[Value] = field(default_factory=set)  # instruments that it has named


class Interpreter:
    """Runs a program that is sound (`check_program`). ``known``: instruments of which a message has so many."""

    def __init__(self, program: Program, known: Instruments = NO_INSTRUMENTS) -> None:
        self._program = program
        self._known = known
        self._values = Values(program)
        self._rows: dict[int, int] = {
            row_of(routine.id, program.multiplier): index for index, routine in enumerate(program.routines)
        }

    def datagram(self, data: bytes) -> Outcome:
        """What a datagram says, its raw bytes in front."""
        run = _Run(Cursor(data))
        at = 0
        try:
            while at >= 0:
                here = at
                at = self._step(run, at)
        except StopError as stop:
            calls = tuple(call.back - 1 for call in run.calls)
            return Outcome((), run.cursor.counts, Stopped(stop.fault, stop.byte, here, calls, run.routine))
        return Outcome(tuple(run.events), run.cursor.counts)

    def _step(self, run: _Run, at: int) -> int:
        """Does the word at ``at``; returns where to go on, -1 for the end of the datagram."""
        match self._program.words[at]:
            case FieldWord() as word:
                byte = run.cursor.at
                value = self._values.read(run, at, word)
                if value is not None and word.told:
                    run.events.append(Event(What.VALUE, at, value))
                if word.role is Role.INSTRUMENT and run.observed and value in self._known:
                    assert value is not None
                    run.named.add(value)
                    if len(run.named) > MESSAGE_INSTRUMENTS:
                        raise StopError(Fault.U4, byte)
            case SkipWord() as word:
                _skip(run, word)
            case InitialWord():
                pass
            case RawWord() as word:
                taken = run.cursor.raw(word.bytes)
                if word.told:
                    run.events.append(Event(What.VALUE, at, int.from_bytes(taken, "big" if word.big else "little")))
            case BlockWord(op=Op.GROUP) as word:
                return self._group(run, at, word)
            case BlockWord(op=Op.LOOP) as word:
                return self._loop(run, at, word)
            case BlockWord() as word:
                return self._next(run, at, word)
            case EndWord(op=Op.CALL):
                return self._call(run, at)
            case EndWord() as word:
                return self._end(run, at, reset=word.reset)
        return at + 1

    # Routines

    def _call(self, run: _Run, at: int) -> int:
        if len(run.calls) >= REFERENCES:
            raise StopError(Fault.U5, run.cursor.at)
        inner = run.cursor.map()
        index, routine = self._routine(run, inner)
        assert run.map
        assert run.routine is not None
        run.calls.append(_Call(at + 1, run.map, run.blocks, run.routine))
        run.map, run.blocks, run.routine = inner, [], index
        run.events.append(Event(What.CALL, at, index))
        return routine.target

    def _end(self, run: _Run, at: int, *, reset: bool) -> int:
        if run.map:
            run.map.close()
        if run.calls:
            call = run.calls.pop()
            run.map, run.blocks, run.routine = call.map, call.blocks, call.routine
            run.events.append(Event(What.RETURN, at))
            return call.back
        if run.routine is not None:
            run.events.append(Event(What.END, at))
        run.routine = None
        if run.cursor.at_end:
            return -1
        if reset:
            run.forget()
            run.id = None
        run.map = run.cursor.map()
        index, routine = self._routine(run, run.map)
        run.routine = index
        run.observed = routine.kind is not Kind.NONE
        run.named.clear()
        run.events.append(Event(What.MESSAGE, routine.target, index))
        return routine.target

    def _routine(self, run: _Run, bits: Map) -> tuple[int, Routine]:
        """That of the identifier which follows the map."""
        byte = run.cursor.at
        if bits.take():
            run.id = run.cursor.number(signed=False)
        if run.id is None:
            raise StopError(Fault.D5, byte)
        index = self._rows.get(row_of(run.id, self._program.multiplier))
        if index is None or self._program.routines[index].id != run.id:
            raise StopError(Fault.D9, byte)
        if self._program.routines[index].reset:
            run.forget()
        return index, self._program.routines[index]

    # Blocks

    def _group(self, run: _Run, at: int, word: BlockWord) -> int:
        assert run.map
        if word.optional and not run.map.take():
            return word.target
        run.events.append(Event(What.GROUP, at))
        if word.map:
            own = run.cursor.map()
            run.blocks.append(_Block(run.map, 1))
            run.map = own
        return at + 1

    def _loop(self, run: _Run, at: int, word: BlockWord) -> int:
        if run.absent:
            return word.target
        run.events.append(Event(What.SEQUENCE, at, run.length))
        if run.length == 0:
            return word.target
        run.blocks.append(_Block(run.map, run.length))
        run.map = run.cursor.map() if word.map else Map.none(run.cursor.counts)
        return at + 1

    def _next(self, run: _Run, at: int, word: BlockWord) -> int:
        block = run.blocks[-1]
        assert run.map
        run.map.close()
        block.left -= 1
        run.events.append(Event(What.ELEMENT, at))
        if block.left:
            if word.map:
                run.map = run.cursor.map()
            return word.target
        run.map = block.map
        run.blocks.pop()
        return at + 1


def _skip(run: _Run, word: SkipWord) -> None:
    count = word.entities
    for place in range(word.bits):
        assert run.map
        if run.map.take():
            count += (word.taken >> place & 1) + (word.twice >> place & 1)
    for _ in range(count):
        run.cursor.pass_entity()
