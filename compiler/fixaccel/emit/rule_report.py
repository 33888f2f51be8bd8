# SPDX-License-Identifier: Apache-2.0
"""Rules and their parts in the words of the report."""

from typing import Any

import numpy as np

from fixaccel.emit.rules import form_name
from fixaccel.explain.when import when_text
from fixaccel.image.image import Image
from fixaccel.language.forms import Decision, Triggers
from fixaccel.language.keys.quantities import FILLED
from fixaccel.language.orders import Order
from fixaccel.language.placements import PLACEMENTS, Placement
from fixaccel.language.rules import Block, Rule, Strategy
from fixaccel.language.terms import OrderType
from fixaccel.latency.cycles import Bound


def block_entry(block: Block, strategy: Strategy, bound: Bound) -> dict[str, Any]:
    """What one written rule comes to at one instrument; ``bound`` is that of the fabric's latency."""
    counts = np.bincount(strategy.placement[block.first : block.first + len(block)], minlength=len(PLACEMENTS))
    return {
        "id": block.id,
        "instrument": block.instrument.symbol,
        "form": form_name(block.form),
        "parts": len(block),
        "when": when_text(block),
        "runs": [
            {**_runs(placement, bound.cycles(block.instrument.symbol)), "parts": int(count)}
            for placement, count in zip(PLACEMENTS, counts.tolist(), strict=True)
            if count
        ],
        "note": block.note,
    }


def rule_entry(rule: Rule, image: Image, strategy: Strategy, bound: Bound) -> dict[str, Any]:
    """One part: what it is, what it sends, and where it runs."""
    entry = {
        "id": rule.id,
        "instrument": rule.instrument.symbol,
        "when": when_text(rule.block, rule.row),
        "written": rule.condition.text if isinstance(rule.block.form, Triggers) else None,
        "order": None if isinstance(rule.block.form, Decision) else order_entry(rule.order, rule),
        "note": rule.note,
        **_runs(strategy.placed(rule.index), bound.cycles(rule.instrument.symbol)),
    }
    if image.trigger[rule.index] >= 0:
        entry["trigger"] = int(image.trigger[rule.index])
        entry["order_record"] = int(image.order[rule.index])
        entry["template"] = int(image.template[rule.index])
    return entry


def order_entry(order: Order, rule: Rule) -> dict[str, Any]:
    """An order in words; keys that it does not have are left out."""
    entry: dict[str, Any] = {
        "side": order.side.value,
        "qty": FILLED if order.filled else str(order.qty),
        "type": order.type.value,
    }
    if order.price is not None:
        entry["price"] = format(rule.instrument.to_price(order.price), "f")
    elif order.type is OrderType.LIMIT:
        sign = "-" if (order.ticks or 0) < 0 else "+"
        entry["price"] = f"trigger {sign} {abs(order.ticks)} ticks" if order.ticks else "trigger"
    entry["tif"] = order.tif.value
    if order.account is not None:
        entry["account"] = order.account
    if order.fields:
        entry["fields"] = {str(tag): text for tag, text in sorted(order.fields.items())}
    return entry


def _runs(placement: Placement, cycles: int | None) -> dict[str, Any]:
    there = placement is Placement.FABRIC
    return {
        "placement": "fabric" if there else "runtime",
        "reason": placement.value,
        "latency_cycles": cycles if there else None,
    }
