# SPDX-License-Identifier: Apache-2.0
"""FX04, continued: warnings over a whole strategy."""

from fixaccel.diagnostics.codes.decide import example
from fixaccel.diagnostics.model import Code, Example, Severity

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
