# SPDX-License-Identifier: Apache-2.0
"""FX02: the form of strategy, venue and board files."""

from fixaccel.diagnostics.model import Code, Example, Severity

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
    "A rule id of the wrong form",
    "An id is 1 to 32 characters of `a-z 0-9 _ . -` and begins with a letter or digit.",
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
    "A form of the language that this version does not compile yet",
    "The form is part of the language but not of this version. It is refused, because a strategy with a part left out "
    "would trade differently from what it says.",
    Example(
        "rule",
        "id: stop\ninstrument: MSFT\nwhen: last <= 1180\nconfirm: 2\norder: {side: sell, qty: 2, type: market}\n",
    ),
)
