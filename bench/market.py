# SPDX-License-Identifier: Apache-2.0
"""Strategies and events of any size for the benchmarks."""

from collections.abc import Sequence
from pathlib import Path

from fixaccel.hwmap import load_hwmap
from fixaccel.image.image import Image
from fixaccel.image.pack.pack import build_image
from fixaccel.language.rules import Strategy
from fixaccel.language.terms import Board, Source
from fixaccel.pipeline import load_board, load_strategy
from fixaccel.semantics.messages import Kind, Message

HWMAP = load_hwmap()
_VENUE = """fixaccel-venue: 1
name: bench
time_zone: UTC
session:
  {begin_string: FIX.4.4, sender_comp_id: CLIENT1, target_comp_id: VENUE, connect: "192.0.2.1:9878", heartbeat: 30s}
market_data: {message: snapshot}
instruments:
"""
_SOURCES = ("bid", "ask", "last")
_NANOSECONDS = 1_000_000_000
_TOP = 5000  # the market's price; every stop lies below


def board() -> Board:
    """The default board."""
    loaded = load_board().board
    assert loaded is not None
    return loaded


def symbols(count: int) -> list[str]:
    """Names of one to four and more characters, as many as asked for."""
    return [f"{'ABCDEFGH'[i % 8] * (1 + i % 4)}{i}" for i in range(count)]


def venue(path: Path, names: Sequence[str]) -> None:
    """Writes a venue file with these instruments, all with one tick."""
    terms = "".join(f'  "{name}": {{tick: 0.01, lot: 1, price_range: 0.01..10000}}\n' for name in names)
    path.write_text(_VENUE + terms, encoding="utf-8")


def strategy(folder: Path, instruments: int, stops: int) -> Strategy:
    """``stops`` sell stops on each instrument, a tick apart below 1000, spread over bid, ask and last."""
    names = symbols(instruments)
    rules = "".join(
        f'  - {{id: r{i}-{k}, instrument: "{name}", when: {_SOURCES[(i + k) % 3]} <= {1000 - k * 0.01:.2f},'
        " order: {side: sell, qty: 1, type: limit, price: 900}}\n"
        for i, name in enumerate(names)
        for k in range(stops)
    )
    venue(folder / "venue.yaml", names)
    (folder / "bench.yaml").write_text(f"fixaccel: 1\nvenue: venue.yaml\nrules:\n{rules}", encoding="utf-8")
    loaded = load_strategy(folder / "bench.yaml")
    assert loaded.strategy is not None, [d.message for d in loaded.diagnostics]
    return loaded.strategy


def image_of(subject: Strategy) -> Image:
    """The compiled tables for the default board."""
    return build_image(subject, board(), HWMAP)


def snapshot(event: int, symbol: str, price: str) -> Message:
    """One message that carries bid, ask and last at ``price``, a millisecond after the one before it."""
    prices = {Source(name): price for name in _SOURCES}
    return Message(event, _NANOSECONDS + event * 1_000_000, symbol, Kind.SNAPSHOT, prices, {})


def touches(subject: Strategy, rounds: int) -> list[Message]:
    """Round n takes each instrument to its n-th stop and back up: one fire a round and instrument."""
    messages: list[Message] = []
    for n in range(rounds):
        for symbol in subject.venue.instruments:
            for price in (f"{1000 - n * 0.01:.2f}", str(_TOP)):
                messages.append(snapshot(len(messages) + 1, symbol, price))
    return messages
