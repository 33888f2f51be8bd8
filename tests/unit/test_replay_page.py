# SPDX-License-Identifier: Apache-2.0
"""The pages of `replay` and `sweep` in a browser: they ask nothing of a network and do what their controls say."""

import struct
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from playwright.sync_api import Browser, Page, expect, sync_playwright

from fixaccel.cli.main import cli
from fixaccel.events.write import Event, write_events

ROOT = Path(__file__).resolve().parents[2]
SECOND = 10**9
START = 1_772_461_800 * SECOND  # 2026-03-02 09:30 in New York
STRATEGY = """fixaccel: 1
venue: {venue}
limits: {{total_orders: 2}}
rules:
  - {{id: stop, instrument: MSFT, when: last <= 1180, order: {{side: sell, qty: 2, type: market}}}}
  - {{id: follow, instrument: MSFT, trail: {{source: last, by: 12}}, order: {{side: sell, qty: 3, type: market}}}}
  - {{id: back, instrument: MSFT, armed_by: stop, when: last >= 1190, order: {{side: buy, qty: 2, type: market}}}}
  - {{id: far, instrument: MSFT, when: bid <= 1100, order: {{side: buy, qty: 1, type: limit, price: 1100}},
     note: "</script><b>"}}
  - {{id: dip, instrument: ESZ6, when: ask <= 6799.75, order: {{side: buy, qty: 1, type: limit, price: trigger}}}}
"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    # Ends with this module: while it runs, no other test of the process can have an event loop.
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.fixture(scope="module")
def html(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("replay")
    (folder / "desk.yaml").write_text(STRATEGY.format(venue=ROOT / "strategies" / "venues" / "simulator.yaml"))
    prices = [1185, 1189, 1192, 1188, 1183, 1179, 1176, 1181, 1188, 1191, 1187, 1184]
    quotes = [
        Event(START + n * 60 * SECOND, "MSFT", bid=f"{price - 0.01:.2f}", ask=f"{price + 0.01:.2f}", last=f"{price}")
        for n, price in enumerate(prices)
    ]
    future = [Event(START + 720 * SECOND, "ESZ6", ask="6800.5"), Event(START + 780 * SECOND, "ESZ6", ask="6799.75")]
    write_events(folder / "day.csv", [*quotes, *future])
    done = CliRunner().invoke(
        cli, ["replay", str(folder / "desk.yaml"), "-e", str(folder / "day.csv"), "--html", str(folder / "day.html")]
    )
    assert done.exit_code == 0, done.output
    return folder / "day.html"


@pytest.fixture
def page(browser: Browser, html: Path) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1300, "height": 1000}, color_scheme="light")
    context.set_default_timeout(15_000)
    page = context.new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text) if message.type in {"error", "warning"} else None)
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda request: said.append(request.url) if request.url != html.as_uri() else None)
    page.goto(html.as_uri())
    page.wait_for_selector("#chart[data-ready=MSFT]")
    yield page
    context.close()
    assert said == []


def span(page: Page) -> tuple[float, float]:
    found = page.evaluate("(() => { const r = price().x_range; return [r.start, r.end]; })()")
    return found[0], found[1]


def define(page: Page) -> None:
    page.evaluate(
        """() => {
          window.price = () => Bokeh.documents.at(-1).get_model_by_name("price");
          window.drawn = (name) => price().renderers.find((one) => one.data_source.name === name);
          window.at = (name, row) => {
            const view = Bokeh.index.find_one(price()), data = drawn(name).data_source.data;
            const box = view.canvas_view.el.getBoundingClientRect();
            return [box.x + view.frame.x_scale.compute(data.x[row]), box.y + view.frame.y_scale.compute(data.y[row])];
          };
        }"""
    )


def test_a_fire_tells_its_reason_to_the_pointer(page: Page, tmp_path: Path) -> None:
    define(page)
    page.mouse.move(*page.evaluate("at('fires', 0)"))
    tip = page.locator(".bk-Tooltip", has_text="condition")
    expect(tip).to_be_visible()
    # Two rules fired there: one tip tells of both.
    for text in (
        "stop",
        "follow",
        "last 1179, threshold 1180",
        "last <= 1180",
        "sell 2 market",
        "sent",
        "bid 1178.99, ask 1179.01",
    ):
        expect(tip).to_contain_text(text)
    expect(page.locator("#book")).to_contain_text("bid 1178.99   ask 1179.01   last 1179")
    page.screenshot(path=tmp_path / "page.png")
    assert (tmp_path / "page.png").stat().st_size > 20_000


def test_the_tables_tell_the_same_and_go_there(page: Page) -> None:
    define(page)
    rows = page.locator("section:visible .fires tbody tr")
    expect(rows).to_have_count(3)
    last = rows.nth(2)
    expect(last).to_contain_text("rejected by total_orders (2 orders)")
    near = page.locator("section:visible .near tbody tr")
    expect(near).to_have_count(1)
    expect(near).to_contain_text("7,599 ticks away")
    before = span(page)
    last.locator("button").press("Enter")
    after = span(page)
    assert after[1] - after[0] < (before[1] - before[0]) / 5
    x = float(last.get_attribute("data-x") or 0)
    assert after[0] < x < after[1]
    expect(page.locator("#told")).to_contain_text("rejected by total_orders")


def test_time_is_zoomed_by_wheel_buttons_and_keys(page: Page) -> None:
    define(page)
    whole = span(page)
    page.mouse.move(*page.evaluate("at('fires', 0)"))
    page.mouse.wheel(0, -300)
    page.wait_for_function(f"() => price().x_range.end - price().x_range.start < {whole[1] - whole[0]}")
    page.locator("#chart").focus()
    page.keyboard.press("0")
    assert span(page) == whole
    page.keyboard.press("+")
    zoomed = span(page)
    assert zoomed[1] - zoomed[0] == pytest.approx((whole[1] - whole[0]) / 2)
    page.keyboard.press("ArrowRight")
    assert span(page)[0] > zoomed[0]
    page.get_by_role("button", name="Whole day").click()
    assert span(page) == whole
    low = page.evaluate("price().y_range.start")
    page.keyboard.press("Tab")
    page.locator("#chart").focus()
    page.keyboard.press("n")
    expect(page.locator("#told")).to_contain_text("stop")
    # The price axis follows what is in sight.
    page.wait_for_function(f"() => price().y_range.start > {low}")


def test_a_rule_is_toggled_with_all_that_belongs_to_it(page: Page) -> None:
    define(page)
    visible = "[drawn('thresholds 0').visible, drawn('fires').view.filter.booleans[0]]"
    assert page.evaluate(visible) == [True, True]
    page.get_by_role("checkbox", name="stop last <= 1180").uncheck()
    assert page.evaluate(visible) == [False, False]
    assert page.evaluate("drawn('trail 1').visible")
    page.get_by_role("button", name="None").click()
    assert not page.evaluate("drawn('trail 1').visible")
    page.get_by_role("button", name="All rules").click()
    assert page.evaluate(visible) == [True, True]


def test_light_and_dark(page: Page) -> None:
    define(page)
    colour = "[price().background_fill_color, getComputedStyle(document.body).backgroundColor]"
    light = page.evaluate(colour)
    page.emulate_media(color_scheme="dark")
    page.wait_for_function("() => document.documentElement.dataset.theme === 'dark'")
    dark = page.evaluate(colour)
    assert dark[0] != light[0]
    assert dark[1] != light[1]
    page.locator("#theme").select_option("light")
    assert page.evaluate(colour) == light


def test_another_instrument(page: Page) -> None:
    define(page)
    page.locator("#instrument").select_option("ESZ6")
    page.wait_for_selector("#chart[data-ready=ESZ6]")
    expect(page.locator("section:visible .fires tbody tr")).to_contain_text("ask 6799.75, threshold 6799.75")
    expect(page.locator("aside:visible")).not_to_contain_text("follow")
    assert page.evaluate("Boolean(drawn('fires'))")


def test_the_map_of_a_sweep_shows_each_metric(browser: Browser, html: Path) -> None:
    folder = html.parent
    sets = ("rules.stop.order.qty={1, 20}", "limits.total_orders={1, 2}")
    options = [option for text in sets for option in ("--set", text)]
    arguments = ["sweep", folder / "desk.yaml", "-e", folder / "day.csv", *options, "--html", folder / "map.html"]
    assert CliRunner().invoke(cli, [str(argument) for argument in arguments]).exit_code == 0
    page = browser.new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("request", lambda request: said.append(request.url))
    page.goto((folder / "map.html").as_uri())
    table = page.locator(".map:visible")
    expect(table).to_have_count(1)
    expect(table.locator("tbody td")).to_have_text(["1", "2", "1", "2"])
    page.locator("#metric").select_option("sell")
    expect(table).to_have_count(1)
    expect(table.locator("tbody td")).to_have_text(["1", "4", "20", "23"])
    shades = table.locator("tbody td").evaluate_all(
        "(cells) => cells.map((one) => getComputedStyle(one).backgroundColor)"
    )
    assert len(set(shades)) == 4
    page.close()
    assert said == [(folder / "map.html").as_uri()]


def test_the_pictures_of_the_docs(browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They can be made, with the fire's reason in sight; those of the docs are of the same size."""
    monkeypatch.syspath_prepend(ROOT / "docs")
    import replay_pictures  # noqa: PLC0415

    replay_pictures.pictures(browser, tmp_path)
    for name in replay_pictures.NAMES:
        made, kept = ((folder / name).read_bytes() for folder in (tmp_path, ROOT / "docs" / "figures"))
        assert len(made) > 20_000
        assert struct.unpack(">2I", made[16:24]) == struct.unpack(">2I", kept[16:24])
