# SPDX-License-Identifier: Apache-2.0
"""Fields that nobody wants: which of them a `skip` passes over, and runs of them as words."""

from collections.abc import Iterator

from fixaccel.fast.layout import FEED
from fixaccel.fast.model import Kind, Operator, Scalar
from fixaccel.fast.program.program import Source
from fixaccel.fast.program.words import SkipWord

_RECORD = FEED.records["word_skip"]
MOST_ENTITIES = _RECORD.field("entities").high
MOST_BITS = _RECORD.field("taken").bits


def can_be_skipped(field: Scalar) -> bool:
    """Whether its bytes can be told from the map alone: not where a null or a length says how many there are."""
    if field.operator is Operator.CONSTANT:
        return True
    if field.kind in {Kind.UNICODE, Kind.BYTES}:
        return False
    if field.operator is Operator.DELTA and field.kind is Kind.ASCII:
        return not field.optional
    return not (field.kind is Kind.DECIMAL and field.optional)


def _entities(field: Scalar) -> int:
    if field.operator is Operator.CONSTANT:
        return 0
    return 2 if field.kind is Kind.DECIMAL or (field.operator is Operator.DELTA and field.kind is Kind.ASCII) else 1


class Run:
    """Fields one behind the other that nobody wants."""

    def __init__(self) -> None:
        self._fields: list[tuple[Scalar, Source]] = []

    def add(self, field: Scalar, source: Source) -> None:
        """One more."""
        self._fields.append((field, source))

    def words(self) -> Iterator[tuple[SkipWord, Source]]:
        """As few words as pass over them; each has the source of its first field."""
        entities = bits = taken = twice = 0
        first: Source | None = None
        for field, source in self._fields:
            count = _entities(field)
            always = 0 if field.takes_bit else count
            if entities + always > MOST_ENTITIES or bits + field.takes_bit > MOST_BITS:
                assert first
                yield SkipWord(entities, bits, taken, twice), first
                entities = bits = taken = twice = 0
                first = None
            if field.takes_bit:
                taken |= (count > 0) << bits
                twice |= (count > 1) << bits
                bits += 1
            entities += always
            if field.takes_bit or always:
                first = first or source
        if first:
            yield SkipWord(entities, bits, taken, twice), first
