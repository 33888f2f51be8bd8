# SPDX-License-Identifier: Apache-2.0
"""What the receive side must do with a FIX message, written apart from the RTL: exact fractions and plain lists."""

import re
import zlib
from collections.abc import Iterable
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
    groups: list[set[int]] = field(default_factory=list)  # rules of which one is sent
    children: dict[int, set[int]] = field(default_factory=dict)  # rules that a rule arms
    windows: dict[tuple[int, int, int], int] = field(default_factory=dict)  # of chains; the others are always open
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
        self.waiting = {child for children in self.children.values() for child in children}
        self.links: list[dict[str, int]] = [{}]  # records; with any, a rule's order is the first of its list
        self.first_link = dict.fromkeys(range(len(self.rules)), 0)
        lists: dict[tuple[tuple[int, int, int], ...], int] = {}
        for rule in range(len(self.rules)):
            ranges = [(*ends, 0) for ends in self._ranges(self.siblings(rule))]
            ranges += [(*ends, 1) for ends in self._ranges(self.children.get(rule, set()))]
            if ranges and (key := tuple(ranges)) not in lists:
                lists[key] = len(self.links)
                self.links += [
                    {"first": first, "last": last, "arms": arms, "more": int(place + 1 < len(ranges))}
                    for place, (first, last, arms) in enumerate(ranges)
                ]
            if ranges:
                self.first_link[rule] = lists[tuple(ranges)]

    @property
    def linked(self) -> bool:
        return len(self.links) > 1

    def siblings(self, rule: int) -> set[int]:
        """All members of the rule's group."""
        return next((group for group in self.groups if rule in group), set())

    def triggers_of(self, rules: set[int]) -> set[int]:
        return {trigger for trigger, rule in enumerate(self.triggers) if rule in rules}

    def _ranges(self, rules: set[int]) -> list[tuple[int, int]]:
        ranges: list[tuple[int, int]] = []
        for trigger in sorted(self.triggers_of(rules)):
            if ranges and ranges[-1][1] == trigger - 1:
                ranges[-1] = (ranges[-1][0], trigger)
            else:
                ranges.append((trigger, trigger))
        return ranges

    def arms(self, chain: tuple[int, int, int]) -> bool:
        """Whether a rule of the chain arms others."""
        return any(self.children.get(rule) for rule in self.chains[chain])

    @staticmethod
    def order_of(rule: int) -> int:
        """Its order, where nothing is linked."""
        return 5 * rule % 251

    def order(self, rule: int) -> int:
        return self.first_link[rule] if self.linked else self.order_of(rule)

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


Fields = list[tuple[bytes, bytes]]

# Sorted as QuickFIX sorts them; everything else is of the body.
HEADER = {*b"8 9 34 35 43 49 50 52 56 57 90 97 115 116 122 128 129 142 143 144 145".split(),
          *b"212 213 347 369 370 627 1128 1129".split()}  # fmt: skip
TRAILER = set(b"10 89 93".split())
ONCE = set(b"34 35 43 49 52 56".split())
MOST_INSTRUMENTS = 16


def split(message: bytes) -> Fields:
    """Fields of a message as texts. Raises ValueError where one is no `tag=value`."""
    fields = []
    for part in message[:-1].split(b"\x01"):
        tag, equals, value = part.partition(b"=")
        if not equals or not re.fullmatch(rb"[0-9]+", tag):
            raise ValueError(part)
        fields.append((tag.lstrip(b"0"), value))
    return fields


def in_order(fields: Fields) -> bool:
    """Whether header, body and trailer follow each other, and MsgType comes third."""
    zones = [0 if tag in HEADER else 2 if tag in TRAILER else 1 for tag, _ in fields]
    return zones == sorted(zones) and fields[2][0] == b"35"


@dataclass
class Entry:
    """One entry of a market-data message; ``symbol`` as the reference says: its own or the one before."""

    symbol: str
    texts: dict[bytes, str]

    @property
    def deleted(self) -> bool:
        return self.texts.get(b"279") == "2"

    @property
    def first(self) -> bool:
        return bool(re.fullmatch("0*1", self.texts.get(b"290", "")))


