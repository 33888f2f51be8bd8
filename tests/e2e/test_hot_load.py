# SPDX-License-Identifier: Apache-2.0
"""Rules that change while the board is armed and the market goes on: nothing is lost, nothing is sent twice."""

import json
import sys
import time
from itertools import cycle
from pathlib import Path

import pytest

from lab.desk import ROOT, Desk, Json, fixaccel
from lab.processes import wait_until
from lab.scenario import finish, play, tell

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

_STEPS = 24  # of the ladder: each trade fires the next
_LOADS = 5  # at least
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


def _stream(between: int, pause_at: int = _STEPS) -> str:
    """Quotes, so many to a trade, with one pause at a step, until the test says "again". Its end comes with "seen".

    It is at most two steps ahead of the orders: a venue whose client does not read does not hear it either, and takes it
    for dead.
    """
    steps = []
    for step in range(_STEPS):
        steps += ["- wait_for: {file: again, timeout: 120s}\n"] if step == pause_at else []
        steps += [_QUOTE.format(1184, place % 9) for place in range(between)]
        steps.append(f"- trade: {{instrument: MSFT, price: {1180 - step / 2}, size: 1}}\n")
        steps += [f"- wait_for: {{orders: {step}, timeout: 120s}}\n"] if step else []
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


def deploy(desk: Desk, bundle: Path) -> Json:
    """The load of a deploy."""
    status: Json = json.loads(fixaccel("deploy", str(bundle), "--to", desk.control, "--json").stdout)
    assert status["armed"], status["problem"]
    load: Json = status["load"]
    return load


def loads(desk: Desk) -> list[Json]:
    """Those of the journal."""
    return [line for line in desk.journal_lines() if line["type"] == "load"]


def messages(desk: Desk) -> tuple[int, int]:
    """Messages that the fabric has counted, and the number that the FIX engine expects next."""
    status = desk.status()
    assert not status["fabric"]["gap"]
    return int(status["fabric"]["counters"]["messages"]), int(status["next_target"])


def test_loads_in_a_row_while_quotes_and_orders_go_on(desk: Desk, bundles: list[Path]) -> None:
    desk.start_board()
    play(desk, _stream(250))
    daemon = desk.start_armed(bundles[0], deploy=True)
    before = messages(desk)
    tell(desk, "armed")
    done: list[Json] = []
    following = cycle([*bundles[1:], bundles[0]])
    end = time.monotonic() + 240
    while len(desk.fires()) <= _STEPS or len(done) < _LOADS:
        done.append(deploy(desk, next(following)))
        assert time.monotonic() < end, (desk.fires(), daemon.text())
    after = messages(desk)
    assert {(load["how"], load["reason"], load["state"]) for load in done} == {("hot", "", "loaded")}
    assert after[0] - before[0] == after[1] - before[1], "the fabric has read each message, and each once"
    journal = finish(desk, daemon)
    fires = [line for line in journal if line["type"] == "fire"]
    ladder = [f"fall[{step}]" for step in range(1, _STEPS + 1)]
    assert [fire["rule"] for fire in fires if fire["rule"] != "middle"] == ladder
    assert [fire["outcome"] for fire in fires] == ["sent"] * (_STEPS + 1)
    generations = [line["generation"] for line in journal if line["type"] == "load"]
    places = [generations.index(fire["generation"]) for fire in fires if fire["rule"] != "middle"]
    assert places == sorted(places)
    assert len(set(places)) > 1, "orders of more than one generation"
    flipped = [line["generation"] for line in journal if line["type"] == "flipped"]
    assert flipped == generations[1:]
    assert [line["type"] for line in journal if line["type"] in ("armed", "disarmed")] == ["armed", "disarmed"]


def test_a_daemon_that_dies_in_a_load_has_one_of_the_two(desk: Desk, bundles: list[Path]) -> None:
    desk.start_board()
    play(desk, _stream(60, _STEPS // 2))
    daemon = desk.start_armed(bundles[0], deploy=True)
    tell(desk, "armed")
    command = [sys.executable, "-m", "fixaccel", "deploy", str(bundles[1]), "--to", desk.control]
    asked = desk.processes.start("deploy", command)
    wait_until("the load in the journal", lambda: len(loads(desk)) == 2, 60)
    daemon.kill()
    asked.wait_exit(60)
    fired = [fire["rule"] for fire in desk.fires()]
    daemon = desk.start_armed(bundles[1], deploy=True)
    tell(desk, "again")
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
