# SPDX-License-Identifier: Apache-2.0
"""`fixaccel compile` of rules on as many instruments as the shipped board has, with symbols of every length."""

import itertools
import json
import string
from pathlib import Path

from click.testing import CliRunner
from sent_orders import Memory, Sent, send_order

from fixaccel.cli.main import cli
from fixaccel.hwmap import load_hwmap
from fixaccel.image.layout import Layout
from fixaccel.image.templates.message import read_order
from fixaccel.pipeline import load_board

SIMULATOR = Path(__file__).parents[2] / "strategies" / "venues" / "simulator.yaml"
BOARD = load_board().board
CHARACTERS = string.ascii_uppercase + string.digits
MARKET, LIMIT = "{side: buy, qty: 1, type: market}", "{side: sell, qty: 1, type: limit, price: 100}"


def symbols_of_every_length(count: int, longest: int) -> list[str]:
    """As many of each length as there are, a few dozen of one character."""
    made = [map("".join, itertools.product(CHARACTERS, repeat=1)), *(_spread(chars) for chars in range(2, longest + 1))]
    found = [symbol for row in itertools.zip_longest(*(itertools.islice(m, 120) for m in made)) for symbol in row]
    return [symbol for symbol in found if symbol is not None][:count]


def _spread(chars: int):
    for number in range(len(CHARACTERS) ** 2):
        first, second = divmod(number * 7, len(CHARACTERS))
        yield (CHARACTERS[first % len(CHARACTERS)] + CHARACTERS[second]) + "Q" * (chars - 2)


def test_every_instrument_of_a_full_board_can_have_orders(tmp_path: Path) -> None:
    hwmap = load_hwmap()
    symbols = symbols_of_every_length(BOARD.capacity["instruments"], hwmap.constant("symbol_chars"))
    assert len(set(symbols)) == BOARD.capacity["instruments"]
    assert {len(symbol) for symbol in symbols} == set(range(1, hwmap.constant("symbol_chars") + 1))
    head, _, _ = SIMULATOR.read_text().partition("instruments:")
    listed = "".join(f'  "{symbol}": {{tick: 0.01, lot: 1, price_range: 0.01..10000}}\n' for symbol in symbols)
    (tmp_path / "venue.yaml").write_text(f"{head}instruments:\n{listed}")
    rules = "".join(
        f'  - {{id: r{number}-{kind}, instrument: "{symbol}", when: last {when}, order: {order}}}\n'
        for number, symbol in enumerate(symbols)
        for kind, when, order in (("stop", "<= 90", LIMIT), ("go", ">= 110", MARKET))
    )
    (tmp_path / "all.yaml").write_text(f"fixaccel: 1\nvenue: venue.yaml\nrules:\n{rules}")
    out = tmp_path / "bundle"
    result = CliRunner().invoke(cli, ["compile", str(tmp_path / "all.yaml"), "-o", str(out)])
    assert result.exit_code == 0, result.output[-2000:]

    report = json.loads((out / "report.json").read_text())
    used = {name: entry["used"] for name, entry in report["capacity"].items()}
    assert report["load"] == "takes more than half of the board: a load disarms"
    assert report["load"] in result.output
    lengths = hwmap.constant("symbol_chars")
    assert used == {
        "instruments": len(symbols), "triggers": 2 * len(symbols), "intervals": 0, "orders": 2 * len(symbols),
        "templates": 2 * lengths, "groups": 0,
    }  # fmt: skip
    layout = Layout(hwmap, BOARD.capacity)
    memories = {file.stem: Memory(file.stem, file.read_bytes(), layout) for file in (out / "image").glob("*.bin")}
    manifest = json.loads((out / "manifest.json").read_text())
    assert [entry["symbol"] for entry in manifest["instruments"]] == symbols
    for part in range(2 * len(symbols)):
        number, kind = divmod(part, 2)
        sent = Sent(part, 10**18 + part, f"{part:020}")
        order = read_order(send_order(memories, part, sent, layout, instrument=number))
        assert (order.symbol, order.type) == (symbols[number], ("limit", "market")[kind])
