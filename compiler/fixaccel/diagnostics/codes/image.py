# SPDX-License-Identifier: Apache-2.0
"""FX06: what the fabric of a board can hold."""

from fixaccel.diagnostics.report import Code, Example, Severity

E = Severity.ERROR


def _many_templates() -> bytes:
    order = "{{side: sell, qty: 1, type: market, account: A{0}}}"
    rule = "- {{id: r{0}, instrument: MSFT, when: last <= 1000, order: " + order + "}}\n"
    return "".join(rule.format(number) for number in range(65)).encode("ascii")


def _long_fields() -> bytes:
    fields = ", ".join(f"{tag}: {'x' * 128}" for tag in (58, 354, 355, 5001))
    head = "id: stop\ninstrument: MSFT\nwhen: last <= 1000\n"
    return f"{head}order: {{side: sell, qty: 1, type: market, fields: {{{fields}}}}}\n".encode("ascii")


_GEM_BOARD = """fixaccel-board: 1
name: pynq-z1-gem
part: xc7z020clg400-1
clock: 125MHz
interface: gem-bram
bytes_per_beat: 1
capacity: {instruments: 1024, triggers: 16384, intervals: 4096, orders: 4096, templates: 64, groups: 1024}
gem: {receive_slots: 16, transmit_slots: 4, to_cpu_slots: 8, from_cpu_slots: 4}
"""

CAPACITY = Code(
    "FX0601", "capacity", E, "The strategy needs more of a memory than the board has",
    "Tables have the size that the board file gives. Instruments count when a rule uses them; orders of one "
    "that are equal, and cancel and arm the same rules, share a record; orders that differ only in quantity, price and "
    "instrument share a template if the symbols are as long and the prices as wide. What an order cancels (`oco`) and "
    "arms (`armed_by`) is a list of ranges of triggers, shared by all orders with the same list; `groups` of the board "
    "give the room for these ranges. What the orders of one message arm is kept to its end, for as many orders as the "
    "fabric has room for: no more parts of an instrument may arm others. Where the board decodes a feed (`feed` of the "
    "board file), the lines of the venue's feed and its program must fit, too; `fixaccel fast list` shows the program.",
    Example("rule", "# 65 rules with 65 accounts on a board with 64 templates\n", _many_templates),
)  # fmt: skip
SYMBOL_CLASH = Code(
    "FX0602", "symbol-clash", E, "Two symbols that the directory cannot tell apart",
    "The fabric finds an instrument by a hash of its symbol, and the compiler chooses the hash so that no two share a "
    "slot. A few pairs of symbols have the same CRC-32, so that no choice parts them.",
    Example(
        "instrument",
        "1XKZLH: {tick: 0.01, lot: 1, price_range: 0..100}\nS8625R: {tick: 0.01, lot: 1, price_range: 0..100}\n",
    ),
)  # fmt: skip
MESSAGE_TOO_LONG = Code(
    "FX0603", "message-too-long", E, "An order that is longer than the fabric's message memory",
    "Comp ids, account and extra fields add to the length of the prepared FIX message, which has a fixed room.",
    Example(
        "rule",
        "id: stop\ninstrument: MSFT\nwhen: last <= 1000\n"
        "order: {side: sell, qty: 1, type: market, fields: {58: (128 characters), 354: ..., 355: ..., 5001: ...}}\n",
        _long_fields,
    ),
)  # fmt: skip
PART_NUMBER = Code(
    "FX0604", "part-number", E, "A part whose number is beyond the board's",
    "Parts are numbered over the whole strategy, those that run in the runtime included. The fabric tells by that "
    "number what has fired, and it has as many numbers as triggers.",
    Example(
        "rule",
        "- {id: many, instrument: MSFT, when: mid <= 9000, ladder: {step: -0.01, count: 16384}, confirm: 2,\n"
        "   order: {side: sell, qty: 1, type: market}}\n"
        "- {id: one, instrument: MSFT, when: last <= 100, order: {side: sell, qty: 1, type: market}}\n",
    ),
)  # fmt: skip
COMMIT = Code(
    "FX0605", "commit", E, "Orders that may begin too early for the board",
    "`commit: message` lets an order begin while its frame still arrives. It has to be leaving when the frame's "
    "verdict comes, so the rest of the frame has to come at the line's pace. Behind `interface: gem-bram` frames come "
    "in bursts, when the Ethernet controller has them whole.",
    Example("venue", "commit: message\n", files=(("board.yaml", _GEM_BOARD),)),
)  # fmt: skip
