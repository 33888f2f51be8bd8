# SPDX-License-Identifier: Apache-2.0
"""FX03 and FX04: what a strategy means at its venue, errors and warnings."""

from fixaccel.diagnostics.report import Code, Example, Severity

E, W = Severity.ERROR, Severity.WARNING
_STOP = "id: stop\ninstrument: MSFT\nwhen: last <= 1180\n"

UNKNOWN_INSTRUMENT = Code(
    "FX0301",
    "unknown-instrument",
    E,
    "An instrument that the venue does not list",
    "Instruments are the keys under `instruments` in the venue file, compared as text, upper and lower case apart.",
    Example("rule", "id: stop\ninstrument: MSTF\nwhen: last <= 1180\norder: {side: sell, qty: 2, type: market}\n"),
)
OFF_GRID = Code(
    "FX0302",
    "off-grid",
    E,
    "A price between two ticks",
    "The venue would reject an order at such a price, and a trigger there could mean either neighbour.",
    Example(
        "rule", '- {id: stop, instrument: "7203", when: last <= 1000.3, order: {side: sell, qty: 100, type: market}}\n'
    ),
)
OUTSIDE_RANGE = Code(
    "FX0303",
    "outside-range",
    E,
    "A price outside the instrument's `price_range`",
    "A price outside the range is no observation, so such a condition would never or always be met; an order there "
    "would be an error too.",
    Example("rule", "id: stop\ninstrument: MSFT\nwhen: last <= 118000\norder: {side: sell, qty: 2, type: market}\n"),
)
NOT_A_LOT = Code(
    "FX0304",
    "not-a-lot",
    E,
    "A quantity that is not a multiple of the lot",
    "The venue trades the instrument in whole lots only.",
    Example(
        "rule", '- {id: stop, instrument: "7203", when: last <= 1000, order: {side: sell, qty: 150, type: market}}\n'
    ),
)
ID_CLASH = Code(
    "FX0305",
    "id-clash",
    E,
    "Two rules with one id",
    "An id names a rule in every report, log and test. Parts of a rule that stands for several are named `ID@SYMBOL`.",
    Example(
        "rule",
        f"- {{id: stop, instrument: MSFT, when: last <= {1180}, order: {{side: sell, qty: 2, type: market}}}}\n"
        "- {id: stop, instrument: MSFT, when: bid <= 1170, order: {side: sell, qty: 1, type: market}}\n",
    ),
)
ORDER_PRICE = Code(
    "FX0306",
    "order-price",
    E,
    "A limit order without a price, or a market order with one",
    "`type: limit` needs `price`; `type: market` has none.",
    Example("rule", _STOP + "order: {side: sell, qty: 2, type: limit}\n"),
)
MISSING_ORDER_KEY = Code(
    "FX0307",
    "missing-order-key",
    E,
    "An order lacks a key",
    "Neither the rule's `order` nor `defaults` gives it.",
    Example("rule", _STOP + "order: {side: sell, type: market}\n"),
)
OWNED_FIELD = Code(
    "FX0308",
    "owned-field",
    E,
    "An extra FIX field that is not the trader's to set",
    "The session, the compiler or the fabric writes this field itself.",
    Example("rule", _STOP + 'order: {side: sell, qty: 2, type: market, fields: {34: "7"}}\n'),
)
TOO_WIDE = Code(
    "FX0309",
    "too-wide",
    E,
    "A price or quantity has more characters than the fabric holds",
    "The fabric keeps the text of an order's price and quantity in fields of fixed width.",
    Example("rule", _STOP + "order: {side: sell, qty: 12345678901, type: market}\n"),
)
REPEATED_INSTRUMENT = Code(
    "FX0310",
    "repeated-instrument",
    E,
    "An instrument stands twice in one list",
    "A rule over a list becomes one rule for each instrument.",
    Example(
        "rule", "id: stop\ninstrument: [MSFT, MSFT]\nwhen: last <= 1180\norder: {side: sell, qty: 2, type: market}\n"
    ),
)

