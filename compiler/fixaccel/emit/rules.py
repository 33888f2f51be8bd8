# SPDX-License-Identifier: Apache-2.0
"""A strategy's parts in a bundle: blocks in `blocks.json`, a row for each part in `rules.safetensors`; and back."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np
import numpy.typing as npt

from fixaccel.image.identity import hash_text, part_hashes
from fixaccel.image.image import Image
from fixaccel.image.parts import NO_CODE, Parts
from fixaccel.image.software import table as software
from fixaccel.image.software.safetensors import Columns, load
from fixaccel.language.codes import DIRECTIONS, ORDER_TYPES, SIDES, SOURCES
from fixaccel.language.forms import At, Decision, Form, Trail
from fixaccel.language.keys.quantities import FILLED
from fixaccel.language.placements import placed
from fixaccel.language.rules import Block, Strategy
from fixaccel.language.terms import OrderType, Source
from fixaccel.semantics.calendar import time_text
from fixaccel.values import decimal_text

_CLOCK = "at"
RULES_FILE = "image/rules.safetensors"
# A file of its own: it stays as it is where only thresholds, prices and quantities change, and is not read anew then.
BLOCKS_FILE = "image/blocks.json"
SOFTWARE_FILE = f"image/{software.FILE}"
STANDBY_FILE = f"image/{software.STANDBY_FILE}"


def rule_columns(strategy: Strategy, image: Image, parts: Parts) -> dict[str, npt.NDArray[Any]]:
    """The columns of `RULES_FILE`; ``parts`` are all parts of ``strategy``."""
    return {
        "hash": part_hashes(strategy, parts),
        "threshold": parts.threshold,
        "qty": parts.qty,
        "price": parts.price,
        "envelope": parts.envelope,
        "trigger": image.trigger,
        "order": image.order,
        "template": image.template,
        "placement": strategy.placement,
        "source": parts.source,
        "direction": parts.direction,
        "side": parts.side,
        "type": parts.type,
    }


def form_name(form: Form) -> str:
    """The form of a rule in manifests and reports."""
    match form:
        case Decision():
            return "decide"
        case Trail():
            return "trail"
        case At():
            return _CLOCK
    return "threshold"


def blocks_file(strategy: Strategy) -> bytes:
    """The content of `BLOCKS_FILE`, a line for each block."""
    lines = ",\n".join(json.dumps(_block(block, strategy)) for block in strategy.blocks)
    return f"[{lines}]\n".encode("ascii")


def _block(block: Block, strategy: Strategy) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "id": block.id,
        "rule": block.rule_id,
        "instrument": block.instrument.symbol,
        "form": form_name(block.form),
        "first": block.first,
        "count": len(block),
        "many": block.many,
    }
    if isinstance(block.form, Trail) and block.form.orders.ticks is not None:
        entry["ticks"] = block.form.orders.ticks  # its limit price follows its stop
    if isinstance(block.form, At):
        entry["at"] = time_text(block.form.second)
    if block.names:
        entry["names"] = {str(row): name for row, name in sorted(block.names.items())}
    return entry | {"placement": placed(strategy.placement[block.first : block.first + len(block)])}


def envelope_entries(parts: Parts) -> list[dict[str, Any]]:
    """The manifest's ``envelopes``: what orders carry besides side, quantity, type and price."""
    entries: list[dict[str, Any]] = []
    for envelope in parts.envelopes:
        entry: dict[str, Any] = {"tif": envelope.tif.value}
        if envelope.account is not None:
            entry["account"] = envelope.account
        if envelope.fields:
            entry["fields"] = {str(tag): text for tag, text in sorted(envelope.fields.items())}
        entries.append(entry)
    return entries


@dataclass(frozen=True)
class BundleRule:
    """One part as its bundle tells it. ``order`` is None for a decision; prices and thresholds are decimal texts."""

    id: str
    index: int
    instrument: str
    form: str
    source: str  # empty for what fires by the clock
    direction: str  # empty for what is no threshold, as `threshold`
    threshold: str
    order: (
        Mapping[str, Any] | None
    )  # side, qty (text, or `filled`), type, price (fixed limits only), tif, account, fields
    trigger: int  # -1: the fabric does not run it
    hash: str


class BundleRules:
    """The parts of a bundle by index. ``file`` gives a file of it by name; raises SafetensorsError, KeyError."""

    def __init__(self, manifest: Mapping[str, Any], file: Callable[[str], bytes]) -> None:
        self.columns: Columns = load(file(manifest["rules"]["file"]))[0]
        self._blocks = json.loads(file(manifest["blocks"]["file"]))
        self._starts = [block["first"] for block in self._blocks]
        self._envelopes = manifest["envelopes"]
        self._units = {entry["symbol"]: Decimal(entry["unit"]) for entry in manifest["instruments"]}

    def __len__(self) -> int:
        return len(self.columns["hash"])

    def __iter__(self) -> Iterator[BundleRule]:
        return (self[number] for number in range(len(self)))

    def __getitem__(self, index: int) -> BundleRule:
        number = range(len(self))[index]
        block = self._blocks[int(np.searchsorted(self._starts, number, "right")) - 1]
        direction, source = int(self._at("direction", number)), SOURCES[self._at("source", number)]
        unit = self._units[block["instrument"]]
        threshold = "" if direction == NO_CODE else _text(self._at("threshold", number), unit, source)
        low, high = self.columns["hash"][number].tolist()
        return BundleRule(
            id=_name(block, number),
            index=number,
            instrument=block["instrument"],
            form=block["form"],
            source="" if block["form"] == _CLOCK else source.value,
            direction="" if direction == NO_CODE else DIRECTIONS[direction].value,
            threshold=threshold,
            order=self._order(number, unit, follows="ticks" in block),
            trigger=self._at("trigger", number),
            hash=hash_text(low, high),
        )

    def by_trigger(self, trigger: int) -> BundleRule | None:
        """The rule of that trigger of the fabric, None if it is no rule's."""
        rows = np.flatnonzero(self.columns["trigger"] == trigger)
        return self[int(rows[0])] if trigger >= 0 and len(rows) else None

    def _order(self, number: int, unit: Decimal, *, follows: bool) -> dict[str, Any] | None:
        side = self._at("side", number)
        if side == NO_CODE:
            return None
        kind = ORDER_TYPES[self._at("type", number)]
        qty = self._at("qty", number)
        order = {"side": SIDES[side].value, "qty": str(qty) if qty else FILLED, "type": kind.value}
        if kind is OrderType.LIMIT and not follows:
            order["price"] = _text(self._at("price", number), unit, Source.LAST)
        return {**order, **self._envelopes[self._at("envelope", number)]}

    def _at(self, column: str, number: int) -> int:
        return int(self.columns[column][number])


def _name(block: Mapping[str, Any], number: int) -> str:
    row = number - block["first"]
    own = block.get("names", {}).get(str(row))
    return own or (f"{block['id']}[{row + 1}]" if block["many"] else block["id"])


def _text(units: int, unit: Decimal, source: Source) -> str:
    price = units * unit
    return decimal_text(price / 2 if source is Source.MID else price)
