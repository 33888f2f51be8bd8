# SPDX-License-Identifier: Apache-2.0
"""Makes the page that says where each rule form runs, by compiling one rule of each, and what keeps some out."""

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from memory_picture import sizes

from fixaccel.language.patterns import HWMAP
from fixaccel.language.placements import Placement
from fixaccel.language.terms import Board
from fixaccel.language.watches import MOST_TIMES
from fixaccel.passes.placement import MOST_TOLD, MOST_WINDOWS
from fixaccel.pipeline import load_board, load_strategy

_HEAD = """# Where each rule form runs

The compiler decides for each rule whether the fabric or the runtime's software path runs it; both mean the same. Rules
that are joined by `oco` or `armed_by` are placed whole, and so are those whose orders one of `limits` counts together:
`orders_per_second` and `total_orders` all of a strategy, `total_qty` and `self_trade` those of an instrument. Under
`repeat` all of a strategy runs in the runtime: orders of any rule count for it, of this load or one before, and the
fabric does not know of those yet. What waits for fills is armed by the runtime, to which they are reported, wherever
it runs and its parents do: `on: first-fill` and `on: filled` join nothing, and neither does `cancels`. What sends
`qty: filled` runs in the runtime: an order of the fabric is ready before anybody knows how much that is. This page is
made by compiling one rule of each form. `fixaccel explain STRATEGY` says the same of your own rules.

A rule in the fabric has its order's first byte out within a bound of cycles after the last byte of the frame that
triggered it. A rule in the runtime has no such bound: it goes through the kernel, the FIX engine and the egress lease.

Rules of one instrument, source and direction share a chain of the fabric, and a chain fires in one window of time: that
of its first rule. Rules with another `during` behind it run in the runtime. There are up to {windows} different ones.
Likewise all its rules have `confirm: 2` or none has: those behind the first one that differ run in the runtime. The
fabric looks at `<=` before `>=`, so a rule `<=` with `confirm: 2` runs in the runtime, too, unless its threshold is
below every `>=` without. A condition of `rearm: {{reset}}` stands in a chain too, without `confirm`, and so do one or
two for `if_already_through`.

The fabric compares `mid` doubled: where twice the price range of an instrument is beyond 48 bits, its rules on
`mid` run in the runtime.

What `rearm: {{after}}` waits for the fabric works out by itself, however short it is: the fire's time and the span.
What fills arm the runtime tells the fabric, and it is live one message of its instrument later
([](../explanation/fabric.md#armed-by-fills)). There is room for {slots} parts of the two kinds together, each with a
slot of its own, so that none is ever in the way of another; the parts behind those run in the runtime. Up to {half}
leave room for a load while armed.

| form | example | runs in | because |
| --- | --- | --- | --- |
"""

_ORDER = "order: {side: sell, qty: 1, type: market}"
_WHEN = f"when: last <= 1180, {_ORDER}"
_OTHER = f"- {{id: other, instrument: MSFT, when: last <= 1170, {_ORDER}"

