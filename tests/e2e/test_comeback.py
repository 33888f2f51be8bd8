# SPDX-License-Identifier: Apache-2.0
"""A session that is lost: tries with pauses that grow, and armed again as `rearm_after_loss` says, or not at all."""

import re
from pathlib import Path

import pytest

from fixaccel.lab.desk import Json, fixaccel
from fixaccel.lab.processes import Process, wait_until
from fixaccel.lab.reconcile import same_orders
from lab.desk import Desk
from lab.hostile_venue import snapshot
from lab.link import Link
from lab.quickstart import quickstart
from lab.scenario import play
from lab.venue import say, start

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

_STOP = f"good W {snapshot('MSFT', '1179')}"
_NEXT_STOP = f"good W {snapshot('MSFT', '1174')}"
_NEW = "good 8 37=V1|11={}|17={}|150=0|39=0|55=MSFT|54=2|38=2|14=0|151=2|6=0|"


def settings(desk: Desk, bundle: Path, **session: object) -> Path:
    """The daemon's configuration: armed again when all is known, after short pauses, and what else is given."""
    keys = {"rearm_after_loss": "when-known", "reconnect_ms": 200, "reconnect_most_ms": 1000, **session}
    lines = [f"{key} = {value!r}".replace("'", '"') for key, value in keys.items()]
    path = desk.folder / "fixacceld.toml"
    path.write_text(f'bundle = "{bundle}"\n[session]\n' + "\n".join(lines) + "\n", encoding="utf-8")
    return path


def armings(desk: Desk) -> int:
    return sum(line["type"] == "armed" for line in desk.journal_lines())


def orders(venue: Process) -> list[dict[str, str]]:
    found = [line for line in venue.text().splitlines() if "|35=D|" in line]
    return [dict(re.findall(r"(\d+)=([^|]*)\|", line)) for line in found]


def wait_phase(desk: Desk, daemon: Process, phase: str, timeout_s: float = 30.0) -> None:
    wait_until(phase, lambda: bool(desk.status()["phase"] == phase), timeout_s, daemon.check_alive)


def lose(desk: Desk, venue: Process, how: str, logons: int) -> None:
    """Ends the session, and waits for the next: the one with that number."""
    say(desk, venue, [how])
    wait_until("another logon", lambda: venue.text().count("|35=A|") >= logons, 30, venue.check_alive)


def wait_refused(desk: Desk, daemon: Process, why: str) -> Json:
    """Until it is said that it is not armed again, and why."""
    wait_until("the refusal", lambda: why in desk.status()["comeback"]["refused"], 30, daemon.check_alive)
    status = desk.status()
    assert not status["armed"]
    assert why in fixaccel("status", "--to", desk.control).stdout
    return status


@pytest.mark.parametrize("how", ["fin", "rst", "logout"])
def test_armed_again(desk: Desk, bundle: Path, how: str) -> None:
    desk.start_board()
    venue = start(desk, "keep")
    daemon = desk.start_armed(bundle, config=settings(desk, bundle, after_logout="come-back"))
    lose(desk, venue, how, 2)
    wait_until("armed again", lambda: armings(desk) == 2, 30, daemon.check_alive)
    desk.wait_armed(daemon)
    say(desk, venue, [_STOP])
    wait_until("the order", lambda: bool(orders(venue)), 30, daemon.check_alive)
    (fire,) = desk.wait_for_fires(1)
    (order,) = orders(venue)
    assert (fire["cl_ord_id"], fire["msg_seq_num"]) == (order["11"], int(order["34"]))
    seen = [int(text) for text in re.findall(r"\|34=(\d+)\|", venue.text())]
    # A heartbeat may have been on its way when the connection ended, or a question what keeps the venue.
    outgoing = [line for line in desk.journal_lines() if line["type"] == "out"]
    lost = [line["seq"] for line in outgoing if re.search("\x0135=[01]\x01", line["message"])]
    assert seen == sorted(set(seen)), "the numbers go on over the loss"
    assert {*range(1, seen[-1] + 1)} - {*seen} <= {*lost}
    told = [line for line in desk.journal_lines() if line["type"] in ("armed", "disarmed", "session")]
    end = "logout" if how == "logout" else "disconnect"
    assert [line.get("event", line["type"]) for line in told] == ["logon", "armed", "disarmed", end, "logon", "armed"]
    loss = desk.status()["comeback"]["loss"]
    assert loss["reason"] in fixaccel("status", "--to", desk.control).stdout