LADDER_STEP = Code(
    "FX0311",
    "ladder-step",
    E,
    "A step of a ladder that is off the tick grid or out of the price range",
    "Each step is a condition of its own, and its price, as well as the price of its order, must be one of the "
    "instrument's.",
    Example(
        "rule",
        "id: in\ninstrument: MSFT\nwhen: ask <= 40\nladder: {step: -5, count: 10}\n"
        "order: {side: buy, qty: 2, type: market}\n",
    ),
)
TRAIL_DISTANCE = Code(
    "FX0312",
    "trail-distance",
    E,
    "A trail's distance that the instrument cannot have",
    "A distance in prices is a multiple of the finest tick and not wider than the price range.",
    Example(
        "rule",
        "id: follow\ninstrument: MSFT\ntrail: {source: last, by: 0.005}\norder: {side: sell, qty: 2, type: market}\n",
    ),
)
INTERVALS_OVERLAP = Code(
    "FX0313",
    "intervals-overlap",
    E,
    "Two intervals of a decision overlap",
    "Both ends belong to an interval, so that the next one begins at the next tick. One price decides for one order.",
    Example(
        "rule",
        "id: bands\ninstrument: MSFT\norder: {side: buy, qty: 2, type: market}\ndecide:\n  source: last\n"
        "  intervals:\n    - {from: 1100, to: 1120}\n    - {from: 1120, to: 1140, order: {side: sell}}\n",
    ),
)
BAD_INTERVAL = Code(
    "FX0314",
    "bad-interval",
    E,
    "An interval's ends are the wrong way round or outside `over`",
    "The lower end stands first. Where `over` is given, all intervals lie in it.",
    Example(
        "rule",
        "id: bands\ninstrument: MSFT\norder: {side: buy, qty: 2, type: market}\n"
        "decide: {source: last, intervals: [{from: 1120, to: 1100}]}\n",
    ),
)
NO_TRIGGER = Code(
    "FX0315",
    "no-trigger",
    E,
    "`price: trigger` in a rule without a threshold",
    "A decision fires where a price lands, and `at` by the clock: no threshold is there that `trigger` could mean.",
    Example(
        "rule",
        "id: bands\ninstrument: MSFT\norder: {side: buy, qty: 2, type: limit, price: trigger}\n"
        "decide: {source: last, intervals: [{from: 1100, to: 1120}]}\n",
    ),
)
UNKNOWN_PARENT = Code(
    "FX0316",
    "unknown-parent",
    E,
    "`armed_by` names no rule that could arm this one",
    "It names the id of a rule that is enabled, so that any part of it arms, or one part: `ID[3]` of a ladder or "
    "table, `ID@SYMBOL` of a list, the row's own id in a table.",
    Example("rule", _STOP + "armed_by: entri\norder: {side: sell, qty: 2, type: market}\n"),
)
ARMED_BY_CYCLE = Code(
    "FX0317",
    "armed-by-cycle",
    E,
    "Rules that arm each other in a circle",
    "Each waits for another to fire, so that none is ever armed.",
    Example(
        "rule",
        "- {id: one, instrument: MSFT, when: last > 1180, armed_by: two, order: {side: buy, qty: 2, type: market}}\n"
        "- {id: two, instrument: MSFT, when: last > 1190, armed_by: one, order: {side: buy, qty: 2, type: market}}\n",
    ),
)
PARENT_LACKS_SYMBOL = Code(
    "FX0318",
    "parent-lacks-symbol",
    E,
    "A rule over a list is armed by one that lacks a symbol",
    "Between two rules over lists `armed_by` binds symbol by symbol.",
    Example(
        "rule",
        "- {id: in, instrument: [MSFT], when: last > 1180, order: {side: buy, qty: 100, type: market}}\n"
        '- {id: out, instrument: [MSFT, "7203"], when: bid < 1170, armed_by: in, '
        "order: {side: sell, qty: 100, type: market}}\n",
    ),
)
LIMIT_VIOLATED = Code(
    "FX0319",
    "limit-violated",
    E,
    "An order that `limits` would never let pass",
    "Quantity, notional of a limit price and distance of a limit price from its trigger are known when the strategy is "
    "compiled.",
    Example(
        "strategy",
        "fixaccel: 1\nvenue: simulator.yaml\nlimits: {order_qty: 500}\nrules:\n"
        "  - {id: stop, instrument: MSFT, when: last <= 1180, order: {side: sell, qty: 600, type: market}}\n",
    ),
)
LIMIT_UNPROVABLE = Code(
    "FX0320",
    "limit-unprovable",
    E,
    "A trail whose limit price may break `limit_collar`",
    "`limit_collar` is checked when the strategy is compiled, and a trail's stop is known only when it fires. A price "
    "some ticks from the stop can be checked all the same: for every stop from the lowest that there can be, which is "
    "the lower end of `price_range` or, for a sell trail, what `activate` on its own source leaves.",
    Example(
        "strategy",
        "fixaccel: 1\nvenue: simulator.yaml\nlimits: {limit_collar: 10%}\nrules:\n"
        "  - id: follow\n    instrument: MSFT\n    trail: {source: last, by: 10}\n"
        "    order: {side: sell, qty: 2, type: limit, price: trigger - 5 ticks}\n",
    ),
)
FILLED_QTY = Code(
    "FX0322",
    "filled-qty",
    E,
    "`qty: filled` where nothing says what was filled, or more than once",
    "It is what the rule in `armed_by` has filled when this one fires, in whole lots, so it needs `armed_by`. A rule "
    "that is armed again would close the same fills twice, and the orders of a decision have quantities of their own.",
    Example("rule", _STOP + "order: {side: sell, qty: filled, type: market}\n"),
)
UNKNOWN_CANCELLED = Code(
    "FX0323",
    "unknown-cancelled",
    E,
    "`cancels` names no rule whose orders it could cancel",
    "It names up to 16 rules that are enabled, or parts of them, as `armed_by` does, and not the rule itself: its own "
    "order has just been sent.",
    Example("rule", _STOP + "cancels: [entri]\norder: {side: sell, qty: 2, type: market}\n"),
)
TOO_MANY_PARTS = Code(
    "FX0321",
    "too-many-parts",
    E,
    "A strategy stands for too many rules, steps of ladders or intervals of decisions",
    "They are counted for each instrument of a list. The bounds are beyond any board; they keep the compiler's time "
    "and memory small.",
    Example(
        "rule",
        "".join(
            f"- {{id: in-{number}, instrument: MSFT, when: last >= {number}, ladder: {{step: 0.01, count: 900000}}, "
            f"order: {{side: buy, qty: 1, type: market}}}}\n"
            for number in range(1, 6)
        ),
    ),
)

