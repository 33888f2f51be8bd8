# SPDX-License-Identifier: Apache-2.0
"""Kinds of text about prices: conditions, order prices, price ranges."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from fixaccel.diagnostics.codes import language as codes
from fixaccel.diagnostics.codes import venue as venue_codes
from fixaccel.diagnostics.report import Report
from fixaccel.language.keys.kinds import number_help, number_schema, numbers_meant, pattern_of, scalar_text
from fixaccel.language.keys.schema import JsonSchema, Located, clip, nearest
from fixaccel.language.terms import Source
from fixaccel.language.written import TriggerPrice, WrittenCondition
from fixaccel.source import Node, ScalarNode
from fixaccel.values import DECIMAL_CHARS, parse_decimal

_OPERATORS = (">=", "<=", ">", "<")
_CONDITION = re.compile(r" *(?P<source>[^\s<>=!]*) *(?P<op>[<>=!]*) *(?P<price>.*?) *\Z")
_SOURCES = {source.value: source for source in Source}
_TRIGGER = re.compile(r"trigger(?: *(?P<sign>[+-]) *(?P<ticks>[0-9]{1,9}) ticks?)?\Z")
_RANGE = re.compile(r"(?P<low>.+?)\.\.(?P<high>.+)\Z")
_MORE = re.compile(r"\b(and|or|&&|\|\|)\b", re.IGNORECASE)

_BETWEEN = re.compile(r" *(?P<low>-?[0-9]+(?:\.[0-9]+)?) *(?:-|\.{3}|:|to|\u2013) *(?P<high>-?[0-9]+(?:\.[0-9]+)?) *\Z")
_SOURCE_AND_MORE = re.compile(r"(?:last|bid|ask|mid)\b")


@dataclass(frozen=True)
class ConditionKind:
    """`SOURCE OP PRICE`."""

    form: str = "a condition such as `last <= 1180`"

    def json_schema(self) -> JsonSchema:
        """A text of the pattern."""
        sources = "|".join(_SOURCES)
        return {"type": "string", "pattern": rf"^ *({sources}) *(>=|<=|>|<) *-?[0-9]+(\.[0-9]+)? *$"}

    def read(self, node: Node, key: str, report: Report) -> WrittenCondition | None:
        """The comparison."""
        scalar = scalar_text(node, key, self.form, report)
        if scalar is None:
            return None
        match = _CONDITION.match(scalar.text)
        if match is None:
            _refuse(scalar, 0, len(scalar.text), f"this is not {self.form}", None, report)
            return None
        if _reversed(match, scalar, report):
            return None
        source = _source(match, scalar, report)
        operator = _operator(match, scalar, report)
        price = _price(match, scalar, report)
        if source is None or operator is None or price is None:
            return None
        return WrittenCondition(source, operator, price, scalar.text)


def _refuse(
    scalar: ScalarNode,
    start: int,
    end: int,
    message: str,
    way_out: str | None,
    report: Report,
    instead: Iterable[str] = (),
) -> None:
    place = scalar.part(start, end)
    # Where escapes hide the place it is the whole text's, and what mends a part would not mend that.
    exact = place.end_column - place.column == end - start
    report.add(codes.BAD_CONDITION, message, place, help=way_out, instead=instead if exact else ())


def _reversed(match: re.Match[str], scalar: ScalarNode, report: Report) -> bool:
    """`1180 >= last`: says which way round it is written."""
    if match["price"] not in _SOURCES or parse_decimal(match["source"]) is None:
        return False
    flipped = match["op"].translate(str.maketrans("<>", "><"))
    right = f"{match['price']} {flipped} {match['source']}"
    message = "the price source stands on the left of a condition"
    _refuse(scalar, 0, len(scalar.text), message, f"write `{right}`", report, [right])
    return True


def _source(match: re.Match[str], scalar: ScalarNode, report: Report) -> Source | None:
    word = match["source"]
    start, end = match.span("source")
    if word in _SOURCES:
        return _SOURCES[word]
    if not word:
        way_out = f"name the price source: last {clip(scalar.text)}"
        _refuse(scalar, 0, len(scalar.text), "the condition names no price source", way_out, report)
        return None
    close = nearest(word, _SOURCES, report)
    way_out = (
        f"did you mean `{close}`?"
        if close
        else "sources are last, bid, ask, mid; `bid/ask` is not one, write the side that is meant"
    )
    _refuse(scalar, start, end, f"`{clip(word)}` is not a price source", way_out, report, [close] if close else [])
    return None


def _operator(match: re.Match[str], scalar: ScalarNode, report: Report) -> str | None:
    operator = match["op"]
    start, end = match.span("op")
    if operator in _OPERATORS:
        return operator
    swapped = {"=>": ">=", "=<": "<="}.get(operator)
    if swapped:
        way_out = f"write `{swapped}`"
    elif operator in {"=", "=="}:
        way_out = "prices jump over a single value: write `>=` or `<=`"
    else:
        way_out = "comparisons are >=, <=, > and <"
    message = f"`{clip(operator)}` is not a comparison" if operator else "the condition has no comparison"
    _refuse(scalar, start, end, message, way_out, report, [swapped] if swapped else [])
    return None


def _price(match: re.Match[str], scalar: ScalarNode, report: Report) -> Located[Decimal] | None:
    text = match["price"]
    start, end = match.span("price")
    value = parse_decimal(text)
    if value is not None:
        return Located(value, scalar.part(start, end))
    if not match["op"]:
        return None  # without a comparison nothing says where the price begins
    if not text:
        _refuse(scalar, start - 1, len(scalar.text), "the condition has no price", "add a price: last <= 1180", report)
        return None
    more = _MORE.search(text)
    if more:
        way_out = "a condition is one comparison; write two rules, joined by `oco` or `armed_by` where needed"
        _refuse(
            scalar, start + more.start(), start + more.end(), f"there is no `{more[0]}` in a condition", way_out, report
        )
        return None
    _refuse(scalar, start, end, f"`{clip(text)}` is not a price", number_help(text), report, numbers_meant(text))
    return None


@dataclass(frozen=True)
class OrderPrice:
    """A decimal, `trigger`, or `trigger + N ticks`."""

    form: str = "a price, `trigger` or `trigger + 2 ticks`"

    def json_schema(self) -> JsonSchema:
        """A decimal, or a text of the pattern."""
        return {"anyOf": [*number_schema()["anyOf"], {"type": "string", "pattern": pattern_of(_TRIGGER)}]}

    def read(self, node: Node, key: str, report: Report) -> Decimal | TriggerPrice | None:
        """The price."""
        scalar = scalar_text(node, key, self.form, report)
        if scalar is None:
            return None
        value = parse_decimal(scalar.text)
        if value is not None:
            return value
        match = _TRIGGER.match(scalar.text)
        if match:
            ticks = int(match["ticks"] or 0)
            return TriggerPrice(-ticks if match["sign"] == "-" else ticks)
        if "trigger" in scalar.text.lower():
            way_out, instead = _trigger_help(scalar.text)
        elif _SOURCE_AND_MORE.match(scalar.text):
            way_out, instead = _trigger_help(scalar.text.partition(" ")[2] or scalar.text)
            way_out = f"the price that fires is called `trigger`; {way_out}"
        else:
            way_out, instead = number_help(scalar.text), numbers_meant(scalar.text)
        message = f"`{clip(scalar.text)}` is not {self.form}"
        report.add(codes.BAD_ORDER_PRICE, message, scalar.span, help=way_out, instead=instead)
        return None


def _trigger_help(text: str) -> tuple[str, list[str]]:
    """Distances from the trigger are whole ticks: what ``text`` may have meant, and the price where that is sure."""
    seen = re.search(r"(?P<sign>[+-]?) *(?P<number>[0-9]+(?:\.[0-9]+)?) *(?P<percent>%?)", text)
    sign = (seen and seen["sign"]) or "-"
    if seen is None or len(seen["number"]) > DECIMAL_CHARS:
        return f"write `trigger`, or `trigger {sign} 2 ticks`", []
    if seen["percent"]:
        return f"distances are counted in ticks, not in percent: write `trigger {sign} N ticks`", []
    if "." in seen["number"]:
        way_out = f"distances are counted in ticks: write `trigger {sign} N ticks`, N being {seen['number']} / the tick"
        return way_out, []
    price = f"trigger {sign} {seen['number']} ticks"
    return f"distances are counted in ticks: write `{price}`", [price]


@dataclass(frozen=True)
class PriceRange:
    """`LO..HI`, both inclusive."""

    form: str = "a price range such as `0.01..10000`"

    def json_schema(self) -> JsonSchema:
        """A text of the pattern."""
        return {"type": "string", "pattern": r"^-?[0-9]+(\.[0-9]+)? *\.\. *-?[0-9]+(\.[0-9]+)?$"}

    def read(self, node: Node, key: str, report: Report) -> tuple[Located[Decimal], Located[Decimal]] | None:
        """Low and high."""
        scalar = scalar_text(node, key, self.form, report)
        if scalar is None:
            return None
        match = _RANGE.match(scalar.text)
        low = parse_decimal(match["low"].strip()) if match else None
        high = parse_decimal(match["high"].strip()) if match else None
        if match is None or low is None or high is None:
            report.add(
                venue_codes.BAD_RANGE,
                f"`{clip(scalar.text)}` is not {self.form}",
                scalar.span,
                help=f"write {meant}" if (meant := _range_meant(scalar.text)) else "write LO..HI",
                instead=[meant] if meant else (),
            )
            return None
        return Located(low, scalar.part(*match.span("low"))), Located(high, scalar.part(*match.span("high")))


def _range_meant(text: str) -> str | None:
    """`1-10`, `1 - 10`, `1...10`, `1 to 10`: the range, where that is sure."""
    match = _BETWEEN.match(text)
    return f"{match['low']}..{match['high']}" if match and len(text) <= DECIMAL_CHARS else None
