# SPDX-License-Identifier: Apache-2.0
"""Pass `orders`: each order complete, in whole lots, at a price on the grid, in texts that the fabric can hold."""

from decimal import Decimal

from fixaccel.diagnostics.codes import strategy as codes
from fixaccel.diagnostics.model import Related
from fixaccel.language.model import Instrument, OrderType, TimeInForce
from fixaccel.language.patterns import HWMAP
from fixaccel.language.rules import Order
from fixaccel.language.schema import Located
from fixaccel.language.written import TriggerPrice, WrittenOrder
from fixaccel.passes.ticks import grid_units
from fixaccel.passes.work import Draft, Work
from fixaccel.values import decimal_text, scaled

PRICE_CHARS = HWMAP.constant("price_text_chars")
QTY_CHARS = HWMAP.constant("qty_text_chars")


def run(work: Work) -> None:
    """Fills ``order``."""
    for draft in work.drafts:
        if draft.written.order_readable:
            draft.order = _order(draft, base_order(draft, work), work)


def base_order(draft: Draft, work: Work) -> WrittenOrder:
    """The rule's `order` over the defaults; either may be absent."""
    own = draft.written.order or WrittenOrder(draft.written.span)
    defaults = work.written.default_order if work.written else None
    return own.over(defaults) if defaults else own


def _order(draft: Draft, written: WrittenOrder, work: Work) -> Order | None:
    _report_missing(written, work)
    qty = _quantity(written.qty, draft.instrument, work) if written.qty else None
    if written.type is None:
        return None
    sound, price = _price(draft, written, work)
    if not sound or qty is None or written.side is None:
        return None
    return Order(
        side=written.side.value,
        qty=qty,
        type=written.type.value,
        price=price,
        tif=written.tif.value if written.tif else TimeInForce.DAY,
        account=written.account.value if written.account else None,
        fields={tag: text.value for tag, text in written.fields.value.items()} if written.fields else {},
    )


def _report_missing(written: WrittenOrder, work: Work) -> None:
    present = {"side": written.side, "qty": written.qty, "type": written.type}
    for name, value in present.items():
        if value is None and name not in written.unreadable:
            message = f"the order has no `{name}`"
            work.report.add(
                codes.MISSING_ORDER_KEY,
                message,
                written.span,
                help=f"add `{name}` to the rule's `order` or to `defaults`",
            )


def _quantity(qty: Located[Decimal], instrument: Instrument, work: Work) -> int | None:
    lot = instrument.lot
    whole = scaled(qty.value, 0)
    if whole is None or whole <= 0 or whole % lot:
        below = max(int(qty.value) // lot * lot, 0)
        near = f"{below} or {below + lot}" if below else str(lot)
        message = f"{decimal_text(qty.value)} is not a positive multiple of the lot of {instrument.symbol}, {lot}"
        where = Related(f"the lot of {instrument.symbol}", instrument.place("lot"))
        work.report.add(codes.NOT_A_LOT, message, qty.span, related=[where], help=f"write {near}")
        return None
    if len(str(whole)) > QTY_CHARS:
        message = f"{whole} has more than {QTY_CHARS} digits, the most that the fabric sends"
        work.report.add(codes.TOO_WIDE, message, qty.span, help="send less in one order")
        return None
    return whole


def _price(draft: Draft, written: WrittenOrder, work: Work) -> tuple[bool, int | None]:
    """Whether the price part is sound, and the price in units (None for a market order)."""
    assert written.type
    if written.type.value is OrderType.MARKET:
        if written.price is None:
            return "price" not in written.unreadable, None
        where = [Related("market order", written.type.span)]
        work.report.add(
            codes.ORDER_PRICE,
            "a market order has no price",
            written.price.span,
            related=where,
            help="delete `price`, or write `type: limit`",
        )
        return False, None
    if written.price is None:
        if "price" not in written.unreadable:
            work.report.add(
                codes.ORDER_PRICE,
                "a limit order needs a price",
                written.type.span,
                help="add `price`, for example `price: trigger`",
            )
        return False, None
    units = _units(draft, written.price, work)
    if units is None:
        return False, None
    text = decimal_text(draft.instrument.to_price(units))
    # Every price of an instrument is sent with the decimals of its unit.
    chars = len(text.partition(".")[0]) + (1 + draft.instrument.ticks.places if draft.instrument.ticks.places else 0)
    if chars > PRICE_CHARS:
        places = draft.instrument.ticks.places
        message = f"{text} with {places} decimals takes {chars} characters, the fabric sends {PRICE_CHARS}"
        work.report.add(
            codes.TOO_WIDE, message, written.price.span, help="use a lower price, or a coarser tick in the venue file"
        )
        return False, None
    return True, units


def _units(draft: Draft, price: Located[Decimal | TriggerPrice], work: Work) -> int | None:
    if isinstance(price.value, Decimal):
        return grid_units(Located(price.value, price.span), draft.instrument, work.report)
    if draft.condition is None:
        return None
    instrument = draft.instrument
    units = instrument.ticks.step(draft.condition.threshold, price.value.ticks)
    if instrument.price_min <= units <= instrument.price_max:
        return units
    shown = decimal_text(instrument.to_price(units))
    message = f"the price comes to {shown}, outside the price range of {instrument.symbol}"
    where = Related(f"the trigger is {decimal_text(instrument.to_price(draft.condition.threshold))}", draft.when_span)
    work.report.add(codes.OUTSIDE_RANGE, message, price.span, related=[where], help="use fewer ticks")
    return None
