# SPDX-License-Identifier: Apache-2.0
"""Fills of a day: those that a model made, or those that the event file tells of."""

from collections.abc import Iterable
from decimal import Decimal

from fixaccel.language.codes import SIDES
from fixaccel.language.forms import Decision
from fixaccel.language.rules import Rule, Strategy
from fixaccel.language.terms import Source
from fixaccel.native.interpreter import FillColumns
from fixaccel.replay.ledger import Fill
from fixaccel.semantics.messages import UNKNOWN, Kind, Message
from fixaccel.values import parse_decimal

TOUCH = "touch"
RECORDED = "rows of the event file"

# What a model assumes, in a sentence for whoever reads a result.
ASSUMES = {
    TOUCH: "an order fills whole, at its price once a price is at or through it, at market at once at the other side's "
    "quote; size, queue and own effect on the market are not modelled",
    RECORDED: "what they say; without a price, the order's limit, else the last price known",
}


def made_fills(strategy: Strategy, made: FillColumns) -> list[Fill]:
    """Those of a model."""
    fills = []
    for place in range(len(made)):
        rule = strategy.rules[int(made.part[place])]
        fills.append(
            Fill(
                ts_ns=int(made.ts_ns[place]),
                event=int(made.event[place]) + 1,
                rule=rule.id,
                instrument=rule.instrument.symbol,
                side=SIDES[made.side[place]],
                qty=int(made.qty[place]),
                price=rule.instrument.to_price(int(made.price[place])),
            )
        )
    return fills


def recorded_fills(strategy: Strategy, messages: Iterable[Message]) -> list[Fill]:
    """Those that rows of the event file tell of. One at no known price at all is left out."""
    fills = []
    last: dict[str, Decimal] = {}
    for message in messages:
        text = message.prices.get(Source.LAST, UNKNOWN)
        if message.instrument is not None and (known := parse_decimal(text)) is not None:
            last[message.instrument] = known
        if message.kind is not Kind.FILL or message.execution is None:
            continue
        rule = strategy.rules[message.execution.part]
        symbol = rule.instrument.symbol
        price = parse_decimal(message.execution.price) or _limit(rule) or last.get(symbol)
        side = rule.block.form.orders[0 if isinstance(rule.block.form, Decision) else rule.row].side
        if price is not None:
            fills.append(Fill(message.ts_ns, message.event, rule.id, symbol, side, message.execution.qty, price))
    return fills


def _limit(rule: Rule) -> Decimal | None:
    if isinstance(rule.block.form, Decision):
        return None
    units = rule.order.price
    return None if units is None else rule.instrument.to_price(units)
