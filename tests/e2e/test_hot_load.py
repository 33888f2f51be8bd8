# SPDX-License-Identifier: Apache-2.0
"""Rules that change while the board is armed and the market goes on: nothing is lost, nothing is sent twice."""

import json
import socket
import time
from itertools import cycle
from pathlib import Path

import pytest

from fixaccel.board.control import ControlClient
from fixaccel.cli.arming import wait_armed
from fixaccel.lab.desk import Json, fixaccel
from fixaccel.lab.processes import wait_until
from lab.desk import ROOT, Desk
from lab.scenario import finish, play

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

_STEPS = 24  # of the ladder: each trade fires the next
_LOADS = 6
_STRATEGY = """\
fixaccel: 1
venue: {root}/strategies/venues/simulator.yaml
limits: {{order_qty: 10, limit_collar: 30%}}
rules:
  - id: fall
    instrument: MSFT
    when: last <= 1180
    ladder: {{step: -0.5, count: 24}}
    order: {{side: sell, qty: 1, type: limit, price: trigger}}
  - id: middle
    instrument: MSFT
    when: mid <= 1150
    order: {{side: sell, qty: 2, type: limit, price: trigger}}
  - id: never
    instrument: {instrument}
    when: last <= {never}
    order: {{side: sell, qty: 3, type: limit, price: trigger}}
"""
_QUOTE = "- quote: {{instrument: MSFT, bid: {0}.9{1}, bid_size: 500, ask: {0}.99, ask_size: 500}}\n"


