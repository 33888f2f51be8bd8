# SPDX-License-Identifier: Apache-2.0
"""The keys of `limits`, the risk gate."""

from fixaccel.diagnostics.codes import language as codes
from fixaccel.diagnostics.report import Report
from fixaccel.language.keys.distances import PercentKind
from fixaccel.language.keys.kinds import Choice, Duration, MapOf, Number, Whole
from fixaccel.language.keys.schema import Key, Located, Section, Shape
from fixaccel.language.patterns import HWMAP
from fixaccel.language.written import WrittenLimits

_QTY_MOST = 10 ** HWMAP.constant("qty_text_chars") - 1
_RATE_MOST = HWMAP.constant("bucket_rate_most")
_COUNT_MOST = 10**15

ORDER_QTY = Key("order_qty", Whole(1, _QTY_MOST), "Largest quantity of one order; a violation is a compile error.")
ORDER_NOTIONAL = Key(
    "order_notional",
    Number("an amount such as `600000`"),
    "Largest abs(price) x quantity x multiplier of one order; the price is the limit, or what a market order observed.",
)
LIMIT_COLLAR = Key(
    "limit_collar", PercentKind(), "How far a limit price may lie from its rule's own threshold; checked when compiled."
)
COLLAR = Key(
    "collar",
    PercentKind(),
    "How far the observed price may lie from the reference: `last`, or else the mid, as known before the message.",
)
COLLAR_BREACH = Key(
    "collar_breach",
    Choice({"reject": False, "ignore": True}),
    "`reject`: what an observation outside the collar fires is spent without an order; `ignore`: it fires nothing.",
)
SELF_TRADE = Key(
    "self_trade",
    Choice({"reject": True}),
    "`reject`: no order leaves that would meet one of our own that may rest on the other side.",
)
REPEAT = Key("repeat", Duration(), "No order of a rule leaves sooner than this after the last one of the same rule.")
ORDERS_PER_SECOND = Key("orders_per_second", Whole(1, _RATE_MOST), "Token bucket; the burst is the same number.")
TOTAL_ORDERS = Key("total_orders", Whole(1, _COUNT_MOST), "Orders sent since the counters were reset.")
TOTAL_QTY = Key(
    "total_qty", Whole(1, _COUNT_MOST), "Sum of ordered quantity, each side counted separately.", required=True
)
INSTRUMENT_LIMITS = Shape("limits of an instrument", (TOTAL_QTY,))
PER_INSTRUMENT = Key(
    "per_instrument", MapOf(INSTRUMENT_LIMITS, "limits by symbol such as `{MSFT: {total_qty: 1000}}`"), "By symbol."
)
LIMITS_SHAPE = Shape(
    "`limits`",
    (
        ORDER_QTY,
        ORDER_NOTIONAL,
        LIMIT_COLLAR,
        COLLAR,
        COLLAR_BREACH,
        SELF_TRADE,
        REPEAT,
        ORDERS_PER_SECOND,
        TOTAL_ORDERS,
        PER_INSTRUMENT,
    ),
)


def written_limits(section: Section, report: Report) -> WrittenLimits:
    """The limits that ``section`` holds."""
    notional = section.get(ORDER_NOTIONAL)
    if notional and notional.value <= 0:
        report.add(codes.BAD_NUMBER, "an amount of money is above zero", notional.span)
        notional = None
    repeat = section.get(REPEAT)
    if repeat and repeat.value == 0:
        report.add(
            codes.BAD_DURATION, "`repeat` of no time rejects nothing", repeat.span, help="give a time, or leave it out"
        )
        repeat = None
    breach = section.get(COLLAR_BREACH)
    if breach and COLLAR.name not in section.keys:
        way_out = "add `collar: 5%`, or leave `collar_breach` out"
        report.add(codes.MISSING_KEY, "`collar_breach` needs `collar`", breach.span, help=way_out)
    return WrittenLimits(
        order_qty=section.get(ORDER_QTY),
        order_notional=notional,
        limit_collar=section.get(LIMIT_COLLAR),
        collar=section.get(COLLAR),
        collar_breach=breach,
        orders_per_second=section.get(ORDERS_PER_SECOND),
        total_orders=section.get(TOTAL_ORDERS),
        total_qty=_total_qty(section),
        self_trade=section.get(SELF_TRADE),
        repeat=repeat,
    )


def _total_qty(section: Section) -> tuple[tuple[Located[str], Located[int]], ...]:
    found = []
    listed = section.get(PER_INSTRUMENT)
    for symbol, limits in listed.value if listed else ():
        most = limits.value.get(TOTAL_QTY) if limits else None
        if most:
            found.append((Located(symbol.text, symbol.span), most))
    return tuple(found)
