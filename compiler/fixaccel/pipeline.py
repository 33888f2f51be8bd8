# SPDX-License-Identifier: Apache-2.0
"""The front half of the compiler: a list of passes from a file to a checked strategy."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from fixaccel.data import data_path
from fixaccel.diagnostics.model import Diagnostic, Report
from fixaccel.language.board_file import parse_board
from fixaccel.language.files import read_source
from fixaccel.language.model import Board, Strategy
from fixaccel.language.reader import read_tree
from fixaccel.passes import conditions, expand, finish, ids, marketable, orders, parse, read, same_rules, self_trade, ticks, venue
from fixaccel.passes.work import Work
from fixaccel.source import SourceFile

DEFAULT_BOARD = "strategies/boards/pynq-z1.yaml"


@dataclass(frozen=True)
class Pass:
    """One named step. It may be run on anything that the steps before it left, also after errors."""

    name: str
    description: str
    run: Callable[[Work], None]


PASSES = (
    Pass("read", "read the file within bounds into keys and texts with their places", read.run),
    Pass("parse", "read each value in its form; refuse unknown keys and forms not supported yet", parse.run),
    Pass("venue", "read the venue file that the strategy names", venue.run),
    Pass("ids", "every rule has a name of its own", ids.run),
    Pass("expand", "drop disabled rules, bind instruments, one rule for each instrument of a list", expand.run),
    Pass("ticks", "thresholds lie on the tick grid and in the price range", ticks.run),
    Pass("conditions", "strict comparisons become inclusive ones at the next tick", conditions.run),
    Pass("orders", "orders are complete, in whole lots, on the grid and fit the fabric's fields", orders.run),
    Pass("same-rules", "warn of two rules that are the same", same_rules.run),
    Pass("self-trade", "warn of a buy and a sell that one price fires", self_trade.run),
    Pass("marketable", "warn of limit prices that the market has passed when the rule fires", marketable.run),
    Pass("finish", "number the rules and close the strategy", finish.run),
)


@dataclass(frozen=True)
class Loaded:
    """``strategy`` is None exactly if ``diagnostics`` holds an error."""

    strategy: Strategy | None
    diagnostics: list[Diagnostic]
    sources: Mapping[str, SourceFile] = field(default_factory=dict)  # by the name in spans, for rendering
    dropped: int = 0  # diagnostics beyond the bound


@dataclass(frozen=True)
class LoadedBoard:
    """``board`` is None exactly if ``diagnostics`` holds an error."""

    board: Board | None
    diagnostics: list[Diagnostic]
    sources: Mapping[str, SourceFile] = field(default_factory=dict)
    dropped: int = 0


def load_strategy(path: Path) -> Loaded:
    """Reads and checks the strategy at ``path`` and the venue that it names. Never raises for what files hold."""
    work = Work(path)
    for step in PASSES:
        step.run(work)
    return Loaded(work.strategy, work.report.sorted(), work.sources, work.report.dropped)


def load_board(path: Path | None = None) -> LoadedBoard:
    """Reads and checks the board file at ``path`` (default: the shipped PYNQ-Z1)."""
    report = Report()
    place = path or data_path(DEFAULT_BOARD)
    source = read_source(place, str(path or place.name), report)
    if source is None:
        return LoadedBoard(None, report.sorted())
    tree = read_tree(source, report)
    board = parse_board(tree, report) if tree is not None else None
    return LoadedBoard(None if report.failed else board, report.sorted(), {source.name: source}, report.dropped)
