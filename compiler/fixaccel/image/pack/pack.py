# SPDX-License-Identifier: Apache-2.0
"""Packs a strategy into the fabric's memories."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from fixaccel.hwmap.hwmap import Hwmap
from fixaccel.image.collar import share_of
from fixaccel.image.commit import check_commit, commit_ahead
from fixaccel.image.directory import Directory, SymbolClashError, place
from fixaccel.image.image import Image, ImageError
from fixaccel.image.layout import MEMORIES, Layout
from fixaccel.image.limits_left import quantity_left
from fixaccel.image.pack.capacity import check_arming, check_capacity, check_feed, check_numbers, symbol_clash
from fixaccel.image.pack.chains import Chains
from fixaccel.image.pack.links import number_links
from fixaccel.image.pack.orders import OrderTables, number_orders
from fixaccel.image.pack.trigger_rows import TriggerRows
from fixaccel.image.parts import Parts
from fixaccel.image.records import pack_columns, trimmed
from fixaccel.image.templates.memory import symbol_letters
from fixaccel.image.windows import number_windows, written
from fixaccel.language.rules import Strategy
from fixaccel.language.terms import Board, Instrument
from fixaccel.values import scaled

_WORD64 = 1 << 64


def build_image(strategy: Strategy, board: Board, hwmap: Hwmap) -> Image:
    """The memories' contents for what of ``strategy`` the fabric of ``board`` runs; the same for the same input.

    Raises ImageError with every reason why the strategy does not fit.
    """
    layout = Layout(hwmap, board.capacity)
    parts = Parts.fabric(strategy)
    rows = TriggerRows.of(parts, strategy)
    listed = list(strategy.venue.instruments.values())
    # Instruments that the fabric has no rules for need no room in it; the others keep the venue's order.
    used, first_use, instrument = np.unique(rows.parts.instrument, return_index=True, return_inverse=True)
    instruments = tuple(listed[place] for place in used.tolist())
    windows = number_windows(strategy, parts.block)
    chains = Chains(rows, instrument, windows.number[rows.parts.block], layout)
    links = number_links(parts, rows, strategy, chains.trigger)
    orders = number_orders(rows, strategy, links.start, layout)
    tables = OrderTables(rows.parts, orders, strategy, layout)
    index = rows.parts.index
    needs = {
        "instruments": index[first_use],
        "triggers": index,
        "intervals": index[rows.interval],
        "orders": index[np.sort(orders.record_rows)],
        "templates": index[orders.template_rows],
        "groups": parts.index[links.group_rows(layout)],
    }
    diagnostics = [*tables.diagnostics, *check_capacity(board, strategy, needs)]
    diagnostics += check_feed(board, strategy.venue)
    diagnostics += check_numbers(board, strategy, parts.index)
    diagnostics += check_commit(board, strategy.venue)
    diagnostics += check_arming(strategy, rows.parts.take(links.arms & (rows.first | rows.watches)), layout)
    counts = {name: len(needing) for name, needing in needs.items()}
    if diagnostics:
        raise ImageError(diagnostics, counts)
    symbols = [one.symbol for one in instruments]
    try:
        layout, directory = _place(symbols, layout, counts, len(rows.told))
    except SymbolClashError as error:
        raise ImageError([symbol_clash(strategy, error.symbols)], counts) from None
    packed = {
        **_directory(directory, symbols, layout),
        "symbol": _symbols(symbols, layout),
        "instrument": _instruments(instruments, layout),
        **chains.pack(orders.record, links, layout.rearms),
        "link": links.pack(layout),
        "quantity_left": quantity_left([strategy.limits.total_qty.get(symbol) for symbol in symbols], layout),
        **tables.pack(),
    }
    return Image(
        hash_seed=directory.seed,
        banked=layout.banked,
        collar=share_of(strategy.limits.collar),
        commit_ahead=commit_ahead(strategy.venue, tables.templates, layout),
        memories={name: packed[name] for name in MEMORIES},
        instruments=instruments,
        trigger=_scattered(chains.trigger[rows.first], parts, strategy),
        order=_scattered(orders.record[rows.first], parts, strategy),
        template=_scattered(orders.template[rows.first[: len(orders.template)]], parts, strategy),
        templates=tables.templates,
        windows=written(windows),
        used=counts,
    )


def _place(symbols: Sequence[str], layout: Layout, counts: Mapping[str, int], rearms: int) -> tuple[Layout, Directory]:
    """The directory of one bank, if all of the strategy fits a bank, else of the whole memories."""
    bank = replace(layout, banked=True)
    fits = 2 * rearms <= layout.depth("rearm") and all(2 * n <= layout.capacity[name] for name, n in counts.items())
    if fits:
        try:
            return bank, place(symbols, bank.slots, bank.buckets, bank.offsets, banked=True)
        except SymbolClashError:
            pass  # more slots may part them
    return layout, place(symbols, layout.slots, layout.buckets, layout.offsets, banked=False)


def _scattered(numbers: npt.NDArray[np.int32], parts: Parts, strategy: Strategy) -> npt.NDArray[np.int32]:
    """``numbers`` of the fabric's parts at their indices over the whole strategy, -1 elsewhere."""
    column = np.full(len(strategy.placement), -1, np.int32)
    column[parts.index] = numbers
    return column


def _directory(directory: Directory, symbols: Sequence[str], layout: Layout) -> dict[str, bytes]:
    record = layout.record("directory")
    slots = np.array([directory.slots[symbol] for symbol in symbols], np.int64)
    entries = np.zeros((layout.slots, record.stride_words), "<u4")
    columns: dict[str, npt.NDArray[Any]] = {"instrument": np.arange(len(symbols)), "valid": np.array(1)}
    entries[slots] = pack_columns(record, columns, len(symbols))
    offsets = np.zeros(layout.buckets, np.int64)
    offsets[list(directory.displacement)] = list(directory.displacement.values())
    displacement = pack_columns(layout.record("displacement"), {"offset": offsets}, len(offsets))
    return {"directory": trimmed(entries), "displacement": trimmed(displacement)}


def _symbols(symbols: Sequence[str], layout: Layout) -> bytes:
    return trimmed(pack_columns(layout.record("symbol"), {"key": symbol_letters(symbols, layout)}, len(symbols)))


def _instruments(instruments: Sequence[Instrument], layout: Layout) -> bytes:
    units = [scaled(one.unit, layout.constant("wire_decimals")) or 1 for one in instruments]
    shifts = [(unit & -unit).bit_length() - 1 for unit in units]
    columns = {
        # Division of a price by the unit: a multiplication by the odd part's inverse, then a shift.
        "inverse": np.array([pow(u >> s, -1, _WORD64) for u, s in zip(units, shifts, strict=True)], np.uint64),
        "shift": np.array(shifts, np.int64),
        "price_min": np.array([one.price_min for one in instruments], np.int64),
        "price_max": np.array([one.price_max for one in instruments], np.int64),
    }
    return trimmed(pack_columns(layout.record("instrument"), columns, len(instruments)))
