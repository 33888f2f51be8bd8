# SPDX-License-Identifier: Apache-2.0
"""What fires a rule, in a line."""

import numpy as np

from fixaccel.language.codes import DIRECTIONS, SOURCES
from fixaccel.language.forms import At, Decision, Trail, Triggers, price_text
from fixaccel.language.rules import Block
from fixaccel.semantics.calendar import time_text


def when_text(block: Block, row: int | None = None) -> str:
    """What fires it: of one row, or of all parts of the block, thresholds from lowest to highest."""
    form, instrument = block.form, block.instrument
    match form:
        case Decision():
            low, high = (price_text(end, form.source, instrument) for end in form.over)
            return f"{form.source.value} in {low}..{high}, {len(form.low)} intervals"
        case Trail():
            start = "" if form.activate is None else f", active after {form.activate.text}"
            return f"{form.source.value} trailed by {form.by.text}{start}"
        case At():
            return f"at {time_text(form.second)}"
    rows = slice(None) if row is None else slice(row, row + 1)
    return ", ".join(_thresholds(form, rows, block))


def _thresholds(form: Triggers, rows: slice, block: Block) -> list[str]:
    kinds = form.source[rows].astype(np.int32) * len(DIRECTIONS) + form.direction[rows]
    texts = []
    for kind in np.unique(kinds).tolist():
        source, direction = SOURCES[kind // len(DIRECTIONS)], DIRECTIONS[kind % len(DIRECTIONS)]
        chosen = form.threshold[rows][kinds == kind]
        low, high = (price_text(int(end), source, block.instrument) for end in (chosen.min(), chosen.max()))
        texts.append(f"{source.value} {direction.value} {low}" + (f"..{high}" if low != high else ""))
    return texts
