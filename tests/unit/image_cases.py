# SPDX-License-Identifier: Apache-2.0
"""Strategies made by hand, and what is packed of them."""

from dataclasses import replace
from decimal import Decimal

import numpy as np

from fixaccel.hwmap import load_hwmap
from fixaccel.image.layout import Layout
from fixaccel.image.limits_left import limits_entry
from fixaccel.image.pack.pack import build_image
from fixaccel.image.software.table import all_columns
from fixaccel.image.unpack.unpack import unpack
from fixaccel.language.forms import Condition
from fixaccel.language.orders import Order
from fixaccel.language.placements import PLACEMENTS, Placement
from fixaccel.language.rules import Block, Strategy
from fixaccel.language.terms import Board, Direction, Instrument, OrderType, Session, Side, Source, TimeInForce, Venue
from fixaccel.source import Span
from fixaccel.values import TickTable

HWMAP = load_hwmap()
CAPACITY = {"instruments": 4, "triggers": 64, "orders": 4, "templates": 2, "intervals": 8, "groups": 8}
BOARD = Board("small", "part", 125_000_000, "wire", 1, CAPACITY)
LAYOUT = Layout(HWMAP, CAPACITY)
# Columns of the table interpreter that the fabric's memories do not say.
LEFT_OUT = ("name.", "part.name", "part.rule", "rule.", "order.rests", "order.envelope")
SESSION = Session("FIX.4.4", "CLIENT1", "VENUE", "10.0.0.1", 9878, 30)


def instrument(symbol, tick="0.01", low="-100", high="10000", lot=1):
    ticks = TickTable.of(tick)
    ends = [ticks.to_units(Decimal(end)) for end in (low, high)]
    return Instrument(symbol, ticks, lot, Decimal(1), *ends, Span("venue.yaml", 1, 1, 1, 2))


MSFT = instrument("MSFT")
ORDER = Order(Side.SELL, 2, OrderType.LIMIT, 110_000, TimeInForce.DAY, "ACC", {})


def rule(index, when="last <= 1180", order=ORDER, on=MSFT):
    source, op, price = when.split()
    condition = Condition(Source(source), Direction(op), on.to_units(Decimal(price)), when)
    return Block.of(f"r{index}", index, on, condition, order, Span("s.yaml", index + 1, 1, index + 1, 9))


def strategy(rules, session=SESSION):
    instruments = {r.instrument.symbol: r.instrument for r in rules} or {"MSFT": MSFT}
    return placed(Strategy("s", Venue("v", "UTC", session, "snapshot", instruments), tuple(rules), {}))


def placed(strategy, *runtime):
    """All parts in the fabric but those of these numbers."""
    placement = np.zeros(len(strategy.rules), np.uint8)
    placement[list(runtime)] = PLACEMENTS.index(Placement.CONFIRM)
    return replace(strategy, placement=placement)


def records(image, name):
    record = LAYOUT.record(name)
    data = image.memories[name]
    return [record.unpack(data[at : at + record.stride_bytes]) for at in range(0, len(data), record.stride_bytes)]


def read_back(whole, image, board=BOARD, hwmap=HWMAP, limits=None, **changed):
    """What is unpacked of an image, some of its memories ``changed``, and what it was packed of."""
    shared = all_columns(whole)
    body = {
        "board": {"capacity": board.capacity},
        "hash_seed": image.hash_seed,
        "banked": image.banked,
        "limits": limits_entry(whole) | (limits or {}),
        "collar": image.collar,
        "windows": image.windows,
    }
    return unpack(body, {**image.memories, **changed}, shared["part.hash"], hwmap, shared, shared), shared


def build(rules, board=BOARD):
    return build_image(strategy(rules), board, HWMAP)
