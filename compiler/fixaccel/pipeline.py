# SPDX-License-Identifier: Apache-2.0
"""The front half of the compiler: a list of passes from a file to a checked strategy."""

import gc
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from fixaccel.bus.site_file import parse_site
from fixaccel.data import data_path
from fixaccel.diagnostics.checked import Checked
from fixaccel.diagnostics.report import Report
from fixaccel.drafts.work import Progress, Work
from fixaccel.language.documents.board import parse_board
from fixaccel.language.documents.venue import parse_venue
from fixaccel.language.keys.schema import Located
from fixaccel.language.rules import Strategy
from fixaccel.language.terms import Board
from fixaccel.language.text.files import read_source
from fixaccel.language.text.reader import read_tree
from fixaccel.passes import finish, placement
from fixaccel.passes.meaning import (
    conditions,
    decide,
    intervals,
    limits,
    links,
    orders,
    rearms,
    thresholds,
    ticks,
    trails,
)
from fixaccel.passes.reading import expand, forms, ids, parse, read, venue
from fixaccel.passes.warnings import (
    cautions,
    exits,
    exits_by_fills,
    marketable,
    notional,
    oco_names,
    oco_shadow,
    off_fabric,
    same_rules,
    self_trade,
    totals,
)
from fixaccel.source import Node
from fixaccel.tune.plan_file import parse_plan

if TYPE_CHECKING:
    from fixaccel.passes.reading.feed import ReadFeed
    from fixaccel.source import SourceFile

# Seen in the text, before the file is read as one kind or another.
_KIND = re.compile(r"^fixaccel-(venue|board|tune|bus) *:", re.MULTILINE)
# A venue may name further files, and is read with them.
_PARSERS: Mapping[str, Callable[[Node, Report], object]] = {"board": parse_board, "tune": parse_plan, "bus": parse_site}
DEFAULT_BOARD = "strategies/boards/pynq-z1.yaml"


def _table(work: Work) -> None:
    """Tables are read with Arrow, which takes part of a second to import: most strategies have none."""
    if any(draft.written.table for draft in work.drafts):
        from fixaccel.passes.meaning import table  # noqa: PLC0415

        table.run(work)


@dataclass(frozen=True)
class Pass:
    """One named step. It may be run on anything that the steps before it left, also after errors."""

    name: str
    description: str
    run: Callable[[Work], None]


PASSES = (
    Pass("read", "read the file within bounds into keys and texts with their places", read.run),
    Pass("parse", "read each value in its form; refuse unknown keys", parse.run),
    Pass("venue", "read the venue file that the strategy names", venue.run),
    Pass("ids", "every rule has a name of its own", ids.run),
    Pass("forms", "the keys of a rule go together, and it has an order", forms.run),
    Pass("expand", "drop disabled rules, bind instruments, one rule for each instrument of a list", expand.run),
    Pass("ticks", "thresholds lie on the tick grid and in the price range", ticks.run),
    Pass("conditions", "strict comparisons become inclusive ones at the next tick", conditions.run),
    Pass("orders", "orders are complete, in whole lots, on the grid and fit the fabric's fields", orders.run),
    Pass("thresholds", "thresholds become columns, a row for each step of a ladder", thresholds.run),
    Pass("table", "rows of table files become triggers, a column at a time", _table),
    Pass("trails", "trails in price units, ticks or millionths", trails.run),
    Pass("intervals", "decisions that are written out become intervals that do not overlap", intervals.run),
    Pass("decide", "ask each Python function for every price and merge equal neighbours into intervals", decide.run),
    Pass("rearms", "bind what arms rules again", rearms.run),
    Pass("links", "resolve `oco` groups and `armed_by`, refuse cycles", links.run),
    Pass("limits", "read the risk gate; refuse orders that it would never let pass", limits.run),
    Pass("same-rules", "warn of two rules that are the same", same_rules.run),
    Pass("self-trade", "warn of a buy and a sell that one price fires", self_trade.run),
    Pass("marketable", "warn of limit prices that the market has passed when the rule fires", marketable.run),
    Pass("oco-shadow", "warn of rules that a sibling of their `oco` group always comes before", oco_shadow.run),
    Pass("oco-names", "warn of `oco` groups of one, and of names one letter apart", oco_names.run),
    Pass("exits", "warn of exits of an entry that may rest, and of exits larger than their entry", exits.run),
    Pass(
        "exits-by-fills", "warn of exits that close more than was filled, or leave some of it open", exits_by_fills.run
    ),
    Pass("notional", "warn of market orders that `order_notional` rejects where they fire", notional.run),
    Pass("totals", "warn of orders larger than `total_qty` ever lets pass", totals.run),
    Pass(
        "cautions",
        "warn of market orders without a collar, groups over a whole ladder, `repeat`, confirming snapshots",
        cautions.run,
    ),
    Pass("finish", "number the parts and close the strategy", finish.run),
    Pass("placement", "decide for each part whether it runs in the fabric or in the runtime, and why", placement.run),
    Pass("off-fabric", "warn of limits that move rules into the runtime", off_fabric.run),
)


