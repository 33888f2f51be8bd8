# SPDX-License-Identifier: Apache-2.0
"""Prepared messages as rows of bytes, one for each template."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from fixaccel.image.layout import Layout
from fixaccel.image.records import pack_columns, trimmed
from fixaccel.image.templates.template import SOH, Patch, Patched, Template

Bytes = npt.NDArray[np.uint8]

_CHECKSUM = b"10="
_PATCHED = 0x100  # set in the code of a byte that the fabric writes

# Field of a template's shape -> the patch whose offset it speaks of, and which of them.
_PARITIES = {
    "seq_num_odd": (Patched.SEQ_NUM, 0),
    "sending_time_odd": (Patched.TIME, 0),
    "transact_time_odd": (Patched.TIME, 1),
    "cl_ord_id_odd": (Patched.CL_ORD_ID, 0),
}


@dataclass(frozen=True, eq=False)
class Messages:
    """One row a template: ``message_bytes`` codes, literals or patch codes."""

    templates: Sequence[Template]
    codes: npt.NDArray[np.uint16]

    @classmethod
    def of(cls, templates: Sequence[Template], layout: Layout) -> "Messages":
        """From templates that are not longer than the message memory."""
        room = layout.constant("message_bytes")
        coded = [list(_codes(one, layout)) for one in templates]
        return cls(templates, np.array(coded, np.uint16).reshape(len(templates), room))

    def offsets(self, what: Patched) -> npt.NDArray[np.int64]:
        """Where the first patch of ``what`` starts in each template, -1 where it has none."""
        return np.array([next(iter(one.offsets(what)), -1) for one in self.templates], np.int64)

    def tcp_sums(self) -> npt.NDArray[np.int64]:
        """Sum of each template's literals in 16-bit big-endian words, not folded."""
        literals = self._literals()
        even, odd = (literals[:, start::2].sum(axis=1, dtype=np.int64) for start in range(2))
        total: npt.NDArray[np.int64] = even * 256 + odd
        return total

    def fix_sums(self) -> npt.NDArray[np.int64]:
        """Sum of each template's literals that CheckSum(10) covers."""
        total: npt.NDArray[np.int64] = self._literals().sum(axis=1, dtype=np.int64) - sum(_CHECKSUM + SOH)
        return total

    def _literals(self) -> npt.NDArray[np.uint16]:
        return np.where(self.codes < _PATCHED, self.codes, np.uint16(0))

    def pack(self, layout: Layout) -> dict[str, bytes]:
        """The memories ``template_shape`` and ``template_byte``."""
        shapes = {
            name: np.array([one.offsets(what)[which] % 2 for one in self.templates], np.int64)
            for name, (what, which) in _PARITIES.items()
        }
        shapes["last_byte"] = np.array([one.length - 1 for one in self.templates], np.int64)
        codes = self.codes.reshape(-1)
        columns = {"value": codes & 0xFF, "patch": codes >= _PATCHED}
        return {
            "template_shape": trimmed(pack_columns(layout.record("template_shape"), shapes, len(self.templates))),
            "template_byte": trimmed(pack_columns(layout.record("template_byte"), columns, codes.size)),
        }


def symbol_letters(symbols: Sequence[str], layout: Layout) -> Bytes:
    """A row of ASCII characters for each symbol, zeros behind."""
    chars = layout.constant("symbol_chars")
    return np.array(symbols, f"S{chars}").view(np.uint8).reshape(-1, chars)


def _codes(template: Template, layout: Layout) -> Iterator[int]:
    """Each byte of the message memory."""
    for part in template.parts:
        if isinstance(part, Patch):
            source = layout.constant(f"patch_{part.what.value}") << layout.constant("patch_index_bits")
            yield from (_PATCHED | source | index for index in range(part.chars))
        else:
            yield from part
    yield from (0 for _ in range(layout.constant("message_bytes") - template.length))
