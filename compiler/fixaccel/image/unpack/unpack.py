# SPDX-License-Identifier: Apache-2.0
"""Parts read back from the fabric's memories: of the strategy nothing is seen but the packed bytes.

What the fabric would do wrongly is refused: a symbol that its hash does not find, a chain out of order, a trigger that
no chain reaches, an order whose sums are not those of its bytes, links that are no `oco` group, limits that are not the
strategy's.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from fixaccel.hwmap.hwmap import Hwmap
from fixaccel.image.collar import basis_points_of
from fixaccel.image.directory import bucket_of, mix, slot_of
from fixaccel.image.layout import Layout
from fixaccel.image.limits_left import NO_CAP, price_bounds, read_quantities
from fixaccel.image.numbering import sorting, stretches
from fixaccel.image.pack.orders import by_price
from fixaccel.image.records import unpack_columns
from fixaccel.image.software.columns import ARMED_ON, FORMS, NONE, SYMBOL_CHARS, Array, PartColumns
from fixaccel.image.unpack.chains import ReadChains, read_chains
from fixaccel.image.unpack.links import check_links, read_links
from fixaccel.image.unpack.orders import SentOrders, read_orders
from fixaccel.image.unpack.read_error import ImageReadError, require
from fixaccel.image.unpack.trails import ReadTrails, read_trails
from fixaccel.image.unpack.watches import Flags, kinds_of, read_watches, watch_orders
from fixaccel.image.windows import ALWAYS, schedule_columns
from fixaccel.language.codes import ORDER_TYPES, SIDES
from fixaccel.language.rules import ArmedOn
from fixaccel.language.terms import OrderType, Side

_WORD64 = 1 << 64
_MARKET = ORDER_TYPES.index(OrderType.MARKET)
_SENT = ARMED_ON.index(ArmedOn.SENT.value)

Fields = dict[str, Array]


def unpack(
    manifest: Mapping[str, Any],
    memories: Mapping[str, bytes],
    hashes: Array,
    hwmap: Hwmap,
    shared: PartColumns,
    whole: PartColumns | None = None,
) -> PartColumns:
    """Columns of the parts in ``memories`` (by name, as in ``image/NAME.bin``).

    ``hashes`` are those of all parts of the bundle, by index; instruments and the other columns that parts share are
    taken from ``shared``, and compared with what the memories say. ``whole`` are all parts: from them the runtime has
    whose fills arm others, and so is it here. None: no fills do. Raises ImageReadError.
    """
    layout = Layout(hwmap, manifest["board"]["capacity"], banked=manifest["banked"])
    try:
        records = {name: unpack_columns(layout.record(name), data) for name, data in memories.items()}
    except ValueError as error:
        raise ImageReadError(str(error)) from None
    _check_collar(manifest["collar"], shared)
    symbols = _symbols(records, manifest["hash_seed"], layout)
    places = _places(symbols, records["instrument"], shared)
    watching = watch_orders(records["order"], layout)
    trails = read_trails(records, layout)
    everything = read_chains(records, trails, len(hashes), watching, layout)
    check_links(records, layout)
    chains = everything.parts()
    unchecked = int(shared["limits.repeat_ns"][0]) != NONE
    require(not (len(chains.trigger) and unchecked), "a rule of the fabric is under a limit that it does not check")
    trigger, instrument = chains.trigger, chains.instrument
    begins = np.zeros(len(records["trigger"]["rule"]), np.bool_)
    begins[trigger[chains.begins]] = True
    live, dormant = _states(records, begins, everything, layout)
    watches = read_watches(records, everything, live, layout)
    require(int(chains.window.max(initial=ALWAYS)) <= len(manifest["windows"]), "a chain's window is not the bundle's")
    letters = _letters(records["symbol"], instrument, symbols)
    sent = {**records, "order": {name: column[~watching] for name, column in records["order"].items()}}
    orders = read_orders(sent, chains.order, instrument, letters, layout)
    chars = (letters != 0).sum(axis=1)
    require((chars[instrument] == orders.symbol_chars).all(), "a template has another room for its symbol")
    unlimited = _check_quantities(records["quantity_left"], symbols, places, shared, layout)
    unlimited &= _check_bounds(orders, places[instrument], shared, layout)
    self_trade = bool(shared["limits.self_trade"][0])
    noted = records["order"]["rests"][chains.order] == 1
    require((noted == (orders.rests & self_trade)).all(), "an order that rests is not noted, or one that does not")
    _check_registers(manifest["limits"], shared, unlimited and not self_trade)
    links = read_links(records, begins, dormant, watches, _fillers(records, begins, watches.by_fills, whole))
    _check_arming(records, everything, trails, layout)
    price = orders.price_units(shared["instrument.unit"][places[instrument]], layout)
    _check_numbers(chains.order, instrument, by_price(orders.type, orders.side, price))

    sells = orders.side[~chains.chained] == SIDES.index(Side.SELL)
    require((sells == trails.sells).all(), "a trail follows the other extreme than its order's side says")

    # Rows of triggers: of each part its first one, parts rising; of each interval its two.
    part = np.flatnonzero(chains.begins)
    part = part[np.argsort(chains.rule[part])]
    decides = chains.decides[part]
    low, high = chains.ends(part[decides])
    own = np.concatenate([part[~decides], low])
    number, order = (np.where(flags, np.cumsum(flags) - 1, NONE) for flags in (decides, ~decides))
    count = chains.length[part[decides]] // 2
    follows = ~chains.chained[part]
    trail = np.where(chains.chained, NONE, np.cumsum(~chains.chained) - 1)[part]
    form = np.where(decides, FORMS.index("decide"), FORMS.index("threshold"))
    return PartColumns.of(
        {
            **shared.shared,
            "part.index": chains.rule[part],
            "part.hash": hashes[chains.rule[part]],
            "part.instrument": places[instrument[part]],
            "part.form": np.where(follows, FORMS.index("trail"), form),
            "part.source": chains.source[part],
            "part.direction": np.where(decides, 0, chains.direction[part]),
            "part.threshold": np.where(decides, 0, chains.threshold[part]),
            "part.confirm": chains.confirm[part],
            "part.through": watches.through[trigger[part]],
            "part.rearm": watches.rearm[trigger[part]],
            "part.schedule": chains.window[part] - 1,
            "part.group": links.group[trigger[part]],
            "part.parents": links.parents[trigger[part]],
            "part.decision": number,
            "part.trail": trail,
            "part.order": order,
            "order.side": orders.side[own],
            "order.type": orders.type[own],
            "order.qty": orders.qty[own],
            "order.price": price[own],
            "order.rests": orders.rests[own],
            "decision.first": np.cumsum(count) - count,
            "decision.count": count,
            "interval.low": chains.threshold[low],
            "interval.high": chains.threshold[high],
            "interval.order": np.arange(len(low)) + np.count_nonzero(~decides),
            **links.tables,
            **watches.tables,
            **trails.tables,
            **schedule_columns(manifest["windows"]),
        }
    )


def _fillers(
    records: Mapping[str, Fields], begins: Flags, by_fills: Flags, whole: PartColumns | None
) -> dict[int, tuple[int, Array]]:
    """By trigger of each part that fills arm: what of its parents does, and their numbers."""
    found: dict[int, tuple[int, Array]] = {}
    for trigger in np.flatnonzero(begins).tolist() if whole is not None else []:
        assert whole is not None
        parents = int(whole["part.parents"][records["trigger"]["rule"][trigger]])
        on = _SENT if parents == NONE else int(whole["parents.on"][parents])
        require(by_fills[trigger] == (on != _SENT), "a rule waits for fills that has no place for them, or the reverse")
        if on != _SENT:
            at, count = int(whole["parents.first"][parents]), int(whole["parents.count"][parents])
            ranges = (whole[f"parent.{name}"][at : at + count].astype(np.int64) for name in ("first", "count"))
            found[trigger] = on, stretches(*ranges)
    require(len(found) == by_fills.sum(), "a rule waits for fills, and nobody knows whose")
    return found


def _check_collar(share: int, shared: PartColumns) -> None:
    """All parts have the same collar, wherever they run."""
    try:
        basis_points = basis_points_of(share)
    except ValueError as error:
        raise ImageReadError(str(error)) from None
    same = shared["limits.collar"].tolist() == [NONE if basis_points is None else basis_points]
    require(same, "the fabric's collar is not that of the limits")


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


def _check_registers(limits: Mapping[str, Any], shared: PartColumns, unlimited: bool) -> None:
    """The manifest's ``limits`` against the strategy's, and against what records say."""
    for name in ("orders_per_second", "total_orders"):
        limit = NONE if limits[name] is None else limits[name]
        require(limit == shared[f"limits.{name}"][0], f"`{name}` is not the strategy's")
    require(limits["unlimited_orders"] == unlimited, "fires do not wait as their orders' limits need it")


def _check_quantities(
    left: Fields, symbols: Mapping[int, str], places: Array, shared: PartColumns, layout: Layout
) -> bool:
    """What is left at load is `total_qty`. Returns whether there is none."""
    quantities = read_quantities(left, layout)
    for index in symbols:
        # Records behind the last that is not zero are left out: they let nothing leave.
        own = quantities[index] if index < len(quantities) else (0, 0)
        total = int(shared["instrument.total_qty"][places[index]])
        expected = None if total == NONE else total
        require(own == (expected, expected), f"`total_qty` of {symbols[index]} is not the strategy's")
    return bool((shared["instrument.total_qty"][[places[index] for index in symbols]] == NONE).all())


def _check_bounds(orders: SentOrders, place: Array, shared: PartColumns, layout: Layout) -> bool:
    """Each market order has the bound that its `order_notional` comes to. Returns whether there is none.

    ``place`` is each part's instrument.
    """
    caps = [low | high << 64 for low, high in shared["instrument.notional_cap"].tolist()]
    market = np.flatnonzero(orders.type == _MARKET)
    own = [caps[row] for row in place[market].tolist()]
    unbounded = np.array([cap == NO_CAP for cap in own], np.bool_)
    bounds = np.where(unbounded, NONE, price_bounds(own, orders.qty[market], layout))
    require((orders.bound[market] == bounds).all(), "a market order has another bound than its `order_notional`")
    return bool(unbounded.all())


def _check_numbers(number: Array, instrument: Array, keys: tuple[Array, ...]) -> None:
    """Numbers of orders tell which would meet: ``keys`` of `by_price` rise with them."""
    row = sorting(instrument, number)
    rank = np.unique(np.stack(keys), axis=1, return_inverse=True)[1].reshape(-1)
    same = np.diff(instrument[row]) == 0
    require(not (same & (np.diff(rank[row]) < 0)).any(), "orders are not numbered by their prices")


def _check_arming(records: Mapping[str, Fields], chains: ReadChains, trails: ReadTrails, layout: Layout) -> None:
    """What chains and trails say of their triggers' orders: whether one of them arms or revives."""
    link, start = records["link"], records["order"]["link"][chains.order]
    arming = np.append(0, np.cumsum(kinds_of(link) > 0))  # how many of the links before each
    ends = np.flatnonzero(link["more"] == 0)
    behind = ends[np.searchsorted(ends, start)] + 1 if len(ends) else start
    armers = (chains.begins | chains.watches) & (start > 0) & (arming[behind] > arming[start])
    require((trails.arms == armers[~chains.chained]).all(), "a trail does not say whether its order arms")
    chained = chains.chain[armers & chains.chained]
    arms = np.bincount(chained, minlength=len(records["chain"]["arms"])) > 0
    require((arms == records["chain"]["arms"]).all(), "a chain does not say whether its orders arm")
    most = np.bincount(chains.instrument[armers], minlength=1).max()
    require(most <= layout.constant("deferred_links"), "more orders of an instrument arm than the fabric keeps")


