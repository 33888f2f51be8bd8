# SPDX-License-Identifier: Apache-2.0
"""A packed strategy."""

from collections.abc import Mapping
from dataclasses import dataclass

from fixaccel.diagnostics import Diagnostic
from fixaccel.language.model import Instrument
from fixaccel.language.rules import Rule


class ImageError(Exception):
    """The strategy does not fit the board; ``diagnostics`` say why."""

    def __init__(self, diagnostics: list[Diagnostic]) -> None:
        super().__init__("\n".join(diagnostic.message for diagnostic in diagnostics))
        self.diagnostics = diagnostics


@dataclass(frozen=True)
class PlacedInstrument:
    """An instrument, its index in the fabric's tables and the first rule that uses it."""

    index: int
    instrument: Instrument
    first_rule: Rule


@dataclass(frozen=True)
class PlacedRule:
    """A rule and the indices of its trigger, order and template."""

    rule: Rule
    trigger: int
    order: int
    template: int


@dataclass(frozen=True)
class Image:
    """Contents of the fabric's memories.

    ``memories`` maps a memory's name to little-endian records at the memory's stride, trailing zero records left out.
    ``rules`` is in the order of rule indices. ``used`` counts what the strategy takes of the board's capacity.
    """

    hash_seed: int
    memories: Mapping[str, bytes]
    instruments: tuple[PlacedInstrument, ...]
    rules: tuple[PlacedRule, ...]
    used: Mapping[str, int]
