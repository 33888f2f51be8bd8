# SPDX-License-Identifier: Apache-2.0
"""No order meets one of our own until the venue says that it is done, over a restart too, in runtime and fabric."""

from pathlib import Path

import pytest

from fixaccel.lab.desk import fixaccel
from fixaccel.lab.processes import wait_until
from lab.desk import Desk
from lab.scenario import finish, play

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

_SCENARIO = Path(__file__).parent / "scenarios" / "self-trade.yaml"
_STEPS = """\
- quote: {instrument: MSFT, bid: 1200, bid_size: 500, ask: 1220, ask_size: 500}
- trade: {instrument: MSFT, price: 1201, size: 1}
- wait_for: {orders: 1, timeout: 30s}
- trade: {instrument: MSFT, price: 1202, size: 1}
- trade: {instrument: MSFT, price: 1204, size: 1}
- wait_for: {orders: 2, timeout: 30s}
- wait_for: {file: again, timeout: 90s}
- trade: {instrument: MSFT, price: 1211, size: 1}
- wait_for: {file: filled, timeout: 60s}
- trade: {instrument: MSFT, price: 1213, size: 1}
- wait_for: {orders: 3, timeout: 30s}
- wait_for: {file: seen, timeout: 60s}
- wait: 300ms
- logout: CLIENT1
"""


# Under `repeat` the runtime sends the orders, else the fabric does.
_LIMITS = {"runtime": "repeat: 1h, ", "fabric": ""}


@pytest.fixture(scope="module", params=_LIMITS)
def placed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """Where the orders are sent, and the bundle for it."""
    where: str = request.param
    folder = tmp_path_factory.mktemp("e2e") / where
    text = _SCENARIO.read_text(encoding="utf-8")
    venue = (_SCENARIO.parent / "../../../strategies/venues/simulator.yaml").resolve()
    text = text.replace("../../../strategies/venues/simulator.yaml", str(venue))
    folder.mkdir()
    strategy = folder / "strategy.yaml"
    strategy.write_text(text.replace(_LIMITS["runtime"], _LIMITS[where]), encoding="utf-8")
    fixaccel("compile", str(strategy), "-o", str(folder / "bundle"))
    return where, folder / "bundle"


def test_no_order_meets_one_that_rests(desk: Desk, placed: tuple[str, Path]) -> None:
    where, bundle = placed
    desk.start_board()
    play(desk, _STEPS)
    first = desk.start_armed(bundle, deploy=True)
    desk.tell("armed")
    fires = desk.wait_for_fires(4, 60)
    # `below` rests until the venue has said that it is done.
    wait_until("the end of the others", lambda: len(desk.status()["resting"]) == 1, 30, first.check_alive)
    (offer,) = desk.status()["resting"]
    assert offer == {"cl_ord_id": fires[0]["cl_ord_id"], "instrument": "MSFT", "side": "sell", "price": "1210"}
    first.kill()
    second = desk.start_armed(bundle, deploy=True)
    assert desk.status()["resting"] == [offer], "the journal has it"
    desk.tell("again")
    wait_until("the report of the fill", lambda: desk.status()["resting"] == [], 30, second.check_alive)
    desk.tell("filled")
    fires = desk.wait_for_fires(6, 60)
    finish(desk, second)
    assert [(fire["rule"], fire["outcome"]) for fire in fires] == [
        ("offer", "sent"),
        ("early", "rejected:self_trade"),
        ("early-at-market", "rejected:self_trade"),
        ("below", "sent"),
        ("late[1]", "sent"),
        ("late[2]", "rejected:repeat" if where == "runtime" else "sent"),
    ]
    assert {fire["where"] for fire in fires} == {where}
    ours = [trade for trade in desk.record("trade") if "CLIENT1" in (trade["buyer"], trade["seller"])]
    assert [(trade["seller"], trade["price"]) for trade in ours] == [("CLIENT1", "1210.00")]
