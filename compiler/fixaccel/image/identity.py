# SPDX-License-Identifier: Apache-2.0
"""The semantic hash of each part: 128 bits, equal for parts of equal meaning (`fixaccel.semantics.identity`).

What a block's parts share is described as canonical JSON, of which the first 16 bytes of the SHA-256 are the two 64-bit
lanes that a hash starts with. Then a part's own words are mixed into each lane, one after the other:

    lane = finish((lane xor word) + step)        finish(x): x ^= x >> 30; x *= 0xBF58476D1CE4E5B9;
                                                            x ^= x >> 27; x *= 0x94D049BB133111EB; x ^= x >> 31

with another odd ``step`` for each lane. The words: the part's name (of its block's id, or of the name that its row
has), its number in the block from 1 (0: the name is its own), the name of its `oco` group (zero: none), its envelope,
codes, threshold, quantity and price. Of names and envelopes, each lane gets 8 bytes of the SHA-256.
"""

import hashlib
import json
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from fixaccel.image.parts import Parts
from fixaccel.language.forms import Triggers
from fixaccel.language.orders import Envelope
from fixaccel.language.rules import Strategy
from fixaccel.semantics.identity import block_meaning

Lanes = npt.NDArray[np.uint64]

_STEPS = (np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD1B54A32D192ED03))
_FINISH = ((np.uint64(30), np.uint64(0xBF58476D1CE4E5B9)), (np.uint64(27), np.uint64(0x94D049BB133111EB)))
_LAST_SHIFT = np.uint64(31)
_CHUNK = 1 << 14  # rows that are mixed together: few enough for the processor's cache
_CODE_BITS = 8


def part_hashes(strategy: Strategy, parts: Parts) -> Lanes:
    """Low and high 64 bits for each part; ``parts`` are all parts of ``strategy``."""
    seeds = _seeds(strategy)
    names, name, number = _names(strategy, parts)
    groups = _lanes([text.encode("utf-8") for text in strategy.groups])
    envelopes = _lanes([_envelope_text(envelope) for envelope in parts.envelopes])
    group = strategy.part_groups
    # The form of anything but thresholds stands in its block's seed.
    own = np.array([isinstance(block.form, Triggers) for block in strategy.blocks], bool)
    hashes = np.empty((len(parts), len(_STEPS)), np.uint64)
    for start in range(0, len(parts), _CHUNK):
        rows = slice(start, start + _CHUNK)
        block = parts.block[rows]
        columns = (_codes(parts, rows), parts.threshold[rows], parts.qty[rows], parts.price[rows])
        envelope = np.where(own[block], parts.envelope[rows], -1)
        for lane, step in enumerate(_STEPS):
            value = seeds[block, lane]
            for word in (names[name[rows], lane], number[rows], groups[group[rows], lane], envelopes[envelope, lane]):
                value = _mixed(value, word, step)
            for column in columns:
                value = _mixed(value, np.where(own[block], column.view(np.uint64), np.uint64(0)), step)
            hashes[rows, lane] = value
    return hashes


def hash_text(low: int, high: int) -> str:
    """32 hexadecimal digits."""
    return f"{high:016x}{low:016x}"


def _mixed(lane: Lanes, word: Lanes, step: np.uint64) -> Lanes:
    value = (lane ^ word) + step
    for shift, factor in _FINISH:
        value ^= value >> shift
        value *= factor
    value ^= value >> _LAST_SHIFT
    return value


def _codes(parts: Parts, rows: slice) -> npt.NDArray[np.int64]:
    codes = np.zeros(len(parts.index[rows]), np.int64)
    for column in (parts.source, parts.direction, parts.confirm, parts.side, parts.type):
        codes = (codes << _CODE_BITS) | column[rows]
    return codes


def _lanes(texts: Sequence[bytes]) -> Lanes:
    """A row for each text and one of zeros behind them, which stands for none."""
    digests = b"".join(hashlib.sha256(text).digest()[:16] for text in texts)
    return np.vstack([np.frombuffer(digests, "<u8").reshape(-1, 2), np.zeros((1, 2), np.uint64)])


def _seeds(strategy: Strategy) -> Lanes:
    """The lanes that each block starts with. Blocks of thresholds with the same terms share theirs."""
    known: dict[object, bytes] = {}
    texts: list[bytes] = []
    for block in strategy.blocks:
        own = None if isinstance(block.form, Triggers) else id(block)
        linked = (block.parents, block.armed_on, block.cancels)
        key = (block.instrument.symbol, own, block.through, block.during, linked, block.rearm)
        if key not in known:
            known[key] = json.dumps(block_meaning(strategy, block), sort_keys=True).encode("ascii")
        texts.append(known[key])
    return _lanes(texts)


def _names(strategy: Strategy, parts: Parts) -> tuple[Lanes, npt.NDArray[np.int64], Lanes]:
    """Lanes of all names, the place among them of each part's, and the number that follows it."""
    texts = [block.id.encode("utf-8") for block in strategy.blocks]
    first = np.array([block.first for block in strategy.blocks], np.int64)
    many = np.array([block.many for block in strategy.blocks], bool)
    name = parts.block.astype(np.int64)
    number = np.where(many[parts.block], parts.index - first[parts.block] + 1, 0).astype(np.uint64)
    for block in strategy.blocks:
        rows = np.fromiter(block.names, np.int64, len(block.names)) + block.first
        name[rows] = np.arange(len(texts), len(texts) + len(rows))
        number[rows] = 0
        texts += [text.encode("utf-8") for text in block.names.values()]
    return _lanes(texts), name, number


def _envelope_text(envelope: Envelope) -> bytes:
    terms = [envelope.tif.value, envelope.account, sorted(envelope.fields.items())]
    return json.dumps(terms).encode("ascii")
