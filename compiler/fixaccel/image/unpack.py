# SPDX-License-Identifier: Apache-2.0
"""Parts read back from the fabric's memories: of the strategy nothing is seen but the packed bytes.

What the fabric would do wrongly is refused: a symbol that its hash does not find, a chain out of order, a trigger that
no chain reaches, an order whose sums are not those of its bytes, links that are no `oco` group.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from fixaccel.hwmap.model import Hwmap
from fixaccel.image.columns import SYMBOL_CHARS, Array, PartColumns
from fixaccel.image.directory import bucket_of, mix, slot_of
from fixaccel.image.layout import Layout
from fixaccel.image.numbering import stretches
from fixaccel.image.read_error import ImageReadError, require
from fixaccel.image.records import unpack_columns
from fixaccel.image.unpack_links import read_links
from fixaccel.image.unpack_orders import read_orders
from fixaccel.image.windows import ALWAYS, schedule_columns
from fixaccel.language.model import Direction, Source
from fixaccel.language.rules import DIRECTIONS, SOURCES

_WORD64 = 1 << 64

Fields = dict[str, Array]


def unpack(
    manifest: Mapping[str, Any], memories: Mapping[str, bytes], hashes: Array, hwmap: Hwmap, shared: PartColumns
) -> PartColumns:
    """Columns of the parts in ``memories`` (by name, as in ``image/NAME.bin``).

    ``hashes`` are those of all parts of the bundle, by index; instruments and the other columns that parts share are
    taken from ``shared``, and compared with what the memories say. Raises ImageReadError.
    """
    layout = Layout(hwmap, manifest["board"]["capacity"], banked=manifest["banked"])
    try:
        records = {name: unpack_columns(layout.record(name), data) for name, data in memories.items()}
    except ValueError as error:
        raise ImageReadError(str(error)) from None
    symbols = _symbols(records, manifest["hash_seed"], layout)
    places = _places(symbols, records["instrument"], shared)
    trigger, chain = _in_chains(records["chain"], len(records["trigger"]["threshold"]))
    dormant = _dormant(records, len(trigger), layout)
    part = {name: column[trigger] for name, column in records["trigger"].items()}
    of_chain = _chain_columns(layout)
    instrument = chain // layout.chains
    source, direction = of_chain[:, chain % layout.chains]
    _check_triggers(part, chain, direction, len(hashes))
    window = records["chain"]["window"][chain].astype(np.int32)
    require(int(window.max(initial=ALWAYS)) <= len(manifest["windows"]), "a chain's window is not the bundle's")
    letters = _letters(records["symbol"], instrument, symbols)
    orders = read_orders(records, part["order"], instrument, letters, layout)
    chars = (letters != 0).sum(axis=1)
    require((chars[instrument] == orders.symbol_chars).all(), "a template has another room for its symbol")
    links = read_links(records, dormant, layout)
    armers = links.arms[trigger]
    arms = np.bincount(chain[armers], minlength=len(records["chain"]["arms"])) > 0
    require((arms == records["chain"]["arms"]).all(), "a chain does not say whether its orders arm")
    most = np.bincount(instrument[armers], minlength=1).max()
    require(most <= layout.constant("deferred_links"), "more orders of an instrument arm than the fabric keeps")
    unit = shared["instrument.unit"][places[instrument]]
    return PartColumns.thresholds(
        shared,
        {
            "part.index": part["rule"],
            "part.hash": hashes[part["rule"]],
            "part.instrument": places[instrument],
            "part.source": source,
            "part.direction": direction,
            "part.threshold": part["threshold"],
            "part.schedule": window - 1,
            "part.group": links.group[trigger],
            "part.parents": links.parents[trigger],
            "order.side": orders.side,
            "order.type": orders.type,
            "order.qty": orders.qty,
            "order.price": orders.price_units(unit, layout),
            **links.tables,
            **schedule_columns(manifest["windows"]),
        },
    )


def _symbols(records: Mapping[str, Fields], seed: int, layout: Layout) -> dict[int, str]:
    """Symbols by the fabric's instrument index, each found as the fabric finds it."""
    directory, offsets, keys = records["directory"], records["displacement"]["offset"], records["symbol"]["key"]
    symbols: dict[int, str] = {}
    for slot in np.flatnonzero(directory["valid"]).tolist():
        index = int(directory["instrument"][slot])
        require(index < len(keys), f"instrument {index} has no symbol")
        key = keys[index].tobytes().rstrip(b"\0")
        symbol = key.decode("latin-1")
        bucket = bucket_of(mix(symbol, seed), layout.buckets, banked=layout.banked) if symbol.isascii() else -1
        offset = int(offsets[bucket]) if 0 <= bucket < len(offsets) else 0
        found = bucket >= 0 and slot_of(mix(symbol, seed), offset, layout.slots) == slot
        require(found, f"the directory's hash does not lead to {key!r}")
        symbols[index] = symbol
    return symbols


