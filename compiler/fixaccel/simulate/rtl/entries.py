# SPDX-License-Identifier: Apache-2.0
"""Entries of market-data messages: their types, and what may stand in and between them without a meaning."""

import random
from collections.abc import Sequence

from fixaccel.language.terms import Source

Field = tuple[int, str]
Entry = list[Field]

# MDEntryType(269). The others are decoys: opening, closing and highest price, and a volume.
ENTRY_TYPE = {Source.BID: "0", Source.ASK: "1", Source.LAST: "2"}
OTHER_TYPES = ("4", "5", "7", "B")
# A symbol that no venue file can list.
UNLISTED = "^unlisted^"

_MORE: Sequence[Field] = ((15, "USD"), (346, "3"), (278, "Q7"), (1, "270=5"), (273, "12:00:00"), (2700, "9"))


def mixed_fields(fields: Sequence[Field], shape: random.Random) -> list[Field]:
    """``fields`` of an entry and further ones, in any order."""
    mixed = [*fields, *(field for field in _MORE if shape.random() < 0.1)]
    shape.shuffle(mixed)
    return mixed


def interleaved(groups: Sequence[Sequence[Entry]], shape: random.Random) -> list[Entry]:
    """Entries of all groups mixed, each group in its own order."""
    pending = [list(group) for group in groups if group]
    mixed: list[Entry] = []
    while pending:
        group = shape.choice(pending)
        mixed.append(group.pop(0))
        pending = [group for group in pending if group]
    return mixed
