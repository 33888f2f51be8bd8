# SPDX-License-Identifier: Apache-2.0
"""The demo's last part, for a page: a market that moves until somebody ends it, and rules that fire again.

The house trades over the exchange's control socket, as somebody on the page would.
"""

import json
import random
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Self

from fixaccel.lab.desk import BOARD_FILES, VENUE, Desk, Json
from fixaccel.lab.namespaces import LabError
from fixaccel.lab.processes import wait_until

_STEP_S = 0.2  # slower than a slow virtual board
_LEVELS = 8
_PATIENCE_S = 30.0
_MIDDLE = 118_500  # of the shares, in ticks

# Above and below the middle at which the market begins; prices come back, and with them the rules.
STRATEGY = """\
fixaccel: 1
venue: {venue}
limits: {{order_qty: 100, collar: 5%, orders_per_second: 10}}
rules:
  - id: sell-the-rise
    instrument: MSFT
    when: bid >= 1186.00
    order: {{side: sell, qty: 2, type: limit, price: trigger, tif: ioc}}
    rearm: {{reset: bid <= 1185.50, times: 1000}}
  - id: buy-the-dip
    instrument: MSFT
    when: ask <= 1184.00
    order: {{side: buy, qty: 2, type: limit, price: trigger, tif: ioc}}
    rearm: {{reset: ask >= 1184.50, times: 1000}}
  - id: breakout
    instrument: MSFT
    when: last > 1187.00
    order: {{side: buy, qty: 5, type: limit, price: trigger + 50 ticks, tif: ioc}}
    rearm: {{after: 4s, times: 1000}}
  - id: stop
    instrument: MSFT
    when: last < 1183.00
    order: {{side: sell, qty: 5, type: limit, price: trigger - 50 ticks, tif: ioc}}
    rearm: {{after: 4s, times: 1000}}
  - id: futures-dip
    instrument: ESZ6
    when: ask <= 6805
    order: {{side: buy, qty: 1, type: limit, price: trigger, tif: ioc}}
    rearm: {{reset: ask >= 6808, times: 1000}}
"""


class House:
    """Who asks at the exchange's control socket."""

    def __init__(self, path: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(_PATIENCE_S)
        try:
            self._socket.connect(str(path))
        except OSError as error:
            self._socket.close()
            raise LabError(f"{path}: {error.strerror}") from error
        self._lines = self._socket.makefile("r", encoding="utf-8")

    def ask(self, do: str, **fields: object) -> Json:
        """The answer. Raises LabError where it is refused."""
        answer = self.try_to(do, **fields)
        if not answer["ok"]:
            raise LabError(f"`{do}` {fields}: {answer['error']}")
        return answer

    def try_to(self, do: str, **fields: object) -> Json:
        """The answer, also where it is refused. Raises LabError when nobody answers."""
        try:
            self._socket.sendall(json.dumps({"do": do, **fields}).encode() + b"\n")
            answer: Json = json.loads(self._lines.readline())
        except (OSError, ValueError) as error:
            raise LabError(f"the exchange does not answer to `{do}`") from error
        return answer

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None) -> None:
        self._lines.close()
        self._socket.close()


@dataclass
class Ladder:
    """A market of the house in one instrument: levels on both sides of a middle that walks, and trades at the best."""

    house: House
    symbol: str
    middle: int  # in ticks
    tick: int  # of 10^-2
    spacing: int  # ticks from one level to the next
    reach: int  # how far from where it began, in ticks
    lot: int
    draw: random.Random
    begun: int = field(init=False)
    orders: dict[tuple[str, int], str] = field(default_factory=dict)  # by side and ticks

    def __post_init__(self) -> None:
        self.begun = self.middle
        self._fill()

    def step(self) -> None:
        """One move of the middle, and often a trade."""
        pull = (self.begun - self.middle) / self.reach  # it comes back the sooner the further it is
        self.middle += self.spacing * self.draw.choices((-1, 0, 1), (1 - pull, 1, 1 + pull))[0]
        wanted = self._wanted()
        for side, ticks in [key for key in self.orders if key not in wanted]:
            # What a client has bought meanwhile is not there any more.
            self.house.try_to("cancel", order=self.orders.pop((side, ticks)))
        self._fill()
        if self.draw.random() < 0.6:
            side = self.draw.choice(("buy", "sell"))
            self.house.ask("order", symbol=self.symbol, side=side, type="market", qty=self._quantity(1), tif="ioc")

    def _wanted(self) -> set[tuple[str, int]]:
        return {
            (side, self.middle + sign * self.spacing * level)
            for side, sign in (("buy", -1), ("sell", 1))
            for level in range(1, _LEVELS + 1)
        }

    def _fill(self) -> None:
        open_now = {order["order"] for order in self.house.ask("orders", open=True)["orders"]}
        self.orders = {key: order for key, order in self.orders.items() if order in open_now}
        for side, ticks in sorted(self._wanted() - self.orders.keys(), key=lambda key: abs(key[1] - self.middle)):
            terms = {"symbol": self.symbol, "side": side, "price": self._price(ticks), "qty": self._quantity(40)}
            self.orders[side, ticks] = self.house.ask("order", **terms)["order"]

    def _price(self, ticks: int) -> str:
        cents = ticks * self.tick
        return f"{cents // 100}.{cents % 100:02}"

    def _quantity(self, most: int) -> str:
        return str(self.lot * self.draw.randint(1, most))


def live(
    desk: Desk, over: Callable[[], bool], say: Callable[[str], object], seed: int = 7, middle: int = _MIDDLE
) -> None:
    """Exchange, board and daemon with a market that moves until ``over()``; the shares from ``middle`` ticks on.

    Raises LabError.
    """
    strategy = desk.folder / "live.yaml"
    strategy.write_text(STRATEGY.format(venue=VENUE), encoding="utf-8")
    desk.compile(strategy, desk.folder / "live")
    desk.start_board()
    exchange = desk.start_exchange(None)
    with House(desk.exchange_socket) as house:
        draw = random.Random(seed)
        shares = Ladder(house, "MSFT", middle, 1, 10, 400, 10, draw)
        futures = Ladder(house, "ESZ6", 4 * 6810, 25, 1, 40, 1, draw)
        daemon = desk.start_armed(desk.folder / "live", deploy=True)
        say(f"armed: {', '.join(rule['id'] for rule in desk.status()['rules'])}")
        while not over():
            shares.step()
            futures.step()
            daemon.check_alive()
            exchange.check_alive()
            time.sleep(_STEP_S)
        house.ask("logout", client="CLIENT1", text="the demo ends")

        def logged_out() -> bool:
            return not house.ask("status")["sessions"][0]["logged_on"]

        wait_until("the logout", logged_out, _PATIENCE_S)


def point(link: Path, at: Path) -> None:
    """Lets ``link`` name the socket ``at``, which a page may look for already."""
    made = link.with_suffix(".new")
    made.unlink(missing_ok=True)
    made.symlink_to(at)
    made.replace(link)


def page_command(folder: Path, listen: str, interface: str) -> list[str]:
    """Arguments of `fixaccel` that serve a page over the sockets which `point` names in ``folder``."""
    sources = ("--exchange", f"unix:{folder / 'exchange.link'}", "--daemon", f"unix:{folder / 'daemon.link'}")
    return ["dashboard", *sources, "--board", str(BOARD_FILES[interface]), "--listen", listen]


def point_to(folder: Path, desk: Desk) -> None:
    """The page is to show ``desk``."""
    point(folder / "exchange.link", desk.exchange_socket)
    point(folder / "daemon.link", desk.control_socket)
