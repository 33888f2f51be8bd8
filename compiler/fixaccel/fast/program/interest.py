# SPDX-License-Identifier: Apache-2.0
"""What of a feed is wanted: which fields the observer needs, by FIX tag, id or name, and whether all are told."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from fixaccel.fast.model import (
    Group,
    Item,
    Operator,
    Reference,
    Repeated,
    Scalar,
    SplitDecimal,
    Template,
    Templates,
    walk,
)
from fixaccel.fast.observed import Instruments, Observed
from fixaccel.fast.program.words import Kind, RawWord, Role

ENTRIES = "entries"
KIND = "kind"
NUMBER = "number"
# By what the venue file calls it: the usual FIX tags, those that are looked for first in front.
USUAL: Mapping[str, tuple[str, ...]] = {
    "instrument": ("48", "55"),
    KIND: ("35",),
    ENTRIES: ("268",),
    "type": ("269",),
    "action": ("279",),
    "price": ("270",),
    "position": ("1023", "290"),
    NUMBER: ("34",),
    "processed": ("369",),
}
_ROLES = {
    "instrument": Role.INSTRUMENT,
    "type": Role.ENTRY_TYPE,
    "action": Role.ACTION,
    "price": Role.PRICE,
    "position": Role.POSITION,
    NUMBER: Role.NUMBER,
    "processed": Role.PROCESSED,
}
_KINDS = {b"W": Kind.SNAPSHOT, b"X": Kind.UPDATE}


def nothing(item: Item) -> bool:
    """No field is told to the host."""
    del item
    return False


def everything(item: Item) -> bool:
    """Each field is told to the host."""
    del item
    return True


# By the word of `export`; `raw` tells the payload undecoded.
EXPORTS: Mapping[str, Callable[[Item], bool]] = {"observations": nothing, "all": everything, "raw": nothing}


@dataclass(frozen=True)
class Interest:
    """``fields`` names fields that have not the usual tag, ``kinds`` templates by id whose kind they do not tell.

    ``tagged``: which fields are told to the host; ``raw`` are the words in front of the FAST bytes.
    """

    fields: Mapping[str, str] = field(default_factory=dict)
    kinds: Mapping[int, Kind] = field(default_factory=dict)
    tagged: Callable[[Item], bool] = nothing
    raw: tuple[RawWord, ...] = ()
    reset_each_message: bool = False
    number_in_messages: bool = False  # else the number stands in front, and the field's role is nobody's


class Found:
    """The interest in one file of templates: names resolved."""

    def __init__(self, interest: Interest, templates: Templates) -> None:
        self._interest = interest
        named = {what: [interest.fields[what]] if what in interest.fields else [*USUAL[what]] for what in USUAL}
        self.names = {what: _first(candidates, what, templates) for what, candidates in named.items()}

    def role(self, item: Scalar | SplitDecimal) -> Role:
        """What the observer takes a field for."""
        return next((_ROLES[what] for what in self.taken_for(item) if what in _ROLES), Role.NONE)

    def taken_for(self, item: Item) -> list[str]:
        """What a feed is read for that ``item`` is, as a venue file calls it: one at the most where all is well."""
        unasked = set() if self._interest.number_in_messages else {NUMBER}
        return [what for what, name in self.names.items() if name in _called(item, what) and what not in unasked]

    def tagged(self, item: Item) -> bool:
        """Whether it is told to the host."""
        return self._interest.tagged(item)

    def observes(self, item: Repeated) -> bool:
        """Whether its elements are entries of market data."""
        return ENTRIES in self.taken_for(item)

    def kind(self, template: Template) -> Kind | None:
        """What its messages are; None where neither template nor venue tells."""
        if template.id is not None and template.id in self._interest.kinds:
            return self._interest.kinds[template.id]
        for item in walk(template.items):
            if isinstance(item, Scalar) and KIND in self.taken_for(item):
                if item.operator is Operator.CONSTANT and not item.optional:
                    return _KINDS.get(item.initial, Kind.NONE) if isinstance(item.initial, bytes) else Kind.NONE
                return None
        return None

    def observed(self, templates: Templates, known: Instruments) -> Observed:
        """What names the venue's instruments, which are ``known``."""
        prices = {one.id for one in templates.all if one.id is not None and self.kind(one) not in {None, Kind.NONE}}
        return Observed(frozenset(prices), self._names_instrument, known)

    def _names_instrument(self, item: Item) -> bool:
        return isinstance(item, Scalar) and self.role(item) is Role.INSTRUMENT


def _first(candidates: list[str], what: str, templates: Templates) -> str | None:
    """The first of the candidates that any field has."""
    there = {name for template in templates.all for item in walk(template.items) for name in _called(item, what)}
    return next((name for name in candidates if name in there), None)


def _called(item: Item, what: str) -> set[str | None]:
    """Names and ids of a field that may be ``what``: of a sequence also those of its length."""
    if isinstance(item, Group | Reference) or isinstance(item, Repeated) != (what == ENTRIES):
        return set()
    length = item.length if isinstance(item, Repeated) else item
    return {item.name.local, item.id, length.name.local, length.id} - {None}
