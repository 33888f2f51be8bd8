# SPDX-License-Identifier: Apache-2.0
"""FX04, continued: warnings over a whole strategy."""

from fixaccel.diagnostics.codes.decide import example
from fixaccel.diagnostics.report import Code, Example, Severity

W = Severity.WARNING
_STOP = "instrument: MSFT, order: {side: sell, qty: 2, type: limit, price: 1100}"

OCO_SHADOW = Code(
    "FX0405", "oco-shadow", W, "A rule that can never fire: a sibling of its `oco` group always fires first",
    "Both are satisfied by the same prices, and the sibling's trigger is the same or nearer. The first that is sent "
    "cancels the rest of the group.",
    Example("rule", f"- {{id: near, when: last <= 1180, oco: exit, {_STOP}}}\n"
            f"- {{id: far, when: last <= 1150, oco: exit, {_STOP}}}\n"),
)  # fmt: skip
NO_COLLAR = Code(
    "FX0406", "no-collar", W, "A market order with no collar",
    "A market order has no price of its own. With `collar` in `limits` an observation far from the one before, such as "
    "a misprint, sends nothing.",
    Example("rule", "id: stop\ninstrument: MSFT\nwhen: last <= 1180\norder: {side: sell, qty: 2, type: market}\n"),
)  # fmt: skip
OCO_ON_MANY = Code(
    "FX0407", "oco-on-many", W, "An `oco` group on a ladder or a table",
    "The first step or row that is sent cancels all others of the group, its own rule's too.",
    Example("rule", "id: scale-in\ninstrument: MSFT\nwhen: ask <= 1150\nladder: {step: -5, count: 3}\noco: entry\n"
            "order: {side: buy, qty: 1, type: limit, price: trigger}\n"),
)  # fmt: skip
CONFIRM_SNAPSHOT = Code(
    "FX0408", "confirm-snapshot", W, "`confirm: 2` on a venue that sends snapshots",
    "Every snapshot carries `last`, traded again or not, and a repeated price is an observation. So the next snapshot "
    "confirms a single trade.",
    Example("rule", "id: breakout\ninstrument: MSFT\nwhen: last >= 1200\nconfirm: 2\n"
            "order: {side: buy, qty: 5, type: limit, price: 1210}\n"),
)  # fmt: skip

REPEAT_SPENDS = Code(
    "FX0412", "repeat-spends", W, "A rule that `repeat` spends without an order",
    "An order that a limit rejects spends what fired it, as one that leaves does. `repeat` counts the orders of all "
    "parts of a rule together: steps, rows and instruments.",
    Example("strategy", "fixaccel: 1\nvenue: simulator.yaml\nlimits: {repeat: 10s}\nrules:\n  - id: scale-in\n"
            "    instrument: MSFT\n    when: ask <= 1150\n    ladder: {step: -5, count: 3}\n"
            "    order: {side: buy, qty: 1, type: limit, price: trigger}\n"),
)  # fmt: skip

DECIDE_RANGE = Code(
    "FX0409", "decide-range", W, "A `decide` range that leaves the price range",
    "A price outside the instrument's `price_range` is no observation, so nothing can fire there. The range is cut.",
    Example("rule", "id: bands\ninstrument: MSFT\ndecide:\n  source: last\n  over: 9000..11000\n  intervals:\n"
            "    - {from: 9000, to: 9500, order: {side: sell, qty: 2, type: market}}\n"),
)  # fmt: skip
DECIDE_PRINTED = Code(
    "FX0410", "decide-printed", W, "A function for `decide` printed something",
    "What it prints is not part of the answer; the first line is shown.",
    example("    print(price)\n    return Order()\n"),
)  # fmt: skip
DECIDE_NOTHING = Code(
    "FX0411", "decide-nothing", W, "A function for `decide` that sends no order at any price",
    "The rule can never fire.",
    example("    return None\n"),
)  # fmt: skip

