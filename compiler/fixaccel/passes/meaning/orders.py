# SPDX-License-Identifier: Apache-2.0
"""Pass `orders`: each order complete, in whole lots, at a price on the grid, in texts that the fabric can hold."""

from decimal import Decimal

import numpy as np

from fixaccel.diagnostics.codes import strategy as codes
from fixaccel.diagnostics.report import Related, Report
from fixaccel.drafts.work import Draft, Work
from fixaccel.language.forms import Condition, Decision
from fixaccel.language.keys.schema import Located
from fixaccel.language.orders import Order
from fixaccel.language.patterns import HWMAP
from fixaccel.language.terms import Instrument, OrderType, Side, Source, TimeInForce
from fixaccel.language.written import Filled, TriggerPrice, WrittenOrder
from fixaccel.passes.meaning.ticks import grid_units
from fixaccel.source import Span
from fixaccel.tick_arrays import tick_arrays
from fixaccel.values import decimal_text, scaled

PRICE_CHARS = HWMAP.constant("price_text_chars")
QTY_CHARS = HWMAP.constant("qty_text_chars")


def run(work: Work) -> None:
    """Fills ``order`` of the rules with `when`, `trail` and `at`."""
    for draft in work.drafts:
        rule = draft.written
        if rule.order and (rule.when or rule.trail or rule.at):
            draft.order = complete_order(base_order(draft, work), draft, work.report)


def base_order(draft: Draft, work: Work) -> WrittenOrder:
    """The rule's `order` over the defaults; either may be absent."""
    own = draft.written.order or WrittenOrder(draft.written.span)
    defaults = work.written.default_order if work.written else None
    return own.over(defaults) if defaults else own


def order_place(draft: Draft, row: int, key: str, work: Work) -> Span:
    """Where the value of the order's ``key`` comes from."""
    if draft.table_file:
        return draft.place(row)
    order = base_order(draft, work)
    decide = draft.written.decide
    if decide and decide.value.intervals:
        interval = sorted(decide.value.intervals, key=lambda one: one.low.value)[row]
        order = interval.order.over(order) if interval.order else order
    value = order.price if key == "price" else order.qty
    return value.span if value else draft.when_span


def part_words(draft: Draft, row: int) -> str:
    """What a message calls one part, or one interval of a decision."""
    if isinstance(draft.form, Decision):
        return f"interval {row + 1} of `{draft.id}`"
    return f"`{draft.name(row)}`"


def complete_order(written: WrittenOrder, draft: Draft, report: Report) -> Order | None:
    """The order with nothing missing; None after reporting what is wrong. The rule's form says what `trigger` is."""
    _report_missing(written, report)
    qty = _quantity(written.qty, draft, report) if written.qty else None
    if written.type is None:
        return None
    sound, price = _price(draft, written, report)
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
        ticks=_trail_ticks(draft, written),
        filled=written.qty is not None and isinstance(written.qty.value, Filled),
    )


def _report_missing(written: WrittenOrder, report: Report) -> None:
    if written.side and written.qty and written.type:
        return
    present = {"side": written.side, "qty": written.qty, "type": written.type}
    for name, value in present.items():
        if value is None and name not in written.unreadable:
            report.add(
                codes.MISSING_ORDER_KEY,
                f"the order has no `{name}`",
                written.span,
                help=f"add `{name}` to the rule's `order` or to `defaults`",
            )


def _quantity(qty: Located[Decimal | Filled], draft: Draft, report: Report) -> int | None:
    """The quantity, 0 for `filled`; None after reporting what is wrong with it."""
    if isinstance(qty.value, Filled):
        return 0 if filled_fits(Located(qty.value, qty.span), draft, report) else None
    return whole_lots(Located(qty.value, qty.span), draft.instrument, report)


def filled_fits(qty: Located[Filled], draft: Draft, report: Report) -> bool:
    """Whether `qty: filled` has a meaning in this rule; reports otherwise."""
    rule, about = draft.written, None
    if "armed_by" not in rule.keys:
        message = "`qty: filled` is what the rule in `armed_by` has filled, and there is none"
        way_out = "add `armed_by: {rule: ENTRY, on: first-fill}`, or write a quantity"
    elif rule.decide:
        message, way_out = "`qty: filled` does not go with `decide`", "write a quantity"
        about = Related("`decide` here", rule.keys["decide"])
    elif rule.rearm:
        message = "`qty: filled` does not go with `rearm`: armed again, it would close the same fills twice"
        about, way_out = Related("`rearm` here", rule.keys["rearm"]), "write a quantity, or leave `rearm` out"
    else:
        return True
    report.add(codes.FILLED_QTY, message, qty.span, related=[about] if about else [], help=way_out)
    return False


