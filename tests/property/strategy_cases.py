# SPDX-License-Identifier: Apache-2.0
"""Whole strategies and the events to run them over, as a trader and a venue would write them: as text."""

import re
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from zoneinfo import ZoneInfo

from choices import Choices, HypothesisChoices, RandomChoices
from event_text import events
from exit_text import ExitWriter, FillWriter, with_executions
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from instruments import Instrument, instruments
from rule_text import RuleWriter

from fixaccel.events.file import COLUMNS, load_events
from fixaccel.events.part_book import PartBook
from fixaccel.events.row_reader import WITH_RULE
from fixaccel.hwmap import load_hwmap
from fixaccel.language.rules import Strategy
from fixaccel.pipeline import load_board, load_strategy
from fixaccel.semantics.fires import SENT
from fixaccel.semantics.messages import Kind, Message
from fixaccel.semantics.reference import Interpreter
from fixaccel.values import decimal_text

HWMAP = load_hwmap()
BOARD = load_board().board
assert BOARD is not None

# So few slots that instruments compete for them.
SMALL_BOARD = replace(
    BOARD,
    name="small",
    capacity={"instruments": 4, "triggers": 64, "intervals": 64, "orders": 64, "templates": 64, "groups": 64},
)

# An instant by time zone: the start of time, any, a millisecond before a full hour and before midnight, and the
# changes of summer time.
_CLOCKS = [
    ("UTC", 0),
    ("UTC", 1_700_000_000_123_456_789),
    ("UTC", 1_699_999_199_999_000_000),
    ("Asia/Tokyo", 1_699_999_199_999_000_000),
    ("Asia/Tokyo", 1_699_973_999_999_000_000),
    ("America/New_York", 1_730_613_540_000_000_000),  # 2024-11-03 01:59 EDT, a minute before 01:00 EST
    ("America/New_York", 1_710_053_940_000_000_000),  # 2024-03-10 01:59 EST, a minute before 03:00 EDT
    ("Australia/Lord_Howe", 1_728_142_140_000_000_000),  # 2024-10-06 01:59, a minute before 02:30
]
_DECIMALS = Decimal("0.01")
_UPDATES = [Kind.UPDATE] * 5 + [Kind.SNAPSHOT]


# Reading a strategy takes milliseconds; telling which lines a failure ran would take minutes and says little here.
PATIENT = settings(
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
    phases=[Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink],
    print_blob=True,
)


@dataclass(frozen=True)
class Case:
    """One strategy and its events; ``rules`` and ``events`` can be thinned out."""

    venue: str
    head: str
    rules: tuple[str, ...]
    events: tuple[str, ...]
    files: Mapping[str, str] = field(default_factory=dict)  # tables and functions
    touch: bool = False  # a model fills orders

    @property
    def strategy_text(self) -> str:
        return f"fixaccel: 1\nvenue: venue.yaml\n{self.head}rules:\n{''.join(self.rules)}"

    @property
    def events_text(self) -> str:
        return "\n".join([",".join(self._columns), *self.events, ""])

    @property
    def _columns(self) -> tuple[str, ...]:
        """With the last one where rows may be executions."""
        return WITH_RULE if any(row.count(",") >= len(COLUMNS) for row in self.events) else COLUMNS

    def texts(self) -> dict[str, str]:
        """Text by file name."""
        used = {name: text for name, text in self.files.items() if any(f" {name}" in rule for rule in self.rules)}
        return {"venue.yaml": self.venue, "strategy.yaml": self.strategy_text, **used, "events.csv": self.events_text}

    def save(self, folder: Path) -> None:
        for name, text in self.texts().items():
            (folder / name).write_text(text, encoding="utf-8")

    def without_rolls(self) -> "Case":
        """The same at a venue whose day does not roll."""
        return replace(self, venue=re.sub(r"^day_roll: .*\n", "", self.venue, flags=re.MULTILINE))

    def load(self, folder: Path) -> tuple[Strategy, list[Message]]:
        """Both through the front end, which must have nothing to object to."""
        strategy = self.load_strategy(folder)
        market = load_events(folder / "events.csv", strategy.venue.instruments, PartBook(strategy))
        assert not market.failed, "\n".join([*(f"{d.span}: {d.message}" for d in market.diagnostics), str(self)])
        return strategy, list(market.messages)

    def load_strategy(self, folder: Path) -> Strategy:
        """The strategy alone, whose rules events need not know."""
        self.save(folder)
        loaded = load_strategy(folder / "strategy.yaml")
        faults = [f"{d.code.number} {d.span}: {d.message}" for d in loaded.diagnostics if d.is_error]
        assert loaded.strategy is not None, "\n".join([*faults, str(self)])
        return loaded.strategy

    def __str__(self) -> str:
        """What a person needs to see, and to run it again."""
        files = "".join(f"--- {name}\n{text}" for name, text in self.texts().items() if name != "events.csv")
        filled = " (orders are filled when touched)" if self.touch else ""
        return f"{files}--- events.csv{filled}\n{aligned(self.events, self._columns)}"