OVER_NOTIONAL = Code(
    "FX0413", "over-notional", W, "A market order that `order_notional` rejects at the price that fires it",
    "The gate compares quantity times observed price. A rejected order spends its rule: a stop is gone, and nothing "
    "was sent.",
    Example("strategy", "fixaccel: 1\nvenue: simulator.yaml\nlimits: {order_notional: 2000, collar: 5%}\nrules:\n"
            "  - {id: stop, instrument: MSFT, when: last <= 1180, order: {side: sell, qty: 2, type: market}}\n"),
)  # fmt: skip
OCO_ALONE = Code(
    "FX0414", "oco-alone", W, "An `oco` group of one",
    "A group cancels its other members. Rules are in one group if the names are the same, letter by letter; where all "
    "of them are over lists of instruments, there is a group for each symbol.",
    Example("rule", f"- {{id: stop, when: last <= 1180, oco: exit, {_STOP}}}\n"
            f"- {{id: target, when: last >= 1250, oco: exlt, {_STOP}}}\n"),
)  # fmt: skip
OCO_NAMES = Code(
    "FX0415", "oco-names", W, "Two `oco` groups whose names are one letter apart",
    "If one of them was mistyped, rules that were to cancel each other do not.",
    Example("rule", f"- {{id: stop, when: last <= 1180, oco: exit, {_STOP}}}\n"
            f"- {{id: take, when: last >= 1250, oco: exit, {_STOP}}}\n"
            f"- {{id: low, when: bid <= 1170, oco: exits, {_STOP}}}\n"
            f"- {{id: high, when: bid >= 1260, oco: exits, {_STOP}}}\n"),
)  # fmt: skip
EXIT_OF_RESTING = Code(
    "FX0416", "exit-of-resting", W, "An exit that is armed by an entry that may rest",
    "`armed_by: ENTRY` arms when the order is sent. A limit order may rest, and the exit fires all the same: it closes "
    "nothing, but opens a position, and the entry may be filled later. `armed_by: {rule: ENTRY, on: first-fill}` arms "
    "when something was filled, and `qty: filled` sends no more than that.",
    Example("rule", "- {id: entry, instrument: MSFT, when: ask <= 1150, "
            "order: {side: buy, qty: 5, type: limit, price: 1149}}\n"
            f"- {{id: stop, when: last <= 1100, armed_by: entry, {_STOP}}}\n"),
)  # fmt: skip
EXIT_LARGER = Code(
    "FX0417", "exit-larger", W, "Exits that close more than their entry opens",
    "Each exit that is armed by an entry may fire, but for those of one `oco` group, of which one does. What they send "
    "beyond the entry's quantity opens a position on the other side.",
    Example("strategy", "fixaccel: 1\nvenue: simulator.yaml\nlimits: {collar: 5%}\nrules:\n"
            "  - {id: entry, instrument: MSFT, when: last >= 1200, order: {side: buy, qty: 5, type: market}}\n"
            "  - {id: stop, instrument: MSFT, when: last <= 1180, armed_by: entry,\n"
            "     order: {side: sell, qty: 5, type: market}}\n"
            "  - {id: target, instrument: MSFT, when: last >= 1250, armed_by: entry,\n"
            "     order: {side: sell, qty: 5, type: market}}\n"),
)  # fmt: skip
OFF_FABRIC = Code(
    "FX0418", "off-fabric", W, "A limit that moves rules from the fabric into the runtime",
    "The runtime checks what the fabric cannot, and answers later. What one limit counts together runs in one of the "
    "two: a single rule that the fabric does not have takes the others with it.",
    Example("strategy", "fixaccel: 1\nvenue: simulator.yaml\nlimits: {collar: 5%, orders_per_second: 5}\nrules:\n"
            "  - {id: stop, instrument: MSFT, when: last <= 1180, order: {side: sell, qty: 2, type: market}}\n"
            "  - id: follow\n    instrument: MSFT\n    trail: {source: last, by: 1%}\n"
            "    order: {side: sell, qty: 2, type: market}\n"),
)  # fmt: skip
_ENTRY = "- {id: entry, instrument: MSFT, when: ask <= 1150, order: {side: buy, qty: 5, type: limit, price: 1149}}\n"
EXIT_OF_PART = Code(
    "FX0419", "exit-of-part", W, "An exit that is armed by fills and has a quantity of its own",
    "A limit order may be filled in part. One that sends its whole quantity then opens a position on the other side: "
    "`qty: filled` sends what was filled, in whole lots.",
    Example("rule", f"{_ENTRY}- {{id: stop, when: last <= 1100, armed_by: {{rule: entry, on: filled}}, {_STOP}}}\n"),
)  # fmt: skip
ENTRY_RESTS_ON = Code(
    "FX0420", "entry-rests-on", W, "An exit after which its entry may rest on",
    "Armed by the first fill, an exit sends what was filled when it fires. What of the entry is filled later has no "
    "exit any more, unless `cancels` takes it back.",
    Example("rule", f"{_ENTRY}- {{id: stop, instrument: MSFT, when: last <= 1100, "
            "armed_by: {rule: entry, on: first-fill},\n"
            "   order: {side: sell, qty: filled, type: limit, price: 1090}}\n"),
)  # fmt: skip
FILLED_ELSEWHERE = Code(
    "FX0421", "filled-elsewhere", W, "`qty: filled` of another instrument, or of the same side",
    "What was filled is a number of shares or contracts of one instrument, and an exit is of the other side.",
    Example("rule", f"{_ENTRY}- {{id: more, instrument: MSFT, when: ask <= 1100, "
            "armed_by: {rule: entry, on: filled},\n"
            "   order: {side: buy, qty: filled, type: limit, price: 1090}}\n"),
)  # fmt: skip
OVER_TOTAL = Code(
    "FX0422", "over-total", W, "An order larger than `total_qty` ever lets pass",
    "`total_qty` is what may be sent of an instrument's side until the counters begin anew. An order that is more by "
    "itself is always rejected, which spends its rule: a stop is gone, and nothing was sent.",
    Example("strategy", "fixaccel: 1\nvenue: simulator.yaml\nlimits: {per_instrument: {MSFT: {total_qty: 5}}}\n"
            "rules:\n  - id: stop\n    instrument: MSFT\n    when: last <= 1180\n"
            "    order: {side: sell, qty: 6, type: limit, price: 1100}\n"),
)  # fmt: skip
