# SPDX-License-Identifier: Apache-2.0
"""The manifest: what a bundle is, and the hash of everything in it."""

import hashlib
import json
from collections.abc import Mapping
from importlib.metadata import version
from typing import Any

from fixaccel.emit.rules import BLOCKS_FILE, RULES_FILE, SOFTWARE_FILE, STANDBY_FILE, envelope_entries
from fixaccel.hwmap.hwmap import Hwmap
from fixaccel.image.image import Image
from fixaccel.image.limits_left import limits_entry
from fixaccel.image.parts import Parts
from fixaccel.language.placements import placed
from fixaccel.language.rules import Strategy
from fixaccel.language.terms import Board, Session
from fixaccel.values import decimal_text

# Raised when a reader of older bundles would misread a newer one.
FORMAT = 3
# Of a file that has hashes piece by piece, too.
_PIECE_BYTES = 64 << 10


def manifest(image: Image, strategy: Strategy, board: Board, hwmap: Hwmap, parts: Parts) -> dict[str, Any]:
    """All of the manifest but ``files``; ``parts`` are all parts of ``strategy``."""
    venue = strategy.venue
    return {
        "fixaccel": version("fixaccel"),
        "bundle": FORMAT,
        "hwmap": hwmap.digest,
        "strategy": strategy.name,
        "venue": {
            "name": venue.name,
            "session": _session(venue.session),
            **({"market_session": _session(venue.market_session)} if venue.market_session else {}),
            "market_data": venue.market_data,
        },
        "board": {
            "name": board.name,
            "clock_hz": board.clock_hz,
            "capacity": dict(sorted(board.capacity.items())),
        },
        "used": dict(image.used),
        "hash_seed": image.hash_seed,
        "banked": image.banked,
        "limits": limits_entry(strategy),
        "collar": image.collar,
        "commit": {"mode": venue.commit, "ahead": image.commit_ahead},
        "memories": {
            name: {"file": f"image/{name}.bin", "records": len(data) // hwmap.memories[name].record.stride_bytes}
            for name, data in image.memories.items()
        },
        "windows": image.windows,
        "instruments": _instruments(image, strategy),
        "rules": {"file": RULES_FILE, "count": len(parts)},
        "software": {"file": SOFTWARE_FILE},
        "standby": {"file": STANDBY_FILE},
        "placement": placed(strategy.placement),
        "blocks": {"file": BLOCKS_FILE},
        "envelopes": envelope_entries(parts),
        "inputs": dict(sorted(strategy.inputs.items())),
    }


def _session(session: Session) -> dict[str, Any]:
    return {
        "begin_string": session.begin_string,
        "sender_comp_id": session.sender_comp_id,
        "target_comp_id": session.target_comp_id,
        "connect_host": session.host,
        "connect_port": session.port,
        "heartbeat_s": session.heartbeat_s,
    }


def _instruments(image: Image, strategy: Strategy) -> list[dict[str, Any]]:
    """Those that have rules, in the venue's order; ``index`` is the fabric's, where it has rules for them."""
    index = {instrument.symbol: number for number, instrument in enumerate(image.instruments)}
    traded = {block.instrument.symbol for block in strategy.blocks}
    return [
        {
            "symbol": symbol,
            **({"index": index[symbol]} if symbol in index else {}),
            "unit": decimal_text(instrument.unit),
        }
        for symbol, instrument in strategy.venue.instruments.items()
        if symbol in traded
    ]


def with_files(body: Mapping[str, Any], files: Mapping[str, bytes]) -> bytes:
    """The manifest's text, with hash and size of every file of the bundle."""
    listed = {path: _listed(path, data) for path, data in sorted(files.items())}
    return (json.dumps({**body, "files": listed}, indent=1) + "\n").encode("ascii")


def _listed(path: str, data: bytes) -> dict[str, Any]:
    entry: dict[str, Any] = {"sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data)}
    # Whoever loads one bundle after another need hash those pieces only that have changed.
    if path.startswith("image/") and not path.endswith(".mem") and len(data) > _PIECE_BYTES:
        pieces = [data[at : at + _PIECE_BYTES] for at in range(0, len(data), _PIECE_BYTES)]
        entry["pieces"] = {"bytes": _PIECE_BYTES, "sha256": [hashlib.sha256(piece).hexdigest() for piece in pieces]}
    return entry
