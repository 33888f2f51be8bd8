# SPDX-License-Identifier: Apache-2.0
"""What a venue may say in mid-session, though few do: resets, rejects, an ExecID twice. And a journal that is new."""

import re
from pathlib import Path

import pytest

from fixaccel.lab.desk import Json
from fixaccel.lab.processes import Process, wait_until
from lab.desk import Desk
from lab.hostile_venue import snapshot
from lab.venue import say, start

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

_TRIGGER = f"good W {snapshot('MSFT', '1179')}"
_REPORT = "good 8 37=V1|11={}|17=0|150={}|39={}|55=MSFT|54=2|38=2|14={}|151={}|6=1179|"


def sent(venue: Process, kind: str) -> list[dict[str, str]]:
    """Messages of a type that the client has sent, oldest first."""
    found = [line for line in venue.text().splitlines() if f"|35={kind}|" in line]
    return [dict(re.findall(r"(\d+)=([^|]*)\|", line)) for line in found]


def order_of(desk: Desk, place: int = 0) -> Json:
    """What the daemon knows of the order of a fire."""
    order: Json = desk.status()["fires"][place].get("order", {})
    return order


def test_a_reset_of_the_numbers(desk: Desk, bundle: Path) -> None:
    desk.start_board()
    venue = start(desk)
    daemon = desk.start_daemon(bundle)
    desk.wait_armed(daemon)
    say(desk, venue, ["good 1 112=BEFORE|", "reset"])
    wait_until("the answer", lambda: len(sent(venue, "A")) == 2, 20, daemon.check_alive)
    answer = sent(venue, "A")[1]
    assert (answer["34"], answer["141"]) == ("1", "Y")
    wait_until("armed", lambda: sum(line["type"] == "armed" for line in desk.journal_lines()) == 2, 30)
    desk.wait_armed(daemon)
    say(desk, venue, [_TRIGGER])
    wait_until("the order", lambda: bool(sent(venue, "D")), 20, daemon.check_alive)
    (fire,) = desk.wait_for_fires(1)
    (order,) = sent(venue, "D")
    assert (fire["cl_ord_id"], fire["msg_seq_num"]) == (order["11"], int(order["34"]))
    numbers = [int(text) for text in re.findall(r"\|34=(\d+)\|", venue.text().partition("|141=Y|")[2])]
    assert numbers == list(range(2, len(numbers) + 2)), "what follows the answer counts on from it"
    told = [line for line in desk.journal_lines() if line["type"] in ("armed", "disarmed", "session")]
    assert [line.get("event", line["type"]) for line in told] == ["logon", "armed", "disarmed", "armed"]
    assert told[2]["reason"] == "the venue has begun the sequence numbers anew"

    # SequenceReset(4): nothing is missing, and what follows fires once, whoever sees it.
    say(desk, venue, ["good 4 36=500|", "number 500", f"good W {snapshot('MSFT', '1174')}", "good 1 112=BEHIND|"])
    wait_until("an answer", lambda: "|112=BEHIND|" in venue.text(), 20, daemon.check_alive)
    wait_until("the next order", lambda: len(sent(venue, "D")) == 2, 20, daemon.check_alive)
    assert [fire["rule"] for fire in desk.wait_for_fires(2)] == ["protect-msft", "protect-msft-rest"]
    assert (sent(venue, "2"), sent(venue, "3"), len(sent(venue, "A"))) == ([], [], 2), "nothing is asked for again"
    desk.wait_armed(daemon)
    assert desk.status()["next_target"] > 500


@pytest.mark.parametrize(
    "words", ["3 45={34}|372=D|58=no such account|", "j 45={34}|372=D|379={11}|380=0|58=no such account|"]
)
def test_a_reject_is_the_orders_end(desk: Desk, bundle: Path, words: str) -> None:
    desk.start_board()
    venue = start(desk)
    daemon = desk.start_daemon(bundle)
    desk.wait_armed(daemon)
    say(desk, venue, [_TRIGGER])
    wait_until("the order", lambda: bool(sent(venue, "D")), 20, daemon.check_alive)
    (order,) = sent(venue, "D")
    desk.wait_for_fires(1)
    assert [resting["cl_ord_id"] for resting in desk.status()["resting"]] == [order["11"]]
    words = re.sub(r"\{(\d+)\}", lambda match: order[match[1]], words)
    say(desk, venue, [f"good {words}"])
    wait_until("the reject", lambda: bool(order_of(desk)), 20, daemon.check_alive)
    assert (order_of(desk)["status"], order_of(desk)["text"]) == ("rejected", "no such account")
    assert desk.status()["resting"] == []
    assert desk.status()["armed"]
    daemon.kill()
    daemon = desk.start_daemon(bundle)
    assert order_of(desk)["status"] == "rejected"


def test_an_exec_id_that_comes_again(desk: Desk, bundle: Path) -> None:
    desk.start_board()
    venue = start(desk)
    daemon = desk.start_daemon(bundle)
    desk.wait_armed(daemon)
    say(desk, venue, [_TRIGGER])
    wait_until("the order", lambda: bool(sent(venue, "D")), 20, daemon.check_alive)
    id_ = sent(venue, "D")[0]["11"]
    desk.wait_for_fires(1)
    say(
        desk,
        venue,
        [_REPORT.format(id_, 0, 0, 0, 2), _REPORT.format(id_, "F", 1, 1, 1), _REPORT.format(id_, "F", 2, 2, 0)],
    )
    wait_until("the fill", lambda: order_of(desk).get("status") == "filled", 20, daemon.check_alive)
    assert order_of(desk)["cum_qty"] == "2"
    # Said again as what it was: it is older than what is known.
    say(desk, venue, [_REPORT.format(id_, 0, 0, 0, 2).replace("good 8 ", "good 8 43=Y|122=20260101-00:00:00|")])
    say(desk, venue, ["good 1 112=BEHIND|"])
    wait_until("a heartbeat", lambda: "|112=BEHIND|" in venue.text(), 20, daemon.check_alive)
    assert order_of(desk)["status"] == "filled"


def test_a_new_journal_has_other_ids(desk: Desk, bundle: Path) -> None:
    desk.start_board()
    venue = start(desk)
    ids = []
    for number in range(2):
        daemon = desk.start_daemon(bundle)
        desk.wait_armed(daemon)
        say(desk, venue, [_TRIGGER])
        wait_until("the order", lambda n=number: len(sent(venue, "D")) == n + 1, 20, daemon.check_alive)
        ids.append(sent(venue, "D")[number]["11"])
        assert daemon.stop() == 0
        desk.journal.rename(desk.folder / f"journal-{number}")
    assert ids[0] != ids[1]
