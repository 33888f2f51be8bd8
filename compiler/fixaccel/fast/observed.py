# SPDX-License-Identifier: Apache-2.0
"""Instruments that a message of market data names: the venue's, as many as the board holds at once (U4)."""

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from fixaccel.fast.model import Item

Instruments: TypeAlias = frozenset[int | bytes]  # by number or by symbol
NO_INSTRUMENTS: Instruments = frozenset()


class Observed(NamedTuple):
    """What names instruments: in messages of which templates, by identifier, which fields; and those that count."""

    templates: frozenset[int]
    names: Callable[[Item], bool]
    known: Instruments
