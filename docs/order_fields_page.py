# SPDX-License-Identifier: Apache-2.0
"""Makes the page of who writes which field of an order, from a template with all that one can have."""

from fixaccel.hwmap import load_hwmap
from fixaccel.image.templates.template import Patch, Patched, Template, new_order_single
from fixaccel.language.keys.fields import NAMES
from fixaccel.language.orders import Order
from fixaccel.language.terms import OrderType, Session, Side, TimeInForce

_HEAD = """# The fields of an order

An order is a NewOrderSingle(D), the same whoever sends it. The fabric sends it from a **template**, a whole message in
its memory in which a few fields are patched while it leaves; the FIX engine writes those of the runtime's rules and
[those by hand](../howto/orders.md). Its fields, in the order of the template:

| field | in an order of the fabric | of the runtime, or by hand |
| --- | --- | --- |
"""
_TAIL = """
## What keeps them current

A template never grows old: what changes from order to order is not in it. There is nothing to write anew when a
heartbeat takes a number, and nothing to forget.

- **MsgSeqNum(34)** is one counter, the fabric's while it is armed. Whatever the FIX engine sends meanwhile it sends
  under [the lease](../explanation/session-sharing.md#egress-lease), and gives the fabric the next number with it.
  Resends and gap fills keep their old numbers.
- **SendingTime(52) and TransactTime(60)** are of one clock. The daemon
  [follows the machine's](../howto/daemon.md#when-the-clock-is-set) without a step, and sets the fabric's by its own
  four times in `clock_max_age_ms`. The fabric counts on by its cycles, rolls the date itself, and rejects a fire when
  nobody has set it for that long.
- **ClOrdID(11)** has 20 characters in base 36: 4 of the load's *epoch*, 8 of the rule's number, 8 of how often it has
  fired. A load gives the fabric an epoch that the journal has never used, so that no ClOrdID comes twice when rules
  change or start anew. Orders by hand count under a number that no rule has.
- **CompIDs, Account(1) and `fields`** are the bundle's: a load brings others. The daemon refuses a bundle whose session
  is not the one that is logged on.
- **OrderQty(38), Price(44) and Symbol(55)** are of the memories of orders and instruments, which a load writes; while
  armed into the bank that does not count yet.

## What nobody may set

`fields` of a rule adds what a venue wants beside. {owned} are refused there by name: they are written as above,
or belong to the session.
"""
_BY_FABRIC = {
    Patched.SEQ_NUM: "patched: the fabric's next number, of always as many digits",
    Patched.TIME: "patched: the fabric's clock when the first byte leaves",
    Patched.CL_ORD_ID: "patched: epoch, rule and fire count",
    Patched.CHECKSUM: "patched: of what leaves, static bytes summed by the compiler",
    Patched.PRICE: "patched: of the order's record",
    Patched.QTY: "patched: of the order's record",
    Patched.SYMBOL: "patched: of the instrument that fired",
}
_ENGINE = "the FIX engine"
_BY_RUNTIME = {
    **dict.fromkeys((8, 9, 10, 35, 49, 56), _ENGINE),
    34: f"{_ENGINE}, from the journal's next number, once it has the lease",
    52: f"{_ENGINE}, by the daemon's clock, once it has the lease",
    60: "as SendingTime(52)",
    11: "the daemon: as the fabric does",
    21: "the daemon: always 1, as in the template",
}
_ORDER = Order(
    side=Side.BUY,
    qty=1,
    type=OrderType.LIMIT,
    price=1,
    tif=TimeInForce.DAY,
    account="ACCOUNT",
    fields={58: "TEXT"},
)
_SESSION = Session(
    begin_string="FIX.4.4", sender_comp_id="SENDER", target_comp_id="TARGET", host="", port=1, heartbeat_s=30
)


def page() -> str:
    """The page in Markdown."""
    owned = ", ".join(f"{name}({tag})" for tag, name in NAMES.items())
    return _HEAD + "".join(_rows(_template())) + _TAIL.replace("{owned}", owned)


def _template() -> Template:
    return new_order_single(_ORDER, len("MSFT"), _SESSION, len("1.00"), load_hwmap())


def _rows(template: Template) -> list[str]:
    rows = []
    rest = b""
    for part in template.parts:
        if isinstance(part, Patch):
            *whole, tag = rest.split(b"\x01")
            rows += [_literal(field) for field in whole if field]
            rows.append(_row(int(tag.rstrip(b"=")), _BY_FABRIC[part.what]))
            rest = b""
        else:
            rest += part
    return rows + [_literal(field) for field in rest.split(b"\x01") if field]


def _literal(field: bytes) -> str:
    tag = int(field.split(b"=", 1)[0])
    return _row(tag, "in the template, by the compiler")


def _row(tag: int, fabric: str) -> str:
    name = f"{NAMES[tag]}({tag})" if tag in NAMES else "`fields`" if tag in _ORDER.fields else f"HandlInst({tag})"
    return f"| {name} | {fabric} | {_BY_RUNTIME.get(tag, 'the daemon, of the rule or the request')} |\n"
