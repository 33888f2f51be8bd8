# SPDX-License-Identifier: Apache-2.0
"""The keys of an `order`."""

from decimal import Decimal

from fixaccel.language.keys.fields import FieldsKind
from fixaccel.language.keys.kinds import Choice, Text
from fixaccel.language.keys.prices import OrderPrice
from fixaccel.language.keys.quantities import QuantityKind
from fixaccel.language.keys.schema import Key, Section, Shape
from fixaccel.language.terms import OrderType, Side, TimeInForce
from fixaccel.language.written import Filled, TriggerPrice, WrittenOrder

SIDE = Key("side", Choice({side.value: side for side in Side}), "Buy or sell.")
QTY: Key[Decimal | Filled] = Key(
    "qty",
    QuantityKind(),
    "A positive multiple of the instrument's lot, or `filled`: what the `armed_by` rule has filled.",
)
_STOP = "the price of a stop stands in the rule's `when`, and its order is `type: {}`"
_STOPS = {word: _STOP.format("market") for word in ("stop", "stp", "stop-market", "stop-loss")}
_STOPS |= {word: _STOP.format("limit") for word in ("stop-limit", "stp-lmt")}
_STOPS |= dict.fromkeys(("trailing-stop", "trail", "trailing"), "write `trail` in the rule in place of `when`")
TYPE = Key("type", Choice({type_.value: type_ for type_ in OrderType}, elsewhere=_STOPS), "Limit or market order.")
PRICE: Key[Decimal | TriggerPrice] = Key(
    "price", OrderPrice(), "The limit price: a decimal on the tick grid, or `trigger`, perhaps `+` or `-` some ticks."
)
TIF = Key("tif", Choice({tif.value: tif for tif in TimeInForce}), "Time in force, `day` where nothing is said.")
ACCOUNT = Key("account", Text(32, "an account name"), "FIX Account(1).")
FIELDS = Key("fields", FieldsKind(), "Extra FIX fields, text by tag number.")
ORDER_SHAPE = Shape("an order", (SIDE, QTY, TYPE, PRICE, TIF, ACCOUNT, FIELDS))


def written_order(section: Section) -> WrittenOrder:
    """The order that ``section`` holds."""
    return WrittenOrder(
        span=section.span,
        side=section.get(SIDE),
        qty=section.get(QTY),
        type=section.get(TYPE),
        price=section.get(PRICE),
        tif=section.get(TIF),
        account=section.get(ACCOUNT),
        fields=section.get(FIELDS),
        unreadable=frozenset(section.keys.keys() - section.values.keys()),
    )