def loaded(case: Case) -> tuple[Strategy, list[Message]]:
    """`Case.load` in a folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        return case.load(Path(folder))


def loaded_strategy(case: Case) -> Strategy:
    """`Case.load_strategy` in a folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        return case.load_strategy(Path(folder))


def plays(case: Case) -> bool:
    """Whether the compiler takes the strategy, and its rules are those that events speak of."""
    with tempfile.TemporaryDirectory() as folder:
        case.save(Path(folder))
        strategy = load_strategy(Path(folder) / "strategy.yaml").strategy
        if strategy is None:
            return False
        return not load_events(Path(folder) / "events.csv", strategy.venue.instruments, PartBook(strategy)).failed


def loads(case: Case) -> bool:
    """Whether the compiler takes the strategy."""
    with tempfile.TemporaryDirectory() as folder:
        case.save(Path(folder))
        return load_strategy(Path(folder) / "strategy.yaml").strategy is not None


def aligned(rows: tuple[str, ...], columns: tuple[str, ...] = COLUMNS) -> str:
    """Rows of an event file as a table, each with the number that results call it by."""
    cells = [["event", *columns], *([str(number), *row.split(",")] for number, row in enumerate(rows, start=1))]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = ("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in cells)
    return "".join(f"{line.rstrip()}\n" for line in lines)


def make_case(
    choices: Choices,
    *,
    kinds: list[Kind] | None = None,
    most_events: int = 30,
    python: bool = False,
    plain: bool = False,
    market_data: str | None = None,
    exits: bool = False,
    fills: bool = False,
) -> Case:
    """A strategy of 1 to 9 rules over 1 to 3 instruments, and events of ``kinds`` (default: mostly prices).

    ``python`` adds a decision by a function, ``plain`` leaves out what the fabric does not run. ``market_data`` is the
    venue's (default: mostly snapshots). ``exits`` adds what follows fills and the clock, and limits of single rules;
    ``fills``, with ``plain``, what follows fills in the fabric.
    """
    known = instruments(choices)
    zone, start_ns = choices.pick(_CLOCKS)
    writer = (ExitWriter if exits else FillWriter if fills else RuleWriter)(choices, known, start_ns, zone, plain)
    for _ in range(choices.number(1, 9)):
        writer.write()
    if python:
        writer.write(python=True)
    if market_data is None:
        market_data = "incremental" if choices.chance(15) else "snapshot"
    written = writer.written
    if not any(rule.enabled for rule in written):
        writer.write()
    rows = events(choices, known, start_ns, kinds, most_events)
    rolls = _day_roll(choices, rows, zone)
    commit = "commit: message\n" if plain and choices.chance(40) else ""
    case = Case(
        venue=f"fixaccel-venue: 1\nname: v\ntime_zone: {zone}\n"
        "session: {begin_string: FIX.4.4, sender_comp_id: CLIENT, target_comp_id: VENUE, connect: 10.0.0.1:9878,"
        f" heartbeat: 30s}}\n{rolls}{commit}market_data: {{message: {market_data}}}\n"
        "instruments:\n" + "".join(instrument.yaml() for instrument in known),
        head=_limits(choices, known, max(rule.notional for rule in written), plain, exits, bool(rolls)),
        rules=tuple(rule.text for rule in written),
        events=tuple(rows),
        files={name: text for rule in written for name, text in rule.files.items()},
    )
    if not exits and not fills:
        return case
    if exits and choices.chance(30):
        return replace(case, touch=True)
    lot = choices.pick(known).lot
    told = with_executions(choices, case.events, _sent(case), written, lot, busts=exits)
    return replace(case, events=tuple(told))


def _sent(case: Case) -> list[tuple[int, str]]:
    """The orders of a run: number of the event, and part."""
    strategy, messages = loaded(case)
    interpreter = Interpreter(strategy)
    fires = [fire for message in messages for fire in interpreter.process(message)]
    return [(fire.event, fire.rule) for fire in fires if fire.outcome == SENT]


def _day_roll(choices: Choices, rows: list[str], zone: str) -> str:
    """A line of the venue file, or nothing: the day rolls with one of the events, or about then."""
    if not choices.chance(40):
        return ""
    with_it = int(choices.pick(rows).partition(",")[0]) // 10**9 + choices.pick([0, 0, 0, 1])
    shown = datetime.fromtimestamp(with_it, ZoneInfo(zone))
    written = "00:00" if choices.chance(15) else f"{shown:%H:%M:%S}" if choices.chance(80) else f"{shown:%H:%M}"
    return f'day_roll: "{written}"\n'


_REPEATS = ["1ms", "1s", "1m", "3h"]
_COLLARS = ["100%", "5%", "1%", "0.05%", "0.01%"]


def _limits(choices: Choices, known: list[Instrument], notional: Decimal, plain: bool, exits: bool, rolls: bool) -> str:
    """The risk gate, so tight that it rejects; ``notional`` is what static orders need.

    ``plain`` leaves out what the fabric does not check. ``rolls``: it mostly counts, as its day rolls.
    """
    if not choices.chance(90 if rolls else 40):
        return ""
    limits = {}
    if choices.chance(15):
        limits["order_qty"] = "1200"
    if choices.chance(25):
        one = known[0]
        guess = abs(one.ticks.to_price(one.centre)) * one.lot * choices.number(1, 12) * Decimal(one.multiplier)
        limits["order_notional"] = decimal_text(max(notional, guess, _DECIMALS))
    if choices.chance(30):
        limits["collar"] = choices.pick(_COLLARS)
        if exits and choices.chance(50):
            limits["collar_breach"] = "ignore"
    if choices.chance(30):
        limits["self_trade"] = "reject"
    if not plain and choices.chance(20):
        limits["repeat"] = choices.pick(_REPEATS)
    if choices.chance(30):
        limits["orders_per_second"] = str(choices.number(1, 3))
    if choices.chance(60 if rolls else 30):
        limits["total_orders"] = str(choices.number(1, 5))
    if choices.chance(50 if rolls else 30):
        limited = choices.some(known, 2)
        more = 10**10 if not plain and choices.chance(10) else 0  # than the fabric counts
        total = [f'"{one.symbol}": {{total_qty: {one.lot * choices.number(1, 30) + more}}}' for one in limited]
        limits["per_instrument"] = f"{{{', '.join(total)}}}"
    return "limits:\n" + "".join(f"  {key}: {value}\n" for key, value in limits.items()) if limits else ""


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Any case, with choices that Hypothesis shrinks."""
    choices = HypothesisChoices(draw)
    return fabric_case(choices) if choices.chance(25) else make_case(choices)


def exit_case(choices: Choices) -> Case:
    """Any case with rules that follow fills or the clock, and executions or a model of them."""
    return make_case(choices, kinds=_UPDATES if choices.chance(70) else None, exits=True, most_events=50)


@st.composite
def engine_cases(draw: st.DrawFn) -> Case:
    """What all engines but the fabric are compared on: as `cases`, half of it with what follows fills."""
    choices = HypothesisChoices(draw)
    if choices.chance(50):
        return exit_case(choices)
    return fabric_case(choices) if choices.chance(25) else make_case(choices)


def fabric_case(choices: Choices) -> Case:
    """Thresholds, linked or not, over messages that the simulator of the fabric plays: snapshots, or updates too."""
    if choices.chance(25):
        return make_case(choices, kinds=_UPDATES, plain=True, market_data="incremental")
    return make_case(choices, kinds=[Kind.SNAPSHOT], plain=True, market_data="snapshot")


def fills_case(choices: Choices) -> Case:
    """As `fabric_case`, with rules that fills arm and rows of executions that the simulator of the fabric is told.

    No fill is taken back: by the venue's sums an order never has less than nothing, which rows can say.
    """
    incremental = choices.chance(40)
    return make_case(
        choices,
        kinds=_UPDATES if incremental else [Kind.SNAPSHOT],
        most_events=50,
        plain=True,
        market_data="incremental" if incremental else "snapshot",
        fills=True,
    )


def each_case(
    number: int, seed: int, run: Callable[[Case], object], make: Callable[[Choices], Case] = make_case
) -> None:
    """Calls ``run`` on ``number`` cases; the same seed gives the same cases."""
    for index in range(number):
        run(make(RandomChoices(seed * 1_000_003 + index)))
