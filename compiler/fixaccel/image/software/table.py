# SPDX-License-Identifier: Apache-2.0
"""Software tables: parts as a file of the table interpreter's columns, those of the runtime and all of them.

The runtime runs its own. The other table is for when the fabric sees nothing of the market, or there is no board.
"""

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from fixaccel.image.identity import part_hashes
from fixaccel.image.parts import Parts
from fixaccel.image.software import safetensors
from fixaccel.image.software.columns import Array, PartColumns
from fixaccel.image.software.parts import part_columns
from fixaccel.language.orders import Envelope
from fixaccel.language.placements import FABRIC
from fixaccel.language.rules import Strategy
from fixaccel.values import decimal_text

FILE = "software.safetensors"
STANDBY_FILE = "standby.safetensors"
ENVELOPES = "envelopes"
BY_HAND = "by_hand"


def software_table(
    strategy: Strategy, parts: Parts | None = None, hashes: Array | None = None, *, standby: bool = False
) -> bytes:
    """The file for the parts of ``strategy`` that are placed in the runtime, or for ``standby``: for all parts.

    ``parts`` and ``hashes`` are those of all parts, where the caller has them already.
    """
    parts = parts or Parts.of(strategy)
    rows = np.arange(len(parts)) if standby else np.flatnonzero(strategy.placement != FABRIC)
    columns, envelopes = part_columns(strategy, parts, part_hashes(strategy, parts) if hashes is None else hashes, rows)
    metadata = {
        ENVELOPES: json.dumps([_written(envelope) for envelope in envelopes], sort_keys=True),
        BY_HAND: json.dumps(_by_hand(strategy, parts.envelopes), sort_keys=True),
    }
    return safetensors.dump(columns.columns, metadata)


def read_software_table(data: bytes) -> PartColumns:
    """The columns of such a file. Raises ValueError for anything else."""
    columns, _ = safetensors.load(data)
    return PartColumns.of(columns)


def all_columns(strategy: Strategy) -> PartColumns:
    """Columns of every part, wherever it is placed."""
    parts = Parts.of(strategy)
    return part_columns(strategy, parts, part_hashes(strategy, parts), np.arange(len(parts)))[0]


def _by_hand(strategy: Strategy, envelopes: Sequence[Envelope]) -> dict[str, Any]:
    """What orders by hand have and must pass beside the columns: what all orders of the strategy agree on is theirs."""
    accounts = {envelope.account or "" for envelope in envelopes}
    notional = strategy.limits.order_notional
    fields = [envelope.fields.items() for envelope in envelopes]
    return {
        "account": accounts.pop() if len(accounts) == 1 else "",
        "fields": {str(tag): text for tag, text in set(fields[0]).intersection(*fields[1:])} if fields else {},
        "lots": [instrument.lot for instrument in strategy.venue.instruments.values()],
        "order_qty": strategy.limits.order_qty,
        **({} if notional is None else {"order_notional": decimal_text(notional)}),
        "limit_collar": strategy.limits.limit_collar,
    }


def _written(envelope: Envelope) -> dict[str, Any]:
    return {
        "tif": envelope.tif.value,
        "account": envelope.account or "",
        "fields": {str(tag): text for tag, text in envelope.fields.items()},
    }
