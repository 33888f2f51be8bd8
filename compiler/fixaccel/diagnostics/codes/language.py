# SPDX-License-Identifier: Apache-2.0
"""FX02: the form of strategy, venue and board files."""

from fixaccel.diagnostics.report import Code, Example, Severity

E, W = Severity.ERROR, Severity.WARNING

WRONG_KIND = Code(
    "FX0201",
    "wrong-kind",
    E,
    "Another kind of file was expected",
    "A strategy has the key `fixaccel`, a venue `fixaccel-venue`, a board `fixaccel-board`, each with the version 1.",
    Example("strategy", "rules: []\nvenue: simulator.yaml\n"),
)
UNKNOWN_VERSION = Code(
    "FX0202",
    "unknown-version",
    E,
    "A language version that this compiler does not know",
    "The version is 1. A newer file needs a newer fixaccel.",
    Example("strategy", "fixaccel: 2\nvenue: simulator.yaml\nrules: []\n"),
)
UNKNOWN_KEY = Code(
    "FX0203",
    "unknown-key",
    E,
    "A key that the language does not know",
    "Keys are never ignored: a misspelt one would silently change what is traded.",
    Example("rule", "id: stop\ninstrumnet: MSFT\nwhen: last <= 1180\norder: {side: sell, qty: 2, type: market}\n"),
)
MISSING_KEY = Code(
    "FX0204",
    "missing-key",
    E,
    "A required key is missing",
    "The key has no default.",
    Example("rule", "id: stop\nwhen: last <= 1180\norder: {side: sell, qty: 2, type: market}\n"),
)
WRONG_SHAPE = Code(
    "FX0205",
    "wrong-shape",
    E,
    "A list, a mapping or a text where another of them belongs",
    "A mapping is `{key: value}`, a list `[value, value]`; each may also be written over several lines.",
    Example("rule", "id: stop\ninstrument: MSFT\nwhen: last <= 1180\norder: sell 2 at market\n"),
)
EMPTY_VALUE = Code(
    "FX0206",
    "empty-value",
    E,
    "A key has an empty value",
    "Leave the key out where nothing is meant.",
    Example(
        "rule", "id: stop\ninstrument: MSFT\nwhen: last <= 1180\nnote:\norder: {side: sell, qty: 2, type: market}\n"
    ),
)
BAD_CONDITION = Code(
    "FX0207",
    "bad-condition",
    E,
    "A condition is not `SOURCE OP PRICE`",
    "A condition is one comparison: the price source `last`, `bid`, `ask` or `mid`, one of `>=`, `<=`, `>`, `<`, and a "
    "decimal number. There is no `==`, `and` or `or`, and the source is always written out.",
    Example("rule", "id: stop\ninstrument: MSFT\nwhen: last == 1180\norder: {side: sell, qty: 2, type: market}\n"),
)
BAD_NUMBER = Code(
    "FX0208",
    "bad-number",
    E,
    "A text is not a number of the form asked for",
    "Decimals are `-?digits[.digits]`: no `+`, no exponent, no separators, a digit on each side of the point.",
    Example("rule", "id: stop\ninstrument: MSFT\nwhen: last <= 1180\norder: {side: sell, qty: 1e3, type: market}\n"),
)
BAD_CHOICE = Code(
    "FX0209",
    "bad-choice",
    E,
    "A value that is not one of the allowed words",
    "The words are written in lower case, exactly as listed.",
    Example("rule", "id: stop\ninstrument: MSFT\nwhen: last <= 1180\norder: {side: SELL, qty: 2, type: market}\n"),
)
BAD_ID = Code(
    "FX0210",
    "bad-id",
    E,
    "A rule id or group name of the wrong form",
    "It is 1 to 32 characters of `a-z 0-9 _ . -` and begins with a letter or digit.",
    Example("rule", "id: Stop Loss\ninstrument: MSFT\nwhen: last <= 1180\norder: {side: sell, qty: 2, type: market}\n"),
)
BAD_TEXT = Code(
    "FX0211",
    "bad-text",
    E,
    "A text that is too long, runs over several lines or holds characters that FIX cannot carry",
    "Names and FIX values are printable ASCII on one line. A note may be any text of moderate length.",
    Example("strategy", "fixaccel: 1\nvenue: simulator.yaml\ndefaults:\n  order: {account: Zürich}\nrules: []\n"),
)
BAD_DURATION = Code(
    "FX0212",
    "bad-duration",
    E,
    "A text is not a duration of the form asked for",
    "A duration is a number and a unit: `500ms`, `30s`, `5m`, `1h`.",
    Example(
        "venue",
        "session: {begin_string: FIX.4.4, sender_comp_id: A, target_comp_id: B, connect: host:9878, heartbeat: 30}\n",
    ),
)
BAD_ORDER_PRICE = Code(
    "FX0213",
    "bad-order-price",
    E,
    "An order price is neither a number nor `trigger`",
    "A limit price is a decimal number, `trigger`, `trigger + N ticks` or `trigger - N ticks`.",
    Example(
        "rule",
        "id: stop\ninstrument: MSFT\nwhen: last <= 1180\n"
        "order: {side: sell, qty: 2, type: limit, price: trigger - 5}\n",
    ),
)
ONE_CONDITION = Code(
    "FX0214",
    "one-condition",
    E,
    "A rule needs exactly one of `when`, `trail`, `table` and `decide`",
    "Each of them says by itself when the order leaves.",
    Example("rule", "id: stop\ninstrument: MSFT\norder: {side: sell, qty: 2, type: market}\n"),
)
NOT_SUPPORTED = Code(
    "FX0215",
    "not-supported",
    E,
    "A form of the language that this version does not build yet",
    "The form is part of the language, but no fabric of this version has it. It is refused, because a strategy would "
    "seem to run and never see the market.",
    Example("board", "bytes_per_beat: 4\n"),
)
BAD_PERCENT = Code(
    "FX0216",
    "bad-percent",
    E,
    "A text is not a percentage of the form asked for",
    "A percentage is a decimal above zero and at most 100 with a `%` behind it: `5%`, `0.25%`. Limits take two "
    "decimals, a trail takes four.",
    Example("strategy", "fixaccel: 1\nvenue: simulator.yaml\nlimits: {collar: 5}\nrules: []\n"),
)
BAD_DISTANCE = Code(
    "FX0217",
    "bad-distance",
    E,
    "A text is not a distance of the form asked for",
    "The step of a ladder is a price difference such as `-5`, or `-2 ticks`, and never zero. A trail's `by` is above "
    "zero and may be a percentage of the extreme too.",
    Example(
        "rule",
        "id: stop\ninstrument: MSFT\ntrail: {source: last, by: -10}\norder: {side: sell, qty: 2, type: market}\n",
    ),
)
BAD_TIMES = Code(
    "FX0218",
    "bad-times",
    E,
    "A text is not times of day of the form `HH:MM-HH:MM`, or for `at` of `HH:MM` or `HH:MM:SS`",
    "Times have 24 hours and two digits each. The first minute belongs to the window, the last does not; an end before "
    "the start is on the next day.",
    Example(
        "rule",
        "id: stop\ninstrument: MSFT\nwhen: last <= 1180\nduring: [9:30-16:00]\n"
        "order: {side: sell, qty: 2, type: market}\n",
    ),
)
DOES_NOT_GO_WITH = Code(
    "FX0219",
    "does-not-go-with",
    E,
    "A key that has no meaning beside another",
    "`ladder` repeats the condition of `when`. `confirm` and `if_already_through` are about one threshold: a trail has "
    "its own rule for the first price, a decision fires where a price lands, and `at` by the clock.",
    Example(
        "rule",
        "id: stop\ninstrument: MSFT\ntrail: {source: last, by: 10}\nconfirm: 2\n"
        "order: {side: sell, qty: 2, type: market}\n",
    ),
)
ONE_OF = Code(
    "FX0220",
    "one-of",
    E,
    "Exactly one of two keys is needed",
    "`decide` has `python` or `intervals`, `rearm` has `after` or `reset`.",
    Example(
        "rule",
        "id: stop\ninstrument: MSFT\nwhen: last <= 1180\nrearm: {times: 3}\n"
        "order: {side: sell, qty: 2, type: market}\n",
    ),
)
BAD_FUNCTION = Code(
    "FX0221",
    "bad-function",
    E,
    "A text is not `FILE.py:FUNCTION`",
    "`python` names a file, relative to the strategy's, and a function in it.",
    Example(
        "rule", "id: fair\ninstrument: MSFT\ndecide: {source: last, over: 1100..1200, python: fair_value.decide}\n"
    ),
)
