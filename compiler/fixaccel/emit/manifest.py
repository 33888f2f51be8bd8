# SPDX-License-Identifier: Apache-2.0
"""The manifest: what a bundle is, and the hash of everything in it."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from fixaccel import __version__
from fixaccel.hwmap.model import Hwmap
from fixaccel.image.model import Image, PlacedRule
from fixaccel.language.model import Board
from fixaccel.language.rules import Rule, Strategy
from fixaccel.values import decimal_text

# Raised when a reader of older bundles would misread a newer one.
FORMAT = 1


def manifest(image: Image, strategy: Strategy, board: Board, hwmap: Hwmap) -> dict[str, Any]:
    """All of the manifest but ``files``."""
    session = strategy.venue.session
    return {
        "fixaccel": __version__,
        "bundle": FORMAT,
        "hwmap": hwmap.digest,
        "strategy": strategy.name,
        "venue": {
            "name": strategy.venue.name,
            "session": {
                "begin_string": session.begin_string,
                "sender_comp_id": session.sender_comp_id,
                "target_comp_id": session.target_comp_id,
                "connect_host": session.host,
                "connect_port": session.port,
                "heartbeat_s": session.heartbeat_s,
            },
            "market_data": strategy.venue.market_data,
        },
        "board": {"name": board.name, "capacity": dict(sorted(board.capacity.items()))},
        "used": dict(image.used),
        "hash_seed": image.hash_seed,
        "memories": {
            name: {"file": f"image/{name}.bin", "records": len(data) // hwmap.memories[name].record.stride_bytes}
            for name, data in image.memories.items()
        },
        "instruments": [
            {
                "symbol": placed.instrument.symbol,
                "index": placed.index,
                "unit": decimal_text(placed.instrument.unit),
            }
            for placed in image.instruments
        ],
        "rules": [_rule(placed) for placed in image.rules],
        "inputs": dict(sorted(strategy.inputs.items())),
    }


def _rule(placed: PlacedRule) -> dict[str, Any]:
    rule = placed.rule
    condition = rule.condition
    return {
        "id": rule.id,
        "index": rule.index,
        "instrument": rule.instrument.symbol,
        "source": condition.source.value,
        "direction": condition.direction.value,
        "threshold": decimal_text(rule.instrument.to_price(condition.threshold)),
        "order": order_entry(rule),
        "trigger": placed.trigger,
        "hash": semantic_hash(rule),
    }


def order_entry(rule: Rule) -> dict[str, Any]:
    """The order of ``rule`` in words; keys that it does not have are left out."""
    order = rule.order
    entry: dict[str, Any] = {"side": order.side.value, "qty": str(order.qty), "type": order.type.value}
    if order.price is not None:
        entry["price"] = decimal_text(rule.instrument.to_price(order.price))
    entry["tif"] = order.tif.value
    if order.account is not None:
        entry["account"] = order.account
    if order.fields:
        entry["fields"] = {str(tag): text for tag, text in sorted(order.fields.items())}
    return entry


def semantic_hash(rule: Rule) -> str:
    """SHA-256 over what ``rule`` means, its name included; a note, its place or the rules around it do not count.

    A rule whose hash is the same in the next generation of tables keeps its state.
    """
    instrument = rule.instrument
    meaning = {
        "id": rule.id,
        "instrument": instrument.symbol,
        "unit": decimal_text(instrument.unit),
        "price_range": [decimal_text(instrument.to_price(end)) for end in (instrument.price_min, instrument.price_max)],
        "source": rule.condition.source.value,
        "direction": rule.condition.direction.value,
        "threshold": decimal_text(instrument.to_price(rule.condition.threshold)),
        "order": order_entry(rule),
    }
    return hashlib.sha256(json.dumps(meaning, sort_keys=True).encode("ascii")).hexdigest()


def with_files(body: Mapping[str, Any], files: Mapping[str, bytes]) -> bytes:
    """The manifest's text, with hash and size of every file of the bundle."""
    listed = {
        path: {"sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data)} for path, data in sorted(files.items())
    }
    return (json.dumps({**body, "files": listed}, indent=1) + "\n").encode("ascii")
