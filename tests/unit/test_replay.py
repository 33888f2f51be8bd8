# SPDX-License-Identifier: Apache-2.0
"""`fixaccel replay`: thinned lines, nearest approaches, position and result, and what a user may do wrong."""

import json
import re
import sys
from decimal import Decimal

import numpy as np
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from fixaccel.cli.main import cli
from fixaccel.events.columns import EventColumns
from fixaccel.events.file import open_events
from fixaccel.events.write import Event, write_events
from fixaccel.language.terms import Side
from fixaccel.replay.clock import Clock
from fixaccel.replay.decimate import POINTS_OF_A_BUCKET, thinned
from fixaccel.replay.ledger import Fill, standing
from fixaccel.replay.page import write_page
from fixaccel.replay.record import Day, record

SECOND = 10**9
MARKET = "order: {side: sell, qty: 1, type: market}"


def played(desk, rules: str, prices: list[dict[str, str]], **more) -> tuple[Day, EventColumns]:
    strategy, diagnostics = desk.load(rules)
    assert strategy, [diagnostic.message for diagnostic in diagnostics]
    write_events(desk.folder / "day.csv", [Event(n * SECOND, "MSFT", **price) for n, price in enumerate(prices)])
    file = open_events(desk.folder / "day.csv", strategy.venue.instruments)
    events = EventColumns.concatenate(list(file.batches()))
    return record(strategy, events, lambda _: None, **more), events


def nearest(desk, rule: str, *prices: str) -> tuple[int, int] | None:
    """Ticks and event of the nearest approach of the last rule."""
    day, _ = played(desk, rule, [dict(pair.split("=") for pair in price.split()) for price in prices])
    one = next(one for one in day.instruments if one.market.instrument.symbol == "MSFT")
    near = one.rules[-1].parts[-1].near
    return near and (near.ticks, int(one.market.event[near.row]) + 1)


