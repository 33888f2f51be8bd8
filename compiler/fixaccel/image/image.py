# SPDX-License-Identifier: Apache-2.0
"""A packed strategy."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from fixaccel.diagnostics import Diagnostic
from fixaccel.image.templates.template import Template
from fixaccel.language.terms import Instrument

Numbers = npt.NDArray[np.int32]


class ImageError(Exception):
    """The strategy does not fit the board; ``diagnostics`` say why, ``needs`` counts what it would take of it."""

    def __init__(self, diagnostics: list[Diagnostic], needs: Mapping[str, int] | None = None) -> None:
        super().__init__("\n".join(diagnostic.message for diagnostic in diagnostics))
        self.diagnostics = diagnostics
        self.needs = needs or {}


@dataclass(frozen=True, eq=False)
class Image:
    """Contents of the fabric's memories.

    ``memories`` maps a memory's name to little-endian records at the memory's stride, trailing zero records left out.
    ``instruments`` is in the order of their indices in the fabric. ``trigger``, ``order`` and ``template`` give the
    record of each part by its index over the whole strategy, of a decision those of its first interval, -1 for parts
    that the fabric does not run. ``used`` counts what the strategy takes of the board's capacity; ``templates`` are its
    messages by template number, ``windows`` the windows of time that chains name from 1 on, each some starts and
    ends in minutes of the venue's day. ``collar`` is the number of the registers `collar_hi` and `collar_lo`,
    ``commit_ahead`` that of its register.
    ``banked``: it fits a half of every memory, and its directory is made for one.
    """

    hash_seed: int
    banked: bool
    collar: int
    commit_ahead: int
    memories: Mapping[str, bytes]
    instruments: tuple[Instrument, ...]
    trigger: Numbers
    order: Numbers
    template: Numbers
    used: Mapping[str, int]
    templates: tuple[Template, ...]
    windows: list[list[list[int]]]
