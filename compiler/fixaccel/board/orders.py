# SPDX-License-Identifier: Apache-2.0
"""Orders by hand through a daemon, and what it knows of all orders of the session."""

import time
from collections.abc import Callable
from typing import Any

from fixaccel.board.control import ControlClient

# As the daemon lists them: cl_ord_id, instrument, side, qty, type, price, tif, account, rule, by, status, cum_qty, ...
Order = dict[str, Any]
Answer = dict[str, Any]

# The daemon's word for an order of which the venue has said nothing.
SENT = "sent"
OVER = frozenset({"filled", "canceled", "rejected", "expired", "replaced"})

_POLL_S = 0.02


def send_order(
    client: ControlClient,
    instrument: str,
    side: str,
    qty: str | int,
    *,
    price: str | None = None,
    tif: str = "day",
    account: str | None = None,
) -> Answer:
    """Sends a limit order, or a market order without ``price``; returns its ``cl_ord_id`` and ``msg_seq_num``.

    Raises ControlRefusedError with the reason, and nothing was sent; ControlError, and it may have been: its
    ``orders`` tell.
    """
    terms = {"instrument": instrument, "side": side, "qty": str(qty), "type": "limit" if price else "market"}
    return client.ask("order", **terms, price=price, tif=tif, account=account)


def cancel(client: ControlClient, cl_ord_id: str, *, again: bool = False) -> Answer:
    """Asks the venue to cancel an order. Raises as `send_order`."""
    return client.ask("cancel", order=cl_ord_id, again=again)


def replace(
    client: ControlClient,
    cl_ord_id: str,
    *,
    qty: str | int | None = None,
    price: str | None = None,
    again: bool = False,
) -> Answer:
    """Asks the venue for other terms; the order goes on under the ClOrdID that is returned. Raises as `send_order`."""
    wanted = None if qty is None else str(qty)
    return client.ask("replace", order=cl_ord_id, qty=wanted, price=price, again=again)


def orders(client: ControlClient, *, open_only: bool = False) -> list[Order]:
    """Orders of rules and by hand that the daemon keeps, oldest first."""
    found: list[Order] = client.ask("orders", open=open_only)["orders"]
    return found


def is_over(order: Order) -> bool:
    """Whether nothing can become of it any more."""
    return order["status"] in OVER or (order["status"] == "done for day" and order["tif"] != "gtc")


def await_answer(
    client: ControlClient, cl_ord_id: str, timeout_s: float, answered: Callable[[Order], bool]
) -> Order | None:
    """The order once ``answered`` holds of it, or as it is when the time is over; None if it is not kept any more."""
    end = time.monotonic() + timeout_s
    while True:
        order = next((one for one in orders(client) if one["cl_ord_id"] == cl_ord_id), None)
        if order is None or answered(order) or time.monotonic() > end:
            return order
        time.sleep(_POLL_S)


def terms_text(order: Order) -> str:
    """What was asked for: `buy 10 MSFT at 1180.5`."""
    price = f"at {order['price']}" if order["price"] else "at market"
    tif = "" if order["tif"] == "day" else f" {order['tif']}"
    return f"{order['side']} {order['qty']} {order['instrument']} {price}{tif}"


def state_text(order: Order) -> str:
    """What has become of it: `partially filled, 3 at 1180.5`."""
    done = f", {order['cum_qty']} at {order['avg_px']}" if order["cum_qty"] not in {"", "0"} else ""
    asked = ", a request is on its way" if order["asked"] and not is_over(order) else ""
    return f"{order['status']}{done}{asked}{': ' + order['text'] if order['text'] else ''}"


def sender_text(order: Order) -> str:
    """Who has sent it: a rule's name, or who asked for it by hand."""
    return f"by {order['by']}" if order["by"] else str(order["rule"] or "rule of a former load")