def entries_of(fields: Fields) -> tuple[list[Entry], str]:
    """Entries of a W or X, and the last symbol. An entry begins with 269 in the one, with 279 in the other."""
    begin = b"279" if fields[2][1] == b"X" else b"269"
    entries: list[Entry] = []
    symbol = ""
    for tag, value in fields[3:]:
        text = value.decode("latin-1")
        if tag == begin:
            entries.append(Entry(symbol, {}))
        if entries:
            entries[-1].texts[tag] = text
        if tag == b"55":
            symbol = text
            if entries:
                entries[-1].symbol = text
    return entries, symbol


def prices(entries: list[Entry], *, update: bool) -> dict[int, str]:
    """Best bid, best ask and last trade of one instrument's entries, as text."""
    found: dict[int, str] = {}
    for source, kind in ((BID, "0"), (ASK, "1"), (LAST, "2")):
        side = [entry for entry in entries if entry.texts.get(b"269") == kind]
        if source == LAST:
            chosen = [entry for entry in side if not entry.deleted][-1:]
        else:
            chosen = [entry for entry in side if entry.first]
            chosen += [entry for entry in side if not (update and b"290" in entry.texts)]
        if chosen and not chosen[0].deleted and b"270" in chosen[0].texts:
            found[source] = chosen[0].texts[b"270"]
    return found


class Model:
    """State of the receive side over messages. ``expected`` is the MsgSeqNum of the next one.

    A fire of trigger n is rejected where bit n modulo 32 of ``rejects`` is set: it changes no other rule.
    """

    def __init__(self, tables: Tables, expected: int = 1, live: set[int] | None = None, rejects: int = 0) -> None:
        self.tables = tables
        self.dormant = tables.triggers_of(tables.waiting)
        self.live = set(range(len(tables.triggers))) - self.dormant if live is None else set(live)
        self.rejects = rejects
        self.open = {0}  # windows of time
        self.fires = [0] * len(tables.triggers)
        self.messages = 0
        self.invalid = 0
        self.poss_dup = 0
        self.refused = 0
        self.unread = 0
        self.expected = expected
        self.lost = False

    def counts(self) -> dict[str, int]:
        """Counters that are not zero, by the bench's names."""
        names = {"price_invalid": self.invalid, "poss_dup": self.poss_dup, "refused": self.refused,
                 "unread": self.unread, "desync": int(self.lost)}  # fmt: skip
        return {name: count for name, count in names.items() if count}

    def message(self, message: bytes) -> list[Hit]:
        """Hits of one complete message with right framing and CheckSum."""
        if self.lost:
            return []
        self.messages += 1
        try:
            fields = split(message)
            repeated, in_turn = self.judge(fields, self.expected)
        except ValueError:
            self.refused += 1
            self.lost = True
            return []
        self.expected += in_turn
        self.poss_dup += repeated
        return [] if repeated else self.observations(message)

    def observations(self, message: bytes) -> list[Hit]:
        """Hits of a message that was taken in its turn."""
        fields = split(message)
        return self._market_data(fields) if fields[2][1] in {b"W", b"X"} else []

    @staticmethod
    def judge(fields: Fields, expected: int) -> tuple[bool, bool]:
        """(sent again, counts) of a message that the session takes; ValueError if it does not."""
        values = dict(fields)
        tags = [tag for tag, _ in fields]
        if not in_order(fields) or any(tags.count(tag) > 1 for tag in ONCE) or not all(value for _, value in fields):
            raise ValueError("fields")
        if tags.count(b"8") + tags.count(b"9") + tags.count(b"10") != 3 or values[b"8"] != b"FIX.4.4":
            raise ValueError("framing")
        if (values.get(b"49"), values.get(b"56")) != (EXCHANGE.encode(), CLIENT.encode()) or b"52" not in values:
            raise ValueError("header")
        if values.get(b"43") not in {None, b"Y", b"N"} or values[b"35"] in {b"4", b"5", b"A"}:
            raise ValueError("kind")
        if not re.fullmatch(rb"0*[0-9]{1,8}", values.get(b"34", b"")):
            raise ValueError("number")
        number, repeated = int(values[b"34"]), values.get(b"43") == b"Y"
        if number > expected or (number < expected and not repeated):
            raise ValueError("turn")
        return repeated, number == expected

    def _market_data(self, fields: Fields) -> list[Hit]:
        entries, symbol = entries_of(fields)
        known = {instrument.symbol: index for index, instrument in enumerate(self.tables.instruments)}
        if fields[2][1] == b"W":
            if len({value for tag, value in fields if tag == b"55"}) != 1:
                self.unread += 1
                return []
            return self.observe(known[symbol], prices(entries, update=False)) if symbol in known else []
        if not all(entry.symbol for entry in entries):
            self.unread += 1
            return []
        order = list(dict.fromkeys(entry.symbol for entry in entries if entry.symbol in known))
        if len(order) > MOST_INSTRUMENTS:
            self.lost = True
            return []
        texts = {one: prices([e for e in entries if e.symbol == one], update=True) for one in order}
        return [hit for one in order for hit in self.observe(known[one], texts[one])]

    def observe(self, index: int, texts: dict[int, str]) -> list[Hit]:
        hits = []
        arming: set[int] = set()
        for source in sorted(texts):
            units = self.tables.instruments[index].units(texts[source])
            if units is None:
                self.invalid += 1
                continue
            for direction in (LE, GE):
                chain = (index, source, direction)
                first, last = self.tables.ends.get(chain, (0, -1))
                if self.tables.windows.get(chain, 0) not in self.open:
                    continue
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
                    order = self.tables.order(rule)
                    fires = self.fires[trigger]
                    hits.append(Hit(trigger, rule, order, index, source, units, fires, self.messages, int(exhausted)))
                    if not self.rejects >> trigger % 32 & 1:
                        siblings = self.tables.triggers_of(self.tables.siblings(rule))
                        self.live -= siblings
                        self.dormant -= siblings
                        arming |= self.tables.triggers_of(self.tables.children.get(rule, set()))
        self.live |= self.dormant & arming
        self.dormant -= arming
        return hits


