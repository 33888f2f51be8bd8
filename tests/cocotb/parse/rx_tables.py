# SPDX-License-Identifier: Apache-2.0
"""Tables of the receive side, and what a fire is, as tests and their model have them."""

import random
import re
import zlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise

BID, ASK, LAST, MID = 0, 1, 2, 3
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
    """One threshold rule, in units of its instrument (mid: half units). Its index in the list is its rule number."""

    instrument: int
    source: int
    direction: int
    threshold: int


@dataclass(frozen=True)
class Decision:
    """One rule of intervals, which rise and are inclusive. It has the place of `>=` of its source to itself."""

    instrument: int
    source: int
    intervals: tuple[tuple[int, int], ...]
    direction: int = GE

    @property
    def threshold(self) -> int:
        return self.intervals[0][0]

    def lands(self, units: int) -> int | None:
        """The interval that holds the price."""
        return next((n for n, (low, high) in enumerate(self.intervals) if low <= units <= high), None)


def some_decided(rng: random.Random, rules: list[Rule], share: float, reach: int) -> list[Rule | Decision]:
    """The rules, but that a ``share`` of their places for `>=` have a decision over prices below ``reach`` instead."""
    decided: dict[tuple[int, int], Decision | None] = {}
    found: list[Rule | Decision] = []
    for rule in rules:
        place = (rule.instrument, rule.source)
        if rule.direction == LE or (place not in decided and rng.random() >= share):
            found.append(rule)
            if rule.direction == GE:
                decided[place] = None
        elif place not in decided:
            ends = sorted(rng.choices(range(2 * reach if rule.source == MID else reach), k=2 * rng.randrange(1, 8)))
            pairs = [pair for n, pair in enumerate(pairwise(ends)) if n % 2 == 0]
            apart = [pair for n, pair in enumerate(pairs) if n == 0 or pair[0] > pairs[n - 1][1]]
            decided[place] = Decision(*place, tuple(apart))
            found.append(decided[place])
        elif decided[place] is None:
            found.append(rule)
    return found


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
    outside: int = 0


@dataclass
class Tables:
    """Trigger order, chains and directory of some instruments and rules."""

    instruments: list[Instrument]
    rules: list[Rule | Decision]
    capacity: int = 16
    groups: list[set[int]] = field(default_factory=list)  # rules of which one is sent
    children: dict[int, set[int]] = field(default_factory=dict)  # rules that a rule arms
    revived: dict[int, set[int]] = field(default_factory=dict)  # rules that it makes live at the message's end
    revived_at_once: dict[int, set[int]] = field(default_factory=dict)  # of sources that come later in a message
    dead: set[int] = field(default_factory=set)  # rules that are neither live nor dormant at load
    windows: dict[tuple[int, int, int], int] = field(default_factory=dict)  # of chains; the others are always open
    confirmed: set[tuple[int, int, int]] = field(default_factory=set)  # chains that take two observations
    chains: dict[tuple[int, int, int], list[int]] = field(default_factory=dict)
    triggers: list[tuple[int, int, int]] = field(default_factory=list)  # threshold, rule, interval
    first_trigger: dict[int, int] = field(default_factory=dict)  # of each rule: its live bit is the rule's
    ends: dict[tuple[int, int, int], tuple[int, int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for index, rule in enumerate(self.rules):
            self.chains.setdefault((rule.instrument, rule.source, rule.direction), []).append(index)
        for key, members in sorted(self.chains.items()):
            members.sort(key=lambda r: (-self.rules[r].threshold if key[2] == LE else self.rules[r].threshold, r))
            first = len(self.triggers)
            for rule in members:
                self.first_trigger[rule] = len(self.triggers)
                self.triggers += self._records(rule)
            self.ends[key] = (first, len(self.triggers) - 1)
        self.waiting = {child for children in self.children.values() for child in children}
        self.waits: set[int] = set()  # rules whose orders revive a trigger of no chain besides
        self.links: list[dict[str, int]] = [{}]  # records; with any, a rule's order is the first of its list
        self.first_link = dict.fromkeys(range(len(self.rules)), 0)
        lists: dict[tuple[tuple[int, ...], ...], int] = {}
        for rule in range(len(self.rules)):
            ranges = [
                (*ends, arms, revives)
                for rules, arms, revives in (
                    (self.siblings(rule), 0, 0), (self.revived_at_once.get(rule, set()), 0, 1),
                    (self.children.get(rule, set()), 1, 0), (self.revived.get(rule, set()), 1, 1),
                )
                for ends in self._ranges(rules)
            ]  # fmt: skip
            if ranges and (key := tuple(ranges)) not in lists:
                lists[key] = len(self.links)
                self.links += [
                    {
                        "first": first,
                        "last": last,
                        "arms": arms,
                        "revives": revives,
                        "more": int(place + 1 < len(ranges)),
                    }
                    for place, (first, last, arms, revives) in enumerate(ranges)
                ]
            if ranges:
                self.first_link[rule] = lists[tuple(ranges)]

    @property
    def linked(self) -> bool:
        return len(self.links) > 1

    def siblings(self, rule: int) -> set[int]:
        """All members of the rule's group."""
        return next((group for group in self.groups if rule in group), set())

    def _records(self, rule: int) -> list[tuple[int, int, int]]:
        one = self.rules[rule]
        if isinstance(one, Rule):
            return [(one.threshold, rule, 0)]
        return [(end, rule, number) for number, ends in enumerate(one.intervals) for end in ends]

    def triggers_of(self, rules: Iterable[int]) -> set[int]:
        return {self.first_trigger[rule] for rule in rules if rule in self.first_trigger}

    def decides(self, chain: tuple[int, int, int]) -> bool:
        return isinstance(self.rules[self.chains[chain][0]], Decision)

    def _ranges(self, rules: set[int]) -> list[tuple[int, int]]:
        ranges: list[tuple[int, int]] = []
        for trigger in sorted(self.triggers_of(rules)):
            if ranges and ranges[-1][1] == trigger - 1:
                ranges[-1] = (ranges[-1][0], trigger)
            else:
                ranges.append((trigger, trigger))
        return ranges

    def arms(self, chain: tuple[int, int, int]) -> bool:
        """Whether a rule of the chain arms or revives others."""
        return bool(self.waits.intersection(self.chains[chain])) or any(
            links.get(rule)
            for rule in self.chains[chain]
            for links in (self.children, self.revived, self.revived_at_once)
        )

    @property
    def live(self) -> set[int]:
        """Triggers that are live at load."""
        return self.triggers_of(set(range(len(self.rules))) - self.waiting - self.dead)

    @staticmethod
    def order_of(rule: int, interval: int = 0) -> int:
        """Its order, where nothing is linked."""
        return (5 * rule + 3 * interval) % 251

    def order(self, rule: int, interval: int = 0) -> int:
        return self.first_link[rule] if self.linked else self.order_of(rule, interval)

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