@dataclass(frozen=True)
class Loaded(Checked):
    """``strategy`` is None exactly if there is an error; ``files`` are all that were read for it."""

    strategy: Strategy | None = None
    files: tuple[Path, ...] = ()
    unasked: tuple[Located[str], ...] = ()  # functions of `decide` that were not asked; their rules never fire


@dataclass(frozen=True)
class LoadedBoard(Checked):
    """``board`` is None exactly if there is an error."""

    board: Board | None = None


@dataclass(frozen=True)
class LoadedFeed(Checked):
    """``feed`` is None where there is an error, or prices do not come by a feed."""

    feed: "ReadFeed | None" = None


def load_strategy(
    path: Path, given: bytes | None = None, progress: Progress | None = None, *, ask: bool = True
) -> Loaded:
    """Reads and checks the strategy at ``path`` and the venue that it names. Never raises for what files hold.

    ``given`` is the content of the file where that is known, such as what an editor shows; ``progress``
    is told how far the functions of `decide` are. Without ``ask`` these are not called: answers that are kept count.
    """
    work = Work(path, given, progress, ask)
    with _collector_paused():
        for step in PASSES:
            step.run(work)
    files = (path, *(path.parent / name for name in work.inputs))
    unasked = tuple(work.unasked)
    return Loaded(work.report.sorted(), work.sources, work.report.dropped, work.strategy, files, unasked)


@contextmanager
def _collector_paused() -> Iterator[None]:
    """Reading makes many objects that stay; looking for garbage among them again and again would double its time."""
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            gc.enable()


def load_board(path: Path | None = None) -> LoadedBoard:
    """Reads and checks the board file at ``path`` (default: the shipped PYNQ-Z1)."""
    report = Report()
    place = path or data_path(DEFAULT_BOARD)
    sources: dict[str, SourceFile] = {}
    source = read_source(place, str(path or place.name), report, sources)
    tree = read_tree(source, report) if source else None
    board = parse_board(tree, report) if tree is not None else None
    return LoadedBoard(report.sorted(), sources, report.dropped, None if report.failed else board)


def load_feed(path: Path, templates: Path | None = None) -> LoadedFeed:
    """Reads the feed of the venue file at ``path``, with ``templates`` in place of those that it names."""
    from fixaccel.passes.reading.feed import read_feed  # noqa: PLC0415 - few need it, and it takes time to import

    report = Report()
    sources: dict[str, SourceFile] = {}
    source = read_source(path, str(path), report, sources)
    tree = read_tree(source, report) if source else None
    read = parse_venue(tree, report) if tree is not None else None
    if read is None or read.feed is None:
        return LoadedFeed(report.sorted(), sources, report.dropped)
    feed = read_feed(read.venue, read.feed, templates or path.parent / read.feed.templates, report, sources)
    return LoadedFeed(report.sorted(), sources, report.dropped, None if report.failed else feed)


def check_file(
    path: Path, given: bytes | None = None, progress: Progress | None = None, *, ask: bool = True
) -> Checked:
    """Checks a file of any kind; what does not say that it is a venue, a board or a tuning plan counts as a strategy.

    ``given``, ``progress`` and ``ask`` are as in `load_strategy`.
    """
    report = Report()
    sources: dict[str, SourceFile] = {}
    source = read_source(path, str(path), report, sources, given=given)
    kind = _KIND.search(source.text) if source else None
    if source is None or kind is None:
        return load_strategy(path, given, progress, ask=ask)
    tree = read_tree(source, report)
    if tree is not None and kind[1] in _PARSERS:
        _PARSERS[kind[1]](tree, report)
    elif tree is not None and (read := parse_venue(tree, report)) is not None:
        venue.with_feed(read, path.parent, report, sources)
    return Checked(report.sorted(), sources, report.dropped)
