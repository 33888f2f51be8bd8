# SPDX-License-Identifier: Apache-2.0
"""FX035x: functions that decide in advance. Their warnings stand with the others."""

from fixaccel.diagnostics.report import Code, Example, Severity

E = Severity.ERROR
_RULE = """\
id: fair-value
instrument: MSFT
decide: {source: last, over: 1100..1101, python: fair_value.py:decide}
order: {side: sell, qty: 2, type: market}
"""


def example(body: str, rule: str = _RULE) -> Example:
    """A strategy with a decision, and the file that decides."""
    text = f"from fixaccel.decide import Order\n\n\ndef decide(price, instrument):\n{body}"
    return Example("rule", rule, files=(("fair_value.py", text),))


DECIDE_FUNCTION = Code(
    "FX0350", "decide-function", E, "A Python file for `decide` that cannot be run, or lacks the function",
    "`python` names a file and a function in it, `FILE.py:FUNCTION`. The file is run as any module is, in a process of "
    "its own; it may import what is installed and the files beside it.",
    example("    return Order() if price < 1100 else\n"),
)  # fmt: skip
DECIDE_RAISED = Code(
    "FX0351", "decide-raised", E, "A function for `decide` raised an exception",
    "The function is asked for every price in `over` when the strategy is compiled, so that nothing can go wrong while "
    "the market runs. The message shows the price, the caret the line that raised.",
    example("    return Order(qty=2 / (price - 1101))\n"),
)  # fmt: skip
DECIDE_ANSWER = Code(
    "FX0352", "decide-answer", E, "A function for `decide` answered with something else than an order",
    "The answer for a price is an `Order` or None, of a `@vectorized` function an `Orders`; and the same whenever the "
    "function is asked.",
    example('    return "sell"\n'),
)  # fmt: skip
DECIDE_STOPPED = Code(
    "FX0353", "decide-stopped", E, "A function for `decide` used up its time or memory, or ended its process",
    "The process that runs it has a bound for its processor time and its memory, and must live until all prices are "
    "decided. By the clock it may take ten times as long.",
    example("    import os\n\n    os._exit(3)\n"),
)  # fmt: skip
DECIDE_TOO_MANY = Code(
    "FX0354", "decide-too-many", E, "A decision over too many prices, or with too many intervals",
    "Every price in `over` is decided, and equal neighbours become one interval. Boards hold a few thousand intervals.",
    Example("rule", _RULE.replace("last, over: 1100..1101", "mid, over: 0.01..10000"),
            files=(("fair_value.py", "def decide(price, instrument):\n    return None\n"),)),
)  # fmt: skip
