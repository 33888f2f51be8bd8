# SPDX-License-Identifier: Apache-2.0
"""Bytes are latency: what an order is on the line, field by field, and how long each of its bytes takes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from fixaccel.image.templates.template import SIDE_CODES, SOH, TYPE_CODES, Patched, Template
from fixaccel.language.terms import Board
from fixaccel.values import decimal_text, unscaled

# What a message takes along on the line, in the order in which it leaves.
_PREAMBLE, _GAP = ("preamble", 8), ("gap behind it", 12)
_HEADERS, _FCS = (("Ethernet header", 14), ("IP header", 20), ("TCP header", 20)), ("FCS", 4)

_NAMES = {
    1: "Account", 8: "BeginString", 9: "BodyLength", 10: "CheckSum", 11: "ClOrdID", 21: "HandlInst", 34: "MsgSeqNum",
    35: "MsgType", 38: "OrderQty", 40: "OrdType", 44: "Price", 49: "SenderCompID", 52: "SendingTime", 54: "Side",
    55: "Symbol", 56: "TargetCompID", 58: "Text", 59: "TimeInForce", 60: "TransactTime",
}  # fmt: skip
_SIDES = {code: side.value for side, code in SIDE_CODES.items()}
_TYPES = {code: kind.value for kind, code in TYPE_CODES.items()}


@dataclass(frozen=True)
class LineTime:
    """The line of one board."""

    board: Board

    def ns(self, count: int) -> str:
        """Nanoseconds that ``count`` bytes take on the line, rounded up to a tenth."""
        tenths = -(-count * 10**10 // (self.board.clock_hz * self.board.bytes_per_beat))
        return decimal_text(unscaled(tenths, 1))

    def entry(self, name: str, count: int) -> dict[str, Any]:
        return {"name": name, "bytes": count, "ns": self.ns(count)}

    def report(self, templates: Sequence[Template], most: int) -> dict[str, Any]:
        """The part ``orders`` of the report: at most ``most`` layouts, each of one or more templates."""
        layouts: dict[tuple[tuple[int, int], ...], list[int]] = {}
        for number, one in enumerate(templates):
            layouts.setdefault(tuple((tag, count) for tag, _, count in fields_of(one)), []).append(number)
        listed = list(layouts.values())[:most]
        return {
            "ns_per_byte": self.ns(1),
            "before": [self.entry(name, count) for name, count in (_PREAMBLE, *_HEADERS)],
            "behind": [self.entry(name, count) for name, count in (_FCS, _GAP)],
            "layouts": [self._layout(numbers, templates) for numbers in listed],
            "layouts_left_out": len(layouts) - len(listed),
        }

    def _layout(self, numbers: Sequence[int], templates: Sequence[Template]) -> dict[str, Any]:
        first = templates[numbers[0]]
        whole = frame_bytes(first)
        return {
            "templates": [{"template": number, "order": _order_text(templates[number])} for number in numbers],
            "message_bytes": first.length,
            "frame_bytes": whole,
            "frame_ns": self.ns(whole),
            "fields": [{"tag": tag, **self.entry(_NAMES.get(tag, ""), count)} for tag, _, count in fields_of(first)],
        }

    def text(self, template: Template) -> str:
        """An order's bytes and time in a few words."""
        whole = frame_bytes(template)
        return f"{template.length} bytes of FIX, {whole} with headers and FCS: {self.ns(whole)} ns"


def frame_bytes(template: Template) -> int:
    """Bytes from the first of the Ethernet header to the last of the FCS."""
    return template.length + sum(count for _, count in (*_HEADERS, _FCS))


def fields_of(template: Template) -> list[tuple[int, str, int]]:
    """Tag, value (`?` where it is patched) and bytes of each field, its tag, `=` and SOH among them."""
    filled = template.fill(dict.fromkeys(Patched, b"?" * template.length))
    found = []
    for item in filled[:-1].split(SOH):
        tag, _, value = item.partition(b"=")
        found.append((int(tag), value.decode("latin-1"), len(item) + len(SOH)))
    return found


def _order_text(template: Template) -> str:
    values = {tag: value for tag, value, _ in fields_of(template)}
    return f"{_SIDES[values[54]]} {_TYPES[values[40]]}"
