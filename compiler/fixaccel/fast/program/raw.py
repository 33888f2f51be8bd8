# SPDX-License-Identifier: Apache-2.0
"""What stands in front of the FAST bytes of a datagram, as words."""

from collections.abc import Iterator

from fixaccel.fast.layout import FEED
from fixaccel.fast.program.words import RawWord, Role
from fixaccel.language.terms import Sequence

_MOST = FEED.records["word_raw"].field("bytes").high


def raw_words(sequence: Sequence, skip: int) -> tuple[RawWord, ...]:
    """Up to byte ``skip``, with the number of ``sequence`` where that stands in front."""
    words = [*_passed(sequence.offset if sequence.bytes else skip)]
    if sequence.bytes:
        words.append(RawWord(sequence.bytes, sequence.big, role=Role.NUMBER))
        words += _passed(skip - sequence.offset - sequence.bytes)
    return tuple(words)


def _passed(count: int) -> Iterator[RawWord]:
    while count > 0:
        yield RawWord(min(count, _MOST))
        count -= _MOST
