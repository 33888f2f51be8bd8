# SPDX-License-Identifier: Apache-2.0
"""Packs a strategy into the fabric's memories."""

from collections.abc import Mapping, Sequence

from fixaccel.hwmap.model import Hwmap
from fixaccel.image import orders as order_tables
from fixaccel.image.directory import Directory, SymbolClashError, place
from fixaccel.image.layout import MEMORIES, Layout
from fixaccel.image.limits import check_capacity, symbol_clash
from fixaccel.image.model import Image, ImageError, PlacedInstrument, PlacedRule
from fixaccel.language.model import Board, Direction, Source
from fixaccel.language.rules import Rule, Strategy
from fixaccel.values import scaled

Records = dict[int, bytes]

_WORD64 = 1 << 64


def build_image(strategy: Strategy, board: Board, hwmap: Hwmap) -> Image:
    """The memories' contents for ``strategy`` on ``board``; the same for the same input.

    Raises ImageError with every reason why the strategy does not fit.
    """
    layout = Layout(hwmap, board.capacity)
    instruments = used_instruments(strategy)
    orders = order_tables.prepare(strategy, layout)
    needs = {
        "instruments": [placed.first_rule for placed in instruments],
        "triggers": strategy.rules,
        "orders": orders.record_rules,
        "templates": orders.template_rules,
    }
    diagnostics = [*orders.diagnostics, *check_capacity(board, needs)]
    if diagnostics:
        raise ImageError(diagnostics)
    try:
        directory = place([placed.instrument.symbol for placed in instruments], layout.slots, layout.buckets)
    except SymbolClashError as error:
        raise ImageError([symbol_clash(strategy, error.symbols)]) from None
    index = {placed.instrument.symbol: placed.index for placed in instruments}
    ranked = rank(strategy.rules, index, layout)
    rules = tuple(
        PlacedRule(rule, trigger, orders.order_of[rule.index], orders.template_of[rule.index])
        for trigger, rule in sorted(enumerate(ranked), key=lambda item: item[1].index)
    )
    records = {
        **_directory(directory, index, layout),
        "instrument": {placed.index: _instrument(placed, layout) for placed in instruments},
        **_triggers(rules, index, layout),
        **order_tables.pack(orders, layout),
    }
    return Image(
        hash_seed=directory.seed,
        memories={name: _flatten(records[name], layout.record(name).stride_bytes) for name in MEMORIES},
        instruments=tuple(instruments),
        rules=rules,
        used={name: len(rules) for name, rules in needs.items()},
    )


def used_instruments(strategy: Strategy) -> list[PlacedInstrument]:
    """Instruments that have rules, in the venue's order. Others need no room in the fabric."""
    first_rules: dict[str, Rule] = {}
    for rule in strategy.rules:
        first_rules.setdefault(rule.instrument.symbol, rule)
    listed = [instrument for symbol, instrument in strategy.venue.instruments.items() if symbol in first_rules]
    return [
        PlacedInstrument(index, instrument, first_rules[instrument.symbol]) for index, instrument in enumerate(listed)
    ]


def rank(rules: Sequence[Rule], index: Mapping[str, int], layout: Layout) -> list[Rule]:
    """Rules chain by chain, each chain in firing order: the order of the trigger memory."""
    return sorted(rules, key=lambda rule: (_chain_of(rule, index, layout), _depth_in_chain(rule), rule.index))


def _depth_in_chain(rule: Rule) -> int:
    """The nearer to the market, the earlier: `<=` falls from the highest threshold, `>=` rises from the lowest."""
    threshold = rule.condition.threshold
    return -threshold if rule.condition.direction is Direction.LE else threshold


def _chain_of(rule: Rule, index: Mapping[str, int], layout: Layout) -> int:
    return layout.chain(index[rule.instrument.symbol], rule.condition.source, rule.condition.direction)


def _directory(directory: Directory, index: Mapping[str, int], layout: Layout) -> dict[str, Records]:
    slot = layout.record("directory")
    entries = {
        place: slot.pack(
            {"key": int.from_bytes(symbol.encode("ascii"), "little"), "instrument": index[symbol], "valid": 1}
        )
        for symbol, place in directory.slots.items()
    }
    bucket = layout.record("displacement")
    offsets = {number: bucket.pack({"offset": offset}) for number, offset in directory.displacement.items()}
    return {"directory": entries, "displacement": offsets}


def _instrument(placed: PlacedInstrument, layout: Layout) -> bytes:
    instrument = placed.instrument
    unit = scaled(instrument.unit, layout.constant("wire_decimals"))
    assert unit, "the language takes no finer unit"
    shift = (unit & -unit).bit_length() - 1
    return layout.record("instrument").pack(
        {
            # Division of a price by the unit: a multiplication by the odd part's inverse, then a shift.
            "inverse": pow(unit >> shift, -1, _WORD64),
            "shift": shift,
            "price_min": instrument.price_min,
            "price_max": instrument.price_max,
        }
    )


def _triggers(rules: Sequence[PlacedRule], index: Mapping[str, int], layout: Layout) -> dict[str, Records]:
    trigger, chain = layout.record("trigger"), layout.record("chain")
    triggers: Records = {}
    chains: Records = {}
    runs: dict[tuple[str, Source, Direction], list[PlacedRule]] = {}
    for placed in rules:
        rule, condition = placed.rule, placed.rule.condition
        triggers[placed.trigger] = trigger.pack(
            {"threshold": condition.threshold, "rule": rule.index, "order": placed.order, "valid": 1}
        )
        runs.setdefault((rule.instrument.symbol, condition.source, condition.direction), []).append(placed)
    for (symbol, source, direction), members in runs.items():
        first = min(members, key=lambda placed: placed.trigger)
        chains[layout.chain(index[symbol], source, direction)] = chain.pack(
            {
                "threshold": first.rule.condition.threshold,
                "head": first.trigger,
                "tail": first.trigger + len(members),
                "valid": 1,
            }
        )
    return {"trigger": triggers, "chain": chains}


def _flatten(records: Records, stride: int) -> bytes:
    """Records at their places, gaps zero, up to the last that is not zero."""
    used = [number for number, record in records.items() if any(record)]
    memory = bytearray((max(used) + 1) * stride if used else 0)
    for number in used:
        memory[number * stride : (number + 1) * stride] = records[number]
    return bytes(memory)
