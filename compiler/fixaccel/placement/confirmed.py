# SPDX-License-Identifier: Apache-2.0
"""Which thresholds with `confirm: 2` have no place in the fabric: chains are of one kind, and `<=` comes first."""

import numpy as np

from fixaccel.language.codes import Codes
from fixaccel.language.placements import PLACEMENTS, Placement
from fixaccel.placement.chain_rows import GE, ChainRows

_FABRIC = PLACEMENTS.index(Placement.FABRIC)


def place_confirmed(rows: ChainRows, placement: Codes) -> None:
    """Moves to the runtime what would fire out of turn, or unconfirmed.

    A chain is of the kind of its first part. A price that satisfies a threshold `<=` with `confirm: 2` and one `>=`
    without fires the latter first, so no such price may be.
    """
    if not (rows.confirm == 2).any():
        return
    rows = rows.take((placement[rows.part] == _FABRIC) & (rows.confirm != 0))
    _, first, of_chain = np.unique(rows.chain, return_index=True, return_inverse=True)
    mixed = rows.confirm != rows.confirm[first][of_chain]
    placement[rows.part[mixed]] = PLACEMENTS.index(Placement.MIXED)

    rows = rows.take(placement[rows.part] == _FABRIC)
    falls, plain = rows.chain % 2 != GE, rows.confirm == 1
    # Of the plain ones `>=`, by the number of the `<=` beside them.
    lowest = np.full(rows.chain.max(initial=0) + 2, np.iinfo(np.int64).max)
    rises = rows.take(~falls & plain)
    np.minimum.at(lowest, rises.chain - 1, rises.threshold)
    confirmed = rows.take(falls & ~plain)
    behind = confirmed.threshold >= lowest[confirmed.chain]
    placement[confirmed.part[behind]] = PLACEMENTS.index(Placement.BEHIND)
