# SPDX-License-Identifier: Apache-2.0
"""Compares what the exchange recorded with what the daemon journalled, order by order."""

from decimal import Decimal
from typing import Any

Json = dict[str, Any]

_SIDE = {"1": "buy", "2": "sell"}
_TYPE = {"1": "market", "2": "limit"}


def same_orders(journal: list[Json], record: list[Json], client: str = "CLIENT1") -> list[str]:
    """Differences between what ``journal`` says was sent and the orders of ``client`` in ``record``, a line each.

    Sent are orders of fires and orders by hand.

    The two agree only if they hold the same orders in the same sequence, with the same MsgSeqNum, terms and final
    state. Copies with PossDupFlag=Y are the session's own resends and count once.
    """
    fires = [line for line in journal if _is_order(line) and line["outcome"] == "sent"]
    orders = [line for line in record if line["event"] == "order" and line["client"] == client and not line["poss_dup"]]
    differences = [
        f"order {number}: the journal says {ours}, the exchange {theirs}"
        for number, (ours, theirs) in enumerate(zip(map(fire_terms, fires), map(order_terms, orders), strict=False), 1)
        if any(theirs[term] != ours[term] for term in ours)
    ]
    if len(fires) != len(orders):
        differences.append(f"the journal holds {len(fires)} sent orders, the exchange recorded {len(orders)}")
    return differences + _state_differences(journal, record, {line["cl_ord_id"] for line in fires})


def _is_order(line: Json) -> bool:
    return bool(line["type"] == "fire" or (line["type"] == "by_hand" and line["request"] == "order"))


def final_states(record: list[Json]) -> dict[str, Json]:
    """Orders of the exchange's closing summary by ClOrdID; empty while it still runs."""
    summaries = [line for line in record if line["event"] == "summary"]
    return {order["cl_ord_id"]: order for order in summaries[-1]["orders"]} if summaries else {}


def _state_differences(journal: list[Json], record: list[Json], ids: set[str]) -> list[str]:
    theirs = {i: (o["status"].replace("_", " ").lower(), int(o["cum_qty"])) for i, o in final_states(record).items()}
    ours: dict[str, tuple[str, int]] = {}
    called = {cl_ord_id: cl_ord_id for cl_ord_id in ids}  # at last: a replaced order has another name
    for line in journal:
        if line["type"] == "execution":
            # A report on a request to cancel has that request's name.
            of_order = line["exec_type"] == "4" and "orig_cl_ord_id" in line
            ours[line["orig_cl_ord_id"] if of_order else line["cl_ord_id"]] = (line["status"], int(line["cum_qty"]))
            if line["exec_type"] == "5":
                called = {
                    first: line["cl_ord_id"] if last == line["orig_cl_ord_id"] else last
                    for first, last in called.items()
                }
    return [
        f"{cl_ord_id}: the daemon knows it as {ours.get(cl_ord_id)}, the exchange as {theirs.get(cl_ord_id)}"
        for cl_ord_id in sorted(called.values())
        if ours.get(cl_ord_id) != theirs.get(cl_ord_id)
    ]


def fire_terms(fire: Json) -> Json:
    """What a fire of the journal says of its order, comparable with `order_terms`."""
    # Of an order that was found at the venue nobody has seen the number.
    number = {} if "found" in fire else {"msg_seq_num": int(fire["msg_seq_num"])}
    return {
        **number,
        "cl_ord_id": fire["cl_ord_id"],
        "symbol": fire["instrument"],
        "side": fire["side"],
        "qty": int(fire["qty"]),
        "type": fire["type_of_order"],
        "price": _price(fire.get("price", "")),
    }


def order_terms(order: Json) -> Json:
    """What the exchange recorded of an order."""
    return {
        "msg_seq_num": int(order["msg_seq_num"]),
        "cl_ord_id": order["cl_ord_id"],
        "symbol": order["symbol"],
        "side": _SIDE.get(order["side"], order["side"]),
        "qty": int(order["qty"]),
        "type": _TYPE.get(order["ord_type"], order["ord_type"]),
        "price": _price(order["price"]),
    }


def _price(text: str) -> Decimal | None:
    return Decimal(text) if text else None
