# SPDX-License-Identifier: Apache-2.0
"""Orders by hand on the session that the fabric shares: to the venue and back, over kill, restart and limits."""

import json
import zlib
from collections import Counter
from hashlib import sha256
from itertools import pairwise
from pathlib import Path

import pytest

from fixaccel.board import orders as by_hand
from fixaccel.board.control import ControlClient, ControlRefusedError
from fixaccel.board.journal import segments
from fixaccel.lab.capture import examine
from fixaccel.lab.desk import VENUE, Json, fixaccel
from fixaccel.lab.processes import wait_until
from lab.desk import Desk
from lab.scenario import finish, play

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

_END = "- wait_for: {file: seen, timeout: 120s}\n- wait: 300ms\n- logout: CLIENT1\n"
_FALLS = 60
_BURST = 6
_STRATEGY = """\
fixaccel: 1
venue: {venue}
limits: {limits}
defaults:
  order: {{account: CLIENT1}}
rules:
  - id: fall
    instrument: MSFT
    when: last <= 1180
    ladder: {{step: -0.5, count: {count}}}
    order: {{side: sell, qty: 1, type: limit, price: 1100}}
"""


def compiled(folder: Path, *, limits: str = "{}", count: int = _FALLS, venue: Path = VENUE) -> Path:
    text = _STRATEGY.format(venue=venue, limits=limits, count=count)
    (folder / "strategy.yaml").write_text(text, encoding="utf-8")
    fixaccel("compile", str(folder / "strategy.yaml"), "-o", str(folder / "bundle"))
    return folder / "bundle"


def command(desk: Desk, *words: str) -> tuple[int, str]:
    """Exit code and text of a `fixaccel` command on the daemon."""
    done = fixaccel(*words, "--to", desk.control, check=False)
    return done.returncode, done.stdout + done.stderr


def sent(desk: Desk, *words: str) -> str:
    """ClOrdID of what a command has sent, which the venue has not rejected."""
    code, text = command(desk, *words, "--json", "--wait", "20")
    assert code == 0, text
    answer = json.loads(text)
    cl_ord_id: str = answer["sent"]["cl_ord_id"]
    return cl_ord_id


def known(desk: Desk, cl_ord_id: str) -> Json:
    with ControlClient(desk.control) as client:
        (order,) = [one for one in by_hand.orders(client) if one["cl_ord_id"] == cl_ord_id]
    return order


