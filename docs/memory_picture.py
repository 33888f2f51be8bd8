# SPDX-License-Identifier: Apache-2.0
"""Draws the fabric's memories, as large as they are, from the hardware map and the last report of `make synth`."""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from svg import Picture

from fixaccel.hwmap.hwmap import Hwmap, Record
from fixaccel.language.terms import Board

_ROW = 24
_BAR = 420  # of the largest
_NAME, _SIZE, _START = 20, 330, 350
_KBIT = 1024
_BRAM36_KBIT = 36
# What generate blocks and the memory itself add to its path.
_PART = re.compile(
    r"(\.gen_blocks\.memory|\.gen_banks\.gen_(bank\[(?P<bank>\d+)\]|rest)\.memory)?(\.gen_part\[\d+\])?(\.mem)?$"
)


@dataclass(frozen=True)
class Size:
    """``bits`` of each of ``depth`` records; ``bram36`` blocks where they were measured."""

    name: str
    depth: int
    bits: int
    bram36: float = 0

    @property
    def kbit(self) -> float:
        return self.depth * self.bits / _KBIT


def sizes(hwmap: Hwmap, board: Board) -> list[Size]:
    """The memories of the map with the bits that a board stores of a record, largest first."""
    found = [
        Size(name, hwmap.depth(name, board.capacity), _stored(memory.record, board))
        for name, memory in hwmap.memories.items()
    ]
    return sorted(found, key=lambda size: -size.kbit)


def _stored(record: Record, board: Board) -> int:
    """An index takes the bits that the capacity which it counts needs."""
    return sum(
        min(field.bits, (board.capacity[field.counts] - 1).bit_length()) if field.counts else field.bits
        for field in record.fields
    )


def measured(report: Path, rtl: Path, board: Board) -> list[Size]:
    """Memories in block RAM by `make synth`, most blocks first; none without a report of these sources and board."""
    if not report.exists() or report.stat().st_mtime < max(path.stat().st_mtime for path in rtl.rglob("*.sv")):
        return []
    content: dict[str, Any] = json.loads(report.read_text(encoding="utf-8"))
    if content["board"] != board.name or content["capacity"] != dict(board.capacity):
        return []
    parts: dict[str, list[dict[str, Any]]] = {}
    for memory in content["memories"]:
        parts.setdefault(_PART.sub("", memory["path"]), []).append(memory)
    found = [_whole(name, memories) for name, memories in parts.items()]
    return sorted((size for size in found if size.bram36), key=lambda size: -size.bram36)


def _whole(name: str, parts: list[dict[str, Any]]) -> Size:
    """A memory that the sources cut into parts, side by side or, banks, one behind the other."""
    banks = {match["bank"]: part["size"] for part in parts if (match := _PART.search(part["path"]))}
    beside = banks.pop(None, 0)
    depth = max(beside, sum(banks.values()))
    bits = sum(part["size"] * part["width"] for part in parts)
    return Size(name, depth, bits // depth, sum(part["bram36"] for part in parts))


def picture(hwmap: Hwmap, board: Board, blocks: list[Size]) -> str:
    """Bars of the map's memories, and of those ``blocks`` that were measured, as SVG."""
    tables = sizes(hwmap, board)
    drawn = Picture("Memories of the fabric", _START + _BAR + 120, 60 + _ROW * (len(tables) + len(blocks) + 3))
    y = 30
    total = sum(size.kbit for size in tables)
    chip = board.chip.get("bram36", 0) * _BRAM36_KBIT
    of = f" of {chip:,} in the block RAM of {board.part}" if chip else ""
    drawn.text(_NAME, y, f"What the host reads and writes, {board.name}: {total:,.0f} Kbit{of}", small=False)
    for size in tables:
        y += _ROW
        _bar(drawn, y, size, size.kbit / tables[0].kbit, f"{size.kbit:,.1f} Kbit")
    if blocks:
        y += 2 * _ROW
        drawn.text(_NAME, y, f"In block RAM by make synth: {sum(b.bram36 for b in blocks):g} BRAM36", small=False)
        for size in blocks:
            y += _ROW
            _bar(drawn, y, size, size.bram36 / blocks[0].bram36, f"{size.bram36:g} BRAM36")
    return drawn.svg()


def _bar(drawn: Picture, y: int, size: Size, share: float, figure: str) -> None:
    drawn.text(_NAME, y, size.name)
    drawn.text(_SIZE, y, f"{size.depth:,} x {size.bits}", end=True)
    drawn.rect("hot", _START, y - 13, max(2, share * _BAR), 16)
    drawn.text(_START + max(2, share * _BAR) + 8, y, figure)


def source(blocks: list[Size]) -> str:
    """A sentence that says where the picture's figures come from."""
    if blocks:
        return "The upper part is made from the hardware map, the lower one from the report of `make synth`."
    return (
        "It is made from the hardware map and the capacities of the board file. No report of `make synth` on these\n"
        "sources lay in `build/synth` when this page was made: with one, the picture has a second part, the block RAM\n"
        "of each memory."
    )