SAME_RULES = Code(
    "FX0401",
    "same-rules",
    W,
    "Two rules that are the same",
    "Both fire on the same observation and send the same order, so the quantity is doubled.",
    Example(
        "rule",
        "- {id: one, instrument: MSFT, when: last > 1180, order: {side: buy, qty: 2, type: market}}\n"
        "- {id: two, instrument: MSFT, when: last >= 1180.01, order: {side: buy, qty: 2, type: market}}\n",
    ),
)
SELF_TRADE = Code(
    "FX0402",
    "self-trade",
    W,
    "One price can fire a buy and a sell of one instrument",
    "The two orders may trade with each other, which many venues forbid.",
    Example(
        "rule",
        "- {id: stop, instrument: MSFT, when: last <= 1180, order: {side: sell, qty: 2, type: market}}\n"
        "- {id: dip, instrument: MSFT, when: last <= 1150, order: {side: buy, qty: 2, type: market}}\n",
    ),
)
NEVER_MARKETABLE = Code(
    "FX0403",
    "never-marketable",
    W,
    "A limit price on the wrong side of its stop",
    "When the rule fires the market is beyond the limit already, so the order rests instead of trading.",
    Example("rule", _STOP + "order: {side: sell, qty: 2, type: limit, price: 1190}\n"),
)
NOTHING_ENABLED = Code(
    "FX0404",
    "nothing-enabled",
    W,
    "A strategy without a rule that is enabled",
    "It compiles, but nothing will ever fire.",
    Example("strategy", "fixaccel: 1\nvenue: simulator.yaml\nrules: []\n"),
)
