# SPDX-License-Identifier: Apache-2.0
"""Runs cases through the engines and compares what they say, fire by fire."""

import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import astuple, replace
from pathlib import Path

from census import Census
from strategy_cases import BOARD, HWMAP, SMALL_BOARD, Case

from fixaccel.image.pack import build_image
from fixaccel.image.software import all_columns
from fixaccel.language.rules import Strategy
from fixaccel.semantics.messages import Fire, Message
from fixaccel.simulate.columns import from_messages
from fixaccel.simulate.engines import EngineError, ImageEngine, RulesEngine
from fixaccel.simulate.fires import fire_rows
from fixaccel.simulate.results import COLUMNS
from fixaccel.simulate.rtl.run import Case as RtlCase
from fixaccel.simulate.rtl.run import find_rtlsim, run_cases
from fixaccel.table.interpreter import TableInterpreter


class DisagreementError(AssertionError):
    """Two engines differ; the text has the case and both results."""

    def __init__(self, what: str, case: Case, shape: int | None = None) -> None:
        super().__init__(f"{what}\n{case}")
        self.case = case
        self.shape = shape


def loaded(case: Case) -> tuple[Strategy, list[Message]]:
    """Through the front end."""
    with tempfile.TemporaryDirectory() as folder:
        return case.load(Path(folder))


def check_table(case: Case, seen: Counter[str]) -> int:
    """Compares rules with the table interpreter on the strategy's columns; ``seen`` counts what it came to.

    Returns the number of fires. Raises DisagreementError.
    """
    strategy, messages = loaded(case)
    census = Census(strategy, seen)
    rules = [fire for message in messages for fire in census.process(message)]
    table = TableInterpreter(all_columns(strategy))
    _compare(case, "table", rules, list(fire_rows(table.run(_columns(strategy, messages)), strategy)))
    if table.invalid_prices != census.market.invalid_prices:
        counts = f"{census.market.invalid_prices} and {table.invalid_prices}"
        raise DisagreementError(f"rules and table count {counts} invalid prices", case)
    return len(rules)


def check_load(case: Case, changed: Case, at: int) -> int:
    """The same with another strategy of the same venue loaded after ``at`` messages."""
    strategy, messages = loaded(case)
    after, _ = loaded(changed)
    census = Census(strategy, Counter())
    rules = [fire for message in messages[:at] for fire in census.process(message)]
    census.load(after)
    rules += [fire for message in messages[at:] for fire in census.process(message)]
    table, columns = TableInterpreter(all_columns(strategy)), _columns(strategy, messages)
    fires = list(fire_rows(table.run(columns[0:at]), strategy))
    table.reload(all_columns(after))
    fires += fire_rows(table.run(columns[at : len(messages)]), after)
    what = f"table, when after event {at} this is loaded:\n{changed.strategy_text}"
    _compare(case, what, rules, fires)
    return len(rules)


def check_image(case: Case) -> int:
    """Compares rules with the image, packed for two boards. Returns the number of fires. Raises DisagreementError."""
    strategy, messages = loaded(case)
    rules = RulesEngine(strategy).run(messages, _no_progress)
    for board in (SMALL_BOARD, BOARD):
        image = ImageEngine(build_image(strategy, board, HWMAP), strategy, board, HWMAP)
        _compare(case, f"image for {board.name}", rules, image.run(messages, _no_progress))
    return len(rules)


def shapes_for(number: int, first: int) -> list[int | None]:
    """Frame shapes for ``number`` cases: one in eight as plain as frames can be."""
    return [None if n % 8 == 0 else first + n for n in range(number)]


def check_rtl(cases: list[Case], shapes: list[int | None]) -> int:
    """Compares rules and rtl over all cases in one run of the simulator; returns the number of fires."""
    find_rtlsim()  # a missing program is no disagreement
    fires = 0
    with tempfile.TemporaryDirectory() as folder:
        strategies = [case.load(Path(folder)) for case in cases]
        jobs = [
            RtlCase(strategy, build_image(strategy, BOARD, HWMAP), messages, shape)
            for (strategy, messages), shape in zip(strategies, shapes, strict=True)
        ]
        results = _run(cases, jobs, Path(folder))
    for case, (strategy, messages), shape, seen in zip(cases, strategies, shapes, results, strict=True):
        rules = RulesEngine(strategy).run(messages, _no_progress)
        _compare(case, "rtl", rules, seen, shape)
        fires += len(rules)
    return fires


def _run(cases: list[Case], jobs: list[RtlCase], folder: Path) -> list[list[Fire]]:
    try:
        return run_cases(jobs, BOARD, HWMAP, folder / "all")
    except EngineError as error:
        # One by one, to name the case; a single failing one comes first again.
        for number, (case, job) in enumerate(zip(cases, jobs, strict=True)):
            try:
                run_cases([job], BOARD, HWMAP, folder / f"one-{number}")
            except EngineError as single:
                raise DisagreementError(f"{single}\nshape {job.shape}", case, job.shape) from error
        raise


def _columns(strategy: Strategy, messages: Sequence[Message]):
    return replace(from_messages(messages, strategy.venue.instruments), first=0)


def _compare(case: Case, engine: str, rules: list[Fire], other: list[Fire], shape: int | None = None) -> None:
    if rules != other:
        frames = "" if shape is None else f", frames of shape {shape}"
        raise DisagreementError(f"rules and {engine} differ{frames}\n{side_by_side(rules, other)}", case, shape)


def side_by_side(rules: Sequence[Fire], other: Sequence[Fire]) -> str:
    """Both results as one table: common rows once, `-` what only rules fired, `+` what only the other did."""
    same = next((n for n, (a, b) in enumerate(zip(rules, other, strict=False)) if a != b), min(len(rules), len(other)))
    rows = [(" ", fire) for fire in rules[:same]]
    rows += [("-", fire) for fire in rules[same:]] + [("+", fire) for fire in other[same:]]
    cells = [[" ", *COLUMNS], *([mark, *map(str, astuple(fire))] for mark, fire in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    lines = ("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in cells)
    return "".join(f"{line.rstrip()}\n" for line in lines)


def _no_progress(_: int) -> None:
    pass