def _states(
    records: Mapping[str, Fields], begins: npt.NDArray[np.bool_], chains: ReadChains, layout: Layout
) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """Which triggers are live and which wait to be armed: at load those that begin a part are one of the two."""
    live, dormant = (_bits(records[name]["triggers"], len(begins), layout) for name in ("live", "dormant"))
    require(not (live & dormant).any(), "a trigger is both live and dormant")
    require((live | dormant)[begins].all(), "a trigger is neither live nor dormant")
    may = begins.copy()
    may[chains.trigger[chains.watches]] = True
    require(
        not (live & ~may).any() and not (dormant & ~begins).any(), "a trigger that begins no rule is live or dormant"
    )
    return live, dormant


def _bits(words: Array, triggers: int, layout: Layout) -> npt.NDArray[np.bool_]:
    bits = ((words[:, None] >> np.arange(layout.constant("live_word_bits"))) & 1).reshape(-1).astype(np.bool_)
    require(not bits[triggers:].any(), "a trigger that is not there is live or dormant")
    return np.append(bits, np.zeros(triggers, np.bool_))[:triggers]


def _letters(symbol: Fields, instrument: Array, symbols: Mapping[int, str]) -> npt.NDArray[np.uint8]:
    """A row of characters for each instrument: what its orders are sent for is what its messages are found by."""
    letters = np.zeros((max(symbols, default=-1) + 1, SYMBOL_CHARS), np.uint8)
    for index, text in symbols.items():
        letters[index, : len(text)] = np.frombuffer(text.encode("ascii"), np.uint8)
    require(not len(instrument) or int(instrument.max()) < len(letters), "a chain of no instrument")
    same = symbol["key"].shape == letters.shape and (symbol["key"] == letters).all()
    require(same or not len(symbols), "an instrument has another symbol than its orders")
    return letters
