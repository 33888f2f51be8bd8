# SPDX-License-Identifier: Apache-2.0
"""Prepared messages as rows of bytes, one for each template; those that differ only in the symbol are made together."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from fixaccel.image.layout import Layout
from fixaccel.image.records import Words, pack_columns, trimmed
from fixaccel.image.template import SOH, Patch, Patched, Template

Bytes = npt.NDArray[np.uint8]

_SYMBOL = SOH + b"55="
_CHECKSUM = b"10="

# Header field -> the patch whose offset it speaks of, and which of them.
_PARITIES = {
    "seq_num_odd": (Patched.SEQ_NUM, 0),
    "sending_time_odd": (Patched.TIME, 0),
    "transact_time_odd": (Patched.TIME, 1),
    "cl_ord_id_odd": (Patched.CL_ORD_ID, 0),
    "checksum_odd": (Patched.CHECKSUM, 0),
}


@dataclass(frozen=True, eq=False)
class Messages:
    """One row a template. ``form`` is the row's place in ``forms``, templates that stand for all symbols of a length.

    ``value`` holds ``message_bytes`` bytes a row: literals, and where ``patch`` of the form says so, patch codes.
    """

    forms: Sequence[Template]
    form: npt.NDArray[np.int32]
    value: Bytes
    patch: npt.NDArray[np.bool_]  # a row a form

    @classmethod
    def of(
        cls, forms: Sequence[Template], form: npt.NDArray[np.int32], symbols: Sequence[str], layout: Layout
    ) -> "Messages":
        """The templates of ``form``, each with its symbol put in. Forms are not longer than the message memory."""
        room = layout.constant("message_bytes")
        coded = np.array([list(_codes(one, layout)) for one in forms], np.uint16).reshape(len(forms), room)
        value = (coded & 0xFF).astype(np.uint8)[form]
        letters = symbol_letters(symbols, layout)
        for number, one in enumerate(forms):
            rows = np.flatnonzero(form == number)
            start, end = _symbol(one)
            value[rows, start:end] = letters[rows, : end - start]
        return cls(forms, form, value, coded > 0xFF)

    def offsets(self, what: Patched) -> npt.NDArray[np.int64]:
        """Where the first patch of ``what`` starts in each template, -1 where it has none."""
        starts = [next(iter(one.offsets(what)), -1) for one in self.forms]
        return np.array(starts, np.int64)[self.form]

    def tcp_sums(self) -> npt.NDArray[np.int64]:
        """Sum of each template's literals in 16-bit big-endian words, not folded."""
        static = self._static()
        even, odd = (static[:, start::2].sum(axis=1, dtype=np.int64) for start in range(2))
        total: npt.NDArray[np.int64] = even * 256 + odd
        return total

    def fix_sums(self) -> npt.NDArray[np.int64]:
        """Sum of each template's literals that CheckSum(10) covers."""
        total: npt.NDArray[np.int64] = self._static().sum(axis=1, dtype=np.int64) - sum(_CHECKSUM + SOH)
        return total

    def _static(self) -> Bytes:
        return np.where(self.patch[self.form], np.uint8(0), self.value)

    def pack(self, layout: Layout) -> dict[str, bytes]:
        """The memories ``template_header`` and ``template_byte``."""
        return {"template_header": trimmed(self._headers(layout)), "template_byte": trimmed(self._bytes(layout))}

    def _headers(self, layout: Layout) -> Words:
        columns = {
            name: np.array([one.offsets(what)[which] % 2 for one in self.forms], np.int64)[self.form]
            for name, (what, which) in _PARITIES.items()
        }
        columns["length"] = np.array([one.length for one in self.forms], np.int64)[self.form]
        columns["valid"] = np.array(1)
        return pack_columns(layout.record("template_header"), columns, len(self.form))

    def _bytes(self, layout: Layout) -> Words:
        columns = {"value": self.value.reshape(-1), "patch": self.patch[self.form].reshape(-1)}
        return pack_columns(layout.record("template_byte"), columns, self.value.size)


def symbol_letters(symbols: Sequence[str], layout: Layout) -> Bytes:
    """A row of ASCII characters for each symbol, zeros behind."""
    chars = layout.constant("symbol_chars")
    return np.array(symbols, f"S{chars}").view(np.uint8).reshape(-1, chars)


def _codes(template: Template, layout: Layout) -> Iterator[int]:
    """Each byte of the message memory; patch codes have bit 8 set."""
    for part in template.parts:
        if isinstance(part, Patch):
            source = layout.constant(f"patch_{part.what.value}") << layout.constant("patch_index_bits")
            yield from (0x100 | source | index for index in range(part.chars))
        else:
            yield from part
    yield from (0 for _ in range(layout.constant("message_bytes") - template.length))


def _symbol(template: Template) -> tuple[int, int]:
    """Where Symbol(55) starts and ends."""
    message = template.fill({})
    start = message.index(_SYMBOL) + len(_SYMBOL)
    return start, message.index(SOH, start)
