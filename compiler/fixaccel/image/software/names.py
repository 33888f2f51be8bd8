# SPDX-License-Identifier: Apache-2.0
"""Names of parts and of the rules that they are parts of, as columns of characters."""

import numpy as np
import numpy.typing as npt

from fixaccel.image.parts import Parts
from fixaccel.image.software.columns import Array
from fixaccel.language.rules import Strategy

_CHUNK = 1 << 16  # rows whose characters are placed at once, to stay small
_BRACKETS = 2
_DIGITS = 10

Numbers = npt.NDArray[np.int64]


def rule_columns(strategy: Strategy, parts: Parts) -> dict[str, Array]:
    """`name_columns`, ``part.rule`` and the table ``rule``, whose names stand behind those of the parts."""
    columns = name_columns(strategy, parts)
    numbers: dict[str, int] = {}
    rule = np.zeros(len(strategy.blocks), np.int64)
    for place in np.unique(parts.block).tolist():
        rule[place] = numbers.setdefault(strategy.blocks[place].rule_id, len(numbers))
    names = [name.encode("ascii") for name in numbers]
    count = np.array([len(name) for name in names], np.int64)
    return {
        **columns,
        "part.rule": rule[parts.block],
        "rule.name_first": len(columns["name.text"]) + np.cumsum(count) - count,
        "rule.name_count": count,
        "name.text": np.concatenate([columns["name.text"], np.frombuffer(b"".join(names), np.uint8)]),
    }


def name_columns(strategy: Strategy, parts: Parts) -> dict[str, Array]:
    """``part.name_first``, ``part.name_count`` and ``name.text`` of these parts."""
    texts, text, number = _texts(strategy, parts)
    counts = np.array([len(each) for each in texts], np.int64)
    starts = np.cumsum(counts) - counts
    characters = np.frombuffer(b"".join(texts), np.uint8)
    chunks, lengths = [np.zeros(0, np.uint8)], [np.zeros(0, np.int64)]
    for first in range(0, len(parts), _CHUNK):
        rows = slice(first, first + _CHUNK)
        chunk, length = _characters(characters, starts[text[rows]], counts[text[rows]], number[rows])
        chunks.append(chunk)
        lengths.append(length)
    count = np.concatenate(lengths)
    return {
        "part.name_first": np.cumsum(count) - count,
        "part.name_count": count,
        "name.text": np.concatenate(chunks),
    }


def _texts(strategy: Strategy, parts: Parts) -> tuple[list[bytes], Numbers, Numbers]:
    """Texts, the place among them of each part's, and the number that follows it in brackets, 0 for none."""
    blocks = strategy.blocks
    texts = [block.id.encode("ascii") for block in blocks]
    first = np.array([block.first for block in blocks], np.int64)
    many = np.array([block.many for block in blocks], bool)
    text = parts.block.astype(np.int64)
    row = parts.index - first[parts.block]
    number = np.where(many[parts.block], row + 1, 0)
    own = np.full(int(parts.index[-1]) + 1 if len(parts) else 0, -1, np.int64)
    for place in np.unique(parts.block):
        names = blocks[place].names
        if names:
            indices = np.fromiter(names, np.int64, len(names)) + blocks[place].first
            places = np.arange(len(texts), len(texts) + len(names))
            inside = indices < len(own)
            own[indices[inside]] = places[inside]
            texts += [name.encode("ascii") for name in names.values()]
    named = own[parts.index] >= 0
    return texts, np.where(named, own[parts.index], text), np.where(named, 0, number)


def _characters(characters: Array, start: Numbers, count: Numbers, number: Numbers) -> tuple[Array, Numbers]:
    """The names one behind the other, and how long each is."""
    digits = np.zeros(len(number), np.int64)
    for power in range(len(str(number.max(initial=0)))):
        digits += number >= _DIGITS**power
    length = count + np.where(number > 0, digits + _BRACKETS, 0)
    end = np.cumsum(length)
    out = np.empty(int(end[-1]), np.uint8)
    within = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
    out[np.repeat(end - length, count) + within] = characters[np.repeat(start, count) + within]
    out[(end - length + count)[number > 0]] = ord("[")
    out[(end - 1)[number > 0]] = ord("]")
    for place in range(int(digits.max(initial=0))):
        rows = digits > place
        out[end[rows] - 2 - place] = ord("0") + number[rows] // _DIGITS**place % _DIGITS
    return out, length
