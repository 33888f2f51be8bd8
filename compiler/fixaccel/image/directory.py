# SPDX-License-Identifier: Apache-2.0
"""The perfect hash that finds an instrument by its symbol in one directory read."""

import zlib
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

# Multipliers to try are odd multiples of this, 2^32 over the golden ratio: they spread neighbouring sums well.
_FIRST_SEED = 0x9E3779B1
_SEEDS = 1024
_WORD = 1 << 32


@dataclass(frozen=True)
class Directory:
    """``slots`` gives each symbol's slot, ``displacement`` the offset of each bucket in use."""

    seed: int
    slots: dict[str, int]
    displacement: dict[int, int]


class SymbolClashError(ValueError):
    """Symbols that no seed can tell apart."""

    def __init__(self, symbols: tuple[str, ...]) -> None:
        super().__init__(f"no perfect hash for {', '.join(symbols)}")
        self.symbols = symbols


def mix(symbol: str, seed: int) -> int:
    """32-bit hash of a symbol: CRC-32 times the odd ``seed``."""
    return zlib.crc32(symbol.encode("ascii")) * seed % _WORD


def bucket_of(mixed: int, buckets: int) -> int:
    """The top bits of the hash choose the bucket. ``buckets`` is a power of two."""
    return mixed * buckets // _WORD


def slot_of(mixed: int, displacement: int, slots: int) -> int:
    """The low bits of the hash, moved on by the bucket's displacement."""
    return (mixed + displacement) % slots


def place(symbols: Sequence[str], slots: int, buckets: int) -> Directory:
    """Finds a seed and displacements under which no two symbols share a slot; the same for the same symbols.

    Raises SymbolClashError where there are none. ``slots`` and ``buckets`` are powers of two.
    """
    by_sum: dict[int, str] = {}
    for symbol in symbols:
        other = by_sum.setdefault(zlib.crc32(symbol.encode("ascii")), symbol)
        if other != symbol:
            raise SymbolClashError((other, symbol))
    for attempt in range(_SEEDS):
        found = _try(symbols, _FIRST_SEED * (2 * attempt + 1) % _WORD, slots, buckets)
        if found is not None:
            return found
    raise SymbolClashError(_closest(symbols, slots))


def _try(symbols: Sequence[str], seed: int, slots: int, buckets: int) -> Directory | None:
    members: dict[int, list[tuple[str, int]]] = defaultdict(list)
    for symbol in symbols:
        mixed = mix(symbol, seed)
        members[bucket_of(mixed, buckets)].append((symbol, mixed))
    taken: set[int] = set()
    placed: dict[str, int] = {}
    displacement: dict[int, int] = {}
    # Full buckets first, while there is room to choose from.
    for bucket, entries in sorted(members.items(), key=lambda item: (-len(item[1]), item[0])):
        for offset in range(slots):
            wanted = {slot_of(mixed, offset, slots) for _, mixed in entries}
            if len(wanted) < len(entries):
                return None  # equal low bits in one bucket: no offset parts them
            if not wanted & taken:
                break
        else:
            return None
        taken |= wanted
        displacement[bucket] = offset
        placed |= {symbol: slot_of(mixed, offset, slots) for symbol, mixed in entries}
    return Directory(seed, placed, displacement)


def _closest(symbols: Sequence[str], slots: int) -> tuple[str, ...]:
    """Symbols whose low hash bits agree: under an odd multiplier they always will."""
    for one, other in combinations(symbols, 2):
        if (zlib.crc32(one.encode("ascii")) - zlib.crc32(other.encode("ascii"))) % slots == 0:
            return (one, other)
    return tuple(symbols)
