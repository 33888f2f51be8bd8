# SPDX-License-Identifier: Apache-2.0
"""One instrument of a venue file: ticks, lot, price range, all within what the fabric holds."""

from decimal import Decimal
from itertools import pairwise

from fixaccel.diagnostics.codes import language as codes
from fixaccel.diagnostics.codes import venue as venue_codes
from fixaccel.diagnostics.report import Related, Report
from fixaccel.language.keys.kinds import FreeText, MapOf, Number, Whole, number_help, number_schema
from fixaccel.language.keys.prices import PriceRange
from fixaccel.language.keys.schema import JsonSchema, Key, Located, Section, Shape, clip
from fixaccel.language.patterns import HWMAP
from fixaccel.language.terms import Instrument
from fixaccel.source import MappingNode, Node, ScalarNode, Span
from fixaccel.values import TickTable, decimal_text, parse_decimal, scaled

WIRE_DECIMALS = HWMAP.constant("wire_decimals")
FINEST_UNIT = Decimal(1).scaleb(-WIRE_DECIMALS)
PRICE_LIMIT = 10 ** (HWMAP.constant("wire_digits") - WIRE_DECIMALS)
UNITS_LIMIT = 1 << (HWMAP.constant("price_bits") - 1)
LOT_LIMIT = 10 ** HWMAP.constant("qty_text_chars")

Step = tuple[Located[Decimal], Located[Decimal]]  # price from which the tick holds, tick


class TickKind:
    """A tick, or ticks by the price at which they begin."""

    form = "a tick such as `0.01`, or `{0: 0.1, 1000: 0.5}`"

    def json_schema(self) -> JsonSchema:
        """A decimal, or decimals by price."""
        return {"anyOf": [*number_schema()["anyOf"], MapOf(Number(), self.form).json_schema()]}

    def read(self, node: Node, key: str, report: Report) -> list[Step] | None:
        """Steps in file order."""
        if not isinstance(node, MappingNode):
            only = Number(self.form).read(node, key, report)
            return None if only is None else [(Located(Decimal(0), node.span), Located(only, node.span))]
        steps: list[Step] = []
        pairs = MapOf(Number("a tick such as `0.01`"), self.form).read(node, key, report) or []
        for start, tick in pairs:
            price = parse_decimal(start.text)
            if tick is None:
                continue
            if price is None:
                report.add(
                    codes.BAD_NUMBER, f"`{clip(start.text)}` is not a price", start.span, help=number_help(start.text)
                )
            else:
                steps.append((Located(price, start.span), tick))
        return steps if len(steps) == len(node.entries) and steps else None


TICK = Key("tick", TickKind(), "The tick, or ticks by the price from which they hold.", required=True)
LOT = Key("lot", Number("a lot such as `100`"), "Quantities are multiples of it.", required=True)
MULTIPLIER = Key("multiplier", Number("a number such as `1000`"), "Notional is price x quantity x multiplier.")
PRICE_RANGE = Key("price_range", PriceRange(), "Lowest and highest price that can be true.", required=True)
CHANNEL = Key("channel", FreeText(64, "the name of a channel"), "The feed's channel; with only one it may be left out.")
FEED_ID = Key("id", Whole(0, (1 << 64) - 1), "SecurityID(48), where the feed names instruments by number.")
INSTRUMENT_SHAPE = Shape("an instrument", (TICK, LOT, MULTIPLIER, PRICE_RANGE, CHANNEL, FEED_ID))


def build_instrument(symbol: ScalarNode, section: Section, report: Report) -> Instrument | None:
    """The instrument, or None after reporting what is wrong with it."""
    steps, lot = section.get(TICK), section.get(LOT)
    ticks = _tick_table(steps.value, report) if steps else None
    whole_lot = _whole_lot(lot, report) if lot else None
    written = section.get(MULTIPLIER)
    if written and written.value <= 0:
        report.add(codes.BAD_NUMBER, "a multiplier is above zero", written.span)
    limits = section.get(PRICE_RANGE)
    bounds = _bounds(limits.value, ticks, report) if limits and ticks else None
    channel, number = section.get(CHANNEL), section.get(FEED_ID)
    if ticks is None or whole_lot is None or bounds is None or steps is None:
        return None
    return Instrument(
        symbol=symbol.text,
        ticks=ticks,
        lot=whole_lot,
        multiplier=written.value if written else Decimal(1),
        price_min=bounds[0],
        price_max=bounds[1],
        span=symbol.span,
        places=_places(section, steps.value),
        channel=channel.value if channel else None,
        feed_id=number.value if number else None,
    )


