# SPDX-License-Identifier: Apache-2.0
"""The page over the real exchange simulator, and a client that trades with it over FIX."""

import re
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fake_exchange import raw
from playwright.sync_api import Page, expect
from stage import chromium, dashboard, ended, needs_page, opened

from fixaccel.lab.desk import program

pytestmark = needs_page

SOH = "\x01"
VENUE = """fixaccel-venue: 1
name: real
session: {begin_string: FIX.4.4, sender_comp_id: CLIENT1, target_comp_id: SIMULATOR, connect: 127.0.0.1:0}
instruments:
  MSFT: {tick: 0.05, lot: 1, price_range: 0.05..10000}
  ESZ6: {tick: 0.25, lot: 1, price_range: 0.25..20000}
"""


class FixClient:
    """Says what it is told to, and reads until it has read something."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=10)
        self._read, self._number = "", 0
        self.say("A", "98=0", "108=30")
        self.await_text("35=A")

    def say(self, msg_type: str, *fields: str) -> None:
        self._number += 1
        text = raw(msg_type, "CLIENT1", "SIMULATOR", self._number, *fields)
        self._socket.sendall(text.replace("|", SOH).encode())

    def await_text(self, *texts: str) -> None:
        """Reads until a message has all of these fields; of an end the message is none."""
        while not any(all(f"|{text}|" in one for text in texts) for one in self._read.split("8=FIX")):
            got = self._socket.recv(65536).decode()
            assert got, f"the connection ended before {texts}: {self._read}"
            self._read += got.replace(SOH, "|")

    def await_end(self) -> None:
        while self._socket.recv(65536):
            pass

    def order(self, name: str, side: str, qty: int, price: str) -> None:
        stamp = time.strftime("%Y%m%d-%H:%M:%S.000", time.gmtime())
        self.say("D", f"11={name}", "55=MSFT", f"54={side}", f"60={stamp}", f"38={qty}", "40=2", f"44={price}", "59=0")

    def close(self) -> None:
        self._socket.close()


@contextmanager
def exchange(folder: Path) -> Iterator[tuple[int, Path]]:
    """Its FIX port and its control socket."""
    (folder / "venue.yaml").write_text(VENUE)
    control = folder / "exchange.sock"
    command = [
        program("exchange-sim/fixaccel-exchange"),
        "--venue",
        folder / "venue.yaml",
        "--control",
        f"unix:{control}",
    ]
    venue = subprocess.Popen([str(part) for part in command], stdout=subprocess.PIPE, text=True)
    try:
        assert venue.stdout is not None
        listens = venue.stdout.readline()
        assert listens.startswith("listening on 127.0.0.1:"), listens
        yield int(listens.rsplit(":", 1)[1]), control
    finally:
        ended(venue)


def test_a_session_at_the_real_exchange(tmp_path: Path) -> None:
    with exchange(tmp_path) as (port, control):
        server, url = dashboard(control)
        try:
            with chromium() as browser, opened(browser, url) as page:
                trade_with_it(page, port)
        finally:
            ended(server)


def trade_with_it(page: Page, port: int) -> None:
    said = page.locator("#entry-said")
    expect(page.locator("footer")).to_contain_text("Exchange connected")
    page.keyboard.press("/")
    page.keyboard.type("msft")
    page.keyboard.press("Enter")
    # Nothing has traded: the first price is typed.
    page.get_by_text("Sell", exact=True).click()
    page.get_by_label("Quantity").fill("50")
    page.get_by_role("textbox", name="Price").fill("100.05")
    page.locator("#entry-send").click()
    expect(said).to_contain_text("New, 0 of 50 filled")
    expect(page.locator("[data-price='100.05']")).to_contain_text("◆ 50")

    client = FixClient(port)
    client.order("C-1", "1", 20, "100.05")
    client.await_text("39=2", "11=C-1")
    expect(said).to_contain_text("Partially filled, 20 of 50 filled")
    expect(page.locator("[data-price='100.05']")).to_contain_text("◆ 30")
    expect(page.get_by_role("region", name="Trades, newest first").locator("tbody tr").first).to_contain_text("100.05")
    # A client's order rests beside the house's, and the venue may take it out.
    client.order("C-2", "1", 7, "99.95")
    expect(page.locator("[data-price='99.95'] .bid")).to_have_text("7")
    row = page.locator("#orders tbody tr", has_text="CLIENT1")
    row.get_by_role("button", name=re.compile("Cancel")).click()
    page.get_by_role("alertdialog").get_by_role("button", name="Cancel the order").click()
    client.await_text("39=4", "11=C-2")
    expect(page.locator("[data-price='99.95'] .bid")).to_have_text("")
    # What the venue refuses is said: one that would not be in its book for a moment.
    page.get_by_label("Time in force").select_option("FOK")
    page.get_by_label("Quantity").fill("5")
    page.locator("#entry-send").click()
    expect(said).to_contain_text(re.compile("✕|Canceled|Expired"))

    page.keyboard.press("Escape")
    page.keyboard.press("2")
    session = page.locator("#sessions tbody tr", has_text="CLIENT1")
    expect(session).to_contain_text("Logged on")
    expect(session.locator("td").nth(3)).to_have_text("4")  # logon and two orders, and the next
    page.get_by_text("Duplicate", exact=True).click()
    page.get_by_role("button", name="Duplicate CLIENT1").click()
    expect(page.locator("#faults ol")).to_contain_text("✓ Duplicate")
    page.get_by_role("button", name="Halt MSFT").click()
    expect(page.locator("dl")).to_contain_text("Halted")
    page.get_by_role("button", name="Resume MSFT").click()
    expect(page.locator("dl")).to_contain_text("Continuous")

    page.get_by_text("Log out", exact=True).click()
    page.get_by_label("Text", exact=True).fill("the day is over")
    page.get_by_role("button", name=re.compile("^Log out CLIENT1")).click()
    page.get_by_role("alertdialog").get_by_role("button", name="Log out").click()
    client.await_text("35=5", "58=the day is over")
    client.close()
    expect(session).to_contain_text("Away")
