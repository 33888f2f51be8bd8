# SPDX-License-Identifier: Apache-2.0
"""Events of a test: `MSFT last 1181 @10:00` or `fill entry 3 at 1149`, from text to messages."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from fixaccel.diagnostics.codes.events import EVENT_INSTRUMENT, EVENT_KIND
from fixaccel.diagnostics.codes.testing import TEST_EVENT, TEST_PRICE, TEST_RULE, TEST_TIME
from fixaccel.diagnostics.report import Code, Report
from fixaccel.events.part_book import PartBook
from fixaccel.language.keys.kinds import scalar_text
from fixaccel.language.keys.schema import Located, clip, nearest
from fixaccel.language.rules import Rule
from fixaccel.language.terms import Instrument, Source
from fixaccel.semantics.market import why_unseen
from fixaccel.semantics.messages import CARRIED, EXECUTIONS, UNKNOWN, Execution, Kind, Message
from fixaccel.source import Node, ScalarNode
from fixaccel.testing.clock import Clock, TimeError
from fixaccel.values import parse_decimal

ALL = "*"
_FORM = "`SYMBOL [snapshot|update|gap|halt|open] [bid P] [ask P] [last P] [@TIME]`"
_FILL_FORM = "`fill RULE QTY [at PRICE] [@TIME]`"
_AT = "at"
_WORD = re.compile(r"[^ ]+")
_QUANTITY = re.compile(r"-?[0-9]{1,15}\Z")
_EXECUTIONS = {kind.value: kind for kind in EXECUTIONS}
_KINDS = {kind.value: kind for kind in Kind if kind not in EXECUTIONS}
_SOURCES = {source.value: source for source in CARRIED}
WITHOUT_PRICES = (Kind.GAP, Kind.HALT, Kind.OPEN)


@dataclass(frozen=True, slots=True)
class WrittenEvent:
    """An event before venue and strategy give it meaning; ``time`` is the text after the `@`.

    Of an execution ``symbol`` is the rule's name, and ``qty`` what was filled.
    """

    symbol: Located[str]
    kind: Kind
    prices: Mapping[Source, Located[str]]
    time: Located[str] | None
    qty: int = 0
    price: str = ""


@dataclass(frozen=True)
class EventKind:
    """One line of `events`."""

    form: str = "an event such as `MSFT last 1181`"

    def json_schema(self) -> dict[str, Any]:
        """A text of the pattern."""
        kinds, sources = "|".join(_KINDS), "|".join(_SOURCES)
        market = rf"[^ ]+( +({kinds}))?( +({sources}) +(-|-?[0-9]+(\.[0-9]+)?))*"
        own = r"fill +[^ ]+ +-?[0-9]+( +at +-?[0-9]+(\.[0-9]+)?)?|(done|reject) +[^ ]+"
        return {"type": "string", "pattern": rf"^ *({own}|{market})( +@[^ ]+)? *$"}

    def read(self, node: Node, key: str, report: Report) -> WrittenEvent | None:
        """The event."""
        scalar = scalar_text(node, key, self.form, report)
        if scalar is None:
            return None
        words = [Located(match[0], scalar.part(*match.span())) for match in _WORD.finditer(scalar.text)]
        if not words:
            report.add(TEST_EVENT, "the event is empty", scalar.span, help=f"write {_FORM}")
            return None
        return _Reader(words, scalar, report).event()


class _Reader:
    """Takes the words of one event from left to right."""

    def __init__(self, words: list[Located[str]], scalar: ScalarNode, report: Report) -> None:
        self._words = words
        self._scalar = scalar
        self._report = report

    def event(self) -> WrittenEvent | None:
        symbol, rest = self._words[0], self._words[1:]
        time = None
        if rest and rest[-1].value.startswith("@"):
            time = Located(rest[-1].value[1:], rest[-1].span)
            rest = rest[:-1]
        if symbol.value in _EXECUTIONS:
            return self._execution(symbol, rest, time)
        kind = Kind.UPDATE
        if rest and rest[0].value in _KINDS:
            kind = _KINDS[rest[0].value]
            rest = rest[1:]
        if rest and kind in WITHOUT_PRICES:
            self._refuse(EVENT_KIND, f"`{kind.value}` carries no prices", rest[0], "leave the prices out")
            return None
        if symbol.value == ALL and kind not in WITHOUT_PRICES:
            self._refuse(EVENT_KIND, f"`{kind.value}` is of one instrument", symbol, "write its symbol")
            return None
        prices = self._prices(rest)
        return None if prices is None else WrittenEvent(symbol, kind, prices, time)

    def _execution(
        self, first: Located[str], words: list[Located[str]], time: Located[str] | None
    ) -> WrittenEvent | None:
        """What befell an order of a rule: `fill entry 3 at 1149`, `done entry`, `reject entry`."""
        kind = _EXECUTIONS[first.value]
        form = _FILL_FORM if kind is Kind.FILL else f"`{first.value} RULE [@TIME]`"
        if not words:
            self._refuse(TEST_EVENT, f"`{first.value}` names no rule", first, f"write {form}")
            return None
        rule, rest = words[0], words[1:]
        if kind is not Kind.FILL:
            if rest:
                self._refuse(TEST_EVENT, f"`{clip(rest[0].value)}` does not belong here", rest[0], f"write {form}")
                return None
            return WrittenEvent(rule, kind, {}, time)
        qty, rest = (rest[0] if rest else rule), rest[1:]
        if qty is rule or not _QUANTITY.match(qty.value) or not int(qty.value):
            message = "the fill has no quantity" if qty is rule else f"`{clip(qty.value)}` is not a quantity"
            self._refuse(TEST_EVENT, message, qty, f"write {form}; QTY is below zero where a fill was busted")
            return None
        if rest and (rest[0].value != _AT or len(rest) != 2 or parse_decimal(rest[1].value) is None):
            self._refuse(TEST_EVENT, f"`{clip(rest[0].value)}` does not belong here", rest[0], f"write {form}")
            return None
        return WrittenEvent(rule, kind, {}, time, int(qty.value), rest[1].value if rest else "")

    def _prices(self, words: list[Located[str]]) -> dict[Source, Located[str]] | None:
        prices: dict[Source, Located[str]] = {}
        for name, price in zip(words[::2], [*words[1::2], None], strict=False):
            source = _SOURCES.get(name.value)
            if source is None:
                self._refuse_word(name)
                return None
            if price is None or price.value in _SOURCES:
                self._refuse(TEST_EVENT, f"`{name.value}` has no price", name, f"write `{name.value} 100.25`")
                return None
            if source in prices:
                self._refuse(TEST_EVENT, f"`{name.value}` stands twice", name, "write one event for each price")
                return None
            if price.value != UNKNOWN and parse_decimal(price.value) is None:
                way_out = f"write `{name.value} 100.25`, or `{name.value} -` where it becomes unknown"
                self._refuse(TEST_EVENT, f"`{clip(price.value)}` is not a price", price, way_out)
                return None
            prices[source] = price
        return prices

    def _refuse_word(self, word: Located[str]) -> None:
        if word.value.startswith("@"):
            self._refuse(TEST_EVENT, "the time stands at the end of an event", word, f"write {_FORM}")
            return
        close = nearest(word.value, [*_KINDS, *_SOURCES], self._report)
        way_out = f"did you mean `{close}`?" if close else f"write {_FORM}"
        message = f"`{clip(word.value)}` does not belong here"
        self._refuse(TEST_EVENT, message, word, way_out, [close] if close else [])

    def _refuse(self, code: Code, message: str, word: Located[str], way_out: str, instead: Iterable[str] = ()) -> None:
        self._report.add(code, message, word.span, help=way_out, instead=instead)


def to_messages(
    events: list[Located[WrittenEvent]],
    instruments: Mapping[str, Instrument],
    zone: str,
    report: Report,
    parts: PartBook,
) -> list[Message]:
    """Messages of the events of one test, numbered from 1. Events with a fault are reported and left out."""
    clock = Clock(zone)
    messages: list[Message] = []
    for number, event in enumerate((located.value for located in events), start=1):
        symbol, rule = event.symbol.value, None
        if event.kind in EXECUTIONS:
            rule = _rule(event, parts, report)
            if rule is None:
                continue
        elif symbol != ALL and symbol not in instruments:
            close = nearest(symbol, instruments, report)
            way_out = f"did you mean `{close}`?" if close else "the venue file lists the instruments"
            message = f"the venue has no instrument `{clip(symbol)}`"
            instead = [close] if close else []
            report.add(EVENT_INSTRUMENT, message, event.symbol.span, help=way_out, instead=instead)
            continue
        try:
            ts_ns = clock.next(event.time.value if event.time else None)
        except TimeError as error:
            place = event.time.span if event.time else event.symbol.span
            report.add(TEST_TIME, str(error), place, help=error.help)
            continue
        if rule:
            told = Execution(rule.index, event.qty, event.price)
            messages.append(Message(number, ts_ns, rule.instrument.symbol, event.kind, {}, {}, told))
            continue
        if symbol != ALL:
            _warn_of_unseen(event, instruments[symbol], report)
        prices = {source: price.value for source, price in event.prices.items()}
        messages.append(Message(number, ts_ns, None if symbol == ALL else symbol, event.kind, prices, {}))
    return messages


def _rule(event: WrittenEvent, parts: PartBook, report: Report) -> Rule | None:
    """The part whose order an event is about."""
    found = parts.find(event.symbol.value)
    if isinstance(found, Rule):
        return found
    report.add(TEST_RULE, found.message, event.symbol.span, help=found.help or "disabled rules are not there")
    return None


def _warn_of_unseen(event: WrittenEvent, instrument: Instrument, report: Report) -> None:
    """A price that no rule can see makes its side unknown, and a test that expects nothing passes."""
    for source, price in event.prices.items():
        why = why_unseen(instrument, price.value)
        if why:
            message = f"`{source.value} {price.value}` is no observation: {why}"
            way_out = f"correct the price; where the side is to become unknown, write `{source.value} {UNKNOWN}`"
            report.add(TEST_PRICE, message, price.span, help=way_out)