def test_by_hand_while_the_fabric_fires(desk: Desk, tmp_path: Path) -> None:
    bundle = compiled(tmp_path)
    capture = desk.start_capture()
    desk.start_board()
    # In bursts, with each of which an order by hand is sent at least.
    falls = "".join(
        (f"- wait_for: {{file: burst-{number // _BURST}, timeout: 120s}}\n" if number % _BURST == 0 else "")
        + f"- trade: {{instrument: MSFT, price: {1180 - 0.5 * number}, size: 1}}\n- wait: 20ms\n"
        for number in range(_FALLS)
    )
    play(desk, falls + _END)
    daemon = desk.start_armed(bundle, deploy=True)
    desk.tell("armed")
    numbers = 0
    with ControlClient(desk.control) as client:
        for burst in range(_FALLS // _BURST):
            desk.tell(f"burst-{burst}")
            while numbers <= burst or len(client.ask("status")["fires"]) < (burst + 1) * _BURST:
                answer = by_hand.send_order(client, "MSFT", "buy", 1, price="900")
                by_hand.cancel(client, answer["cl_ord_id"])
                numbers += 1
        assert client.ask("status")["armed"], "it was never disarmed for that"
        wait_until("the cancels", lambda: not by_hand.orders(client, open_only=True), 60, daemon.check_alive)
        assert client.ask("status")["resting"] == []
    assert numbers > 5, "none of them waited for the market to be quiet"
    journal = finish(desk, daemon)
    assert [line["reason"] for line in journal if line["type"] == "disarmed"] == ["asked to log out"] or all(
        "session" in line["reason"] or "log" in line["reason"] for line in journal if line["type"] == "disarmed"
    )
    orders = desk.record("order")
    assert len(orders) == _FALLS + numbers
    ids = Counter(line["cl_ord_id"] for event in ("order", "cancel") for line in desk.record(event))
    assert set(ids.values()) == {1}, "no name twice"
    taken = Counter(line["msg_seq_num"] for event in ("order", "cancel") for line in desk.record(event))
    assert set(taken.values()) == {1}, "no number twice"
    places = [line["cl_ord_id"][4:12] == "01Z141Z3" for line in orders]
    assert any(one != other for one, other in pairwise(places)), "they took turns"
    capture.stop()
    findings = examine(desk.pcap, desk.client_address())
    assert findings.faults() == []
    assert len(findings.orders) == len(orders)


def test_an_order_is_replaced_cancelled_filled_and_outlives_crashes(desk: Desk, bundle: Path) -> None:
    desk.start_board()
    play(desk, _END)
    first = desk.start_armed(bundle)
    desk.tell("armed")
    code, text = command(desk, "order", "MSFT", "buy", "5", "--limit", "1184.00")
    assert code == 0, text
    assert "sent: buy 5 MSFT at 1184.00, MsgSeqNum " in text
    assert ": buy 5 MSFT at 1184: new" in text
    (order,) = [json.loads(line) for line in fixaccel("orders", "--json", "--to", desk.control).stdout.splitlines()]
    assert order["by"].startswith("user ")
    assert (order["account"], order["status"]) == ("CLIENT1", "new")
    before = order["cl_ord_id"]
    after = sent(desk, "replace", before, "--price", "1184.5", "--qty", "4")
    assert known(desk, before)["status"] == "replaced"
    assert known(desk, after)["status"] == "new"
    assert command(desk, "cancel", before) == (1, f"refused: the order {before} is replaced\n")
    assert command(desk, "order", "MSTF", "buy", "1", "--limit", "1") == (
        1,
        "refused: the venue has no instrument MSTF; did you mean MSFT?\n",
    )
    taken = sent(desk, "order", "MSFT", "buy", "2", "--limit", "1185.01", "--tif", "ioc")
    wait_until("the fill", lambda: known(desk, taken)["status"] == "filled", 20, first.check_alive)
    assert desk.status()["armed"]

    first.kill()
    interrupted = forge_intent(desk)
    second = desk.start_armed(bundle)
    assert [(order["cl_ord_id"], order["status"]) for order in orders_of(desk)] == [
        (before, "replaced"),
        (after, "new"),
        (taken, "filled"),
    ]
    (settled,) = [line for line in desk.journal_lines() if line.get("outcome") == "rejected:interrupted"]
    assert (settled["cl_ord_id"], settled["type"]) == (interrupted, "by_hand")
    assert sent(desk, "order", "MSFT", "buy", "1", "--limit", "1") != interrupted
    request = sent(desk, "cancel", after)
    assert known(desk, after)["status"] == "canceled"
    assert [line["orig_cl_ord_id"] for line in desk.record("cancel")] == [after]
    assert request not in {before, after, taken}
    assert command(desk, "disarm")[0] == 0
    sent(desk, "order", "CLZ6", "sell", "1", "--limit", "-1.50")
    finish(desk, second)
    assert [line["price"] for line in desk.record("order")] == ["1184.00", "1185.01", "1.00", "-1.50"]
    assert desk.record("resend") == [], "nothing was asked twice"


def orders_of(desk: Desk) -> list[Json]:
    with ControlClient(desk.control) as client:
        return by_hand.orders(client)


def forge_intent(desk: Desk) -> str:
    """As if the daemon had died between an order's intent and its message; returns its ClOrdID."""
    last = [line for line in desk.journal_lines() if line["type"] == "by_hand_intent"][-1]
    number = last["number"] + 1
    intent = {**last, "number": number, "cl_ord_id": f"{last['cl_ord_id'][:12]}{number:08}"}
    segment = segments(desk.journal)[-1]
    after = sha256(segment.read_bytes().splitlines()[-1]).hexdigest()
    text = json.dumps({"after": after, **intent}, separators=(",", ":")).encode()
    with segment.open("ab") as file:
        file.write(b"%08x %b\n" % (zlib.crc32(text), text))
    return str(intent["cl_ord_id"])


def test_kill_holds_orders_back_and_lets_cancels_pass(desk: Desk, bundle: Path) -> None:
    desk.start_board()
    play(desk, _END)
    daemon = desk.start_armed(bundle)
    desk.tell("armed")
    rests = sent(desk, "order", "MSFT", "buy", "5", "--limit", "1184")
    assert command(desk, "kill")[0] == 0
    refused = "refused: kill: the kill switch is on: `fixaccel kill --undo` first\n"
    assert command(desk, "order", "MSFT", "buy", "5", "--limit", "1184") == (1, refused)
    assert command(desk, "replace", rests, "--qty", "4") == (1, refused)
    code, text = command(desk, "cancel", "--all", "--wait", "20")
    assert (code, text) == (0, f"{rests}: buy 5 MSFT at 1184: canceled\n")
    assert command(desk, "kill", "--undo")[0] == 0
    sent(desk, "order", "MSFT", "buy", "1", "--limit", "1184")
    assert command(desk, "arm", "--dry-run")[0] == 0
    code, text = command(desk, "order", "MSFT", "buy", "1", "--limit", "1184")
    assert (code, "dry run" in text) == (1, True)
    assert command(desk, "cancel", "--all", "--wait", "20")[0] == 0
    journal = finish(desk, daemon)
    refusals = [(line["request"], line["outcome"]) for line in journal if line["type"] == "by_hand"]
    assert refusals == [
        ("order", "sent"),
        ("order", "rejected:kill"),
        ("replace", "rejected:kill"),
        ("cancel", "sent"),
        ("order", "sent"),
        ("order", "rejected:dry"),
        ("cancel", "sent"),
    ]


def test_what_the_venue_rejects(desk: Desk, tmp_path: Path) -> None:
    """The bundle believes in smaller lots than the venue has."""
    venue = tmp_path / "venue.yaml"
    venue.write_text(VENUE.read_text(encoding="utf-8").replace("lot: 100", "lot: 1"), encoding="utf-8")
    bundle = compiled(tmp_path, venue=venue)
    desk.start_board()
    play(desk, _END)
    daemon = desk.start_armed(bundle, deploy=True)
    desk.tell("armed")
    code, text = command(desk, "order", "7203", "buy", "50", "--limit", "2000", "--wait", "20")
    assert code == 1
    assert "the venue has rejected it: " in text
    rests = sent(desk, "order", "7203", "buy", "100", "--limit", "2000")
    code, text = command(desk, "replace", rests, "--qty", "150", "--wait", "20")
    assert (code, "not replaced: " in text) == (1, True), text
    assert (known(desk, rests)["status"], known(desk, rests)["asked"]) == ("new", "")
    assert [order["cl_ord_id"] for order in desk.status()["resting"]] == [rests]
    finish(desk, daemon)


def test_limits_count_both(desk: Desk, tmp_path: Path) -> None:
    bundle = compiled(tmp_path, limits="{total_orders: 3, self_trade: reject, collar: 5%}", count=2)
    desk.start_board()
    fall = "- trade: {{instrument: MSFT, price: {}, size: 1}}\n"
    play(desk, fall.format(1180) + "- wait_for: {file: again, timeout: 60s}\n" + fall.format(1179) + _END)
    daemon = desk.start_armed(bundle, deploy=True)
    with ControlClient(desk.control) as client:
        for qty, price, why in ((1, "1300", "collar"), (1, "1100", None)):
            if why is None:
                by_hand.send_order(client, "MSFT", "buy", qty, price="1150")
                continue
            with pytest.raises(ControlRefusedError, match=why):
                by_hand.send_order(client, "MSFT", "buy", qty, price=price)
    desk.wait_armed(daemon)
    desk.tell("armed")
    desk.wait_for_fires(1)
    # The rule would sell at 1100 what the order by hand buys at 1150.
    assert desk.fires()[0]["outcome"] == "rejected:self_trade"
    sent(desk, "cancel", orders_of(desk)[0]["cl_ord_id"])
    sent(desk, "order", "MSFT", "buy", "1", "--limit", "1150", "--tif", "ioc")
    desk.wait_armed(daemon)
    desk.tell("again")
    desk.wait_for_fires(2)
    assert desk.fires()[1]["outcome"] == "sent"
    code, text = command(desk, "order", "MSFT", "buy", "1", "--limit", "1150")
    assert (code, text.split(":")[1]) == (1, " total_orders"), text
    journal = finish(desk, daemon)
    pauses = [line["reason"] for line in journal if line["type"] == "disarmed"]
    assert pauses[:2] == ["an order by hand counts against limits that the board keeps"] * 2


def test_the_fabric_heeds_what_rests_by_hand(desk: Desk, tmp_path: Path) -> None:
    bundle = compiled(tmp_path, limits="{self_trade: reject}", count=2)
    desk.start_board()
    fall = "- trade: {{instrument: MSFT, price: {}, size: 1}}\n"
    play(desk, fall.format(1180) + "- wait_for: {file: again, timeout: 60s}\n" + fall.format(1179) + _END)
    daemon = desk.start_armed(bundle, deploy=True)
    # The rules sell at 1100.
    rests = sent(desk, "order", "MSFT", "buy", "1", "--limit", "1150")
    desk.tell("armed")
    desk.wait_for_fires(1)
    sent(desk, "cancel", rests)
    desk.tell("again")
    desk.wait_for_fires(2)
    assert [fire["outcome"] for fire in desk.fires()] == ["rejected:self_trade", "sent"]
    assert [line for line in desk.journal_lines() if line["type"] == "disarmed"] == [], "armed all the while"
    finish(desk, daemon)


def test_the_board_counts_what_was_sent_by_hand(desk: Desk, tmp_path: Path) -> None:
    bundle = compiled(tmp_path, limits="{total_orders: 2}", count=2)
    desk.start_board()
    play(desk, "- trade: {instrument: MSFT, price: 1179, size: 1}\n" + _END)
    daemon = desk.start_armed(bundle, deploy=True)
    sent(desk, "order", "MSFT", "buy", "1", "--limit", "1184")
    desk.wait_armed(daemon)
    desk.tell("armed")
    desk.wait_for_fires(2)
    assert [fire["outcome"] for fire in desk.fires()] == ["sent", "rejected:total_orders"]
    finish(desk, daemon)


def test_without_a_session_nothing_leaves(desk: Desk, bundle: Path) -> None:
    desk.start_board()
    play(desk, _END)
    daemon = desk.start_armed(bundle)
    desk.tell("armed")
    assert command(desk, "disarm")[0] == 0
    desk.tell("seen")
    assert desk.exchange is not None
    assert desk.exchange.wait_exit(60) == 0
    wait_until("the end of the session", lambda: desk.status()["phase"] == "logged out", 30, daemon.check_alive)
    code, text = command(desk, "order", "MSFT", "buy", "1", "--limit", "1184")
    assert (code, text.startswith("refused: session: no order can leave while the session is logged out")) == (1, True)
    assert desk.record("order") == []