def test_a_dry_run_begins_again(desk: Desk, bundle: Path) -> None:
    config = settings(desk, bundle)
    text = config.read_text(encoding="utf-8").splitlines(keepends=True)
    config.write_text("".join(line for line in text if not line.startswith("bundle")), encoding="utf-8")
    desk.start_board()
    venue = start(desk, "keep")
    daemon = desk.start_daemon(bundle, config=config)
    fixaccel("deploy", str(bundle), "--dry-run", "--to", desk.control)
    lose(desk, venue, "rst", 2)
    wait_until("armed again", lambda: armings(desk) == 2, 30, daemon.check_alive)
    desk.wait_armed(daemon)
    assert desk.status()["dry_run"]
    say(desk, venue, [_STOP, "good 1 112=BEHIND|"])
    desk.wait_for_fires(1)
    wait_until("an answer", lambda: "|112=BEHIND|" in venue.text(), 30, daemon.check_alive)
    assert orders(venue) == []


def test_never_is_what_is_built_in(desk: Desk, bundle: Path) -> None:
    config = settings(desk, bundle)
    config.write_text(config.read_text(encoding="utf-8").replace('rearm_after_loss = "when-known"\n', ""), "utf-8")
    desk.start_board()
    venue = start(desk, "keep")
    daemon = desk.start_armed(bundle, config=config)
    lose(desk, venue, "rst", 2)
    wait_refused(desk, daemon, 'rearm_after_loss is "never"')
    fixaccel("arm", "--to", desk.control)
    desk.wait_armed(daemon)
    assert armings(desk) == 2


def test_a_logout_of_the_venue_is_the_operators(desk: Desk, bundle: Path) -> None:
    desk.start_board()
    venue = start(desk, "keep")
    daemon = desk.start_armed(bundle, config=settings(desk, bundle))
    say(desk, venue, ["logout"])
    wait_phase(desk, daemon, "logged out")
    assert venue.text().count("|35=A|") == 1


@pytest.mark.waits
def test_an_order_of_which_nothing_is_known(desk: Desk, bundle: Path) -> None:
    desk.start_board()
    venue = start(desk, "keep")
    daemon = desk.start_armed(bundle, config=settings(desk, bundle))
    say(desk, venue, [_STOP])
    wait_until("the order", lambda: bool(orders(venue)), 30, daemon.check_alive)
    (fire,) = desk.wait_for_fires(1)
    lose(desk, venue, "fin", 2)
    id_ = fire["cl_ord_id"]
    wait_until("waiting", lambda: id_ in desk.status()["comeback"]["awaits"], 30, daemon.check_alive)
    assert id_ in fixaccel("status", "--to", desk.control).stdout
    assert armings(desk) == 1
    say(desk, venue, [_NEW.format(id_, 1)])
    wait_until("armed again", lambda: armings(desk) == 2, 30, daemon.check_alive)
    say(desk, venue, [_NEXT_STOP])
    wait_until("the next order", lambda: len(orders(venue)) == 2, 30, daemon.check_alive)
    desk.wait_for_fires(2)
    lose(desk, venue, "fin", 3)
    wait_refused(desk, daemon, f"it is not known what became of order {orders(venue)[1]['11']}")


@pytest.mark.parametrize("word", ["disarm", "kill"])
def test_what_was_said_meanwhile_outranks_it(desk: Desk, bundle: Path, word: str) -> None:
    desk.start_board()
    venue = start(desk, "keep")
    daemon = desk.start_armed(bundle, config=settings(desk, bundle))
    link = Link(desk)
    link.deaf(True)  # none of its tries arrives before that was said
    say(desk, venue, ["rst"])
    daemon.wait_line("fixacceld: phase: lost")
    fixaccel(word, "--to", desk.control)
    if word == "kill":
        fixaccel("kill", "--undo", "--to", desk.control)
    link.deaf(False)
    wait_phase(desk, daemon, "ready")
    say(desk, venue, ["good 1 112=BEHIND|"])
    wait_until("an answer", lambda: "|112=BEHIND|" in venue.text(), 30, daemon.check_alive)
    assert not desk.status()["armed"]
    assert armings(desk) == 1


def test_no_more_than_so_often_in_a_minute(desk: Desk, bundle: Path) -> None:
    desk.start_board()
    venue = start(desk, "keep")
    daemon = desk.start_armed(bundle, config=settings(desk, bundle, rearms_per_minute=2))
    for loss in range(1, 3):
        lose(desk, venue, "rst", loss + 1)
        wait_until("armed again", lambda n=loss: armings(desk) == n + 1, 30, daemon.check_alive)
        desk.wait_armed(daemon)
    lose(desk, venue, "rst", 4)
    wait_refused(desk, daemon, "it was armed again 2 times within a minute")
    assert armings(desk) == 3


