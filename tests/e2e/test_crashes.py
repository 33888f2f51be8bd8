# SPDX-License-Identifier: Apache-2.0
"""A few crashes of the daemon; `make soak` has more of them. And that what is compared would show a fault."""

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from crashes import Campaign
from lab.desk import Desk, two_sessions
from lab.exactly_once import faults, resend_faults

_SEED = 3
_CRASHES = 6


@pytest.mark.e2e
@pytest.mark.slow
@pytest.mark.parametrize("venue", [Desk, two_sessions], ids=["one session", "two sessions"])
def test_each_order_once_whatever_crashes(tmp_path: Path, venue: Callable[[Path], Desk]) -> None:
    with venue(tmp_path) as desk:
        assert Campaign(desk, _CRASHES, _SEED).run() == [], f"seed {_SEED}"


def fire(number: int, **others: object) -> dict[str, Any]:
    return {
        "type": "fire", "outcome": "sent", "rule": f"fall[{number}]", "hash": "h", "msg_seq_num": number,
        "cl_ord_id": f"A{number}", "instrument": "MSFT", "side": "sell", "qty": "1", "type_of_order": "limit",
        "price": "1100", **others,
    }  # fmt: skip


def order(number: int, **others: object) -> dict[str, Any]:
    return {
        "event": "order", "client": "CLIENT1", "poss_dup": False, "msg_seq_num": number, "cl_ord_id": f"A{number}",
        "symbol": "MSFT", "side": "2", "qty": "0000000001", "ord_type": "2", "price": "01100.00", **others,
    }  # fmt: skip


JOURNAL = [fire(n) for n in (2, 3, 5)]
RECORD = [order(n) for n in (2, 3, 5)]


def test_what_agrees_is_no_fault() -> None:
    assert faults(JOURNAL, RECORD) == []
    again = order(3, poss_dup=True)
    assert faults(JOURNAL, [*RECORD, again]) == []
    assert faults(JOURNAL, [RECORD[0], again, RECORD[2]]) == [], "got lost with the connection, and came as a resend"


@pytest.mark.parametrize(
    ("journal", "record"),
    [
        (JOURNAL[:2], RECORD),
        (JOURNAL, RECORD[:2]),
        ([*JOURNAL, fire(5)], RECORD),
        (JOURNAL, [*RECORD, order(5)]),
        (JOURNAL, [*RECORD, order(5, poss_dup=True, qty="2")]),
        (JOURNAL, [*RECORD[:2], order(6, cl_ord_id="A5")]),
        ([*JOURNAL[:2], fire(5, price="1101")], RECORD),
        ([*JOURNAL[:2], fire(5, rule="fall[2]")], RECORD),
        ([*JOURNAL, {"type": "damaged", "file": "x", "line": 1}], RECORD),
    ],
    ids=["lost here", "lost there", "journal twice", "sent twice", "another", "number", "price", "latch", "damaged"],
)
def test_each_fault_is_found(journal: list[dict[str, Any]], record: list[dict[str, Any]]) -> None:
    assert faults(journal, record) != []


def test_a_store_that_lacks_an_order_is_found() -> None:
    asked = {"event": "resend_request", "direction": "out", "begin": "1", "end": "0"}
    again = [{"event": "resend", "fields": ["35=D", f"34={n}", f"11=A{n}"]} for n in (2, 3, 5)]
    assert resend_faults(JOURNAL, [*RECORD, asked, *again]) == []
    assert len(resend_faults(JOURNAL, [*RECORD, asked, *again[1:]])) == 1
    other = copy.deepcopy(again)
    other[1]["fields"][1] = "34=4"
    assert len(resend_faults(JOURNAL, [*RECORD, asked, *other])) == 1
    assert resend_faults(JOURNAL, RECORD) != []
