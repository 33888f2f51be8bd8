# SPDX-License-Identifier: Apache-2.0
"""What is said when a strategy does not fit the board."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from fixaccel.diagnostics import Diagnostic, Related
from fixaccel.diagnostics.codes.image import CAPACITY, MESSAGE_TOO_LONG, PART_NUMBER, SYMBOL_CLASH
from fixaccel.diagnostics.codes.strategy import TOO_WIDE
from fixaccel.image.layout import Layout
from fixaccel.image.parts import Parts
from fixaccel.language.codes import Indices
from fixaccel.language.rules import Rule, Strategy
from fixaccel.language.terms import Board, Venue
from fixaccel.source import Span

_HELP = {
    "instruments": "split the strategy over boards, or compile for a board with a larger `capacity: {instruments}`",
    "triggers": "use fewer rules or ladder steps, or compile for a board with a larger `capacity: {triggers}`; an "
    "interval of a decision takes two, `rearm: {reset}` and `if_already_through: wait` one more, `reject` two",
    "intervals": "neighbouring prices with the same order are one interval: decide over fewer prices or with fewer "
    "changes, or compile for a board with a larger `capacity: {intervals}`",
    "orders": "equal orders of an instrument that cancel and arm the same rules share a record: use fewer different "
    "quantities and prices, or compile for a board with a larger `capacity: {orders}`; `rearm: {reset}` and "
    "`if_already_through` take a record of their own for each threshold that is watched for them",
    "templates": "orders share a template when side, type, tif, account and fields are the same, symbols as long and "
    "prices as wide: use fewer combinations, or compile for a board with a larger `capacity: {templates}`",
    "groups": "what an order cancels (`oco`), arms (`armed_by`) or has watched (`rearm`, `if_already_through`) takes a "
    "record for each run of thresholds that are neighbours in price, and a group has room for a few of them: link "
    "fewer rules, or compile for a board with a larger `capacity: {groups}`",
}
_SLOTS = "`export: observations` keeps previous values only of fields that prices need"
_FEED = {
    "lines": ("lines of a feed", "trade fewer channels through one board, or leave out `b`"),
    "instructions": ("words of a program", "`export: observations` passes over fields that no price needs"),
    "numbers": ("slots for numbers", _SLOTS),
    "strings": ("slots for strings", _SLOTS),
}


def check_capacity(board: Board, strategy: Strategy, needs: Mapping[str, Indices]) -> Iterator[Diagnostic]:
    """One diagnostic for each memory that is too small, at the first part that it has no room for.

    ``needs`` maps a capacity's name to the parts that are the first to need one more of it.
    """
    for name, parts in needs.items():
        room = board.capacity[name]
        if len(parts) > room:
            message = f"board {board.name} has {room} {name}, the strategy needs {len(parts)}"
            yield Diagnostic(CAPACITY, message, _place(strategy.rules[int(parts[room])]), help=_HELP[name])


def check_feed(board: Board, venue: Venue) -> Iterator[Diagnostic]:
    """What of the venue's feed the board has no room for; nothing is said of a board that decodes none."""
    if board.feed is None or venue.feed is None:
        return
    for name, (used, room) in board.feed.room(venue.feed).items():
        if used > room:
            what, way_out = _FEED[name]
            message = f"board {board.name} has {room} {what}, the venue's feed takes {used}"
            terms = venue.feed.terms
            place = terms.places["channels"] if name == "lines" else terms.templates_at
            yield Diagnostic(CAPACITY, message, place, help=f"{way_out}, or compile for a board with more `{name}`")


def check_numbers(board: Board, strategy: Strategy, parts: Indices) -> Iterator[Diagnostic]:
    """A trigger names its part by the number over the whole strategy, in as many bits as number the triggers."""
    room = board.capacity["triggers"]
    beyond = parts[parts >= room]
    if len(beyond) and len(parts) <= room:
        rule = strategy.rules[int(beyond[0])]
        message = f"`{rule.id}` is part {rule.index + 1} of the strategy, board {board.name} has numbers for {room}"
        way_out = "move the rules that run in the runtime behind those that run in the fabric, or use a larger board"
        yield Diagnostic(PART_NUMBER, message, _place(rule), help=way_out)


def check_arming(strategy: Strategy, arming: Parts, layout: Layout) -> Iterator[Diagnostic]:
    """What fires of one message arm is kept to its end; ``arming`` has a row for each part or watch that arms."""
    room = layout.constant("deferred_links")
    for place in np.flatnonzero(np.bincount(arming.instrument) > room).tolist():
        own = arming.index[arming.instrument == place]
        rule = strategy.rules[int(own[room])]
        message = (
            f"{len(own)} parts and watches of {rule.instrument.symbol} arm, the fabric keeps {room} fires of a message"
        )
        way_out = "let `armed_by` name one part of a rule that has many, such as `grid[3]`, or arm without it; `rearm` "
        way_out += "counts twice"
        yield Diagnostic(CAPACITY, message, _place(rule), help=way_out)


def _place(rule: Rule) -> Span:
    """The line of a table's row, the beginning of any other rule."""
    return rule.span if rule.block.table_file is None else rule.block.place(rule.row)


def symbol_clash(strategy: Strategy, symbols: Sequence[str]) -> Diagnostic:
    """The directory has no place for these symbols side by side."""
    spans = [strategy.venue.instruments[symbol].span for symbol in symbols]
    named = " and ".join(symbols) if len(symbols) == 2 else f"these {len(symbols)} symbols"
    return Diagnostic(
        SYMBOL_CLASH,
        f"the directory cannot tell {named} apart",
        spans[-1],
        related=tuple(Related("the other symbol", span) for span in spans[:-1][:1]),
        help="trade one of them through another board, or leave its rules out of this strategy",
    )


def message_too_long(rule: Rule, length: int, room: int) -> Diagnostic:
    """The prepared FIX message has more bytes than the template memory holds."""
    message = f"the order of `{rule.id}` is a FIX message of {length} bytes, the fabric holds {room}"
    way_out = "shorten `account`, `fields` or the session's comp ids"
    return Diagnostic(MESSAGE_TOO_LONG, message, rule.span, help=way_out)


def text_too_wide(rule: Rule, name: str, text: str, room: int) -> Diagnostic:
    """A field text has more characters than its template gives it."""
    message = f"the {name} {text} of `{rule.id}` has {len(text)} characters, the fabric holds {room}"
    return Diagnostic(TOO_WIDE, message, rule.span, help=f"use a {name} with fewer digits")
