# SPDX-License-Identifier: Apache-2.0
"""What `fixaccel order`, `cancel` and `replace` share: they wait for the venue's answer and say what it was."""

import json
import sys
from collections.abc import Callable
from typing import Any, TypeVar

import click

from fixaccel.board.control import ControlClient
from fixaccel.board.orders import Answer, Order, await_answer, state_text, terms_text

F = TypeVar("F")


def answer_options(function: F) -> F:
    """Adds `--wait` and `--json`, passed as ``wait`` and ``as_json``."""
    for decorate in (
        click.option("--json", "as_json", is_flag=True, help="Print the order as one JSON object."),
        click.option(
            "--wait",
            metavar="S",
            type=click.FloatRange(min=0),
            default=2,
            show_default=True,
            help="How long to wait for the venue's answer.",
        ),
    ):
        function = decorate(function)  # type: ignore[type-var]
    return function


def again_option(function: F) -> F:
    """Adds `--again`."""
    decorate: Any = click.option(
        "--again", is_flag=True, help="Ask although the venue has not answered what was asked before."
    )
    return decorate(function)  # type: ignore[no-any-return]


def tell_answer(
    client: ControlClient,
    asked: str,
    sent: Answer,
    cl_ord_id: str,
    answered: Callable[[Order], bool],
    *,
    wait: float,
    as_json: bool,
) -> Order | None:
    """Prints what was ``sent`` and what the venue says of the order ``cl_ord_id``; ``asked`` are the words for it."""
    if not as_json:
        click.echo(f"sent: {asked}, MsgSeqNum {sent['msg_seq_num']}, {sent['cl_ord_id']}")
    order = await_answer(client, cl_ord_id, wait, answered)
    if as_json:
        click.echo(json.dumps({"sent": sent, "order": order}))
    elif order is None or not answered(order):
        click.echo("the venue has not answered yet: `fixaccel orders` says when it has")
    else:
        click.echo(f"{order['cl_ord_id']}: {terms_text(order)}: {state_text(order)}")
    return order


def fail(text: str) -> None:
    """Ends with exit code 1."""
    click.echo(text, err=True)
    sys.exit(1)