def _places(symbols: Mapping[int, str], instrument: Fields, shared: PartColumns) -> npt.NDArray[np.int32]:
    """Row of each of the fabric's instruments in ``shared``; -1 where an index has no symbol."""
    known = {row.tobytes().rstrip(b"\0").decode("ascii"): n for n, row in enumerate(shared["instrument.symbol"])}
    places = np.full(len(instrument["inverse"]), -1, np.int32)
    for index, symbol in symbols.items():
        require(symbol in known, f"{symbol!r} is no instrument of the venue")
        require(index < len(places), f"{symbol} has no instrument record")
        places[index] = known[symbol]
    used = np.flatnonzero(places >= 0)
    inverses, shifts = instrument["inverse"][used].tolist(), instrument["shift"][used].tolist()
    require(all(inverse % 2 for inverse in inverses), "an inverse that is even divides nothing")
    units = [pow(inverse, -1, _WORD64) << shift for inverse, shift in zip(inverses, shifts, strict=True)]
    require(units == shared["instrument.unit"][places[used]].tolist(), "an instrument's unit is not the venue's")
    for end in ("price_min", "price_max"):
        same = (instrument[end][used] == shared[f"instrument.{end}"][places[used]]).all()
        require(same, f"an instrument's {end} is not the venue's")
    return places


def _in_chains(chain: Fields, triggers: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """All triggers in the order of chains and of firing, and the chain of each."""
    used = np.flatnonzero(chain["valid"])
    first, last = chain["first"][used], chain["last"][used]
    require((first <= last).all() and (last < triggers).all(), "a chain does not lie in the trigger memory")
    length = last - first + 1
    trigger = stretches(first, length)
    reached = np.bincount(trigger, minlength=triggers)
    require((reached == 1).all(), "triggers that no chain or more than one reaches")
    return trigger, np.repeat(used, length)


def _dormant(records: Mapping[str, Fields], triggers: int, layout: Layout) -> npt.NDArray[np.bool_]:
    """Which triggers wait to be armed: at load the others are live, and nothing else is."""
    live, dormant = (_bits(records[name]["triggers"], triggers, layout) for name in ("live", "dormant"))
    require(not (live & dormant).any(), "a trigger is both live and dormant")
    require((live | dormant).all(), "a trigger is neither live nor dormant")
    return dormant


def _bits(words: Array, triggers: int, layout: Layout) -> npt.NDArray[np.bool_]:
    bits = ((words[:, None] >> np.arange(layout.constant("live_word_bits"))) & 1).reshape(-1).astype(np.bool_)
    require(not bits[triggers:].any(), "a trigger that is not there is live or dormant")
    return np.append(bits, np.zeros(triggers, np.bool_))[:triggers]


def _check_triggers(part: Fields, chain: Array, direction: Array, parts: int) -> None:
    require((part["rule"] < parts).all(), "a trigger has a rule that the bundle does not have")
    require((np.bincount(part["rule"]) <= 1).all(), "two triggers have the same rule")
    nearness = np.where(direction == DIRECTIONS.index(Direction.LE), -part["threshold"], part["threshold"])
    same = np.diff(chain) == 0
    closer = np.diff(nearness)
    sorted_ = (closer > 0) | ((closer == 0) & (np.diff(part["rule"]) > 0))
    require(sorted_[same].all(), "a chain's triggers are not in firing order")


def _chain_columns(layout: Layout) -> npt.NDArray[np.uint8]:
    """Source and direction of each chain of an instrument."""
    columns = np.zeros((2, layout.chains), np.uint8)
    for source in Source:
        for direction in Direction:
            number = layout.chain(0, source, direction)
            columns[:, number] = SOURCES.index(source), DIRECTIONS.index(direction)
    return columns


def _letters(symbol: Fields, instrument: Array, symbols: Mapping[int, str]) -> npt.NDArray[np.uint8]:
    """A row of characters for each instrument: what its orders are sent for is what its messages are found by."""
    letters = np.zeros((max(symbols, default=-1) + 1, SYMBOL_CHARS), np.uint8)
    for index, text in symbols.items():
        letters[index, : len(text)] = np.frombuffer(text.encode("ascii"), np.uint8)
    require(not len(instrument) or int(instrument.max()) < len(letters), "a chain of no instrument")
    same = symbol["key"].shape == letters.shape and (symbol["key"] == letters).all()
    require(same or not len(symbols), "an instrument has another symbol than its orders")
    return letters
