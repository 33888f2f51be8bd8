# SPDX-License-Identifier: Apache-2.0
"""Runs cases through the engines and compares what they say, fire by fire."""

import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass, replace
from pathlib import Path

from census import Census
from spoiled import Spoiled, by_event
from strategy_cases import BOARD, HWMAP, SMALL_BOARD, Case, loaded, loaded_strategy

from fixaccel.events.columns import EventColumns, from_messages
from fixaccel.image.pack.pack import build_image
from fixaccel.image.software.table import all_columns
from fixaccel.language.rules import Strategy
from fixaccel.language.terms import Board
from fixaccel.native.interpreter import TableInterpreter
from fixaccel.semantics.messages import Fire, Message
from fixaccel.semantics.reference import Interpreter
from fixaccel.semantics.touch import Touch
from fixaccel.simulate.engines import EngineError, ImageEngine
from fixaccel.simulate.fires import fire_rows
from fixaccel.simulate.results import COLUMNS
from fixaccel.simulate.rtl.run import Case as RtlCase
from fixaccel.simulate.rtl.run import find_rtlsim, refuse_divided, run_cases, traffic_of


class DisagreementError(AssertionError):
    """Two engines differ; the text has the case and both results."""

    def __init__(self, what: str, case: Case, shape: int | None = None) -> None:
        super().__init__(f"{what}\n{case}")
        self.case = case
        self.shape = shape


@dataclass(frozen=True)
class Orders:
    """What became of orders: how many were cancelled, filled by the model, and executions of none."""

    cancels: int
    fills: int
    unmatched: tuple[int, ...]


@dataclass(frozen=True)
class Played:
    """A case with what the reference interpreter makes of it."""

    case: Case
    strategy: Strategy
    messages: Sequence[Message]
    rules: list[Fire]
    invalid_prices: int
    orders: Orders

    @classmethod
    def of(cls, case: Case, seen: Counter[str] | None = None) -> "Played":
        """Through the front end; ``seen`` counts what the case comes to."""
        strategy, messages = loaded(case)
        touch = Touch() if case.touch else None
        census = Census(strategy, Counter() if seen is None else seen, touch)
        rules = [fire for message in messages for fire in census.process(message)]
        orders = Orders(census.cancels, len(touch.fills) if touch else 0, tuple(census.unmatched))
        return cls(case, strategy, messages, rules, census.market.invalid_prices, orders)

    def columns(self) -> EventColumns:
        """The messages for the compiled engines."""
        return replace(from_messages(self.messages, self.strategy.venue.instruments), first=0)


def check_table(played: Played) -> None:
    """Compares rules with the table interpreter on the strategy's columns. Raises DisagreementError."""
    table = TableInterpreter(all_columns(played.strategy))
    if played.case.touch or not _plain(played):
        table.keep_orders(touch=played.case.touch)
    _compare(played.case, "table", played.rules, list(fire_rows(table.run(played.columns()), played.strategy)))
    _compare_orders(played, "table", _orders(table))
    if table.invalid_prices != played.invalid_prices:
        counts = f"{played.invalid_prices} and {table.invalid_prices}"
        raise DisagreementError(f"rules and table count {counts} invalid prices", played.case)


def check_load(played: Played, changed: Case, at: int) -> int:
    """The same with another strategy of the same venue loaded after ``at`` messages. Returns the number of fires."""
    after = loaded_strategy(changed)
    touch = Touch() if played.case.touch else None
    interpreter = Interpreter(played.strategy, touch)
    rules = [fire for message in played.messages[:at] for fire in interpreter.process(message)]
    interpreter.load(after)
    later = list(_renumbered(played.messages[at:], played.strategy, after))
    rules += [fire for message in later for fire in interpreter.process(message)]
    table = TableInterpreter(all_columns(played.strategy))
    table.keep_orders(touch=played.case.touch)
    fires = list(fire_rows(table.run(played.columns()[0:at]), played.strategy))
    table.reload(all_columns(after))
    columns = replace(from_messages(later, after.venue.instruments), first=at)
    fires += fire_rows(table.run(columns), after)
    what = f"table, when after event {at} this is loaded:\n{changed.strategy_text}"
    _compare(played.case, what, rules, fires)
    return len(rules)


