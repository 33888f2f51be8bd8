# SPDX-License-Identifier: Apache-2.0
"""Order records and the templates they share."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from fixaccel.hwmap.hwmap import Hwmap
from fixaccel.image.layout import Layout
from fixaccel.image.limits_left import bounded_price, notional_cap, price_bounds
from fixaccel.image.numbering import by_first_use, sorting
from fixaccel.image.pack.capacity import message_too_long, text_too_wide
from fixaccel.image.pack.trigger_rows import TriggerRows
from fixaccel.image.parts import Parts, rests
from fixaccel.image.records import pack_columns, trimmed
from fixaccel.image.templates.digits import Texts, codes, digit_texts, price_texts, price_width
from fixaccel.image.templates.memory import Messages, symbol_letters
from fixaccel.image.templates.template import Patched, Template, new_order_single
from fixaccel.language.codes import ORDER_TYPES, SIDES
from fixaccel.language.orders import Order
from fixaccel.language.rules import Strategy
from fixaccel.language.terms import Instrument, OrderType, Session, Side

if TYPE_CHECKING:
    from fixaccel.diagnostics import Diagnostic

_LIMIT = ORDER_TYPES.index(OrderType.LIMIT)
_SELL = SIDES.index(Side.SELL)

Numbers = npt.NDArray[Any]


@dataclass(frozen=True, eq=False)
class Orders:
    """Templates, numbered in the order of first use, and records, those of an instrument in that of `by_price`."""

    template: Numbers  # of each row of triggers that is no watch
    record: Numbers  # of each row
    link: Numbers  # of each record
    sent: int  # records; those behind them are watches
    template_rows: Numbers  # the part that first needs each template and record: where a capacity error points
    record_rows: Numbers


def number_orders(rows: TriggerRows, strategy: Strategy, link: Numbers, layout: Layout) -> Orders:
    """Which template and which record each of ``rows`` has.

    A template serves all instruments whose symbols are as long and whose prices are as wide. A record is of one
    instrument, whose symbol its sums count, and of one list of links: ``link`` is that of each row. What a market
    order may be worth follows from instrument and quantity. A watch is its list alone. Records of one instrument stand
    together.
    """
    watched = rows.watches
    parts = rows.parts.take(np.flatnonzero(~watched))  # the first rows
    instruments = list(strategy.venue.instruments.values())
    most = layout.constant("price_text_chars")
    chars = np.array([len(one.symbol) for one in instruments], np.int32)[parts.instrument]
    widths = np.array([price_width(one, most) for one in instruments], np.int32)[parts.instrument]
    width = np.where(parts.type == _LIMIT, widths, 0)
    template, template_rows = by_first_use(chars, width, parts.side, parts.type, parts.envelope)
    record, record_rows = by_first_use(template, parts.instrument, parts.price, parts.qty, link[~watched])
    first = parts.take(record_rows)
    rising = sorting(first.instrument, *by_price(first.type, first.side, first.price))
    records, record_rows = np.argsort(rising)[record], record_rows[rising]
    watch, watch_rows = by_first_use(link[watched])
    sent, record_rows = len(record_rows), np.concatenate([record_rows, len(parts) + watch_rows])
    return Orders(template, np.append(records, sent + watch), link[record_rows], sent, template_rows, record_rows)


def by_price(kind: Numbers, side: Numbers, price: Numbers) -> tuple[Numbers, Numbers]:
    """Columns that sort orders of one instrument: each that sells would meet all that buy behind it, and no other."""
    sells = side == _SELL
    return np.where(kind == _LIMIT, 0, np.where(sells, -1, 1)), 2 * price + ~sells


def template_of(order: Order, instrument: Instrument, session: Session, hwmap: Hwmap) -> Template:
    """The message that ``order`` of ``instrument`` becomes, by `number_orders`'s measure."""
    limit = order.type is OrderType.LIMIT
    width = price_width(instrument, hwmap.constant("price_text_chars")) if limit else 0
    return new_order_single(order, len(instrument.symbol), session, width, hwmap)


def watch_qty(hwmap: Hwmap) -> int:
    """What stands in the place of a quantity in the record of a watch."""
    return hwmap.constant("char_bound") << 4 * (hwmap.constant("qty_text_chars") - 1)


