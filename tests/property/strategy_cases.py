# SPDX-License-Identifier: Apache-2.0
"""Whole strategies and the events to run them over, as a trader and a venue would write them: as text.

Prices cluster around few thresholds, so that most events touch one: at it, a tick beside it, off the unit or range.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from fixaccel.hwmap import load_hwmap
from fixaccel.image.model import Image
from fixaccel.image.pack import build_image
from fixaccel.language.model import Board
from fixaccel.language.rules import Strategy
from fixaccel.pipeline import load_board, load_strategy
from fixaccel.semantics.messages import Kind, Message
from fixaccel.simulate.events import COLUMNS, load_events
from fixaccel.values import TickTable, decimal_text

HWMAP = load_hwmap()
BOARD = load_board().board
assert BOARD is not None

# So few slots that instruments compete for them.
SMALL_BOARD = replace(
    BOARD,
    name="small",
    capacity={"instruments": 4, "triggers": 16, "intervals": 16, "orders": 16, "templates": 16, "groups": 16},
)

# Ticks by the price from which they hold: powers of two and five, a prime, the finest, tables.
TICKS = [
    {"0": "0.01"},
    {"0": "0.25"},
    {"0": "1"},
    {"0": "0.005"},
    {"0": "5"},
    {"0": "0.00000001"},
    {"0": "0.07"},
    {"0": "0.1", "1000": "0.5", "5000": "1"},
    {"0": "0.01", "10": "0.02", "20": "0.05"},
]
# Some prices lie at these: around zero, at steps of the tables above, far out.
CENTRES = ["0", "10", "20", "1000", "5000", "117.6", "-3", "123456"]
SYMBOL_CHARS = "ABCXYZabc019._/^-"
KINDS = list(Kind)


@dataclass(frozen=True)
class Case:
    """One strategy and its events."""

    venue: str
    strategy: str
    events: str

    def load(self, folder: Path) -> tuple[Strategy, list[Message]]:
        """Both through the front end, which must have nothing to object to."""
        self.save(folder)
        loaded = load_strategy(folder / "strategy.yaml")
        errors = [f"{d.code.number} {d.span}: {d.message}" for d in loaded.diagnostics if d.is_error]
        assert loaded.strategy is not None, "\n".join([*errors, str(self)])
        events = load_events(folder / "events.csv", loaded.strategy.venue.instruments)
        assert not events.failed, "\n".join([*(f"{d.span}: {d.message}" for d in events.diagnostics), str(self)])
        return loaded.strategy, list(events.messages)

    def save(self, folder: Path) -> None:
        files = {"venue.yaml": self.venue, "strategy.yaml": self.strategy, "events.csv": self.events}
        for name, text in files.items():
            (folder / name).write_text(text, encoding="utf-8")

    def __str__(self) -> str:
        return f"--- venue.yaml\n{self.venue}--- strategy.yaml\n{self.strategy}--- events.csv\n{self.events}"


def image_of(strategy: Strategy, board: Board = BOARD) -> Image:
    return build_image(strategy, board, HWMAP)


@dataclass(frozen=True)
class _Instrument:
    symbol: str
    ticks: TickTable
    centre: int  # units, on the grid
    low: int
    high: int
    lot: int

    def text(self, units: int) -> str:
        return decimal_text(self.ticks.to_price(units))

    def yaml(self) -> str:
        steps = ", ".join(f"{start}: {tick}" for start, tick in self.ticks.steps)
        tick = f"{{{steps}}}" if len(self.ticks.steps) > 1 else decimal_text(self.ticks.unit)
        price_range = f"{self.text(self.low)}..{self.text(self.high)}"
        return f'  "{self.symbol}": {{tick: {tick}, lot: {self.lot}, price_range: {price_range}}}\n'


@st.composite
def _instruments(draw: st.DrawFn) -> list[_Instrument]:
    symbols = draw(st.lists(st.text(SYMBOL_CHARS, min_size=1, max_size=12), min_size=1, max_size=4, unique=True))
    return [draw(_instrument(symbol)) for symbol in symbols]


@st.composite
def _instrument(draw: st.DrawFn, symbol: str) -> _Instrument:
    ticks = TickTable.of(draw(st.sampled_from(TICKS)))
    centre = ticks.to_units(Decimal(draw(st.sampled_from(CENTRES))) // ticks.unit * ticks.unit)
    assert centre is not None
    centre = centre if ticks.on_grid(centre) else ticks.next_down(centre)
    # A narrow range puts its ends among the prices, a wide one lets a price text have many digits.
    reach = draw(st.sampled_from([8, 8, 40, 100_000]))
    low, high = ticks.step(centre, -reach), ticks.step(centre, reach)
    return _Instrument(symbol, ticks, centre, low, high, draw(st.sampled_from([1, 1, 100])))


@st.composite
def _rule(draw: st.DrawFn, number: int, instruments: list[_Instrument]) -> str:
    instrument = draw(st.sampled_from(instruments))
    threshold = instrument.ticks.step(instrument.centre, draw(st.integers(-4, 4)))
    source = draw(st.sampled_from(["bid", "ask", "last"]))
    op = draw(st.sampled_from(["<=", ">=", "<", ">"]))
    order = [
        f"side: {draw(st.sampled_from(['buy', 'sell']))}",
        f"qty: {draw(st.integers(1, 12)) * instrument.lot}",
    ]
    price = draw(
        st.none()
        | st.integers(-3, 3).map(lambda ticks: instrument.text(instrument.ticks.step(threshold, ticks)))
        | st.sampled_from(["trigger", "trigger + 1 ticks", "trigger - 1 ticks"])
    )
    order += ["type: market"] if price is None else ["type: limit", f"price: {price}"]
    tif = draw(st.sampled_from(["", "", "day", "ioc", "fok", "gtc"]))
    account = draw(st.sampled_from(["", "", "", "ACC", "A"]))
    extra = draw(st.sampled_from(["", "", "", "{58: odd}", "{58: even text, 18: G}"]))
    order += [f"{key}: {value}" for key, value in (("tif", tif), ("account", account), ("fields", extra)) if value]
    zeros = draw(st.sampled_from(["", "", "", "0", "000"]))
    when = instrument.text(threshold)
    when += f".{zeros}" if zeros and "." not in when else zeros
    return (
        f'  - {{id: r{number}, instrument: "{instrument.symbol}", when: "{source} {op} {when}",'
        f" order: {{{', '.join(order)}}}}}\n"
    )


@st.composite
def _price(draw: st.DrawFn, instrument: _Instrument) -> str:
    """Price column of one event."""
    kind = draw(st.integers(0, 19))
    if kind < 3:
        return "" if kind else "-"
    units = instrument.ticks.step(instrument.centre, draw(st.integers(-7, 7)))
    if kind < 6:
        units += draw(st.integers(-2, 2))  # on the unit, perhaps off the tick
    if kind == 6:
        units = draw(st.sampled_from([instrument.low - 1, instrument.low, instrument.high, instrument.high + 1]))
    text = instrument.text(units)
    match kind:
        case 7:  # off the unit: by a half, a quarter, a tenth, the least that a text can say
            text = format(instrument.ticks.to_price(units), f".{instrument.ticks.places}f")
            return text + ("" if "." in text else ".") + draw(st.sampled_from(["5", "25", "1", "75", "0000000001"]))
        case 8:
            return text + ("0000" if "." in text else ".000000000000")
        case 9:
            return "-000" + text[1:] if text.startswith("-") else "000" + text
        case 10:
            return draw(st.sampled_from(["0", "-0", "-0.00", "99999999999", "-12345678901.5", "9999999999.99999999"]))
        case _:
            return text


@st.composite
def _event(draw: st.DrawFn, instruments: list[_Instrument], kinds: list[Kind], time: int) -> str:
    instrument = draw(st.sampled_from(instruments))
    kind = draw(st.sampled_from(kinds))
    if kind in {Kind.GAP, Kind.HALT, Kind.OPEN}:
        symbol = draw(st.sampled_from([instrument.symbol, instrument.symbol, ""]))
        return f"{time},{symbol},{kind.value},,,,,,"
    sides = []
    for _ in range(3):
        price = draw(_price(instrument))
        sides += [price, draw(st.sampled_from(["1", "250", ""])) if price not in {"", "-"} else ""]
    name = "" if kind is Kind.UPDATE and draw(st.booleans()) else kind.value
    return f"{time},{instrument.symbol},{name},{','.join(sides)}"


@st.composite
def cases(draw: st.DrawFn, *, kinds: list[Kind] | None = None, most_events: int = 30) -> Case:
    """Strategies of 1 to 14 rules over 1 to 4 instruments, and events of ``kinds`` (default: mostly prices)."""
    instruments = draw(_instruments())
    rules = [draw(_rule(number, instruments)) for number in range(draw(st.integers(1, 14)))]
    chosen = kinds or [Kind.SNAPSHOT, Kind.UPDATE, Kind.UPDATE, Kind.UPDATE, Kind.GAP, Kind.HALT, Kind.OPEN, Kind.OPEN]
    start = draw(st.sampled_from([0, 1_700_000_000_123_456_789, 1_699_999_199_999_000_000]))
    times = [start + draw(st.integers(0, 3_000_000_000)) for _ in range(draw(st.integers(1, most_events)))]
    events = [draw(_event(instruments, chosen, time)) for time in times]
    return Case(
        venue="fixaccel-venue: 1\nname: v\ntime_zone: UTC\n"
        "session: {begin_string: FIX.4.4, sender_comp_id: CLIENT, target_comp_id: VENUE, connect: 10.0.0.1:9878,"
        " heartbeat: 30s}\nmarket_data: {message: snapshot}\ninstruments:\n"
        + "".join(instrument.yaml() for instrument in instruments),
        strategy="fixaccel: 1\nvenue: venue.yaml\nrules:\n" + "".join(rules),
        events="\n".join([",".join(COLUMNS), *events, ""]),
    )


def each_case(number: int, seed_value: int, kinds: list[Kind] | None, run: Callable[[Case], object]) -> None:
    """Calls ``run`` on ``number`` cases; the same seed gives the same cases."""

    @seed(seed_value)
    @settings(
        max_examples=number,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(cases(kinds=kinds))
    def body(case: Case) -> None:
        run(case)

    body()
