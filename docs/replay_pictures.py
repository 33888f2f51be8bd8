# SPDX-License-Identifier: Apache-2.0
"""Pictures of the pages of `replay` and `sweep`, as a browser shows them: a made-up morning, the commands, Chromium.

They are in the repository, because the docs are built without the table interpreter. A test makes them each time; after
a change of the pages: .venv/bin/python docs/replay_pictures.py docs/figures
"""

import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from fixaccel.events.write import Event, write_events

ROOT = Path(__file__).resolve().parents[1]
NAMES = ("replay.png", "sweep.png")
_SECOND = 10**9
_START = 1_772_461_800 * _SECOND  # 2026-03-02 09:30 in New York
_STEP_S = 15
_SEED = 5
_HALF = 0.55  # of the spread: wide enough to be seen
# Where the market goes, and in how many messages.
_WAY = ((1188, 40), (1203, 60), (1193, 30), (1197, 20), (1177, 60), (1192, 50), (1189, 20))
_STRATEGY = """\
fixaccel: 1
venue: {venue}
limits: {{collar: 5%}}
rules:
  - {{id: follow, instrument: MSFT, trail: {{source: last, by: 8}}, order: {{side: sell, qty: 3, type: market}}}}
  - {{id: stop, instrument: MSFT, when: last <= 1180, order: {{side: sell, qty: 2, type: market}}}}
  - {{id: back, instrument: MSFT, armed_by: stop, when: last >= 1190, order: {{side: buy, qty: 5, type: market}}}}
  - {{id: breakout, instrument: MSFT, when: last >= 1205, order: {{side: buy, qty: 1, type: market}}}}
"""
_SWEPT = ("rules.stop.when=last <= {1176..1186 step 1}", "rules.follow.trail.by={3..12}")


def pictures(browser: Browser, folder: Path) -> None:
    """Writes them into ``folder``."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        work = Path(name)
        venue = ROOT / "strategies" / "venues" / "simulator.yaml"
        (work / "desk.yaml").write_text(_STRATEGY.format(venue=venue), encoding="utf-8")
        write_events(work / "day.csv", _morning())
        sets = [part for text in _SWEPT for part in ("--set", text)]
        _run(work, "replay", "desk.yaml", "-e", "day.csv", "--fills", "touch", "--html", "day.html")
        _run(work, "sweep", "desk.yaml", "-e", "day.csv", "--fills", "touch", *sets, "--html", "map.html")
        _replay(_shown(browser, work / "day.html", 1300, 1060), folder / NAMES[0])
        _sweep(_shown(browser, work / "map.html", 1000, 560), folder / NAMES[1])


def _morning() -> Iterator[Event]:
    """A walk that comes by certain prices."""
    dice, price, number = random.Random(_SEED), 1185.0, 0  # noqa: S311 - a picture's, the same each time
    for goal, messages in _WAY:
        for left in range(messages, 0, -1):
            price += (goal - price) / left + dice.gauss(0, 0.45)
            last = round(price, 2)
            time = _START + number * _STEP_S * _SECOND
            yield Event(time, "MSFT", bid=f"{last - _HALF:.2f}", ask=f"{last + _HALF:.2f}", last=f"{last:.2f}")
            number += 1


def _run(folder: Path, *arguments: str) -> None:
    subprocess.run([sys.executable, "-m", "fixaccel", *arguments], cwd=folder, check=True, stdout=subprocess.DEVNULL)


def _shown(browser: Browser, file: Path, width: int, height: int) -> Page:
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme="light")
    page = context.new_page()
    page.goto(file.as_uri())
    return page


def _replay(page: Page, file: Path) -> None:
    """With the pointer on the trail's fire."""
    page.wait_for_selector("#chart[data-ready=MSFT]")
    place = page.evaluate(
        """() => {
          const price = Bokeh.documents.at(-1).get_model_by_name("price");
          const fires = price.renderers.find((one) => one.data_source.name === "fires");
          const view = Bokeh.index.find_one(price), data = fires.data_source.data;
          const box = view.canvas_view.el.getBoundingClientRect();
          return [box.x + view.frame.x_scale.compute(data.x[0]), box.y + view.frame.y_scale.compute(data.y[0])];
        }"""
    )
    page.mouse.move(*place)
    page.wait_for_selector(".bk-Tooltip >> text=condition")
    page.screenshot(path=file)


def _sweep(page: Page, file: Path) -> None:
    page.locator("#metric").select_option("result")
    page.wait_for_selector(".map:visible")
    page.screenshot(path=file)


if __name__ == "__main__":
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        pictures(chromium, Path(sys.argv[1]))
        chromium.close()
