# SPDX-License-Identifier: Apache-2.0
"""FX04, continued: warnings over a whole strategy."""

from fixaccel.diagnostics.codes.decide import example
from fixaccel.diagnostics.model import Code, Example, Severity

W = Severity.WARNING

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
