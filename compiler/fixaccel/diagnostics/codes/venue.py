# SPDX-License-Identifier: Apache-2.0
"""FX05: what venue and board files say."""

from fixaccel.diagnostics.report import Code, Example, Severity

E, W = Severity.ERROR, Severity.WARNING

BAD_SYMBOL = Code(
    "FX0501",
    "bad-symbol",
    E,
    "An instrument symbol of the wrong form",
    "Symbols are 1 to 12 characters of `A-Z a-z 0-9 . _ / ^ -`.",
    Example("instrument", "BRK B: {tick: 0.01, lot: 1, price_range: 0.01..1000}\n"),
)
BAD_TICK = Code(
    "FX0502",
    "bad-tick",
    E,
    "A tick that cannot be used",
    "Ticks are above zero and whole multiples of the instrument's finest tick, which is a multiple of 0.00000001 and "
    "the unit of all prices. A step of a tick table starts at a multiple of its tick.",
    Example("instrument", "ABC: {tick: {0: 0.2, 100: 0.5}, lot: 1, price_range: 0.2..1000}\n"),
)
BAD_RANGE = Code(
    "FX0503",
    "bad-range",
    E,
    "A price range that cannot be used",
    "A range is `LO..HI` with LO not above HI, both on the tick grid and within what the fabric's price fields hold.",
    Example("instrument", "ABC: {tick: 0.01, lot: 1, price_range: 100..1}\n"),
)
BAD_ADDRESS = Code(
    "FX0504",
    "bad-address",
    E,
    "A network address of the wrong form",
    "An address is `HOST:PORT`, the port 1 to 65535.",
    Example(
        "venue",
        "session: {begin_string: FIX.4.4, sender_comp_id: A, target_comp_id: B, connect: 10.0.0.1, heartbeat: 30s}\n",
    ),
)
BAD_TIME_ZONE = Code(
    "FX0505",
    "bad-time-zone",
    E,
    "A time zone that nobody knows",
    "Zones are named as in the IANA database: `America/New_York`, `Asia/Tokyo`, `UTC`.",
    Example("venue", "time_zone: New York\n"),
)
NO_INSTRUMENTS = Code(
    "FX0506",
    "no-instruments",
    E,
    "A venue without instruments",
    "A rule needs an instrument of the venue.",
    Example("venue", "instruments: {}\n"),
)
BAD_CLOCK = Code(
    "FX0507",
    "bad-clock",
    E,
    "A text is not a frequency",
    "A frequency is a whole number and `kHz`, `MHz` or `GHz`: `125MHz`.",
    Example("board", "clock: 125\n"),
)
BAD_CAPACITY = Code(
    "FX0508",
    "bad-capacity",
    E,
    "A capacity that the address map has no room for",
    "Each table has a window in the fabric's address map, and each capacity a power of two that fits it.",
    Example(
        "board",
        "capacity: {instruments: 1024, triggers: 2097152, intervals: 4096, orders: 4096, templates: 128, groups: 1}\n",
    ),
)
BAD_BUDGET = Code(
    "FX0509",
    "bad-budget",
    E,
    "A budget that the chip has no room for",
    "The fabric cannot be allowed more of a resource than the part has.",
    Example("board", "chip: {bram36: 140}\nbudget: {bram36: 150}\n"),
)
SAME_SESSION = Code(
    "FX0510",
    "same-session",
    E,
    "Market data with the session of the orders",
    "`market_data.session` is for venues where market data have a FIX session of their own. It differs from the one "
    "for orders in a CompID or in its address.",
    Example(
        "venue",
        "market_data:\n"
        "  message: snapshot\n"
        "  session: {begin_string: FIX.4.4, sender_comp_id: CLIENT1, target_comp_id: SIMULATOR, "
        "connect: 10.77.0.1:9878, heartbeat: 5s}\n",
    ),
)
_FEED = (
    "market_data:\n"
    "  feed:\n"
    "    templates: templates.xml\n"
    "    sequence: {offset: 0, bytes: 4, of: datagrams}\n"
    "    reset: datagram\n"
    "    channels: {stocks: {a: 239.195.1.1:16001}}\n"
)
_QUOTES = """\
<templates>
  <template name="Quote" id="1">
    <string name="MsgType" id="35"><constant value="X"/></string>
    <sequence name="Entries">
      <length name="NoMDEntries" id="268"/>
      <string name="Symbol" id="55"/>
      <string name="MDEntryType" id="269"/>
      <decimal name="MDEntryPx" id="270"/>
    </sequence>
  </template>
</templates>
"""
MARKET_DATA_ORIGIN = Code(
    "FX0511",
    "market-data-origin",
    E,
    "Market data with two origins, or with none",
    "Prices of an instrument come in FIX messages (`message`) or by a feed (`feed`), never both: which of them was "
    "first would depend on the network. What belongs to the one, such as `session`, `channel` or `id`, does not go "
    "with the other.",
    Example("venue", "market_data: {}\n"),
)
BAD_FEED = Code(
    "FX0512",
    "bad-feed",
    E,
    "A feed whose keys, templates and instruments do not go together",
    "A feed is read for instrument, type and price of entries; the templates must have such fields, by their usual FIX "
    "tags or as `fields` names them, and each template must say what it is, by a constant MsgType(35) or in `kinds`. "
    "Where instruments are named by number each has an `id`, and with several channels a `channel`.",
    Example(
        "venue",
        _FEED + "    fields: {price: 1270}\n",
        files=(("templates.xml", _QUOTES),),
    ),
)
FEED_NOT_FIRED = Code(
    "FX0513",
    "feed-not-fired",
    W,
    "A feed, which neither fabric nor runtime of this version receives",
    "The feed's templates are checked and compiled, `fixaccel fast` decodes its captures, and the bundle carries the "
    "program. But nothing of this version joins its groups: rules of the venue do not fire, and the daemon refuses the "
    "bundle. `simulate` and `test` run on the events that they are given.",
    Example("venue", _FEED, files=(("templates.xml", _QUOTES),)),
)