# Form -> what the rule holds besides id and instrument; a list brings its own rules.
FORMS: dict[str, str] = {
    "threshold on `last`, `bid` or `ask`": _WHEN,
    "strict threshold": f"when: bid > 1180, {_ORDER}",
    "order price `trigger`": "when: ask <= 1180, order: {side: buy, qty: 1, type: limit, price: trigger + 2 ticks}",
    "threshold on `mid`": f"when: mid <= 1180, {_ORDER}",
    "`ladder`": f"{_WHEN}, ladder: {{step: -5, count: 3}}",
    "`table`": "table: table.csv",
    "`trail`": f"trail: {{source: last, by: 10}}, {_ORDER}",
    "`decide` with `intervals`": f"decide: {{source: last, intervals: [{{from: 1100, to: 1110}}]}}, {_ORDER}",
    "`decide` beside a threshold `>=` of its source": "decide: {source: last, intervals: [{from: 1100, to: 1110}]}, "
    f"{_ORDER}}}\n  {_OTHER.replace('<=', '>=')}",
    "`decide` with `python`": "decide: {source: last, over: 1100..1101, python: decide.py:decide}",
    "`confirm: 2`": f"{_WHEN}, confirm: 2",
    "`confirm: 2` on `mid`": f"when: mid <= 1180, {_ORDER}, confirm: 2",
    "`confirm: 2` with `<=`, across a `>=` without": f"{_WHEN}, confirm: 2}}\n  {_OTHER.replace('<=', '>=')}",
    "`if_already_through: reject`": f"{_WHEN}, if_already_through: reject",
    "`if_already_through: wait`": f"{_WHEN}, if_already_through: wait",
    "`if_already_through` of a rule that another one arms": f"{_WHEN}, if_already_through: wait, "
    f"armed_by: other}}\n  {_OTHER}",
    "`during`": f'{_WHEN}, during: ["09:30-16:00"]',
    "`oco`": f"{_WHEN}, oco: exit}}\n  {_OTHER}, oco: exit",
    "`armed_by`": f"{_WHEN}, armed_by: other}}\n  {_OTHER}",
    "`armed_by` with `on: first-fill` or `on: filled`": f"{_WHEN}, armed_by: {{rule: other, on: filled}}}}\n  {_OTHER}",
    "rule whose fills arm another": f"{_WHEN}}}\n  {_OTHER}, armed_by: {{rule: form, on: filled}}",
    "`armed_by` with `on: first-fill`, and `qty: filled`": "when: last <= 1180, "
    f"{_ORDER.replace('1', 'filled')}, armed_by: {{rule: other, on: first-fill}}}}\n  {_OTHER}",
    "`qty: filled`": f"when: last <= 1180, {_ORDER.replace('1', 'filled')}, armed_by: other}}\n  {_OTHER}",
    "`cancels`": f"{_WHEN}, cancels: other}}\n  {_OTHER}",
    "`at`": f"at: 15:55, {_ORDER}",
    "`limits` of one rule": f"{_WHEN}, limits: {{total_orders: 1}}",
    "rule that arms another": f"{_WHEN}}}\n  {_OTHER}, armed_by: form",
    "`rearm: {after}`": f"{_WHEN}, rearm: {{after: 30s, times: 2}}",
    "`rearm: {after}` of a short time": f"{_WHEN}, rearm: {{after: 1ms, times: 2}}",
    "`rearm: {reset}`": f"{_WHEN}, rearm: {{reset: last >= 1200, times: 2}}",
    f"`rearm: {{reset}}` more than {MOST_TIMES:,} times": f"{_WHEN}, rearm: {{reset: last >= 1200, times: 40000}}",
    "`rearm: {reset}` and `if_already_through`": f"{_WHEN}, rearm: {{reset: last >= 1200, times: 2}}, "
    "if_already_through: wait",
}
# Limits -> the same rule under them.
LIMITS = {
    "`limits` checked when compiled (`order_qty`, `limit_collar`)": "order_qty: 10, limit_collar: 5%",
    "`limits: {order_notional}`, market order": "order_notional: 100000",
    "`limits: {collar}`": "collar: 5%",
    "`limits: {collar, collar_breach: ignore}`": "collar: 5%, collar_breach: ignore",
    "`limits: {orders_per_second}`": "orders_per_second: 10",
    "`limits: {self_trade}`": "self_trade: reject",
    "`limits: {repeat}`": "repeat: 1s",
    "`limits: {total_orders}`": "total_orders: 10",
    "`limits: {per_instrument}`": "per_instrument: {MSFT: {total_qty: 10}}",
    "`limits: {per_instrument}` of ten digits": "per_instrument: {MSFT: {total_qty: 1000000000}}",
}
# A limit that counts both rules, of which the other runs in the runtime.
COUNTED = (
    "`limits` that count, beside a rule in the runtime",
    f"{_WHEN}}}\n  {_OTHER}, rearm: {{after: 30s, times: {MOST_TIMES + 1}}}",
    "total_orders: 10",
)


