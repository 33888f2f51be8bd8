# SPDX-License-Identifier: Apache-2.0
"""Reads records back out of packed memories."""

from collections.abc import Mapping

from fixaccel.image.layout import Layout


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
