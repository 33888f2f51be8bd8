# SPDX-License-Identifier: Apache-2.0
"""Order records and the templates they share."""

from dataclasses import dataclass, field

from fixaccel.diagnostics import Diagnostic
from fixaccel.image.fixtext import price_text, price_width, qty_text
from fixaccel.image.layout import Layout
from fixaccel.image.limits import message_too_long, text_too_wide
from fixaccel.image.template import (
    Patch,
    Patched,
    Template,
    before_checksum,
    fix_sum,
    new_order_single,
    tcp_sum,
)
from fixaccel.language.rules import Rule, Strategy


@dataclass(frozen=True)
class PreparedOrder:
    """What makes one order record; equal ones are shared."""

    template: int
    price: str
    qty: str


@dataclass
class Orders:
    """Templates and order records in the order of first use, and which of them each rule index has."""

    templates: dict[Template, int] = field(default_factory=dict)
    records: dict[PreparedOrder, int] = field(default_factory=dict)
    template_of: dict[int, int] = field(default_factory=dict)
    order_of: dict[int, int] = field(default_factory=dict)
    # The rule that first needed each template and record: where a capacity error points.
    template_rules: list[Rule] = field(default_factory=list)
    record_rules: list[Rule] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)


def prepare(strategy: Strategy, layout: Layout) -> Orders:
    """Templates and records for all rules; what is too long stands in ``diagnostics``."""
    orders = Orders()
    for rule in strategy.rules:
        _add(orders, rule, strategy, layout)
    return orders


def _add(orders: Orders, rule: Rule, strategy: Strategy, layout: Layout) -> None:
    order, instrument = rule.order, rule.instrument
    width = price_width(instrument, layout.constant("price_text_chars"))
    template = new_order_single(order, instrument.symbol, strategy.venue.session, width, layout.hwmap)
    price = "" if order.price is None else price_text(instrument, order.price, width)
    qty = qty_text(order.qty, layout.constant("qty_text_chars"))
    if template.length > layout.constant("message_bytes"):
        orders.diagnostics.append(message_too_long(rule, template.length, layout.constant("message_bytes")))
    for name, text, room in (("price", price, width), ("quantity", qty, layout.constant("qty_text_chars"))):
        if len(text) > room:
            orders.diagnostics.append(text_too_wide(rule, name, text, room))
    if template not in orders.templates:
        orders.templates[template] = len(orders.templates)
        orders.template_rules.append(rule)
    prepared = PreparedOrder(orders.templates[template], price, qty)
    if prepared not in orders.records:
        orders.records[prepared] = len(orders.records)
        orders.record_rules.append(rule)
    orders.template_of[rule.index] = prepared.template
    orders.order_of[rule.index] = orders.records[prepared]


def pack(orders: Orders, layout: Layout) -> dict[str, dict[int, bytes]]:
    """Records of the memories ``order``, ``template_header`` and ``template_byte``."""
    templates = list(orders.templates)
    message_bytes = layout.constant("message_bytes")
    return {
        "order": {number: _order(order, templates, layout) for order, number in orders.records.items()},
        "template_header": {number: _header(template, layout) for number, template in enumerate(templates)},
        "template_byte": {
            number * message_bytes + offset: record
            for number, template in enumerate(templates)
            for offset, record in enumerate(_bytes(template, layout))
        },
    }


def _order(order: PreparedOrder, templates: list[Template], layout: Layout) -> bytes:
    texts = {Patched.PRICE: order.price.encode("ascii"), Patched.QTY: order.qty.encode("ascii")}
    static = templates[order.template].fill(texts)
    return layout.record("order").pack(
        {
            "price": int.from_bytes(texts[Patched.PRICE], "little"),
            "qty": int.from_bytes(texts[Patched.QTY], "little"),
            "tcp_sum": tcp_sum(static),
            "fix_sum": fix_sum(before_checksum(static)),
            "template_index": order.template,
        }
    )


def _header(template: Template, layout: Layout) -> bytes:
    sending_time, transact_time = template.offsets(Patched.TIME)
    starts = {
        "seq_num_odd": template.offsets(Patched.SEQ_NUM)[0],
        "sending_time_odd": sending_time,
        "transact_time_odd": transact_time,
        "cl_ord_id_odd": template.offsets(Patched.CL_ORD_ID)[0],
        "checksum_odd": template.offsets(Patched.CHECKSUM)[0],
    }
    parities = {name: start % 2 for name, start in starts.items()}
    return layout.record("template_header").pack({"length": template.length, "valid": 1, **parities})


def _bytes(template: Template, layout: Layout) -> list[bytes]:
    record = layout.record("template_byte")
    packed: list[bytes] = []
    for part in template.parts:
        if isinstance(part, Patch):
            source = layout.constant(f"patch_{part.what.value}") << layout.constant("patch_index_bits")
            packed += [record.pack({"value": source | index, "patch": 1}) for index in range(part.chars)]
        else:
            packed += [record.pack({"value": byte}) for byte in part]
    return packed
