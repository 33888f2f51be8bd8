# SPDX-License-Identifier: Apache-2.0
"""What the receive side must do with a FIX message, written apart from the RTL: exact fractions and plain lists."""

import re
import zlib
from dataclasses import dataclass, field
from fractions import Fraction

from frames import fix

BID, ASK, LAST = 0, 1, 2
LE, GE = 0, 1
SCALE = 10**8
WORD = 1 << 32
MOST_FIRES = 2**15 - 1


@dataclass(frozen=True)
class Instrument:
    """``unit`` is the price unit in the price's own measure; the range is in units."""

    symbol: str
    unit: Fraction = Fraction(1, 100)
    price_min: int = -(10**9)
    price_max: int = 10**9

    def record(self) -> dict[str, int]:
        scaled = self.unit * SCALE
        assert scaled.denominator == 1
        odd, shift = int(scaled), 0
        while odd % 2 == 0:
            odd, shift = odd // 2, shift + 1
        return {
            "inverse": pow(odd, -1, 1 << 64), "shift": shift, "price_min": self.price_min, "price_max": self.price_max,
        }  # fmt: skip

    def units(self, text: str) -> int | None:
        """Price text to units; None: no observation."""
        if not re.fullmatch(r"-?[0-9]+(\.[0-9]+)?", text):
            return None
        units = Fraction(text) / self.unit
        if units.denominator != 1 or not self.price_min <= units <= self.price_max:
            return None
        return int(units)


@dataclass(frozen=True)
class Rule:
    """One threshold rule, in units of its instrument. Its index in the list is its rule number."""

    instrument: int
    source: int
    direction: int
    threshold: int


@dataclass(frozen=True)
class Hit:
    """What the gate must be told."""

    trigger: int
    rule: int
    order: int
    instrument: int
    source: int
    observed: int
    fires: int
    message: int
    exhausted: int = 0


@dataclass
class Tables:
    """Trigger order, chains and directory of some instruments and rules."""

    instruments: list[Instrument]
    rules: list[Rule]
    capacity: int = 16
    chains: dict[tuple[int, int, int], list[int]] = field(default_factory=dict)
    triggers: list[int] = field(default_factory=list)
    ends: dict[tuple[int, int, int], tuple[int, int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for index, rule in enumerate(self.rules):
            self.chains.setdefault((rule.instrument, rule.source, rule.direction), []).append(index)
        for key, members in sorted(self.chains.items()):
            members.sort(key=lambda r: (-self.rules[r].threshold if key[2] == LE else self.rules[r].threshold, r))
            self.ends[key] = (len(self.triggers), len(self.triggers) + len(members) - 1)
            self.triggers += members

    @staticmethod
    def order_of(rule: int) -> int:
        return 5 * rule % 251

    def directory(self, seed: int) -> tuple[dict[int, int], dict[int, int]] | None:
        """(slot of instrument, displacement of bucket), or None if this seed does not do."""
        slots = 2 * self.capacity
        buckets: dict[int, list[tuple[int, int]]] = {}
        for index, instrument in enumerate(self.instruments):
            mixed = zlib.crc32(instrument.symbol.encode()) * seed % WORD
            buckets.setdefault(mixed >> (32 - (self.capacity.bit_length() - 1)), []).append((index, mixed))
        placed: dict[int, int] = {}
        displacement: dict[int, int] = {}
        for bucket, members in sorted(buckets.items(), key=lambda item: -len(item[1])):
            for offset in range(slots):
                wanted = {(mixed + offset) % slots for _, mixed in members}
                if len(wanted) == len(members) and not wanted & set(placed.values()):
                    placed |= {index: (mixed + offset) % slots for index, mixed in members}
                    displacement[bucket] = offset
                    break
            else:
                return None
        return placed, displacement

    def seed(self) -> int:
        return next(seed for seed in range(0x9E3779B1, 0x9E3779B1 + 4000, 2) if self.directory(seed) is not None)


def split(message: bytes) -> list[tuple[int, bytes]]:
    """Fields of a message without raw data."""
    return [(int(tag), value) for tag, value in (part.split(b"=", 1) for part in message[:-1].split(b"\x01"))]


def prices(fields: list[tuple[int, bytes]]) -> dict[int, str]:
    """Best bid, best ask and last trade of a snapshot, as text."""
    entries: list[dict[int, str]] = []
    for tag, value in fields:
        if tag == 269:
            entries.append({})
        if entries:
            entries[-1][tag] = value.decode("latin-1")
    found: dict[int, str] = {}
    for source, kind in ((BID, "0"), (ASK, "1")):
        side = [entry for entry in entries if entry[269] == kind]
        best = [entry for entry in side if entry.get(290) == "1"] or side
        if best and 270 in best[0]:
            found[source] = best[0][270]
    trades = [entry for entry in entries if entry[269] == "2"]
    if trades and 270 in trades[-1]:
        found[LAST] = trades[-1][270]
    return found


class Model:
    """State of the receive side over messages."""

    def __init__(self, tables: Tables, live: set[int] | None = None) -> None:
        self.tables = tables
        self.live = set(range(len(tables.triggers))) if live is None else set(live)
        self.fires = [0] * len(tables.triggers)
        self.messages = 0
        self.invalid = 0
        self.poss_dup = 0

    def message(self, message: bytes) -> list[Hit]:
        """Hits of one complete message with right framing and CheckSum."""
        self.messages += 1
        fields = split(message)
        if (43, b"Y") in fields:
            self.poss_dup += 1
            return []
        if fields[2] != (35, b"W"):
            return []
        symbols = [value.decode("latin-1") for tag, value in fields if tag == 55]
        known = {instrument.symbol: index for index, instrument in enumerate(self.tables.instruments)}
        if not symbols or symbols[-1] not in known:
            return []
        return self.observe(known[symbols[-1]], prices(fields))

    def observe(self, index: int, texts: dict[int, str]) -> list[Hit]:
        hits = []
        for source in sorted(texts):
            units = self.tables.instruments[index].units(texts[source])
            if units is None:
                self.invalid += 1
                continue
            for direction in (LE, GE):
                first, last = self.tables.ends.get((index, source, direction), (0, -1))
                for trigger in range(first, last + 1):
                    rule = self.tables.triggers[trigger]
                    threshold = self.tables.rules[rule].threshold
                    if not (units <= threshold if direction == LE else units >= threshold):
                        break
                    if trigger not in self.live:
                        continue
                    self.live.remove(trigger)
                    exhausted = self.fires[trigger] == MOST_FIRES
                    self.fires[trigger] += not exhausted
                    order = self.tables.order_of(rule)
                    fires = self.fires[trigger]
                    hits.append(Hit(trigger, rule, order, index, source, units, fires, self.messages, int(exhausted)))
        return hits


def snapshot(
    symbol: str, entries: list[tuple[str, str]], positions: bool = False, extra: tuple[tuple[int, str], ...] = ()
) -> bytes:
    """A 35=W. ``entries``: (269, 270); ``positions`` adds a 290 that counts each type from 1."""
    fields = [(35, "W"), *extra, (55, symbol), (268, str(len(entries)))]
    count: dict[str, int] = {}
    for kind, price in entries:
        count[kind] = count.get(kind, 0) + 1
        fields += [(269, kind), (270, price), (271, "10")]
        if positions:
            fields.append((290, str(count[kind])))
    return fix(fields)