values = st.one_of(st.just(float("nan")), st.integers(-50, 50).map(float))


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 5), values), max_size=200), st.integers(1, 6))
def test_a_thinned_line_loses_no_extreme_of_any_stretch(points, buckets):
    ts_ns = np.cumsum([gap for gap, _ in points], dtype=np.int64)
    line = np.array([value for _, value in points], float)
    kept = thinned(ts_ns, line, buckets)
    assert (np.diff(kept) > 0).all()
    assert len(kept) <= buckets * POINTS_OF_A_BUCKET
    if not len(line):
        return
    width = max(int(ts_ns[-1] - ts_ns[0]), 1) / buckets
    bucket = np.minimum((ts_ns - ts_ns[0]) // width, buckets - 1)
    for number in set(bucket.tolist()):
        there, left = line[bucket == number], line[kept][bucket[kept] == number]
        assert there[0] == left[0] or np.isnan([there[0], left[0]]).all()
        assert there[-1] == left[-1] or np.isnan([there[-1], left[-1]]).all()
        assert np.isnan(there).any() == np.isnan(left).any()
        if not np.isnan(there).all():
            assert (np.nanmin(there), np.nanmax(there)) == (np.nanmin(left), np.nanmax(left))


def test_what_is_to_be_kept_is_kept():
    line = np.zeros(1000)
    keep = np.zeros(1000, bool)
    keep[333] = True
    kept = thinned(np.arange(1000, dtype=np.int64), line, 2, keep)
    assert 333 in kept
    assert len(kept) < 12


def test_a_page_is_bounded_and_says_what_it_leaves_out(desk, monkeypatch):
    rng = np.random.default_rng(5)
    prices = 1200 + np.cumsum(rng.integers(-1, 2, 3000))
    rows = [{"last": str(price)} for price in prices.tolist()]
    day, events = played(desk, f"- {{id: a, instrument: MSFT, when: last <= {prices.min()}, {MARKET}}}", rows)
    whole = write_page(day, events, "day.csv")
    assert whole.drawn == whole.changed
    assert "Every message that changes a price is drawn" in whole.html
    monkeypatch.setattr("fixaccel.replay.page._MESSAGES", 300)
    less = write_page(day, events, "day.csv")
    assert less.drawn < 450 < less.changed
    assert f"Drawn: {less.drawn} of the {less.changed:,} messages" in less.html
    # The fire is at the lowest price of all, with what was around it.
    plots = json.loads(re.search(r'id="plots">(.*?)</script>', less.html, re.DOTALL)[1])
    assert "1 sent" in less.html
    assert set(plots) == {"MSFT"}


def test_nearest_approaches(desk):
    rule = f"- {{id: a, instrument: MSFT, when: WHEN, {MARKET}}}"
    assert nearest(desk, rule.replace("WHEN", "last <= 100"), "last=101", "last=100.03", "last=100.5") == (3, 2)
    assert nearest(desk, rule.replace("WHEN", "bid >= 100"), "bid=98 last=200", "bid=99.5") == (50, 2)
    # 2 x mid is 199.99; half a tick more would do, which is the next step.
    assert nearest(desk, rule.replace("WHEN", "mid >= 100"), "bid=99.99 ask=100") == (1, 1)
    assert nearest(desk, rule.replace("WHEN", "last <= 100"), "last=99") is None  # fired
    assert nearest(desk, rule.replace("WHEN", "last <= 100"), "bid=101") is None  # saw nothing
    twice = rule.replace(f", {MARKET}", f", confirm: 2, {MARKET}").replace("WHEN", "last <= 100")
    assert nearest(desk, twice, "last=101", "last=99", "last=102") == (0, 2)


def test_nearest_approaches_of_trails_and_decisions(desk):
    trail = f"- {{id: a, instrument: MSFT, trail: {{source: last, by: 1}}, {MARKET}}}"
    # The stop is 99, then 101: 101.02 comes nearer to it than 99.5 to the first.
    assert nearest(desk, trail, "last=100", "last=99.5", "last=102", "last=101.02") == (2, 4)
    decision = (
        "- {id: a, instrument: MSFT, decide: {source: last, intervals: "
        f"[{{from: 90, to: 91, {MARKET}}}, {{from: 100, to: 101, {MARKET}}}]}}}}"
    )
    assert nearest(desk, decision, "last=95", "last=91.04", "last=99") == (4, 2)
    assert nearest(desk, decision, "last=95", "last=99.99", "last=120") == (1, 2)


def fill(event: int, side: Side, qty: int, price: str) -> Fill:
    return Fill(event * SECOND, event, "a", "MSFT", side, qty, Decimal(price))


def test_position_and_result_are_marked_to_last():
    fills = [fill(2, Side.BUY, 10, "100"), fill(4, Side.SELL, 4, "103"), fill(5, Side.SELL, 6, "99")]
    last = np.array([np.nan, np.nan, 101.0, 102.0, 98.0, 200.0])
    found = standing(fills, np.arange(6), last, Decimal(1000))
    assert found.position.tolist() == [0, 10, 10, 6, 0, 0]
    # Marked to its own price as long as no last is known: 10 bought, 4 sold 3 higher, 6 at 102, then 6 sold at 99.
    assert found.result.tolist() == [0, 0, 10_000, 24_000, 6_000, 6_000]


def test_a_fill_that_is_taken_back_leaves_nothing():
    found = standing(
        [fill(1, Side.SELL, 5, "10"), fill(2, Side.SELL, -5, "10")], np.arange(3), np.full(3, 7.0), Decimal(1)
    )
    assert found.position.tolist() == [-5, 0, 0]
    assert found.result.tolist() == [15, 0, 0]
    assert standing([], np.arange(2), np.full(2, 7.0), Decimal(1)).result.tolist() == [0, 0]


def test_fills_stand_on_the_page_with_their_model(desk):
    rows = [{"last": str(price)} for price in (100, 99, 101)]
    day, events = played(
        desk, f"- {{id: a, instrument: MSFT, when: last <= 99, {MARKET}}}", rows,
        fills=[fill(2, Side.SELL, 1, "99")], model="mine",
    )  # fmt: skip
    html = write_page(day, events, "day.csv").html
    assert "Fills: <strong>mine</strong>" in html
    assert "MSFT: 1 fill, position -1 at the end, result <strong>-2.00</strong>" in html
    assert '"name":"result"' in html


def test_fills_of_the_model_and_of_the_file(desk):
    desk.load(f"- {{id: a, instrument: MSFT, when: last <= 99, {MARKET}}}")
    strategy, day, html = (desk.folder / name for name in ("test.yaml", "day.csv", "day.html"))
    write_events(
        day, [Event(n, "MSFT", bid=bid, last=last) for n, bid, last in ((1, "99.5", "100"), (2, "98.5", "99"))]
    )
    assert run(strategy, "-e", day, "--html", html, "--fills", "touch")[0] == 0
    # Sold at the bid, which is what a market order meets.
    assert "MSFT: 1 fill, position -1 at the end, result <strong>-0.50</strong>" in html.read_text()
    assert "size, queue and own effect on the market are not modelled" in html.read_text()
    head, *rows = day.read_text().splitlines()
    own = ["3,MSFT,fill,,,,,98.25,1,a", "4,MSFT,fill,,,,,98,1,a"]
    day.write_text("\n".join([f"{head},rule", *(f"{row}," for row in rows), *own, ""]))
    code, said = run(strategy, "-e", day, "--html", html)
    assert (code, "row 4 tells of an order that was not sent, or is done" in said) == (0, True)
    assert "result <strong>" in html.read_text()
    assert "rows of the event file" in html.read_text()
    code, said = run(strategy, "-e", day, "--html", html, "--fills", "touch")
    assert (code, "leave --fills out, or the rows" in said) == (2, True)


def test_clocks_are_the_venues():
    summer = Clock("America/New_York", 1_782_000_000 * SECOND)
    assert summer.name == "America/New_York, UTC-0400"
    assert summer.text(1_782_000_000 * SECOND) == "20:00:00.000"
    assert summer.text(1_782_000_000 * SECOND + 1_000_001) == "20:00:00.001000001"
    assert summer.day(1_782_000_000 * SECOND) == "2026-06-20"
    assert summer.place(1_782_000_000 * SECOND) == (1_782_000_000 - 4 * 3600) * 1000


def run(*arguments) -> tuple[int, str]:
    done = CliRunner().invoke(cli, ["replay", *map(str, arguments)])
    return done.exit_code, done.output


def test_what_a_user_may_do_wrong(desk, monkeypatch):
    desk.load(f"- {{id: a, instrument: MSFT, when: last <= 100, {MARKET}}}")
    strategy, day, html = (desk.folder / name for name in ("test.yaml", "day.csv", "day.html"))
    write_events(day, [Event(1, "MSFT", last="101")])
    kept = day.read_text()
    code, said = run(strategy, "-e", day, "--html", day)
    assert (code, "is an input" in said) == (2, True)
    assert day.read_text() == kept
    assert run(strategy, "-e", desk.folder / "none.csv", "--html", html)[0] == 2
    day.write_text(kept.replace("101", "1o1"))
    code, said = run(strategy, "-e", day, "--html", html)
    assert (code, "day.csv:2:" in said) == (1, True)
    day.write_text(kept.splitlines()[0] + "\n")
    assert run(strategy, "-e", day, "--html", html)[0] == 0
    strategy.write_text("fixaccel: 2\n")
    html.unlink()
    assert run(strategy, "-e", day, "--html", html)[0] == 1
    assert not html.exists()
    monkeypatch.setitem(sys.modules, "bokeh.embed", None)
    monkeypatch.delitem(sys.modules, "fixaccel.replay.page")
    monkeypatch.delitem(sys.modules, "fixaccel.replay.figures")
    code, said = run(strategy, "-e", day, "--html", html)
    assert (code, "fixaccel[replay]" in said) == (2, True)
