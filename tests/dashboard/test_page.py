# SPDX-License-Identifier: Apache-2.0
"""A session at the dashboard clicked through in Chromium, over a venue and a daemon that are made up."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect
from stage import Stage, chromium, needs_page, opened, staged

pytestmark = needs_page

KILL_KEYS = "Alt+Shift+K"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    with staged(tmp_path) as made:
        yield made


@pytest.fixture
def page(browser: Browser, stage: Stage) -> Iterator[Page]:
    with opened(browser, stage.url) as live:
        expect(live.locator("[data-price='412.50']")).to_be_visible()
        yield live


def panel(page: Page, name: str) -> Locator:
    return page.get_by_role("region", name=name, exact=True)


def price(page: Page, text: str) -> Locator:
    return page.locator(f"[data-price='{text}']")


def test_the_book_and_the_tape(page: Page, stage: Stage) -> None:
    book = stage.do(lambda: stage.venue.book("MSFT"))
    (bid, bid_size, _), (ask, ask_size, _) = book["bids"][0], book["asks"][0]
    trade = stage.do(lambda: stage.venue.traded("MSFT", 41_255, 1_200, "buy"))
    stage.publish(trade, {**book, "last": stage.venue.last["MSFT"]})
    expect(price(page, bid).locator(".bid")).to_have_text(bid_size)
    expect(price(page, ask).locator(".ask")).to_have_text(ask_size)
    # Who does not see the bars is told the same.
    expect(page.get_by_role("option", name=re.compile(f"^{ask}, asked {ask_size}"))).to_be_attached()
    expect(page.get_by_role("option", name=re.compile("^412.55, .*last trade"))).to_be_attached()
    row = page.get_by_role("region", name="Trades, newest first").locator("tbody tr").first
    for text in ("412.55", "bought", "1,200"):
        expect(row).to_contain_text(text)
    expect(page.locator("dl")).to_contain_text(f"Bid{bid}")
    whole = sum(int(level[1]) for level in book["bids"])
    expect(page.get_by_role("img", name=re.compile(f"^Depth of MSFT: {whole:,} bid"))).to_be_visible()
    stage.publish(*stage.do(lambda: stage.venue.move("MSFT", 40)))
    # The ladder follows, unless it was scrolled by hand.
    expect(price(page, "414.50")).to_be_visible()
    page.locator("#ladder-rows").focus()
    page.keyboard.press("PageDown")
    expect(price(page, "414.50")).to_have_count(0)
    page.get_by_role("button", name="Centre").click()
    expect(price(page, "414.50")).to_be_visible()


def test_an_order_rests_trades_and_the_rest_is_cancelled(page: Page, stage: Stage) -> None:
    price(page, "412.30").locator(".bid").click()
    quantity = page.get_by_label("Quantity")
    expect(page.get_by_role("textbox", name="Price")).to_have_value("412.30")
    send = page.locator("#entry-send")
    quantity.fill("1.5")
    send.click()
    expect(page.locator("#entry-said")).to_contain_text("Quantity must be a multiple of the lot 1")
    expect(quantity).to_be_focused()
    assert stage.asked("order") == []
    quantity.fill("100")
    expect(send).to_have_text("Buy 100 MSFT @ 412.30")
    quantity.press("Enter")
    expect(page.locator("#entry-said")).to_contain_text("New, 0 of 100 filled")
    order = {"symbol": "MSFT", "side": "buy", "qty": "100", "type": "limit", "tif": "day", "price": "412.30"}
    assert stage.asked("order") == [{"do": "order", "as": "house", **order}]
    # It rests, and is marked as the house's.
    expect(price(page, "412.30")).to_contain_text("◆ 100")
    (own,) = stage.do(lambda: [one for one in stage.venue.orders.values() if one["house"]])
    stage.publish(*stage.do(lambda: stage.venue.filled(own, 40)))
    expect(page.locator("#entry-said")).to_contain_text("Partially filled, 40 of 100 filled")
    expect(price(page, "412.30")).to_contain_text("◆ 60")
    row = panel(page, "Orders").get_by_role("row", name=re.compile("house.*MSFT"))
    expect(row).to_contain_text("Partially filled")
    row.get_by_role("button", name=re.compile("^Cancel order")).click()
    page.get_by_label("Quantity").click()
    expect(row).to_have_count(0)
    assert stage.asked("cancel") == [{"do": "cancel", "order": own["order"]}]
    # While somebody points at the list it stands still; then it is what was asked for: open orders.
    stage.publish(*stage.do(lambda: stage.venue.client_order("MSFT", "sell", 25, 41_290, fills=False)))
    orders = panel(page, "Orders")
    expect(orders.locator("tbody tr")).to_have_count(1)
    orders.get_by_role("region").hover()
    stage.publish(*stage.do(lambda: stage.venue.client_order("MSFT", "sell", 35, 41_290, fills=False)))
    expect(orders).to_contain_text("1 new, shown once you leave the list")
    expect(orders.locator("tbody tr")).to_have_count(1)
    page.get_by_label("Quantity").hover()
    expect(orders.locator("tbody tr")).to_have_count(2)
    page.get_by_label("State of orders").select_option("Over")
    expect(row).to_contain_text("Canceled")
    page.get_by_label("State of orders").select_option("Open")
    expect(price(page, "412.30")).not_to_contain_text("◆")


def test_an_order_with_keys_alone(page: Page, stage: Stage) -> None:
    page.keyboard.press("/")
    page.keyboard.type("toy")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="TOYOTA only")).to_be_visible()
    page.keyboard.press("s")
    expect(page.get_by_label("Quantity")).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Tab")
    page.keyboard.type("2820")
    page.keyboard.press("Enter")
    expect(page.locator("#entry-said")).to_contain_text("New, 0 of 200 filled")
    (asked,) = stage.asked("order")
    assert (asked["side"], asked["qty"], asked["price"]) == ("sell", "200", "2820")
    # In the ladder, too: from the best bid two prices down, and buy there.
    for key in ("Escape", "l", "ArrowDown", "ArrowDown", "ArrowDown", "b"):
        page.keyboard.press(key)
    expect(page.get_by_role("textbox", name="Price")).to_have_value("2817.50")
    expect(page.get_by_role("radio", name="Buy")).to_be_checked()


def test_a_clients_order_is_cancelled_after_a_question(page: Page, stage: Stage) -> None:
    stage.publish(*stage.do(lambda: stage.venue.client_order("MSFT", "sell", 25, 41_290, fills=False)))
    page.get_by_label("Orders of").select_option("CLIENT1")
    # Orders of the chosen session are marked in the ladder as well.
    expect(price(page, "412.90")).to_contain_text("◇ 25")
    cancel = panel(page, "Orders").get_by_role("button", name=re.compile("^Cancel order"))
    cancel.click()
    page.keyboard.press("Enter")
    assert stage.asked("cancel") == []
    cancel.click()
    page.get_by_role("alertdialog").get_by_role("button", name="Cancel the order").click()
    expect(cancel).to_have_count(0)
    assert stage.asked("cancel") == [{"do": "cancel", "order": "1", "force": True}]


def test_faults(page: Page, stage: Stage) -> None:
    page.get_by_role("tab", name="Sessions").click()
    faults = panel(page, "Faults")
    faults.get_by_text("Delay", exact=True).click()
    faults.get_by_label("Time, ms").fill("soon")
    faults.get_by_role("button", name="Delay CLIENT1").click()
    expect(faults.get_by_label("Time, ms")).to_be_focused()
    assert stage.asked("fault") == []
    faults.get_by_label("Time, ms").fill("250")
    faults.get_by_label("MsgTypes").fill("8, 9")
    faults.get_by_role("button", name="Delay CLIENT1").click()
    expect(faults.get_by_role("list")).to_contain_text("✓ Delay")
    delay = {"do": "fault", "client": "CLIENT1", "kind": "delay", "time_ms": 250, "count": 1, "types": "8 9"}
    assert stage.asked("fault") == [delay]
    faults.get_by_text("Disconnect", exact=True).click()
    faults.get_by_role("button", name=re.compile("^Disconnect CLIENT1")).click()
    page.get_by_role("alertdialog").get_by_role("button", name="Cancel").click()
    assert stage.asked("fault") == [delay]
    faults.get_by_role("button", name=re.compile("^Disconnect CLIENT1")).click()
    page.get_by_role("alertdialog").get_by_role("button", name="Disconnect").click()
    row = panel(page, "Sessions").locator("tbody tr").filter(has=page.get_by_role("button", name="CLIENT1", exact=True))
    expect(row).to_contain_text("Away")
    faults.get_by_role("button", name="Clear all").click()
    expect(faults.get_by_role("list")).to_contain_text("✓ Clear")
    panel(page, "Instruments").get_by_role("button", name="Halt MSFT").click()
    expect(page.locator("dl")).to_contain_text("Halted")
    expect(panel(page, "Instruments").get_by_role("button", name="Resume MSFT")).to_be_visible()


def test_the_log_is_decoded_filtered_and_paused(page: Page, stage: Stage) -> None:
    page.keyboard.press("3")
    for number in range(30):
        stage.publish(*stage.do(lambda n=number: stage.venue.client_order("MSFT", "buy", n + 1, 41_245, fills=True)))
    rows = page.locator("#message-rows [role=row]")
    expect(rows.last).to_contain_text("ExecutionReport")
    page.get_by_label("Filter messages by text").fill("side=buy newordersingle 38=7|")
    expect(rows).to_have_count(1)
    rows.click()
    fields = page.get_by_role("region", name="Fields of the message").locator("tbody")
    expect(fields.get_by_role("row", name=re.compile("^54 Side 1 ?Buy"))).to_be_visible()
    expect(fields.get_by_role("row", name=re.compile("^35 MsgType D ?NewOrderSingle"))).to_be_visible()
    page.get_by_label("Filter messages by text").fill("")
    page.get_by_label("Messages of type").select_option("D")
    status = panel(page, "Messages").get_by_role("status")
    expect(status).to_contain_text("30 of 90 kept")
    page.get_by_role("button", name="Pause").click()
    stage.publish(*stage.do(lambda: stage.venue.client_order("MSFT", "buy", 1, 41_245, fills=True)))
    expect(status).to_contain_text("paused, 3 new")
    expect(status).to_contain_text("30 of 90 kept")
    page.get_by_role("button", name="Resume").click()
    expect(status).to_contain_text("31 of 93 kept")
    # With keys from row to row, and the fields with them.
    page.locator("#message-rows").focus()
    page.keyboard.press("Home")
    expect(fields.get_by_role("row", name=re.compile("^38 OrderQty 1"))).to_be_visible()
    page.keyboard.press("ArrowDown")
    expect(fields.get_by_role("row", name=re.compile("^38 OrderQty 2"))).to_be_visible()
    expect(page.get_by_role("heading", name="NewOrderSingle")).to_be_visible()


def test_the_kill_switch_asks_for_two_acts(page: Page, stage: Stage) -> None:
    daemon = stage.daemon
    assert daemon is not None

    def killed() -> bool:
        return any(one["cmd"] == "kill" for one in daemon.asked)

    dialog = page.get_by_role("alertdialog", name="Kill switch")
    # Neither a double click, nor the shortcut and Enter.
    page.get_by_role("button", name="KILL").dblclick()
    expect(dialog).to_be_visible()
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    page.keyboard.press(KILL_KEYS)
    expect(page.locator("#kill-word")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.type("kil")
    page.keyboard.press("Enter")
    expect(dialog).to_be_visible()
    assert not killed()
    page.keyboard.type("l")
    page.keyboard.press("Enter")
    expect(dialog).to_be_hidden()
    expect(page.locator("header").get_by_role("button", name=re.compile("Killed"))).to_be_visible()
    assert killed()
    page.get_by_role("button", name="Kill switch off").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Turn off").click()
    page.get_by_role("button", name="Arm …").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Arm", exact=True).click()
    expect(page.locator("header").get_by_role("button", name=re.compile("Armed"))).to_be_visible()
    # And with the pointer alone.
    page.get_by_role("button", name="KILL").click()
    page.get_by_role("button", name="Kill now").click()
    expect(page.locator("header").get_by_role("button", name=re.compile("Killed"))).to_be_visible()


def test_the_accelerator(page: Page, stage: Stage) -> None:
    daemon = stage.daemon
    assert daemon is not None
    page.keyboard.press("4")
    expect(panel(page, "Rules").locator("tbody tr")).to_have_count(4)
    # bid 412.45, ask 412.55: from the ask to 413.75 are 24 ticks.
    expect(panel(page, "Rules").get_by_role("row", name=re.compile("breakout-msft"))).to_contain_text("24")
    fire = stage.do(lambda: daemon.fire("breakout-msft"))
    row = panel(page, "Fires").locator("tbody tr").first
    expect(row).to_contain_text("breakout-msft")
    expect(row).to_contain_text(f"{fire['cycles']} cycles")
    expect(row).to_contain_text("Sent")
    stage.do(lambda: daemon.fire("protect-toyota"))
    expect(row).to_contain_text("µs")
    expect(page.get_by_role("meter", name="Total orders")).to_have_attribute("aria-valuenow", "2")
    expect(
        page.get_by_role("img", name=re.compile("Latency.*fabric ≤ [0-9]+ cycles.*software ≤ [0-9.]+ µs"))
    ).to_be_visible()
    page.get_by_role("button", name="Disarm").click()
    expect(page.locator("header").get_by_role("button", name=re.compile("Disarmed"))).to_be_visible()


def test_without_a_daemon_nothing_is_said_of_one(browser: Browser, tmp_path: Path) -> None:
    with staged(tmp_path, daemon=False) as stage, opened(browser, stage.url) as page:
        expect(page.get_by_role("tab")).to_have_count(3)
        expect(page.get_by_role("button", name="KILL")).to_have_count(0)
        page.keyboard.press(KILL_KEYS)
        expect(page.get_by_role("alertdialog")).to_have_count(0)


def test_what_is_gone_is_said_and_comes_back(browser: Browser, stage: Stage) -> None:
    with opened(browser, stage.url, lost=True) as page:
        banner = page.locator(".banner")
        ladder = page.locator(".trading")
        expect(price(page, "412.50")).to_be_visible()
        expect(banner).to_have_text("")
        stage.run(stage.exchange.stop())
        expect(banner).to_contain_text("Waiting for the exchange")
        expect(ladder).to_have_class(re.compile("stale"))
        expect(price(page, "412.50")).to_be_visible()
        stage.run(stage.exchange.start())
        expect(banner).to_have_text("")
        expect(ladder).not_to_have_class(re.compile("stale"))
        stage.end_server()
        expect(banner).to_contain_text("Connection lost")
        expect(ladder).to_have_class(re.compile("stale"))
        page.locator("#entry-qty").fill("10")
        price(page, "412.45").locator(".bid").click()
        page.locator("#entry-send").click()
        expect(page.locator("#entry-said")).to_contain_text("not connected: nothing was sent")
        stage.serve()
        expect(banner).to_have_text("")
        stage.publish(*stage.do(lambda: stage.venue.move("MSFT", 1)))
        expect(page.locator("dl")).to_contain_text("Bid412.50")
