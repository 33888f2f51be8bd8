# SPDX-License-Identifier: Apache-2.0
"""A board filled to the last trigger, order and template: the engines agree there too."""

import random
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest
from strategy_cases import BOARD, HWMAP

from fixaccel.image.pack.pack import build_image
from fixaccel.language.forms import Condition
from fixaccel.language.orders import Order
from fixaccel.language.rules import Block, Strategy
from fixaccel.language.terms import Direction, Instrument, OrderType, Session, Side, TimeInForce, Venue
from fixaccel.semantics.messages import CARRIED, Fire, Kind, Message
from fixaccel.simulate.engines import ImageEngine, RulesEngine
from fixaccel.simulate.rtl.run import Case, run_cases
from fixaccel.source import Span
from fixaccel.values import TickTable

HERE = Span("full.yaml", 1, 1, 1, 2)
SYMBOLS = 128
MIDDLE = 50_000  # units; no rule fires within REACH of it
REACH = 300
STRETCH = 24  # parts, of which three are linked


def full_strategy(random_: random.Random) -> Strategy:
    ticks = TickTable.of("0.01")
    instruments = {
        f"{number * 7919:X}": Instrument(f"{number * 7919:X}", ticks, 1, Decimal(1), 1, 10**6, HERE)
        for number in range(SYMBOLS)
    }
    blocks = []
    for number in range(BOARD.capacity["triggers"]):
        instrument = instruments[f"{number % SYMBOLS * 7919:X}"]
        turn = number // SYMBOLS
        side = Side.BUY if number % 2 else Side.SELL
        qty = 1 + turn % (BOARD.capacity["orders"] // SYMBOLS)
        order = Order(side, qty, OrderType.LIMIT, MIDDLE, TimeInForce.DAY, None, {})
        direction = Direction.LE if turn % 2 else Direction.GE
        away = REACH + random_.randrange(MIDDLE // 2)
        threshold = MIDDLE - away if direction is Direction.LE else MIDDLE + away
        condition = Condition(CARRIED[turn % len(CARRIED)], direction, threshold, "")
        blocks.append(Block.of(f"r{number}", number, instrument, condition, order, HERE))
    session = Session("FIX.4.4", "CLIENT", "VENUE", "10.0.0.1", 9878, 30)
    return Strategy(
        "full",
        Venue("v", "UTC", session, "snapshot", instruments),
        tuple(blocks),
        {},
        placement=np.zeros(len(blocks), np.uint8),
    )


def market(strategy: Strategy, random_: random.Random, count: int) -> list[Message]:
    symbols = list(strategy.venue.instruments)

    def price() -> str:
        far = random_.random() < 0.03
        units = MIDDLE + random_.randrange(-MIDDLE // 2, MIDDLE // 2) // (1 if far else 50) // (1 if far else 2)
        return format(strategy.venue.instruments[symbols[0]].to_price(units), "f")

    return [
        Message(n, n * 1_000_000, random_.choice(symbols), Kind.SNAPSHOT, {s: price() for s in CARRIED}, {})
        for n in range(1, count + 1)
    ]


def run_rules(strategy: Strategy, messages: list[Message]) -> list[Fire]:
    return RulesEngine(strategy).run(messages, lambda _: None)


def linked_strategy(random_: random.Random) -> Strategy:
    """The same with links over different instruments: of each stretch a pair cancels each other, one arms the next."""
    full = full_strategy(random_)
    blocks = list(full.blocks)
    pairs = len(blocks) // STRETCH
    for pair in range(pairs):
        first = pair * STRETCH
        for number in (first, first + 1):
            blocks[number] = replace(blocks[number], oco=np.array([pair], np.int32))
        blocks[first + 2] = replace(blocks[first + 2], parents=(range(first, first + 1),))
    for number, block in enumerate(blocks):
        # A list of links is part of an order's record: fewer quantities leave the room.
        few = replace(block.form.orders, qty=np.array([1 + number // SYMBOLS % 8]))
        blocks[number] = replace(block, form=replace(block.form, orders=few))
    return replace(full, blocks=tuple(blocks), groups=tuple(f"g{pair}" for pair in range(pairs)))


@pytest.mark.slow
def test_full_board_of_links() -> None:
    strategy = linked_strategy(random.Random(4))
    image = build_image(strategy, BOARD, HWMAP)
    assert image.used["triggers"] == BOARD.capacity["triggers"]
    assert image.used["groups"] > BOARD.capacity["groups"] * 3 // 4
    messages = market(strategy, random.Random(5), 200)
    rules = run_rules(strategy, messages)
    apart = replace(strategy, blocks=tuple(replace(b, oco=None, parents=None) for b in strategy.blocks), groups=())
    assert len(rules) > 100
    assert len(run_rules(apart, messages)) > len(rules), "no link counted"
    assert ImageEngine(image, strategy, BOARD, HWMAP).run(messages, lambda _: None) == rules


@pytest.mark.slow
def test_full_board() -> None:
    strategy = full_strategy(random.Random(1))
    image = build_image(strategy, BOARD, HWMAP)
    assert image.used["instruments"] == SYMBOLS
    assert {name: image.used[name] for name in ("triggers", "orders")} == {
        name: BOARD.capacity[name] for name in ("triggers", "orders")
    }
    assert any(image.memories["displacement"]), "no two symbols compete for a slot"
    messages = market(strategy, random.Random(2), 200)
    rules = run_rules(strategy, messages)
    assert len(rules) > 100
    assert ImageEngine(image, strategy, BOARD, HWMAP).run(messages, lambda _: None) == rules


@pytest.mark.rtl
@pytest.mark.slow
def test_full_board_in_rtl(tmp_path: Path) -> None:
    strategy = full_strategy(random.Random(1))
    messages = market(strategy, random.Random(3), 150)
    (seen,) = run_cases(
        [Case(strategy, build_image(strategy, BOARD, HWMAP), messages, shape=9)], BOARD, HWMAP, tmp_path
    )
    rules = run_rules(strategy, messages)
    assert len(rules) > 50
    assert seen == rules
