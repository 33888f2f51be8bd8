# SPDX-License-Identifier: Apache-2.0
"""Commands for orders by hand, and the stream of events, against a socket that answers as it is told."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from answering import Answering
from click.testing import CliRunner, Result

from fixaccel.board.feed import follow
from fixaccel.cli.journal import describe
from fixaccel.cli.main import cli
from fixaccel.cli.stream import event_text

Json = dict[str, Any]

ORDER: Json = {
    "cl_ord_id": "N1",
    "instrument": "MSFT",
    "side": "buy",
    "qty": "5",
    "type": "limit",
    "price": "1184",
    "tif": "day",
    "account": "",
    "rule": "",
    "by": "user 7, process 8",
    "time_ns": 1_772_461_867 * 10**9,
    "replaces": "",
    "asked": "",
    "status": "new",
    "cum_qty": "0",
    "leaves_qty": "5",
    "avg_px": "",
    "text": "",
}


@pytest.fixture
def daemon(tmp_path: Path) -> Iterator[Answering]:
    server = Answering(tmp_path / "s", lambda _: {"ok": True})
    yield server
    server.stop()


def venue(daemon: Answering, order: Json, *, refuses: str = "") -> None:
    """Takes what is asked for, and knows of that one order."""

    def answer(request: Json) -> Json:
        if request["cmd"] == "orders":
            return {"ok": True, "orders": [order]}
        if refuses:
            return {"ok": False, "error": refuses}
        return {"ok": True, "cl_ord_id": order["cl_ord_id"], "msg_seq_num": 3}

    daemon.answer = answer


def run(daemon: Answering, *words: str) -> Result:
    return CliRunner().invoke(cli, [*words, "--to", daemon.endpoint])


def test_an_order_says_what_the_venue_says(daemon: Answering) -> None:
    venue(daemon, ORDER)
    done = run(daemon, "order", "MSFT", "buy", "5", "--limit", "1184")
    assert done.exit_code == 0
    assert done.output == "sent: buy 5 MSFT at 1184, MsgSeqNum 3, N1\nN1: buy 5 MSFT at 1184: new\n"
    asked = {"cmd": "order", "instrument": "MSFT", "side": "buy", "qty": "5", "type": "limit", "price": "1184"}
    assert daemon.asked[0] == {**asked, "tif": "day", "account": None}
    done = run(daemon, "order", "MSFT", "sell", "5", "--market", "--tif", "ioc", "--json")
    assert json.loads(done.output) == {"sent": {"ok": True, "cl_ord_id": "N1", "msg_seq_num": 3}, "order": ORDER}


def test_what_the_venue_rejects_is_an_error(daemon: Answering) -> None:
    venue(daemon, {**ORDER, "status": "rejected", "text": "no such lot"})
    done = run(daemon, "order", "MSFT", "buy", "5", "--limit", "1184")
    assert (done.exit_code, "the venue has rejected it: no such lot" in done.output) == (1, True)
    done = run(daemon, "replace", "N1", "--qty", "7")
    assert (done.exit_code, "not replaced: no such lot" in done.output) == (1, True)


def test_no_answer_is_no_error(daemon: Answering) -> None:
    venue(daemon, {**ORDER, "status": "sent"})
    done = run(daemon, "order", "MSFT", "buy", "5", "--limit", "1184", "--wait", "0")
    assert (done.exit_code, done.output.splitlines()[1]) == (
        0,
        "the venue has not answered yet: `fixaccel orders` says when it has",
    )


def test_a_refusal_has_the_reason(daemon: Answering) -> None:
    venue(daemon, ORDER, refuses="kill: the kill switch is on")
    done = run(daemon, "order", "MSFT", "buy", "5", "--market")
    assert (done.exit_code, done.output) == (1, "refused: kill: the kill switch is on\n")


@pytest.mark.parametrize(
    "words",
    [
        ("order", "MSFT", "buy", "5"),
        ("order", "MSFT", "buy", "5", "--limit", "1", "--market"),
        ("order", "MSFT", "hold", "5", "--market"),
        ("cancel",),
        ("cancel", "N1", "--all"),
        ("cancel", "N1", "--instrument", "MSFT"),
        ("replace", "N1"),
    ],
)
def test_what_is_not_said_clearly_is_not_asked(daemon: Answering, words: tuple[str, ...]) -> None:
    assert run(daemon, *words).exit_code == 2
    assert daemon.asked == []


def test_a_cancel_that_was_refused_by_the_venue(daemon: Answering) -> None:
    venue(daemon, {**ORDER, "text": "too late"})
    done = run(daemon, "cancel", "N1")
    assert (done.exit_code, "not canceled: too late" in done.output) == (1, True)
    venue(daemon, {**ORDER, "status": "canceled"})
    assert run(daemon, "cancel", "N1").exit_code == 0
    assert daemon.asked[-2] == {"cmd": "cancel", "order": "N1", "again": False}


def test_all_of_an_instrument(daemon: Answering) -> None:
    states = {"A": {**ORDER, "cl_ord_id": "A"}, "B": {**ORDER, "cl_ord_id": "B", "instrument": "ESZ6"}}

    def answer(request: Json) -> Json:
        if request["cmd"] == "cancel":
            states[request["order"]]["status"] = "canceled"
            return {"ok": True, "cl_ord_id": "F", "msg_seq_num": 3}
        return {"ok": True, "orders": [one for one in states.values() if not request["open"] or one["status"] == "new"]}

    daemon.answer = answer
    done = run(daemon, "cancel", "--all", "--instrument", "MSFT")
    assert (done.exit_code, done.output) == (0, "A: buy 5 MSFT at 1184: canceled\n")
    assert run(daemon, "cancel", "--all").output == "B: buy 5 ESZ6 at 1184: canceled\n"
    assert run(daemon, "cancel", "--all").output == "no order rests\n"


def test_orders_are_listed(daemon: Answering) -> None:
    venue(daemon, {**ORDER, "status": "partially filled", "cum_qty": "2", "avg_px": "1184", "asked": "N2"})
    assert run(daemon, "orders").output == (
        "2026-03-02 14:31:07  N1  buy 5 MSFT at 1184: partially filled, 2 at 1184, a request is on its way, "
        "by user 7, process 8\n"
    )
    assert json.loads(run(daemon, "orders", "--json").output)["cl_ord_id"] == "N1"


def test_the_journal_says_who_asked() -> None:
    record = {"request": "replace", "by": "user 7", "cl_ord_id": "N2", "orig_cl_ord_id": "N1", "instrument": "MSFT"}
    record |= {"side": "buy", "qty": "5", "type_of_order": "limit", "price": "1184", "time_ns": 0}
    sent = describe({**record, "type": "by_hand", "outcome": "sent", "msg_seq_num": 3})
    assert sent.endswith("by hand  replace N1: buy 5 MSFT limit at 1184, N2: sent, MsgSeqNum 3, by user 7")
    intent = describe({**record, "type": "by_hand_intent"})
    assert intent.endswith("by hand  replace N1: buy 5 MSFT limit at 1184, N2, is journalled, by user 7")


@pytest.mark.parametrize(
    ("event", "text"),
    [
        ({"event": "rule", "id": "r", "state": "armed"}, "rule      r armed"),
        ({**ORDER, "event": "order"}, "order     N1 buy 5 MSFT at 1184: new, by user 7, process 8"),
        (
            {"event": "book", "instrument": "MSFT", "bids": [["9", "5"]], "asks": [], "last": ["10", "1"]},
            "book      MSFT bid 5 at 9, asked nothing, last 10",
        ),
        ({"event": "dropped", "events": 3}, "dropped   3 events were not read in time: ask"),
        ({"event": "of tomorrow", "x": 1}, 'of tomorrow  {"event": "of tomorrow", "x": 1}'),
    ],
)
def test_events_in_words(event: Json, text: str) -> None:
    assert event_text(event).startswith(text)


def test_a_stream_goes_on_over_a_restart(daemon: Answering) -> None:
    said = {"event": "rule", "id": "r", "state": "armed"}
    daemon.answer = lambda _: [{"ok": True}, said]
    events = follow(daemon.endpoint, retry_s=0.01)
    assert next(events) == said
    daemon.stop()
    assert next(events)["event"] == "away"
    daemon.start()
    assert [next(events), next(events)] == [{"event": "back"}, said]
    events.close()
    assert [request["cmd"] for request in daemon.asked] == ["watch"] * 2


def test_why_a_daemon_is_away_is_said_once(daemon: Answering) -> None:
    daemon.stop()
    events = follow(daemon.endpoint, retry_s=0.01)
    assert "no daemon answers" in next(events)["reason"]
    tries = 0

    def refuse(_: Json) -> Json:
        nonlocal tries
        tries += 1
        return {"ok": False, "error": "not you" if tries < 5 else "nor you"}

    daemon.answer = refuse
    daemon.start()
    assert [next(events)["reason"], next(events)["reason"], tries] == ["not you", "nor you", 5]
    events.close()
