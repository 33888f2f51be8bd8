# SPDX-License-Identifier: Apache-2.0
"""Events added up: what a frame has, once, and what there is in all. No socket and no clock."""

import json
from typing import Any

from fixaccel.dashboard import model as module
from fixaccel.dashboard.fix_names import FixNames
from fixaccel.dashboard.model import Model
from fixaccel.dashboard.viewers import SILENT_TICKS, Viewer, Viewers

Json = dict[str, Any]

STATUS = {"venue": "SIM", "version": "1", "instruments": [{"symbol": "MSFT"}], "sessions": [{"client": "A"}]}


def book(price: str, symbol: str = "MSFT") -> Json:
    return {"event": "book", "symbol": symbol, "bids": [[price, "1", 1]], "asks": [], "last": None}


def order(name: str, status: str = "new") -> Json:
    return {"event": "order", "order": name, "status": status}


def connected() -> Model:
    model = Model(FixNames())
    model.exchange_back(STATUS, [])
    frame = model.take()
    assert frame is not None
    assert frame["full"]
    return model


def test_a_thousand_changes_of_a_book_are_one_frame_with_the_newest() -> None:
    model = connected()
    for price in range(1000):
        model.apply(book(str(price)))
    frame = model.take()
    assert frame is not None
    assert set(frame) == {"books"}
    assert frame["books"]["MSFT"]["bids"][0][0] == "999"
    assert model.take() is None


def test_orders_and_sessions_are_told_once_as_they_are() -> None:
    model = connected()
    for status in ("new", "partially_filled", "filled"):
        model.apply(order("O1", status))
    model.apply(order("O2"))
    model.apply({"event": "session", "client": "A", "logged_on": True})
    model.apply({"event": "session", "client": "A", "logged_on": False})
    frame = model.take()
    assert frame == {
        "orders": [{"order": "O1", "status": "filled"}, {"order": "O2", "status": "new"}],
        "sessions": [{"client": "A", "logged_on": False}],
    }


def test_more_trades_than_a_frame_has_room_for_are_lost_and_counted() -> None:
    model = connected()
    for number in range(module.MOST_A_FRAME + 5):
        model.apply({"event": "trade", "price": str(number)})
    model.apply({"event": "lost", "count": 7})
    frame = model.take()
    assert frame is not None
    assert len(frame["trades"]) == module.MOST_A_FRAME
    assert frame["trades"][-1]["price"] == str(module.MOST_A_FRAME + 4)
    assert frame["lost"] == 12
    model.apply({"event": "lost", "count": 1})
    assert model.take() == {"lost": 13}
    assert model.everything()["lost"] == 13


def test_what_is_kept_is_bounded() -> None:
    model = connected()
    for number in range(5000):
        model.apply({"event": "trade", "price": str(number)})
        model.apply({"event": "message", "raw": "8=FIX.4.4|35=0|"})
        model.apply(order(f"O{number}", "filled"))
    model.apply(order("O0"))  # open again: it stays
    frame = model.everything()
    assert len(frame["trades"]) == module.TRADES
    assert len(frame["messages"]) == module.MESSAGES
    assert len(frame["orders"]) == module.ORDERS_OVER + 1


def test_open_orders_stay_however_many_are_over() -> None:
    model = connected()
    model.apply(order("open"))
    for number in range(5000):
        model.apply(order(f"O{number}", "canceled"))
    assert model.everything()["orders"][0] == {"order": "open", "status": "new"}


def test_another_exchange_makes_all_known_of_the_first_forgotten() -> None:
    model = connected()
    model.apply(book("1"))
    model.apply(book("1", "GONE"))
    model.apply(order("O1"))
    model.take()
    model.exchange_away("it hung up")
    assert model.take() == {"exchange": {"state": "waiting", "why": "it hung up"}}
    model.exchange_away("it hung up")
    assert model.take() is None
    model.apply(order("O7"))  # told before the answer to what it was asked first
    model.exchange_back(STATUS, [{"order": "O5", "status": "new"}])
    frame = model.take()
    assert frame is not None
    assert frame["full"]
    assert frame["exchange"]["state"] == "connected"
    assert [each["order"] for each in frame["orders"]] == ["O5", "O7"]
    assert list(frame["books"]) == ["MSFT"]


def test_messages_are_decoded_once() -> None:
    model = Model(FixNames({"35": ("MsgType", {"D": "NewOrderSingle"})}))
    model.exchange_back(STATUS, [])
    model.apply({"event": "message", "client": "A", "raw": "8=FIX.4.4|35=D|58=a=b||noise|"})
    frame = model.take()
    assert frame is not None
    (message,) = frame["messages"]
    assert message["fields"] == [
        ["8", "", "FIX.4.4", ""],
        ["35", "MsgType", "D", "NewOrderSingle"],
        ["58", "", "a=b", ""],
        ["", "", "noise", ""],
    ]
    assert (message["type"], message["name"]) == ("D", "NewOrderSingle")


def test_events_that_are_not_known_are_left_out() -> None:
    model = connected()
    model.apply({"event": "weather", "sun": True})
    assert model.take() is None


def _frames(viewer: Viewer) -> list[Json]:
    """What is there to send now."""
    return [json.loads(text) for text in iter(viewer.take, None)]


def test_one_that_is_behind_gets_all_there_is_once_and_then_what_changes() -> None:
    model = connected()
    viewers = Viewers(model)
    with viewers.one_more() as slow, viewers.one_more() as quick:
        assert slow is not None
        assert quick is not None
        assert [frame["full"] for frame in _frames(quick)] == [True]
        assert len(_frames(slow)) == 1
        for price in range(50):
            model.apply(book(str(price)))
            viewers.tick()
            assert len(_frames(quick)) == 1
        frames = _frames(slow)
        assert len(frames) <= 11
        assert frames[0].get("full")
        assert frames[0]["books"]["MSFT"]["bids"][0][0] == "49"


def test_a_frame_comes_now_and_then_where_nothing_changes() -> None:
    viewers = Viewers(connected())
    with viewers.one_more() as viewer:
        assert viewer is not None
        _frames(viewer)
        for _ in range(2 * SILENT_TICKS):
            viewers.tick()
        frames = _frames(viewer)
        assert [set(frame) for frame in frames] == [{"t"}, {"t"}]


def test_there_is_room_for_so_many_and_again_once_one_has_gone() -> None:
    viewers = Viewers(connected())
    entered = [viewers.one_more() for _ in range(17)]
    found = [each.__enter__() for each in entered]
    assert [each is None for each in found] == [False] * 16 + [True]
    entered[0].__exit__(None, None, None)
    with viewers.one_more() as again:
        assert again is not None
