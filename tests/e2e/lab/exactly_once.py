# SPDX-License-Identifier: Apache-2.0
"""Whether a venue got each order once, and a daemon knows of each: its record against the journal."""

from collections import Counter
from typing import Any

from fixaccel.lab.reconcile import fire_terms, order_terms

Json = dict[str, Any]


def faults(journal: list[Json], record: list[Json], client: str = "CLIENT1") -> list[str]:
    """What is wrong, a line each, whatever crashes there were.

    Nothing of it depends on when they came: an order that got lost with its connection comes again as a resend, which
    counts as its first.
    """
    wrong = [f"the journal is damaged: {line}" for line in journal if line["type"] in ("damaged", "missing")]
    orders = _first(record, client, wrong)
    fires = {}
    for fire in journal:
        if fire["type"] != "fire" or fire["outcome"] != "sent":
            continue
        if fire["cl_ord_id"] in fires:
            wrong.append(f"{fire['cl_ord_id']} is in the journal twice")
        fires[fire["cl_ord_id"]] = fire
    wrong += [f"{lost} came to the venue and is not in the journal" for lost in orders.keys() - fires.keys()]
    wrong += [f"{lost} is in the journal and never came to the venue" for lost in fires.keys() - orders.keys()]
    for cl_ord_id in orders.keys() & fires.keys():
        ours, theirs = fire_terms(fires[cl_ord_id]), order_terms(orders[cl_ord_id])
        if any(theirs[term] != ours[term] for term in ours):
            wrong.append(f"the journal says {ours}, the venue {theirs}")
    for what, seen in (
        ("rule", (f"{fire['rule']}|{fire['hash']}" for fire in fires.values())),
        ("MsgSeqNum", (fire["msg_seq_num"] for fire in fires.values())),
    ):
        wrong += [f"{what} {value} has {count} orders" for value, count in Counter(seen).items() if count > 1]
    return sorted(wrong)


def resend_faults(journal: list[Json], record: list[Json]) -> list[str]:
    """What is wrong with the answers to the venue's last request for all messages, a line each."""
    asked = max((n for n, line in enumerate(record) if line["event"] == "resend_request" and _is_all(line)), default=-1)
    if asked < 0:
        return ["the venue has not asked for all messages"]
    again = [
        dict(field.split("=", 1) for field in line["fields"]) for line in record[asked:] if line["event"] == "resend"
    ]
    kept = {fields["11"]: int(fields["34"]) for fields in again if fields["35"] == "D"}
    sent = {
        fire["cl_ord_id"]: int(fire["msg_seq_num"])
        for fire in journal
        if fire["type"] == "fire" and fire["outcome"] == "sent"
    }
    return [
        f"{cl_ord_id}: sent as {sent.get(cl_ord_id)}, sent again as {kept.get(cl_ord_id)}"
        for cl_ord_id in sorted(sent.keys() | kept.keys())
        if sent.get(cl_ord_id) != kept.get(cl_ord_id)
    ]


def _is_all(request: Json) -> bool:
    return (request["direction"], int(request["begin"]), int(request["end"])) == ("out", 1, 0)


def _first(record: list[Json], client: str, wrong: list[str]) -> dict[str, Json]:
    """Orders by ClOrdID as they first came; one that comes again says so, and says the same."""
    orders: dict[str, Json] = {}
    for order in record:
        if order["event"] != "order" or order["client"] != client:
            continue
        first = orders.setdefault(order["cl_ord_id"], order)
        if first is order:
            continue
        if not order["poss_dup"]:
            wrong.append(f"{order['cl_ord_id']} came to the venue twice")
        elif order_terms(order) != order_terms(first):
            wrong.append(f"{order['cl_ord_id']} came to the venue as two orders")
    return orders