def _places(section: Section, steps: list[Step]) -> dict[str, Span]:
    rising = sorted(steps, key=lambda step: step[0].value)
    ticks = {f"tick {number}": tick.span for number, (_, tick) in enumerate(rising)}
    values = {key.name: section.get(key) for key in (LOT, PRICE_RANGE, CHANNEL, FEED_ID)}
    return ticks | {name: value.span for name, value in values.items() if value}


def _whole_lot(lot: Located[Decimal], report: Report) -> int | None:
    whole = scaled(lot.value, 0)
    if whole is None or not 0 < whole < LOT_LIMIT:
        report.add(codes.BAD_NUMBER, f"a lot is a whole number from 1 to {LOT_LIMIT - 1}", lot.span)
        return None
    return whole


def _tick_table(written: list[Step], report: Report) -> TickTable | None:
    steps = sorted(written, key=lambda step: step[0].value)
    bad = [tick for _, tick in steps if tick.value <= 0 or scaled(tick.value, WIRE_DECIMALS) is None]
    for tick in bad:
        message = f"a tick is a multiple of {decimal_text(FINEST_UNIT)} above zero"
        report.add(venue_codes.BAD_TICK, message, tick.span)
    if bad:
        return None
    sound = _check_multiples(steps, report)
    for (low, _), (high, _) in pairwise(steps):
        if low.value == high.value:
            report.add(
                venue_codes.BAD_TICK,
                f"two ticks from {decimal_text(low.value)} on",
                high.span,
                related=[Related("first here", low.span)],
            )
            sound = False
    return TickTable(tuple((start.value, tick.value) for start, tick in steps)) if sound else None


def _check_multiples(steps: list[Step], report: Report) -> bool:
    finest = min((tick for _, tick in steps), key=lambda tick: tick.value)
    unit = scaled(finest.value, WIRE_DECIMALS) or 1
    sound = True
    for place, (start, tick) in enumerate(steps):
        size = scaled(tick.value, WIRE_DECIMALS) or 1
        if size % unit:
            report.add(
                venue_codes.BAD_TICK,
                f"{decimal_text(tick.value)} is not a multiple of the finest tick, {decimal_text(finest.value)}",
                tick.span, related=[Related("finest tick", finest.span)],
            )  # fmt: skip
            sound = False
        begin = scaled(start.value, WIRE_DECIMALS)
        if place and (begin is None or begin % size):
            report.add(
                venue_codes.BAD_TICK,
                f"the step at {decimal_text(start.value)} does not lie on its own tick of {decimal_text(tick.value)}",
                start.span,
            )  # fmt: skip
            sound = False
    return sound


def _bounds(
    limits: tuple[Located[Decimal], Located[Decimal]], ticks: TickTable, report: Report
) -> tuple[int, int] | None:
    low, high = limits
    if low.value > high.value:
        report.add(
            venue_codes.BAD_RANGE,
            f"{decimal_text(low.value)} is above {decimal_text(high.value)}",
            low.span.until(high.span),
            help="write the lower price first",
            instead=[f"{decimal_text(high.value)}..{decimal_text(low.value)}"],
        )
        return None
    units = [_bound(limit, ticks, report) for limit in limits]
    return (units[0], units[1]) if units[0] is not None and units[1] is not None else None


def _bound(limit: Located[Decimal], ticks: TickTable, report: Report) -> int | None:
    if abs(limit.value) >= PRICE_LIMIT:
        _refuse(
            limit.span,
            f"{decimal_text(limit.value)} is beyond what the fabric reads",
            report,
            f"write a price between -{PRICE_LIMIT:,} and {PRICE_LIMIT:,}, both not included",
        )
        return None
    units = ticks.to_units(limit.value)
    if units is None or not ticks.on_grid(units):
        below, above = ticks.neighbours(limit.value)
        near = f"{decimal_text(ticks.to_price(below))} and {decimal_text(ticks.to_price(above))}"
        _refuse(limit.span, f"{decimal_text(limit.value)} lies between the ticks {near}", report)
        return None
    if abs(units) >= UNITS_LIMIT:
        _refuse(
            limit.span,
            f"{decimal_text(limit.value)} is {abs(units):,} ticks of {decimal_text(ticks.unit)} from zero",
            report,
            f"the fabric holds fewer than {UNITS_LIMIT:,}: at most {_farthest(ticks)}",
        )
        return None
    return units


def _farthest(ticks: TickTable) -> str:
    """The price farthest above zero that the fabric holds."""
    last = UNITS_LIMIT - 1
    return decimal_text(ticks.to_price(last if ticks.on_grid(last) else ticks.next_down(last)))


def _refuse(span: Span, message: str, report: Report, way_out: str | None = None) -> None:
    report.add(venue_codes.BAD_RANGE, message, span, help=way_out)
