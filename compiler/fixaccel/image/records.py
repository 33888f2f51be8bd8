# SPDX-License-Identifier: Apache-2.0
"""Many records at once: fields as arrays in, packed words out, and back."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from fixaccel.hwmap.hwmap import WORD_BITS, Field, Record

Words = npt.NDArray[np.uint32]
Column = npt.NDArray[Any]

# Rows that are worked on together: few enough for the processor's cache.
_CHUNK = 1 << 15
_BYTE_BITS = 8


def pack_columns(record: Record, columns: Mapping[str, Column], rows: int) -> Words:
    """Little-endian words, a row for each record, as wide as the record's stride.

    A column has one number for each row (or one for all); of a field that is wider than 64 bits, a row of bytes. Fields
    left out are zero. Raises OverflowError for a number that does not fit its field, KeyError for an unknown field.
    """
    for name, values in columns.items():
        _check(record.field(name), values)
    words = np.zeros((rows, record.stride_words), "<u4")
    for start in range(0, rows, _CHUNK):
        chunk = words[start : start + _CHUNK]
        for name, values in columns.items():
            part = values[start : start + _CHUNK] if values.ndim else values
            _store(chunk, record.field(name), part)
    return words


def unpack_columns(record: Record, data: bytes | memoryview, names: Iterable[str] = ()) -> dict[str, Column]:
    """The fields ``names`` (none: all) of packed records, as `pack_columns` takes them.

    Numbers are int64, an unsigned 64-bit field uint64. Raises ValueError where ``data`` is not whole records.
    """
    if len(data) % record.stride_bytes:
        raise ValueError(f"{record.name}: {len(data)} bytes are not whole records of {record.stride_bytes}")
    words = np.frombuffer(data, "<u4").reshape(-1, record.stride_words)
    return {field.name: _load(words, field) for field in record.fields if not names or field.name in names}


def trimmed(words: Words) -> bytes:
    """The records up to the last that is not zero."""
    used = np.flatnonzero(words.any(axis=1))
    return words[: used[-1] + 1].tobytes() if len(used) else b""


def _check(field: Field, values: Column) -> None:
    if values.ndim == 2:
        if values.shape[1] * _BYTE_BITS != field.bits or field.lsb % _BYTE_BITS:
            raise OverflowError(f"{field.name}: rows of {values.shape[1]} bytes")
    elif values.size:
        low, high = int(values.min()), int(values.max())
        if low < field.low or high > field.high:
            wrong = low if low < field.low else high
            raise OverflowError(f"{field.name}: {wrong} is outside {field.low}..{field.high}")


def _store(words: Words, field: Field, values: Column) -> None:
    if values.ndim == 2:
        at = field.lsb // _BYTE_BITS
        words.view(np.uint8)[:, at : at + values.shape[1]] = values
        return
    raw = values.astype(np.uint64)
    for word, shift, bits, done in _pieces(field):
        piece = (raw >> np.uint64(done)) & np.uint64((1 << bits) - 1)
        words[:, word] |= (piece << np.uint64(shift)).astype(np.uint32)


def _load(words: Words, field: Field) -> Column:
    if field.bits > 2 * WORD_BITS:
        at = field.lsb // _BYTE_BITS
        return words.view(np.uint8)[:, at : at + field.bits // _BYTE_BITS]
    raw = np.zeros(len(words), np.uint64)
    for word, shift, bits, done in _pieces(field):
        piece = (words[:, word] >> np.uint32(shift)) & np.uint32((1 << bits) - 1)
        raw |= piece.astype(np.uint64) << np.uint64(done)
    if field.bits == 2 * WORD_BITS and not field.signed:
        return raw
    value = raw.view(np.int64)
    unused = 2 * WORD_BITS - field.bits if field.signed else 0
    return (value << unused) >> unused


def _pieces(field: Field) -> Iterable[tuple[int, int, int, int]]:
    """How a field lies in words: (word, shift within it, bits, bits of the field that lie before)."""
    done = 0
    while done < field.bits:
        word, shift = divmod(field.lsb + done, WORD_BITS)
        bits = min(field.bits - done, WORD_BITS - shift)
        yield word, shift, bits, done
        done += bits
