# SPDX-License-Identifier: Apache-2.0
"""What the receive side must do with a FIX message, written apart from the RTL: exact fractions and plain lists."""

import re
from collections.abc import Iterator
from fractions import Fraction

from rx_messages import CLIENT, EXCHANGE, MOST_INSTRUMENTS, ONCE, Fields, entries_of, in_order, prices, split
from rx_tables import ASK, BID, GE, LAST, LE, MID, MOST_FIRES, Decision, Hit, Tables, Trail


class Model:
    """State of the receive side over messages. ``expected`` is the MsgSeqNum of the next one.

    A fire of trigger n is rejected where bit n modulo 32 of ``rejects`` is set: it changes no other rule.
    ``collar`` is in basis points; None: there is none.
    """

    def __init__(
        self,
        tables: Tables,
        expected: int = 1,
        live: set[int] | None = None,
        rejects: int = 0,
        collar: int | None = None,
    ) -> None:
        self.tables = tables
        self.collar = collar
        self.known: dict[tuple[int, int], int] = {}  # by instrument and source, in units
        self.newest: dict[tuple[int, int], int] = {}  # likewise: the last observation, whatever was said since
        self.armed = True
        self.dormant = tables.triggers_of(tables.waiting)
        self.live = tables.live if live is None else set(live)
        self.rejects = rejects
        self.open = {0}  # windows of time
        self.fires = [0] * len(tables.triggers)
        self.stops = {rule: tables.rules[rule].stop() | {"set": 0} for rule in tables.trails}  # as records
        self.messages = 0
        self.invalid = 0
        self.poss_dup = 0
        self.refused = 0
        self.unread = 0
        self.expected = expected
        self.lost = False

    def forget(self) -> None:
        """A gap, or the host's word."""
        self.known.clear()
        self.newest.clear()

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

    def reference(self, index: int) -> Fraction | None:
        """What the collar compares with, in units."""
        bid, ask, last = (self.known.get((index, source)) for source in (BID, ASK, LAST))
        if last is not None:
            return Fraction(last)
        return None if bid is None or ask is None or bid > ask else Fraction(bid + ask, 2)

    def note(self, index: int, texts: dict[int, str | None]) -> dict[int, int]:
        """Makes known what a message says; its observations."""
        seen = {}
        for source, text in sorted(texts.items()):
            units = None if text is None else self.tables.instruments[index].units(text)
            self.invalid += text is not None and units is None
            self.known.pop((index, source), None)
            if units is not None:
                seen[source] = self.known[index, source] = self.newest[index, source] = units
        return seen

    def observe(self, index: int, texts: dict[int, str | None]) -> list[Hit]:
        hits = []
        arming: set[int] = set()
        reviving: set[int] = set()
        reference = self.reference(index)
        before = dict(self.newest)
        seen = self.note(index, texts)
        if not self.armed or (self.collar is not None and reference is None):
            return []
        bid, ask = (self.known.get((index, source)) for source in (BID, ASK))
        if seen.keys() & {BID, ASK} and bid is not None and ask is not None and bid <= ask:
            seen[MID] = bid + ask
        for source, units in seen.items():
            price = Fraction(units, 2) if source == MID else units
            far = self.collar is not None and abs(price - reference) * 10_000 > self.collar * abs(reference)

            def fire(trigger: int, interval: int, source: int = source, units: int = units, far: bool = far) -> None:
                rule = self.tables.triggers[trigger][1]
                self.live.remove(trigger)
                exhausted = int(self.fires[trigger] == MOST_FIRES)
                self.fires[trigger] += not exhausted
                order = self.tables.order(rule, interval)
                fires = self.fires[trigger]
                hits.append(Hit(trigger, rule, order, index, source, units, fires, self.messages, exhausted, int(far)))
                if not self.rejects >> trigger % 32 & 1:
                    siblings = self.tables.triggers_of(self.tables.siblings(rule))
                    self.live -= siblings
                    self.dormant -= siblings
                    self.revive(self.tables.triggers_of(self.tables.revived_at_once.get(rule, set())))
                    arming.update(self.tables.triggers_of(self.tables.children.get(rule, set())))
                    reviving.update(self.tables.triggers_of(self.tables.revived.get(rule, set())))

            for direction in (LE, GE):
                chain = (index, source, direction)
                if self.tables.windows.get(chain, 0) not in self.open:
                    continue
                confirming = {trigger for trigger, _ in self.satisfied(chain, before.get((index, source)))}
                for trigger, interval in self.satisfied(chain, units):
                    if trigger in self.live and (chain not in self.tables.confirmed or trigger in confirming):
                        fire(trigger, interval)
            for rule in self.tables.trails:
                trail, trigger = self.tables.rules[rule], self.tables.first_trigger[rule]
                if trail.instrument != index or trail.window not in self.open or trigger not in self.live:
                    continue
                if self.follow(trail, self.stops[rule], source, units):
                    fire(trigger, 0)
                    self.stops[rule] = {"price": 0, "active": 1, "set": 0}
        self.live |= self.dormant & arming
        self.dormant -= arming
        self.revive(reviving)
        return hits

    @staticmethod
    def follow(trail: Trail, stop: dict[str, int], source: int, units: int) -> bool:
        """Whether an observation fires a trail; else what it does to its ``stop``."""
        if not stop["active"] and trail.wait and trail.wait[0] == source:
            _, direction, price = trail.wait
            stop["active"] = int(units <= price if direction == LE else units >= price)
        if not stop["active"] or trail.source != source:
            return False
        moved = units - trail.distance if trail.sell else units + trail.distance
        if not stop["set"]:
            stop.update(price=moved, set=1)
            return False
        if units <= stop["price"] if trail.sell else units >= stop["price"]:
            return True
        stop["price"] = max(stop["price"], moved) if trail.sell else min(stop["price"], moved)
        return False

    def revive(self, triggers: set[int]) -> None:
        self.live |= triggers
        self.dormant -= triggers

    def satisfied(self, chain: tuple[int, int, int], units: int | None) -> Iterator[tuple[int, int]]:
        """Triggers of the chain that the price satisfies, in firing order, with the interval of a decision."""
        if units is None:
            return
        first, last = self.tables.ends.get(chain, (0, -1))
        for trigger in range(first, last + 1):
            threshold, rule, _ = self.tables.triggers[trigger]
            one = self.tables.rules[rule]
            if isinstance(one, Decision):
                interval = one.lands(units)
                if interval is not None:
                    yield trigger, interval
                return
            if not (units <= threshold if chain[2] == LE else units >= threshold):
                return
            yield trigger, 0
