# SPDX-License-Identifier: Apache-2.0
"""What stands in front of the FAST bytes of a datagram, as words."""

from fixaccel.fast.layout import FEED
from fixaccel.fast.program.words import RawWord, Role
from fixaccel.language.terms import Sequence

_MOST = FEED.records["word_raw"].field("bytes").high


def raw_words(sequence: Sequence, skip: int) -> tuple[RawWord, ...]:
    """Up to byte ``skip``, with the number of ``sequence`` where that stands in front."""
    if not sequence.bytes:
        return skipped(skip)
    number = RawWord(sequence.bytes, sequence.big, role=Role.NUMBER)
    return (*skipped(sequence.offset), number, *skipped(skip - sequence.offset - sequence.bytes))


def skipped(count: int) -> tuple[RawWord, ...]:
    """So many bytes that nobody wants."""
    return tuple(RawWord(min(count - at, _MOST)) for at in range(0, count, _MOST))
