# SPDX-License-Identifier: Apache-2.0
"""Order messages built from packed records step by step, as the fabric builds them."""

from collections.abc import Mapping
from dataclasses import dataclass

from fixaccel.image.layout import Layout
from fixaccel.image.templates.message import MessageError, utc_text
from fixaccel.image.templates.template import tcp_sum


@dataclass(frozen=True)
class Sent:
    """What the fabric writes into a message as it leaves."""

    seq_num: int
    time_ns: int
    cl_ord_id: str


class Memory:
    """One memory as the fabric sees it: as deep as the board makes it, zero beyond what was loaded."""

    def __init__(self, name: str, data: bytes, layout: Layout) -> None:
        self.depth = layout.depth(name)
        self._record = layout.record(name)
        self._data = data

    def __getitem__(self, index: int) -> Mapping[str, int]:
        """Fields of record ``index``. Raises IndexError beyond the memory's depth."""
        if not 0 <= index < self.depth:
            raise IndexError(f"{self._record.name}[{index}], the memory has {self.depth} records")
        stride = self._record.stride_bytes
        return self._record.unpack(self._data[index * stride : (index + 1) * stride].ljust(stride, b"\0"))


def send_order(
    memories: Mapping[str, Memory], number: int, sent: Sent, layout: Layout, *, instrument: int = 0
) -> bytes:
    """The message for order record ``number`` of ``instrument``. Raises MessageError if its sums are wrong."""
    order = memories["order"][number]
    if not order["valid"]:
        raise MessageError(f"order {number} is empty")
    texts = {
        layout.constant("patch_seq_num"): f"{sent.seq_num:0{layout.constant('seq_num_chars')}d}".encode("ascii"),
        layout.constant("patch_time"): utc_text(sent.time_ns).encode("ascii"),
        layout.constant("patch_cl_ord_id"): sent.cl_ord_id.encode("ascii"),
        layout.constant("patch_price"): _characters(order["price"], layout.constant("price_text_chars"), layout),
        layout.constant("patch_qty"): _characters(order["qty"], layout.constant("qty_text_chars"), layout),
        layout.constant("patch_symbol"): memories["symbol"][instrument]["key"].to_bytes(
            layout.constant("symbol_chars"), "little"
        ),
    }
    shape = memories["template_shape"][order["template_index"]]
    dynamic = [layout.constant(f"patch_{name}") for name in ("seq_num", "time", "cl_ord_id")]
    checksum = (order["fix_sum"] + _count(texts, dynamic, layout)) % 256
    texts[layout.constant("patch_checksum")] = f"{checksum:03d}".encode("ascii")
    base = order["template_index"] * layout.constant("message_bytes")
    message = bytes(
        _byte(memories["template_byte"][base + offset], texts, layout) for offset in range(shape["last_byte"] + 1)
    )
    total = order["tcp_sum"] + sum(
        _field_sum(texts[layout.constant(f"patch_{source}")], odd)
        for source, odd in (
            ("seq_num", shape["seq_num_odd"]),
            ("time", shape["sending_time_odd"]),
            ("time", shape["transact_time_odd"]),
            ("cl_ord_id", shape["cl_ord_id_odd"]),
            ("checksum", (shape["last_byte"] - 3) % 2),
        )
    )
    # Both zeros of one's complement mean the same.
    if total % 0xFFFF != tcp_sum(message) % 0xFFFF:
        raise MessageError(f"order {number}: TCP sum {total % 0xFFFF:#06x}, its bytes have {tcp_sum(message):#06x}")
    return message


def _characters(packed: int, chars: int, layout: Layout) -> bytes:
    """Characters of an order record's field, four bits each."""
    known = {code: b"%d" % code for code in range(10)}
    known |= {layout.constant("char_minus"): b"-", layout.constant("char_point"): b"."}
    return b"".join(known[packed >> 4 * at & 0xF] for at in range(chars))


def _count(texts: Mapping[int, bytes], dynamic: list[int], layout: Layout) -> int:
    """Byte sum of what is patched before CheckSum: the time stands twice."""
    return sum(sum(texts[source]) * (2 if source == layout.constant("patch_time") else 1) for source in dynamic)


def _byte(record: Mapping[str, int], texts: Mapping[int, bytes], layout: Layout) -> int:
    if not record["patch"]:
        return record["value"]
    bits = layout.constant("patch_index_bits")
    return texts[record["value"] >> bits][record["value"] % (1 << bits)]


def _field_sum(text: bytes, odd: int) -> int:
    """What a field adds to the TCP sum when it starts at an even or odd offset."""
    even_sum, odd_sum = sum(text[0::2]), sum(text[1::2])
    high, low = (odd_sum, even_sum) if odd else (even_sum, odd_sum)
    return (high << 8) + low
