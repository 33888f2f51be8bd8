# SPDX-License-Identifier: Apache-2.0
"""FX03 and FX04: what a strategy means at its venue, errors and warnings."""

from fixaccel.diagnostics.model import Code, Example, Severity

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
