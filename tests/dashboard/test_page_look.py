# SPDX-License-Identifier: Apache-2.0
"""What the dashboard is to those who look at it and to those who cannot: pictures, labels, keys, contrast, calm.

With FIXACCEL_FIGURES=docs/figures the pictures are written there, for docs/howto/dashboard.md.
"""

import io
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, expect
from stage import SIZE, Stage, chromium, needs_page, opened, staged
from story import crossings

pytestmark = needs_page

VIEWS = ("market", "sessions", "messages", "accelerator")
FIGURES = os.environ.get("FIXACCEL_FIGURES", "")
# Of the day before the first picture, and between two: a day worth seeing where they are kept, else a glance.
STEPS, BETWEEN = (240, 60) if FIGURES else (30, 5)
_KIB = 1024
AUDIT = Path(__file__).with_name("audit.js").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """A day that goes on by `steps`, with fires where the price crosses a rule."""
    with staged(tmp_path_factory.mktemp("look")) as made:
        yield made


def steps(stage: Stage, page: Page, first: int, last: int) -> None:
    """Some of the day, twenty steps a second."""
    daemon = stage.daemon
    assert daemon is not None

    def one(step: int) -> None:
        events = stage.venue.flow(step)
        stage.exchange.publish(*events)
        for book in (event for event in events if event["event"] == "book"):
            list(crossings(daemon, stage.venue.last_books.get(book["symbol"]), book))
            stage.venue.last_books[book["symbol"]] = book

    for step in range(first, last):
        stage.do(lambda n=step: one(n))
        page.wait_for_timeout(50)


def order(page: Page, side: str, price: str, qty: int) -> None:
    page.locator(f"[data-price='{price}'] .{side}").click()
    page.get_by_label("Quantity").fill(str(qty))
    page.locator("#entry-send").click()
    expect(page.locator("#entry-said")).to_contain_text("taken")


@pytest.fixture(scope="module")
def day(browser: Browser, stage: Stage) -> Iterator[Page]:
    with opened(browser, stage.url) as page:
        expect(page.locator("[data-price='412.50']")).to_be_visible()
        page.evaluate(AUDIT)
        page.evaluate("void audit.watchShifts()")
        steps(stage, page, 0, STEPS)
        yield page


def shown(page: Page, view: str) -> None:
    page.locator(f"#tab-{view}").click()
    if view == "messages":
        page.locator("#message-rows").focus()
        page.keyboard.press("End")
        page.keyboard.press("ArrowUp")
    elif view == "sessions":
        page.get_by_text("Delay", exact=True).click()
    page.wait_for_timeout(200)


def taken(page: Page, path: Path) -> None:
    """A picture in 256 colours, which are all that it has but for the edges of letters: a third of the bytes."""
    with Image.open(io.BytesIO(page.screenshot())) as image:
        few = image.convert("RGB").quantize(256, dither=Image.Dither.NONE)
    few.save(path, optimize=True)


def test_nothing_moves_while_it_is_live(day: Page, stage: Stage) -> None:
    shifts = day.evaluate("audit.shifts")
    assert sum(shift[0] for shift in shifts) < 0.01, sorted(shifts, reverse=True)[:5]


def test_pictures(browser: Browser, stage: Stage, day: Page, tmp_path: Path) -> None:
    folder = Path(FIGURES or tmp_path)
    middle = stage.venue.middles["MSFT"]
    for side, away, qty in (("bid", -4, 300), ("bid", -7, 500), ("ask", 5, 400)):
        order(day, side, f"{(middle + 5 * away) / 100:.2f}", qty)
    for number, view in enumerate(VIEWS):
        first = STEPS + BETWEEN * number
        steps(stage, day, first, first + (BETWEEN if number else 5))
        for scheme in ("light", "dark"):
            day.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            day.wait_for_selector(f"html[data-theme={scheme}]")
            shown(day, view)
            picture = folder / f"dashboard-{view}-{scheme}.png"
            day.mouse.move(0, 0)
            taken(day, picture)
            assert 20 * _KIB < picture.stat().st_size < 200 * _KIB
    day.keyboard.press("Alt+Shift+K")
    day.wait_for_timeout(900)
    taken(day, folder / "dashboard-kill-dark.png")
    day.keyboard.press("Escape")


@pytest.mark.parametrize("view", VIEWS)
def test_everything_has_a_name_and_can_be_read(day: Page, view: str) -> None:
    shown(day, view)
    assert day.evaluate("audit.nameless()") == []
    assert day.evaluate("audit.twice()") == []
    for scheme in ("dark", "light"):
        day.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        day.wait_for_selector(f"html[data-theme={scheme}]")
        assert day.evaluate("audit.faint()") == []
    # All of it fits a laptop's screen.
    assert day.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]") == list(
        SIZE.values()
    )


