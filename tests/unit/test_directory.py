# SPDX-License-Identifier: Apache-2.0
"""The perfect hash."""

import zlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fixaccel.image.directory import SymbolClashError, bucket_of, mix, place, slot_of

SYMBOLS = st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZabc0123456789._/^-", min_size=1, max_size=12)


def check(symbols, slots, buckets, banked):
    directory = place(symbols, slots, buckets, 1 << 16, banked=banked)
    assert directory.seed % 2 == 1
    assert len(set(directory.slots.values())) == len(symbols)
    for symbol in symbols:
        mixed = mix(symbol, directory.seed)
        offset = directory.displacement[bucket_of(mixed, buckets, banked=banked)]
        assert slot_of(mixed, offset, slots) == directory.slots[symbol] < slots
    return directory


@settings(max_examples=100, deadline=None)
@given(st.lists(SYMBOLS, unique=True, max_size=64), st.sampled_from([(128, 64), (2048, 1024)]), st.booleans())
def test_every_symbol_finds_its_slot(symbols, sizes, banked):
    try:
        check(symbols, *sizes, banked)
    except SymbolClashError as error:
        one, other = error.symbols
        assert (zlib.crc32(one.encode()) - zlib.crc32(other.encode())) % sizes[0] == 0


def test_a_full_board():
    check([f"SYM{number}" for number in range(1024)], 2048, 1024, banked=False)


def test_a_full_bank():
    check([f"SYM{number}" for number in range(512)], 1024, 512, banked=True)


def test_one_bucket():
    check(["MSFT"], 2, 1, banked=False)


def test_the_hash_is_the_one_that_the_fabric_computes():
    # From the definition, by hand: CRC-32 as in zlib, times the seed, top bits and low bits.
    mixed = zlib.crc32(b"MSFT") * 5 & 0xFFFFFFFF
    assert mix("MSFT", 5) == mixed
    assert bucket_of(mixed, 1024, banked=False) == mixed >> 22
    assert bucket_of(mixed, 512, banked=True) == mixed >> 22 & 511, "the topmost bit is the bank's"
    assert slot_of(mixed, 2047, 2048) == ((mixed & 2047) + 2047) & 2047


def test_the_same_symbols_give_the_same_directory():
    symbols = [f"S{number}" for number in range(300)]
    first, second = (place(symbols, 2048, 1024, 1 << 16, banked=False) for _ in range(2))
    assert first == second


def test_equal_sums_are_named():
    with pytest.raises(SymbolClashError) as caught:
        place(["MSFT", "1UZ4B6", "4MIXYX"], 2048, 1024, 1 << 16, banked=False)
    assert caught.value.symbols == ("1UZ4B6", "4MIXYX")