def page(strategies: Path) -> str:
    """The page as MyST Markdown. Raises ValueError if a form does not compile."""
    cases = [(form, rule, "") for form, rule in FORMS.items()]
    cases += [*((form, _WHEN, limits) for form, limits in LIMITS.items()), COUNTED]
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        venue = (strategies / "venues" / "simulator.yaml").read_text(encoding="utf-8")
        (folder / "venue.yaml").write_text(venue, encoding="utf-8")
        (folder / "table.csv").write_text("when,side,qty,type,price\nlast <= 1180,sell,1,market,\n", encoding="utf-8")
        (folder / "decide.py").write_text(_DECIDE, encoding="utf-8")
        for form, rule, limits in cases:
            placed = _placement(folder, rule, limits)
            shown = limits or rule.partition("}\n")[0].replace(f", {_ORDER}", "")
            where = "fabric" if placed is Placement.FABRIC else "runtime"
            rows.append(f"| {form} | `{shown}` | {where} | {placed.value} |")
    resources = json.loads((strategies.parent / "docs/figures/resources.json").read_text(encoding="utf-8"))
    head = _HEAD.format(windows=MOST_WINDOWS, slots=MOST_TOLD, half=MOST_TOLD // 2)
    return head + "\n".join(rows) + "\n" + _missing(resources, strategies / "boards" / "pynq-z1.yaml")


# What was built and set aside, by `make synth ARGS="--no-route"`: the whole core with trails (commit 1e6a2709).
_WITH_TRAILS = {"lut": 20_547, "bram36": 118.0}
_PRICE_BITS, _TIME_BITS, _COUNT_BITS = HWMAP.constant("price_bits"), 64, 32
# These are of no form: what a rule is joined to, what never fires, and widths and numbers that the first table says.
_NO_FORM = {
    *(Placement.FABRIC, Placement.EMPTY, Placement.TOGETHER, Placement.COUNTED, Placement.MID, Placement.DURING),
    *(Placement.DURINGS, Placement.SLOTS, Placement.TIMES, Placement.QUANTITY),
}
_MISSING = """
## What keeps a form out

By [open synthesis](../howto/synth.md) the core takes {used:g} of the {blocks} blocks of memory (BRAM36) and {luts:,} of
the {most:,} LUTs that it may have. So {left:g} blocks and {luts_left:,} LUTs are left.

| form | what the fabric would have to have | takes |
| --- | --- | --- |
{rows}
Widths and numbers have an end, which the table above says: of prices on `mid`, windows of time, re-armings, parts that
the runtime arms, and digits of `total_qty`.
"""


def _missing(resources: dict[str, Any], board_file: Path) -> str:
    """What each form that stays with the runtime would take. Raises ValueError if one has no reason here."""
    board = load_board(board_file).board
    if board is None:
        raise ValueError(f"{board_file} is no board")
    used, budget = resources["all"], board.budget
    luts = used["lut"] + used["lutram"]
    rows = list(_costs(board))
    told = {placement for placements, _, _, _ in rows for placement in placements}
    if told != set(Placement) - _NO_FORM:
        raise ValueError(f"no reason for {', '.join(one.name for one in set(Placement) - _NO_FORM ^ told)}")
    return _MISSING.format(
        used=used["bram36"],
        blocks=budget["bram36"],
        luts=luts,
        most=budget["lut"],
        left=budget["bram36"] - used["bram36"],
        luts_left=budget["lut"] - luts,
        rows="".join(f"| {form} | {what} | {takes} |\n" for _, form, what, takes in rows),
    )


def _costs(board: Board) -> Iterator[tuple[tuple[Placement, ...], str, str, str]]:
    """Reasons, the form, what it needs and what that takes."""
    (chains,) = (size for size in sizes(HWMAP, board) if size.name == "chain")
    orders = board.capacity["orders"]

    def room(depth: int, bits: int) -> str:
        return f"{depth:,} x {bits} bits: {_blocks(depth, bits):g} blocks"

    trails = (
        f"with them the core takes {_WITH_TRAILS['lut']:,} of {board.budget['lut']:,} LUTs and "
        f"{_WITH_TRAILS['bram36']:g} of {board.budget['bram36']} blocks"
    )
    yield (
        (Placement.TRAIL,),
        "`trail`",
        "an extreme and a stop of each trail, which move behind each message",
        trails,
    )
    yield (
        (Placement.CONFIRM,),
        "`confirm: 2` on `mid`",
        "the mid of each instrument just before, and whether there was one",
        room(board.capacity["instruments"], _PRICE_BITS + 2),
    )
    yield (
        (Placement.MIXED, Placement.BEHIND, Placement.REFUSES),
        "`confirm: 2` beside rules without, or with `if_already_through: reject`",
        "a second chain of each source and direction",
        room(chains.depth, chains.bits),
    )
    yield (
        (Placement.DECIDE,),
        "`decide` beside a threshold `>=` of its source",
        "a chain more of each source",
        room(chains.depth // 2, chains.bits),
    )
    yield (
        (Placement.REPEAT,),
        "`limits: {repeat}`",
        "when each order record was last sent",
        room(orders, _TIME_BITS),
    )
    yield (
        (Placement.RULE_LIMITS,),
        "`limits` of one rule",
        "orders and quantity that are left of each order record",
        room(orders, 2 * _COUNT_BITS),
    )
    yield (
        (Placement.THROUGH,),
        "`if_already_through` of a rule that another arms, or that is armed again",
        "a look at each trigger's threshold and at what is known, where links arm 32 triggers at a time",
        "for each 32 triggers 32 cycles at least, now five",
    )
    yield (
        (Placement.COLLAR_IGNORE,),
        "`collar_breach: ignore`",
        "the collar's answer ahead of the choice among thresholds; it comes with that choice",
        "a cycle more of every fire, without a collar too",
    )
    yield (
        (Placement.FILLS, Placement.CANCELS),
        "`qty: filled`, `cancels`",
        "what the venue has reported of orders: the runtime's FIX engine reads that",
        "a second reader of the session's stream, for ExecutionReports",
    )
    yield (
        (Placement.AT,),
        "`at`",
        "fires that answer no message",
        "nothing on the wire waits for it, so the runtime's way costs nothing that a message would show",
    )


def _blocks(depth: int, bits: int) -> float:
    """Blocks of 36 kbit, by halves; their ninth bits are lost where they are narrower than a byte."""
    whole, half = {1024: (36, 18), 2048: (18, 9), 4096: (9, 4), 8192: (4, 2)}[depth]
    rest = bits % whole
    return bits // whole + (0 if rest == 0 else 0.5 if rest <= half else 1)


_DECIDE = """from fixaccel.decide import Order


def decide(price, instrument):
    return Order(side="sell", qty=1, type="market")
"""


def _placement(folder: Path, rule: str, limits: str) -> Placement:
    path = folder / "strategy.yaml"
    text = f"fixaccel: 1\nvenue: venue.yaml\nlimits: {{{limits}}}\nrules:\n  - {{id: form, instrument: MSFT, {rule}}}\n"
    path.write_text(text, encoding="utf-8")
    loaded = load_strategy(path)
    if loaded.strategy is None:
        raise ValueError("\n".join([text, *(diagnostic.message for diagnostic in loaded.diagnostics)]))
    return loaded.strategy.placed(0)