def _stream(between: int, *words: str, at_once: bool = False) -> str:
    """Quotes, so many to a trade, in parts that begin with these words of the test. The end comes with "seen".

    Unless it comes ``at_once`` it is at most two steps ahead of the orders: a venue whose client does not read does not
    hear it either, and takes it for dead.
    """
    steps = []
    for step in range(_STEPS):
        part, place = divmod(step, _STEPS // len(words))
        steps += [f"- wait_for: {{file: {words[part]}, timeout: 120s}}\n"] if place == 0 else []
        for place in range(between):
            # A quick venue would be at the end of its part before a load is asked for.
            steps += ["- wait: 10ms\n"] if place % 5 == 0 and not at_once else []
            steps.append(_QUOTE.format(1184, place % 9))
        steps.append(f"- trade: {{instrument: MSFT, price: {1180 - step / 2}, size: 1}}\n")
        steps += [f"- wait_for: {{orders: {step}, timeout: 120s}}\n"] if step and not at_once else []
    return (
        "".join(steps)
        + _QUOTE.format(1149, 0)
        + "- wait_for: {file: seen, timeout: 120s}\n- wait: 500ms\n- logout: CLIENT1\n"
    )


@pytest.fixture(scope="module")
def bundles(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The ladder three times, beside a rule that is another one each time, once of another instrument."""
    folder = tmp_path_factory.mktemp("hot")
    made = []
    for name, instrument, never in (("first", "MSFT", 1000), ("second", "MSFT", 1001), ("third", "ESZ6", 5000)):
        text = _STRATEGY.format(root=ROOT, instrument=instrument, never=never)
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
        fixaccel("compile", str(folder / f"{name}.yaml"), "-o", str(folder / name))
        made.append(folder / name)
    return made


def go_on(desk: Desk, word: str) -> None:
    """Until the part of the stream that begins with that word has begun."""
    before = len(desk.record("market_data"))
    desk.tell(word)
    wait_until("the market", lambda: len(desk.record("market_data")) > before, 30)


def deploy(desk: Desk, bundle: Path) -> Json:
    """The load of a deploy; no command is started, while which the market would be over."""
    with ControlClient(desk.control) as client:
        client.ask("deploy", bundle=str(bundle))
        status = wait_armed(client, 60, lambda _: None)
    assert status["armed"], status["problem"]
    load: Json = status["load"]
    return load


def loads(desk: Desk) -> list[Json]:
    """Those of the journal."""
    return [line for line in desk.journal_lines() if line["type"] == "load"]


def unread(desk: Desk) -> int:
    """How far the number that the FIX engine expects next is behind what the fabric has counted, once both rest."""
    seen: list[tuple[int, int]] = []

    def rests() -> bool:
        status = desk.status()
        assert not status["fabric"]["gap"]
        seen.append((int(status["fabric"]["counters"]["messages"]), int(status["next_target"])))
        time.sleep(0.1)
        return seen[-1:] == seen[-2:-1]

    wait_until("no message to come", rests, 30)
    return seen[-1][0] - seen[-1][1]


def test_loads_in_a_row_while_quotes_and_orders_go_on(desk: Desk, bundles: list[Path]) -> None:
    desk.start_board()
    words = [f"part-{number}" for number in range(_LOADS)]
    play(desk, _stream(60, *words))
    daemon = desk.start_armed(bundles[0], deploy=True)
    before = unread(desk)
    desk.tell("armed")
    done: list[Json] = []
    asked_ns = []
    following = cycle([*bundles[1:], bundles[0]])
    for word in words:
        go_on(desk, word)
        asked_ns.append(time.time_ns())
        done.append(deploy(desk, next(following)))
    desk.wait_for_fires(_STEPS + 1, 240)
    desk.wait_reported(daemon)
    assert {(load["how"], load["reason"], load["state"]) for load in done} == {("hot", "", "loaded")}
    wait_until("the fabric to have read each message, and each once", lambda: unread(desk) == before, 30)
    journal = finish(desk, daemon)
    fires = [line for line in journal if line["type"] == "fire"]
    ladder = [f"fall[{step}]" for step in range(1, _STEPS + 1)]
    assert [fire["rule"] for fire in fires if fire["rule"] != "middle"] == ladder
    assert [fire["outcome"] for fire in fires] == ["sent"] * (_STEPS + 1)
    generations = [line["generation"] for line in journal if line["type"] == "load"]
    places = [generations.index(fire["generation"]) for fire in fires if fire["rule"] != "middle"]
    assert places == sorted(places)
    assert len(set(places)) > 1, "orders of more than one generation"
    flipped = [line for line in journal if line["type"] == "flipped"]
    assert [line["generation"] for line in flipped] == generations[1:]
    quoted_ns = [line["time_ns"] for line in desk.record("market_data")]
    for asked, flip in zip(asked_ns, flipped, strict=True):
        assert any(asked < quote < flip["time_ns"] for quote in quoted_ns), "the market went on in each load"
    assert [line["type"] for line in journal if line["type"] in ("armed", "disarmed")] == ["armed", "disarmed"]


def test_a_daemon_that_dies_in_a_load_has_one_of_the_two(desk: Desk, bundles: list[Path]) -> None:
    desk.start_board()
    # Not by the orders: what hits while nobody has the session has none.
    play(desk, _stream(30, "first", "again", at_once=True))
    daemon = desk.start_armed(bundles[0], deploy=True)
    desk.tell("armed")
    go_on(desk, "first")
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(str(desk.control_socket))
        client.sendall(json.dumps({"cmd": "deploy", "bundle": str(bundles[1])}).encode() + b"\n")
        wait_until("the load in the journal", lambda: len(loads(desk)) == 2, 60, daemon.check_alive)
        daemon.kill()
    fired = [fire["rule"] for fire in desk.fires()]
    daemon = desk.start_armed(bundles[1], deploy=True)
    desk.tell("again")
    desk.wait_for_fires(_STEPS + 1, 240)
    journal = finish(desk, daemon)
    fires = [line for line in journal if line["type"] == "fire"]
    rules = [fire["rule"] for fire in fires]
    assert rules[: len(fired)] == fired
    assert sorted(rules) == sorted(set(rules)), "no rule twice"
    # What hits while the kernel of the one that died ends its session is spent without an order.
    missed = [place for place, fire in enumerate(fires) if fire["outcome"] == "rejected:session"]
    assert all(len(fired) <= place < _STEPS // 2 for place in missed), fires
    assert [fire["outcome"] for fire in fires].count("sent") == len(fires) - len(missed)