def _renumbered(messages: Sequence[Message], before: Strategy, after: Strategy) -> Iterator[Message]:
    """Events numbered one after the other, executions by the numbers that parts have ``after``; none of parts gone."""
    numbers = {rule.id: rule.index for rule in after.rules}
    event = messages[0].event if messages else 0
    for message in messages:
        execution = message.execution
        if execution is not None:
            name = before.rules[execution.part].id
            if name not in numbers:
                continue
            execution = replace(execution, part=numbers[name])
        yield replace(message, event=event, execution=execution)
        event += 1


def _plain(played: Played) -> bool:
    """Whether nobody asks what became of an order."""
    executions = any(message.execution is not None for message in played.messages)
    return not executions and not any(block.cancels for block in played.strategy.blocks)


def _orders(table: TableInterpreter) -> Orders:
    tally = table.orders
    return Orders(tally.cancels, tally.fills, tuple((tally.unmatched + 1).tolist()))


def _compare_orders(played: Played, engine: str, seen: Orders) -> None:
    if seen != played.orders:
        raise DisagreementError(f"rules say {played.orders}, {engine} says {seen}", played.case)


def check_image(played: Played, boards: Sequence[Board] = (SMALL_BOARD, BOARD)) -> None:
    """Compares rules with the image, packed for boards of different size. Raises DisagreementError."""
    for board in boards:
        packed = build_image(played.strategy, board, HWMAP)
        image = ImageEngine(packed, played.strategy, board, HWMAP, touch=played.case.touch)
        seen = image.run(played.messages, _no_progress)
        what = f"image for {board.name}"
        _compare(played.case, what, played.rules, seen)
        _compare_orders(played, what, Orders(image.cancels, image.fills, tuple(image.unmatched)))


def shapes_for(number: int, first: int) -> list[int | None]:
    """Frame shapes for ``number`` cases: one in eight as plain as frames can be."""
    return [None if n % 8 == 0 else first + n for n in range(number)]


def goes_together(case: Case) -> bool:
    """Whether the simulator of the fabric is told executions of it: rules run with those whose fills they go by."""
    try:
        refuse_divided(loaded_strategy(case))
    except EngineError:
        return False
    return True


def check_rtl(cases: list[Case], shapes: list[int | None], outcomes: Counter[str] | None = None) -> int:
    """Compares rules and rtl over all cases in one run of the simulator; returns the number of fires.

    ``outcomes`` counts how they ended.
    """
    find_rtlsim()  # a missing program is no disagreement
    played = [Played.of(case) for case in cases]
    jobs = [
        RtlCase(one.strategy, build_image(one.strategy, BOARD, HWMAP), one.messages, shape)
        for one, shape in zip(played, shapes, strict=True)
    ]
    with tempfile.TemporaryDirectory() as folder:
        results = _run(cases, jobs, Path(folder))
    for one, job, seen in zip(played, jobs, results, strict=True):
        rules = one.rules if one.strategy.venue.commit == "frame" else _over_damage(one, job, seen)
        _compare(one.case, "rtl", by_event(rules), by_event(seen), job.shape)
    fires = [fire for seen in results for fire in seen]
    if outcomes is not None:
        outcomes.update(fire.outcome for fire in fires)
    return len(fires)


def _over_damage(played: Played, job: RtlCase, seen: Sequence[Fire]) -> list[Fire]:
    """What rules make of the messages where damaged frames have spent what the fabric says they have."""
    spoiled = Spoiled(traffic_of(job), seen)
    interpreter, fires = Interpreter(played.strategy), []
    for message in played.messages:
        fires += spoiled.ahead_of(message, interpreter, played.strategy)
        fires += interpreter.process(message)
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
