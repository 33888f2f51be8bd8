# SPDX-License-Identifier: Apache-2.0
"""What the report says of an order's bytes and of the time that they take."""

from dataclasses import replace

from image_cases import BOARD, HWMAP, MSFT, ORDER, SESSION, build, instrument, rule, strategy

from fixaccel.emit.report import as_markdown, report
from fixaccel.image.pack.orders import template_of
from fixaccel.image.pack.pack import build_image
from fixaccel.language.terms import OrderType, Side
from fixaccel.latency.line_time import LineTime, fields_of, frame_bytes

MARKET = replace(ORDER, type=OrderType.MARKET, price=None)
LINE = LineTime(BOARD)


def test_every_byte_is_in_one_field() -> None:
    template = template_of(replace(ORDER, fields={58: "a b", 5001: "x"}), MSFT, SESSION, HWMAP)
    fields = {tag: count for tag, _, count in fields_of(template)}
    assert sum(fields.values()) == template.length
    assert (fields[44], fields[55], fields[60]) == (len("44=01100.00|"), len("55=MSFT|"), len("60=") + 21 + 1)
    assert (fields[58], fields[5001]) == (len("58=a b|"), len("5001=x|"))
    assert frame_bytes(template) == 14 + 20 + 20 + template.length + 4


def test_time_is_the_boards() -> None:
    assert [LINE.ns(count) for count in (0, 1, 262)] == ["0", "8", "2096"]
    slow = LineTime(replace(BOARD, clock_hz=150_000_000))
    assert slow.ns(1) == "6.7", "rounded up"
    wide = LineTime(replace(BOARD, clock_hz=156_250_000, bytes_per_beat=8))
    assert wide.ns(10) == "8"


def test_templates_that_are_laid_out_alike_stand_together() -> None:
    buy = replace(MARKET, side=Side.BUY)
    rules = [rule(0), rule(1, order=MARKET), rule(2, order=buy), rule(3, order=MARKET, on=instrument("AB"))]
    board = replace(BOARD, capacity={**BOARD.capacity, "templates": 8})
    whole = strategy(rules)
    found = report(build_image(whole, board, HWMAP), whole, board, HWMAP, [])
    layouts = found["orders"]["layouts"]
    assert [[one["template"] for one in layout["templates"]] for layout in layouts] == [[0], [1, 2], [3]]
    assert [one["order"] for one in layouts[1]["templates"]] == ["sell market", "buy market"]
    assert layouts[0]["message_bytes"] == layouts[1]["message_bytes"] + len("44=01100.00|")
    assert layouts[0]["frame_ns"] == LINE.ns(layouts[0]["frame_bytes"])
    assert {"tag": 60, "name": "TransactTime", "bytes": 25, "ns": "200"} in layouts[2]["fields"]
    text = as_markdown(found).decode()
    assert "### sell market, buy market: " in text
    assert "| SendingTime | 52 | 25 | 200 |" in text


def test_a_strategy_of_the_runtime_has_no_order_on_the_line() -> None:
    whole = strategy([])
    found = report(build([]), whole, BOARD, HWMAP, [])
    assert found["orders"]["layouts"] == []
    assert "The fabric sends none." in as_markdown(found).decode()