def test_the_focus_goes_through_all_of_it_and_is_seen(day: Page) -> None:
    shown(day, "market")
    day.locator("#instrument").focus()
    seen: list[str] = []
    for number in range(50):
        if number:
            day.keyboard.press("Tab")
        found = day.evaluate("audit.focus()")
        if found[0] == "":
            break  # all of the page
        assert found[1], f"no focus is seen on {found[0]}"
        seen.append(found[0])
    wanted = ["instrument", "Colours: system", "kill", "ladder-rows", "side-", "entry-qty", "entry-send", "tab-market"]
    places = [next((at for at, name in enumerate(seen) if name.startswith(one)), -1) for one in wanted]
    assert -1 not in places, seen
    assert places == sorted(places), seen


def test_colours_are_chosen_and_remembered(day: Page) -> None:
    ground = "getComputedStyle(document.body).backgroundColor"
    day.emulate_media(color_scheme="dark")
    day.wait_for_selector("html[data-theme=dark]")
    dark = day.evaluate(ground)
    day.get_by_role("button", name="Colours: system").click()
    expect(day.get_by_role("button", name="Colours: light")).to_be_visible()
    light = day.evaluate(ground)
    assert light != dark
    day.reload()
    expect(day.get_by_role("button", name="Colours: light")).to_be_visible()
    assert day.evaluate(ground) == light
    day.get_by_role("button", name="Colours: light").click()
    assert day.evaluate(ground) == dark
    day.get_by_role("button", name="Colours: dark").click()


def test_single_keys_can_be_switched_off(day: Page) -> None:
    day.get_by_role("button", name="Keys and help").click()
    day.get_by_label("Single keys act").uncheck()
    day.get_by_role("button", name="Close").click()
    expect(day.get_by_label("Single keys act")).to_be_hidden()
    day.evaluate("document.activeElement.blur()")
    day.keyboard.press("3")
    expect(day.locator("#tab-market")).to_have_attribute("aria-selected", "true")
    day.keyboard.press("Alt+Shift+K")
    expect(day.get_by_role("alertdialog", name=re.compile("Kill"))).to_be_visible()
    day.keyboard.press("Escape")
    day.get_by_role("button", name="Keys and help").click()
    day.get_by_label("Single keys act").check()
    day.keyboard.press("Escape")


def test_a_hundred_thousand_messages_cost_what_a_screenful_does(browser: Browser, stage: Stage) -> None:
    with opened(browser, stage.url) as page:
        made = """async ([from, to]) => {
          const fields = (n) => [["35", "MsgType", "8", "ExecutionReport"], ["11", "ClOrdID", `order-${n}`, ""]];
          for (let n = from; n < to; n += 5000) {
            const messages = Array.from({length: 5000}, (_, i) => ({client: "CLIENT1", direction: "out",
              time_ns: 2e18 + n + i, raw: `35=8|11=order-${n + i}|`, fields: fields(n + i)}));
            window.socket.onmessage({data: JSON.stringify({t: Date.now(), messages})});
            await new Promise(requestAnimationFrame);
          }
        }"""
        page.add_init_script(
            "const real = WebSocket; window.WebSocket = function(url) { return window.socket = new real(url); };"
        )
        page.reload()
        page.locator("footer", has_text="Live").wait_for()
        page.keyboard.press("3")
        page.evaluate(made, [0, 110_000])
        status = page.locator("#messages").get_by_role("status")
        expect(status).to_contain_text("100,000 of 100,000 kept")
        rows = page.locator("#message-rows [role=row]")
        assert rows.count() < 60
        expect(rows.last).to_contain_text("order-109999")
        page.locator("#message-rows").focus()
        page.keyboard.press("Home")
        expect(rows.first).to_contain_text("order-10000")
        # What is read stays where it is while the log goes on and forgets.
        page.evaluate("document.querySelector('#message-rows').scrollTop = 50_000 * 22")
        expect(rows.first).to_contain_text("order-59992")
        rows.nth(20).click()
        place = page.locator("#message-rows [aria-selected=true]")
        read, box = place.inner_text(), place.bounding_box()
        page.evaluate(made, [110_000, 115_000])
        expect(rows.last).not_to_contain_text("order-114999")
        expect(place).to_contain_text("order-60012")
        page.wait_for_timeout(200)
        assert (place.inner_text(), place.bounding_box()) == (read, box)
        page.get_by_label("Filter messages by text").fill("order-112345")
        expect(rows).to_have_count(1)