class OrderTables:
    """Templates and the texts of records; ``diagnostics`` says what is too long to be packed."""

    def __init__(self, parts: Parts, orders: Orders, strategy: Strategy, layout: Layout) -> None:
        self._layout = layout
        sent = orders.record_rows[: orders.sent]
        self._records = parts.take(sent)
        self._template = orders.template[sent]
        self._link, self._watch_link = np.split(orders.link, [orders.sent])
        self._instruments = list(strategy.venue.instruments.values())
        self._order_notional = strategy.limits.order_notional
        own = self._records
        self._rests = rests(own.type, own.envelope, own.envelopes) & strategy.limits.self_trade
        self.diagnostics: list[Diagnostic] = []
        self.templates = self._make_templates(parts.take(orders.template_rows), strategy)
        self._price, self._qty = self._texts(strategy)

    def pack(self) -> dict[str, bytes]:
        """The memories ``order``, ``template_shape`` and ``template_byte``. There are no diagnostics."""
        if not self.templates:
            return dict.fromkeys(("order", "template_shape", "template_byte"), b"")
        messages = Messages.of(self.templates, self._layout)
        columns = {
            "price": self._price_fields(),
            "qty": codes(self._qty),
            "template_index": self._template,
            "valid": np.array(1),
            "link": self._link,
            "sell": self._records.side == _SELL,
            "rests": self._rests,
            **self._sums(messages),
        }
        record = self._layout.record("order")
        words = pack_columns(record, columns, len(self._records))
        watches = {"qty": np.array(watch_qty(self._layout.hwmap)), "valid": np.array(1), "link": self._watch_link}
        watch_words = pack_columns(record, watches, len(self._watch_link))
        return {"order": trimmed(np.concatenate([words, watch_words])), **messages.pack(self._layout)}

    def _price_fields(self) -> Numbers:
        """Codes of the limit prices; of market orders the bound, if there is one."""
        fields, records = codes(self._price), self._records
        market = np.flatnonzero(records.type != _LIMIT)
        if self._order_notional is not None and len(market):
            caps = [notional_cap(self._order_notional, one) for one in self._instruments]
            own = [caps[place] for place in records.instrument[market].tolist()]
            bounds = bounded_price(price_bounds(own, records.qty[market], self._layout), self._layout)
            fields[market] = bounds.astype("<u8").view(np.uint8).reshape(-1, fields.shape[1])
        return fields

    def _make_templates(self, firsts: Parts, strategy: Strategy) -> tuple[Template, ...]:
        room = self._layout.constant("message_bytes")
        templates: list[Template] = []
        for row, (index, place) in enumerate(zip(firsts.index.tolist(), firsts.instrument.tolist(), strict=True)):
            order, session = firsts.order(row), strategy.venue.session
            templates.append(template_of(order, self._instruments[place], session, self._layout.hwmap))
            if templates[-1].length > room:
                self.diagnostics.append(message_too_long(strategy.rules[index], templates[-1].length, room))
        return tuple(templates)

    def _texts(self, strategy: Strategy) -> tuple[Texts, Texts]:
        records, chars = self._records, self._layout.constant("qty_text_chars")
        price = np.zeros((len(records), self._layout.constant("price_text_chars")), np.uint8)
        limit = np.flatnonzero(records.type == _LIMIT)
        texts, fits = price_texts(records.price[limit], records.instrument[limit], self._instruments, price.shape[1])
        price[limit] = texts
        for row in limit[~fits][:1].tolist():
            rule = strategy.rules[int(records.index[row])]
            text = format(rule.instrument.to_price(int(records.price[row])), f".{rule.instrument.ticks.places}f")
            room = price_width(rule.instrument, price.shape[1])
            self.diagnostics.append(text_too_wide(rule, "price", text, room))
        for row in np.flatnonzero(records.qty >= 10**chars)[:1].tolist():
            rule = strategy.rules[int(records.index[row])]
            self.diagnostics.append(text_too_wide(rule, "quantity", str(records.qty[row]), chars))
        return price, digit_texts(records.qty, chars)

    def _sums(self, messages: Messages) -> dict[str, Numbers]:
        """The sums of everything static: the template's literals, the record's own texts and the symbol."""
        tcp, fix = messages.tcp_sums()[self._template], messages.fix_sums()[self._template]
        letters = symbol_letters([one.symbol for one in self._instruments], self._layout)[self._records.instrument]
        for texts, what in ((self._price, Patched.PRICE), (self._qty, Patched.QTY), (letters, Patched.SYMBOL)):
            even, odd = byte_sums(texts)
            at_odd = messages.offsets(what)[self._template] % 2 == 1
            tcp += np.where(at_odd, odd * 256 + even, even * 256 + odd)
            fix += even + odd
        return {"tcp_sum": folded(tcp), "fix_sum": fix % 256}


def byte_sums(texts: Texts) -> tuple[Numbers, Numbers]:
    """Sums of the characters at even and at odd places of each row."""
    pairs = -(-texts.shape[1] // 2)
    even, odd = (np.zeros(len(texts), np.int64) for _ in range(2))
    for column in range(pairs):
        even += texts[:, 2 * column]
        if 2 * column + 1 < texts.shape[1]:
            odd += texts[:, 2 * column + 1]
    return even, odd


def folded(totals: Numbers) -> Numbers:
    """One's complement sums of 16 bits, from plain sums of 16-bit words."""
    return np.where(totals > 0, (totals - 1) % 0xFFFF + 1, 0)