@pytest.mark.waits
def test_pauses_grow(desk: Desk, bundle: Path) -> None:
    desk.start_board()
    venue = start(desk, "keep")
    daemon = desk.start_armed(bundle, config=settings(desk, bundle, reconnect_ms=100, reconnect_most_ms=400))
    venue.kill()
    tries = "; try 5 in 0.4 s"
    wait_until("five tries", lambda: tries in daemon.text(), 30, daemon.check_alive)
    pauses = re.findall(r"; try (\d) in ([\d.]+) s", daemon.text())
    assert pauses[:5] == [("1", "0.1"), ("2", "0.2"), ("3", "0.4"), ("4", "0.4"), ("5", "0.4")]
    comeback = desk.status()["comeback"]
    assert comeback["tries"] >= 4
    assert "tries" in fixaccel("status", "--to", desk.control).stdout


_TWO = (
    "- trade: {instrument: MSFT, price: 1179, size: 1}\n- wait_for: {file: again, timeout: 120s}\n"
    "- wait_for: {orders: 1, timeout: 30s}\n"
    "- trade: {instrument: MSFT, price: 1174, size: 1}\n- wait_for: {orders: 2, timeout: 30s}\n"
    "- wait: 500ms\n- logout: CLIENT1\n"
)


def order_on_its_way(desk: Desk, bundle: Path) -> tuple[Process, Link]:
    """The first of two orders has left the board, and does not arrive."""
    desk.start_board()
    play(desk, _TWO)
    daemon = desk.start_armed(bundle, config=settings(desk, bundle))
    link = Link(desk)
    link.deaf(True)
    desk.tell("armed")
    desk.wait_for_fires(1)
    return daemon, link


def finish(desk: Desk, daemon: Process) -> None:
    """Both orders are there, once, on both sides."""
    desk.tell("again")
    assert desk.exchange is not None
    assert desk.exchange.wait_exit(90) == 0, desk.exchange.text() + daemon.text()
    assert daemon.stop() == 0, daemon.text()
    journal = desk.journal_lines()
    fires = [(line["rule"], line["outcome"]) for line in journal if line["type"] == "fire"]
    assert fires == [("protect-msft", "sent"), ("protect-msft-rest", "sent")]
    accepted = [line for line in desk.record("order") if line["status"] == "accepted"]
    assert [line["cl_ord_id"] for line in accepted] == [
        line["cl_ord_id"] for line in journal if line["type"] == "fire"
    ], "each once, whether it came at first or again"


@pytest.mark.waits
@pytest.mark.parametrize("end", ["ex0", "cl0"])
def test_an_interface_that_is_down_for_long(desk: Desk, bundle: Path, end: str) -> None:
    """An order leaves and does not arrive; both sides give the session up; it is sent again behind the logon."""
    daemon, link = order_on_its_way(desk, bundle)
    assert desk.record("order") == []
    link.set("down", end)  # first, lest the kernel's next try gets through
    link.deaf(False)
    wait_phase(desk, daemon, "lost", 60)
    wait_until("a try that fails", lambda: desk.status()["comeback"]["tries"] >= 2, 60, daemon.check_alive)
    link.set("up", end)
    wait_until("armed again", lambda: armings(desk) == 2, 60, daemon.check_alive)
    (order,) = desk.record("order")
    assert order["poss_dup"]
    finish(desk, daemon)


def test_an_interface_that_flaps(desk: Desk, bundle: Path) -> None:
    """Shorter than the heartbeats bear it is no loss: the kernel sends again, and what is armed stays so."""
    desk.start_board()
    play(desk, _TWO)
    daemon = desk.start_armed(bundle, config=settings(desk, bundle))
    link = Link(desk)
    for _ in range(2):
        link.set("down")
        link.set("up")
    desk.tell("armed")
    desk.wait_for_fires(1)
    link.set("down")
    link.set("up")
    wait_until("the order", lambda: bool(desk.record("order")), 30, daemon.check_alive)
    assert armings(desk) == 1
    finish(desk, daemon)
    assert same_orders(desk.journal_lines(), desk.record()) == []


@pytest.mark.waits
def test_a_connection_that_stands_still_for_a_while(desk: Desk, tmp_path: Path) -> None:
    """With an order on its way a heartbeat keeps the lease: disarmed, and armed again once the venue has the order."""
    # Behind the subscription, the last that the venue has heard, it disarms after 12.5 s, and the venue would give the
    # session up after 28.8 s. Behind the order, some seconds later, the kernel sends that again after 12.6 s, and after
    # 25.4 s: where the first is too early, the second is in time.
    daemon, link = order_on_its_way(desk, quickstart(tmp_path, "12s"))
    wait_until("disarmed", lambda: "disarmed: " in daemon.text(), 30, daemon.check_alive)
    assert not desk.status()["armed"]
    link.deaf(False)
    wait_until("armed again", lambda: armings(desk) == 2, 60, daemon.check_alive)
    finish(desk, daemon)
    told = [line["event"] for line in desk.journal_lines() if line["type"] == "session"]
    assert told == ["logon", "logout"], "the session was not lost"
