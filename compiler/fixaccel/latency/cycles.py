# SPDX-License-Identifier: Apache-2.0
"""Cycles from a market data frame to its order, by the shape of the message.

From the last byte of the frame that completes the message to the first byte of the order's frame, on an idle line,
measured in simulation of the whole core: tests/cocotb/core/tb_latency.py holds the fabric to these figures. A symbol
is looked up and a price is divided while the frame's further bytes come in; what is missing at its end is waited for.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from fixaccel.image.limits_left import unlimited_orders
from fixaccel.language.forms import Decision, Triggers
from fixaccel.language.placements import PLACEMENTS, Placement
from fixaccel.language.rules import Strategy
from fixaccel.language.terms import Board
from fixaccel.values import decimal_text, unscaled

# CheckSum(10) with its SOH, and the FCS.
_TRAILER_BYTES = 7 + 4
# What an instrument takes more that has thresholds with `confirm: 2`, where the symbol is what is waited for: its
# chains are compared twice.
_CONFIRM_CYCLES = 3
# What it takes more while the peer's window could not take the longest order: then this one's own length is waited for.
_NARROW_WINDOW_CYCLES = 4
# What a threshold on `mid` takes more where the symbol is what is waited for: its chains are searched last.
_MID_CYCLES = 2
# What lies ahead of all these cycles for rules of the fabric that wait for fills.
ARMED_BY_FILLS = (
    "the runtime tells the fabric once it has the venue's report, in no bounded time; the next message of the "
    "instrument arms, the one behind it may fire, within the bound"
)
# Likewise of those that wait for a time (`rearm: {after}`).
ARMED_AGAIN = (
    "by the fabric alone, with the first message of the instrument at or after that time; the one behind it may fire, "
    "within the bound"
)
# What a frame of the CPU takes of the line, with preamble and gap: the longest that is not tagged.
_CPU_FRAME_BYTES = 1518 + 8 + 12


# With `commit: message`, from the last byte of the message that fires to the order's first, where no more of the frame
# is behind it than the order covers: tests/cocotb/core/tb_commit.py holds the fabric to this.
MESSAGE_CYCLES = 13


def commit_text(commit: str, board: Board, ahead: int | None = None) -> str:
    """When an order may begin, for a venue's `commit`; ``ahead``: bytes of the register `commit_ahead`, if known."""
    if commit == "frame":
        return "behind the frame's verdict: nothing leaves for a frame that is bad"
    earliest = "what the strategy's shortest order covers" if ahead is None else f"{ahead} bytes"
    return (
        f"{MESSAGE_CYCLES} cycles, {nanoseconds(MESSAGE_CYCLES, board.clock_hz)} ns, behind a message that others "
        f"follow in its frame, at the earliest {earliest} ahead of the frame's end; with a wrong FCS and as "
        "`rejected:frame` where the frame turns out bad"
    )


# A decision is looked up from the cycle on in which its message could be judged: two cycles around the search, which
# reads three ends of intervals a round, or one where that will do.
_SEARCH_CYCLES = 2
_ROUND_CYCLES = 7
_SHORT_ROUND_CYCLES = 5


def search_cycles(intervals: int) -> int:
    """Cycles that a decision of so many intervals, one at least, takes each message that it is looked up for."""
    ends = 2 * intervals
    rounds, short = divmod((ends - 1).bit_length(), 2)
    return _SEARCH_CYCLES + _ROUND_CYCLES * rounds + _SHORT_ROUND_CYCLES * short


def lookup_cycles(strategy: Strategy) -> Mapping[str, int]:
    """By symbol, the most cycles in which decisions are looked up for one message; those that have none left out."""
    cycles: Counter[str] = Counter()
    for block in strategy.blocks:
        if isinstance(block.form, Decision) and strategy.placed(block.first) is Placement.FABRIC:
            cycles[block.instrument.symbol] += search_cycles(len(block.form.low))
    return cycles


def confirm_cycles(strategy: Strategy) -> Mapping[str, int]:
    """By symbol, what `confirm: 2` takes all rules of the instrument; those that have none in the fabric left out."""
    there = strategy.placement == PLACEMENTS.index(Placement.FABRIC)
    return {
        block.instrument.symbol: _CONFIRM_CYCLES
        for block in strategy.blocks
        if isinstance(block.form, Triggers)
        and (there[block.first : block.first + len(block)] & (block.form.confirm == 2)).any()
    }


@dataclass(frozen=True)
class Latency:
    """Of one kind of message. Bytes are counted to the frame's last one."""

    least: int  # cycles, where the message is the last of its frame
    followed: int  # cycles, where another one follows in the frame
    symbol_bytes: int  # cycles and bytes behind the symbol's SOH come to this at least
    price_bytes: int  # likewise behind the price's
    price: str = "the price"

    @property
    def most(self) -> int:
        """Where the symbol is the message's last field."""
        return self.symbol_bytes - _TRAILER_BYTES

    def cycles(self, behind_symbol: int, behind_price: int) -> int:
        """At most, with so many bytes of the frame behind the SOH of the symbol and of the price."""
        return max(self.least, self.symbol_bytes - behind_symbol, self.price_bytes - behind_price)


_LATENCY = {
    "snapshot": Latency(least=8, followed=4, symbol_bytes=46, price_bytes=24),
    "incremental": Latency(
        least=9,
        followed=4,
        symbol_bytes=46,
        price_bytes=26,
        price="the price (the entry, where it has no symbol of its own)",
    ),
}