EXCHANGE, CLIENT = "EXCH", "CPU"


def message(kind: str, fields: Iterable[tuple[int, str]], number: int = 1) -> bytes:
    """A message of the session, from the exchange."""
    return fix([(35, kind), (49, EXCHANGE), (56, CLIENT), (34, str(number)), (52, "20250314-12:00:00.000"), *fields])


def snapshot(
    symbol: str,
    entries: list[tuple[str, str]],
    positions: bool = False,
    extra: tuple[tuple[int, str], ...] = (),
    number: int = 1,
) -> bytes:
    """A 35=W. ``entries``: (269, 270); ``positions`` adds a 290 that counts each type from 1."""
    fields = [*extra, (55, symbol), (268, str(len(entries)))]
    count: dict[str, int] = {}
    for kind, price in entries:
        count[kind] = count.get(kind, 0) + 1
        fields += [(269, kind), (270, price), (271, "10")]
        if positions:
            fields.append((290, str(count[kind])))
    return message("W", fields, number)


def update(entries: Iterable[Iterable[tuple[int, str]]], number: int = 1) -> bytes:
    """A 35=X of ``entries``, each with its fields behind MDUpdateAction(279) as they are."""
    listed = list(entries)
    return message("X", [(268, str(len(listed))), *(field for entry in listed for field in entry)], number)


def numbered(messages: Iterable[bytes], first: int = 1) -> list[bytes]:
    """The messages with MsgSeqNum counted from ``first``, BodyLength and CheckSum made anew."""
    return [_with_number(message, number) for number, message in enumerate(messages, first)]


def _with_number(message: bytes, number: int) -> bytes:
    body = message[message.index(b"\x0135=") + 1 : -7]
    body, replaced = re.subn(rb"\x0134=[0-9]+\x01", b"\x0134=%d\x01" % number, body, count=1)
    assert replaced == 1
    return framed(body)


def framed(body: bytes, begin: bytes = b"FIX.4.4", length: bytes | None = None) -> bytes:
    """A message around ``body`` as it is, with a right CheckSum."""
    text = b"8=%s\x019=%s\x01%s" % (begin, b"%d" % len(body) if length is None else length, body)
    return text + b"10=%03d\x01" % (sum(text) % 256)