def whole_lots(qty: Located[Decimal], instrument: Instrument, report: Report) -> int | None:
    """The quantity, None after reporting that it is no multiple of the lot or too wide for the fabric."""
    lot = instrument.lot
    whole = scaled(qty.value, 0)
    if whole is None or whole <= 0 or whole % lot:
        below = max(int(qty.value) // lot * lot, 0)
        near = [str(below), str(below + lot)] if below else [str(lot)]
        message = f"{decimal_text(qty.value)} is not a positive multiple of the lot of {instrument.symbol}, {lot}"
        where = Related(f"the lot of {instrument.symbol}", instrument.place("lot"))
        way_out = f"write {' or '.join(near)}"
        report.add(codes.NOT_A_LOT, message, qty.span, related=[where], help=way_out, instead=near)
        return None
    if len(str(whole)) > QTY_CHARS:
        message = f"{whole} has more than {QTY_CHARS} digits, the most that the fabric sends"
        report.add(codes.TOO_WIDE, message, qty.span, help="send less in one order")
        return None
    return whole


def price_fits(units: int, instrument: Instrument, span: Span, report: Report) -> bool:
    """Whether the fabric can hold the text of an order's price; reports otherwise."""
    places = instrument.ticks.places
    text = decimal_text(instrument.to_price(units))
    # Every price of an instrument is sent with the decimals of its unit.
    chars = len(text.partition(".")[0]) + (1 + places if places else 0)
    if chars <= PRICE_CHARS:
        return True
    message = f"{text} with {places} decimals takes {chars} characters, the fabric sends {PRICE_CHARS}"
    report.add(codes.TOO_WIDE, message, span, help="use a lower price, or a coarser tick in the venue file")
    return False


def trigger_units(condition: Condition, side: Side, instrument: Instrument) -> int:
    """What `trigger` is in an order's price: on the grid; between two ticks (`mid`), a buy down and a sell up."""
    if condition.source is not Source.MID:
        return condition.threshold
    table = tick_arrays(instrument.ticks)
    if side is Side.BUY:
        return int(table.floor(np.array([condition.threshold // 2], np.int64))[0])
    return int(table.ceil(np.array([-(-condition.threshold // 2)], np.int64))[0])


def _price(draft: Draft, written: WrittenOrder, report: Report) -> tuple[bool, int | None]:
    """Whether the price part is sound, and the price in units: None for a market order or if it follows a trail."""
    assert written.type
    if written.type.value is OrderType.MARKET:
        if written.price is None:
            return "price" not in written.unreadable, None
        where = [Related("market order", written.type.span)]
        report.add(
            codes.ORDER_PRICE,
            "a market order has no price",
            written.price.span,
            related=where,
            help="delete `price`, or write `type: limit`",
        )
        return False, None
    if written.price is None:
        if "price" not in written.unreadable:
            way_out = "add `price`, for example `price: trigger`"
            report.add(codes.ORDER_PRICE, "a limit order needs a price", written.type.span, help=way_out)
        return False, None
    price = written.price
    if isinstance(price.value, Decimal):
        units = grid_units(Located(price.value, price.span), draft.instrument, report)
    elif draft.written.trail:
        return True, None
    else:
        units = _from_trigger(draft, Located(price.value, price.span), written, report)
    if units is None:
        return False, None
    return price_fits(units, draft.instrument, price.span, report), units


def _from_trigger(draft: Draft, price: Located[TriggerPrice], written: WrittenOrder, report: Report) -> int | None:
    if draft.written.decide:
        message = "a decision has no threshold that `trigger` could mean"
        report.add(codes.NO_TRIGGER, message, price.span, help="write the price as a number")
        return None
    if draft.written.at:
        message = "a rule that fires by the clock has no threshold that `trigger` could mean"
        report.add(codes.NO_TRIGGER, message, price.span, help="write the price as a number")
        return None
    if draft.condition is None or written.side is None:
        return None
    instrument = draft.instrument
    trigger = trigger_units(draft.condition, written.side.value, instrument)
    units = instrument.ticks.step(trigger, price.value.ticks)
    if instrument.price_min <= units <= instrument.price_max:
        return units
    shown = decimal_text(instrument.to_price(units))
    message = f"the price comes to {shown}, outside the price range of {instrument.symbol}"
    where = Related(f"the trigger is {decimal_text(instrument.to_price(trigger))}", draft.when_span)
    report.add(codes.OUTSIDE_RANGE, message, price.span, related=[where], help="use fewer ticks")
    return None


def _trail_ticks(draft: Draft, written: WrittenOrder) -> int | None:
    """Distance from the trail's stop of a limit price that follows it."""
    if draft.written.trail is None or written.price is None or not isinstance(written.price.value, TriggerPrice):
        return None
    return written.price.value.ticks