KINDS = tuple(_LATENCY)
# What is said of a venue whose prices come by a feed.
NO_FEED = "no bound: prices come by a feed, which this version receives neither in the fabric nor in the runtime"


def shapes(of: Latency) -> Mapping[str, int]:
    """Cycles of messages of one kind by where their symbol and price stand."""
    return {
        "another message behind it in the frame": of.followed,
        f"{of.symbol_bytes - of.least} bytes of the frame behind the symbol, "
        f"{of.price_bytes - of.least} behind {of.price}": of.least,
        "the price at its end, the symbol well ahead": of.price_bytes - _TRAILER_BYTES,
        "the symbol at its end": of.most,
    }


def latency_of(message: str, *, unlimited_orders: bool, confirms: bool = False) -> Latency:
    """For messages of a venue's kind; ``confirms``: there are thresholds with `confirm: 2` on their instrument.

    A message that is the last of its frame is known to fire as the frame's verdict comes: the order's record is read
    behind that, and limits that compare what it says take a cycle more.
    """
    one, more, again = _LATENCY[message], 0 if unlimited_orders else 1, _CONFIRM_CYCLES if confirms else 0
    return replace(
        one, least=one.least + more, symbol_bytes=one.symbol_bytes + more + again, price_bytes=one.price_bytes + more
    )


class Bound:
    """Cycles from the frame to the order, at most, for the rules of ``strategy`` that the fabric runs."""

    def __init__(self, strategy: Strategy) -> None:
        self._of = _latency(strategy)
        self._by_feed = strategy.venue.feed is not None
        self._lookup, self._confirm = lookup_cycles(strategy), confirm_cycles(strategy)

    def cycles(self, symbol: str) -> int | None:
        """For this instrument; None where there is no bound."""
        if self._by_feed:
            return None
        return self._of.most + self._lookup.get(symbol, 0) + self._confirm.get(symbol, 0)

    def text(self, board: Board, symbol: str = "") -> str:
        """It in a line, for messages of the venue's kind, of this instrument."""
        if self._by_feed:
            return NO_FEED
        of, lookup, confirm = self._of, self._lookup.get(symbol, 0), self._confirm.get(symbol, 0)
        least, most, decided = (
            f"{cycles} cycles, {nanoseconds(cycles, board.clock_hz)} ns" for cycles in (of.least, of.most, lookup)
        )
        confirmed = f"{confirm} more there for `confirm: 2` on its instrument; " if confirm else ""
        looked_up = f"{decided} more while the decisions of its instrument are looked up; " if lookup else ""
        return (
            f"{least}, and a cycle for each byte of the frame short of {of.symbol_bytes - of.least} behind the symbol "
            f"or {of.price_bytes - of.least} behind {of.price}: at most {most}, where the symbol comes last, and there "
            f"{_MID_CYCLES} cycles more for `mid`, and for decisions beside it; {confirmed}"
            f"{looked_up}{_NARROW_WINDOW_CYCLES} cycles more while the peer's window could not take the longest order"
        )


def nanoseconds(cycles: int, clock_hz: int) -> str:
    """``cycles`` in nanoseconds, rounded up to a tenth: a bound stays one."""
    return decimal_text(unscaled(-(-cycles * 10**10 // clock_hz), 1))


def _latency(strategy: Strategy) -> Latency:
    # Of a feed nothing is bounded; what is asked of it all the same is that of increments.
    kind = "incremental" if strategy.venue.market_data == "feed" else strategy.venue.market_data
    return latency_of(kind, unlimited_orders=unlimited_orders(strategy))


def latency_report(strategy: Strategy, board: Board) -> dict[str, Any]:
    """The part ``latency`` of the report."""
    of = _latency(strategy)
    by_feed = strategy.venue.feed is not None
    return {
        "from": "last byte of the frame that completes the trigger message",
        "to": "first byte of the order frame",
        "status": "which has no bound yet"
        if by_feed
        else "on an idle line and with room in the peer's window, measured in simulation",
        "message": strategy.venue.market_data,
        "bound_cycles": None if by_feed else of.most,
        "bound_ns": None if by_feed else nanoseconds(of.most, board.clock_hz),
        "mid_cycles": _MID_CYCLES,
        "decisions": [
            {"instrument": symbol, "cycles": cycles, "ns": nanoseconds(cycles, board.clock_hz)}
            for symbol, cycles in lookup_cycles(strategy).items()
        ],
        "confirmed": [
            {"instrument": symbol, "cycles": cycles, "ns": nanoseconds(cycles, board.clock_hz)}
            for symbol, cycles in confirm_cycles(strategy).items()
        ],
        "narrow_window_cycles": _NARROW_WINDOW_CYCLES,
        "shapes": [
            {"shape": shape, "cycles": cycles, "ns": nanoseconds(cycles, board.clock_hz)}
            for shape, cycles in ({} if by_feed else shapes(of)).items()
        ],
        "text": Bound(strategy).text(board),
        "wait_bytes": _CPU_FRAME_BYTES,
        "wait_ns": nanoseconds(-(-_CPU_FRAME_BYTES // board.bytes_per_beat), board.clock_hz),
        "runtime": "no bound: the operating system decides when the runtime's program runs",
        **({"armed_by_fills": ARMED_BY_FILLS} if _waits_for_fills(strategy) else {}),
    }


def _waits_for_fills(strategy: Strategy) -> bool:
    """Whether a rule of the fabric does."""
    there = strategy.placement == PLACEMENTS.index(Placement.FABRIC)
    return any(block.by_fills and there[block.first : block.first + len(block)].any() for block in strategy.blocks)
