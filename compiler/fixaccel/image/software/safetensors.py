# SPDX-License-Identifier: Apache-2.0
"""Columns in one file in the safetensors layout: the length of a JSON header in 8 bytes, the header, raw columns."""

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

Columns = Mapping[str, npt.NDArray[Any]]

_NAMES = {
    "u1": "U8", "i1": "I8", "u2": "U16", "i2": "I16", "u4": "U32", "i4": "I32", "u8": "U64", "i8": "I64", "f8": "F64",
}  # fmt: skip
_DTYPES = {name: np.dtype(f"<{code}") for code, name in _NAMES.items()}
_ALIGNMENT = 8
_METADATA = "__metadata__"


class SafetensorsError(ValueError):
    """The bytes are no file of this layout."""


def dump(columns: Columns, metadata: Mapping[str, str] | None = None) -> bytes:
    """The file's bytes, the same for the same input. Columns of wide numbers come first, so that each is aligned."""
    ordered = sorted(columns.items(), key=lambda item: -item[1].dtype.itemsize)
    header: dict[str, Any] = {_METADATA: dict(metadata)} if metadata else {}
    at = 0
    for name, column in ordered:
        kind = _NAMES[f"{column.dtype.kind}{column.dtype.itemsize}"]
        header[name] = {"dtype": kind, "shape": list(column.shape), "data_offsets": [at, at + column.nbytes]}
        at += column.nbytes
    text = json.dumps(header, separators=(",", ":")).encode("utf-8")
    text += b" " * (-len(text) % _ALIGNMENT)
    raw = (np.ascontiguousarray(column, column.dtype.newbyteorder("<")).data for _, column in ordered)
    return b"".join([len(text).to_bytes(8, "little"), text, *raw])


def load(data: bytes) -> tuple[dict[str, npt.NDArray[Any]], dict[str, str]]:
    """Columns (read-only views of ``data``) and metadata. Raises SafetensorsError."""
    try:
        size = int.from_bytes(data[:8], "little")
        header = json.loads(data[8 : 8 + size])
        metadata = header.pop(_METADATA, {})
        columns, at = {}, 0
        for name, entry in sorted(header.items(), key=lambda item: item[1]["data_offsets"]):
            (start, end), dtype = entry["data_offsets"], _DTYPES[entry["dtype"]]
            if start != at:
                raise SafetensorsError(f"{name} begins at {start}, the column before it ends at {at}")
            raw = np.frombuffer(memoryview(data)[8 + size + start : 8 + size + end], dtype)
            columns[name] = raw.reshape(entry["shape"])
            at = end
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise SafetensorsError(f"not understood: {error}") from None
    if 8 + size + at != len(data):
        raise SafetensorsError(f"{len(data)} bytes, its columns need {8 + size + at}")
    return columns, metadata
