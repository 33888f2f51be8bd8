# SPDX-License-Identifier: Apache-2.0
"""The perfect hash that finds an instrument by its symbol in one directory read."""

import zlib
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

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


def bucket_of(mixed: int, buckets: int, *, banked: bool) -> int:
    """The top bits of the hash choose the bucket, of a bank those below the topmost. ``buckets`` is a power of two."""
    top = _WORD // 2 if banked else _WORD
    return mixed % top * buckets // top


def slot_of(mixed: int, displacement: int, slots: int) -> int:
    """The low bits of the hash, moved on by the bucket's displacement."""
    return (mixed + displacement) % slots


def place(symbols: Sequence[str], slots: int, buckets: int, offsets: int, *, banked: bool) -> Directory:
    """Finds a seed and displacements under which no two symbols share a slot; the same for the same symbols.

    Raises SymbolClashError where there are none. ``slots`` and ``buckets`` are powers of two, those of one bank if
    ``banked``; displacements are below ``offsets``.
    """
    sums = [zlib.crc32(symbol.encode("ascii")) for symbol in symbols]
    _raise_equal(symbols, sums)
    for attempt in range(_SEEDS):
        seed = _FIRST_SEED * (2 * attempt + 1) % _WORD
        mixed = [total * seed % _WORD for total in sums]
        bucket = [bucket_of(one, buckets, banked=banked) for one in mixed]
        displacement = _displacements(mixed, bucket, slots, min(slots, offsets))
        if displacement is not None:
            found = (slot_of(one, displacement[at], slots) for one, at in zip(mixed, bucket, strict=True))
            return Directory(seed, dict(zip(symbols, found, strict=True)), displacement)
    # Under an odd multiplier, equal low bits stay equal.
    _raise_equal(symbols, [total % slots for total in sums])
    raise SymbolClashError(tuple(symbols))


def _raise_equal(symbols: Sequence[str], sums: Sequence[int]) -> None:
    first: dict[int, str] = {}
    for symbol, total in zip(symbols, sums, strict=True):
        other = first.setdefault(total, symbol)
        if other != symbol:
            raise SymbolClashError((other, symbol))


def _displacements(mixed: Sequence[int], buckets: Sequence[int], slots: int, offsets: int) -> dict[int, int] | None:
    members: dict[int, list[int]] = defaultdict(list)
    for one, bucket in zip(mixed, buckets, strict=True):
        members[bucket].append(one % slots)
    taken = bytearray(slots)
    displacement: dict[int, int] = {}
    # Full buckets first, while there is room to choose from.
    for bucket, lows in sorted(members.items(), key=lambda item: (-len(item[1]), item[0])):
        if len(set(lows)) < len(lows):
            return None  # equal low bits in one bucket: no offset parts them
        offset = next((n for n in range(offsets) if not any(taken[(low + n) % slots] for low in lows)), None)
        if offset is None:
            return None
        for low in lows:
            taken[(low + offset) % slots] = 1
        displacement[bucket] = offset
    return displacement
