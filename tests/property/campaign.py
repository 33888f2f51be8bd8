# SPDX-License-Identifier: Apache-2.0
"""Large random campaigns: rules against table and image, also over loads; rules against rtl, also loaded while armed.

Example:
  .venv/bin/python tests/property/campaign.py --strategies 2000 --seed 1 --rtl 200 --loads 50
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from census import GOALS, table
from changes import change
from choices import RandomChoices
from engine_law import (
    DisagreementError,
    Played,
    check_image,
    check_load,
    check_rtl,
    check_table,
    goes_together,
    shapes_for,
)
from over_loads import check_rtl_over_loads, load_case
from reducing import reduced
from spoiled import FRAME
from strategy_cases import (
    BOARD,
    SMALL_BOARD,
    Case,
    each_case,
    exit_case,
    fabric_case,
    fills_case,
    loads,
    make_case,
    plays,
)

from fixaccel.simulate.engines import EngineError

_BATCH = 50
_REPORT_EVERY = 250
_PYTHON_EVERY = 200  # a decision by a function starts a process
_LOAD_EVERY = 4
_KINDS = 3  # of any form, all of it in the fabric, with what follows fills


def _table_and_image(number: int, seed: int, seen: Counter[str], only_exits: bool) -> int:
    """Returns the number of fires."""
    fires, started = 0, time.monotonic()
    for index in range(number):
        choices = RandomChoices(seed * 1_000_003 + index)
        match "all" if only_exits else index % _KINDS:
            case 0:
                case = make_case(choices, python=index % _PYTHON_EVERY == 0)
            case 1:
                case = fabric_case(choices)
            case _:
                case = exit_case(choices)
        played = Played.of(case, seen)
        fires += len(played.rules)
        boards = [SMALL_BOARD if index % 2 else BOARD]
        _check(played, check_table)
        _check(played, lambda one, boards=boards: check_image(one, boards))
        if index % _LOAD_EVERY == 0:
            fires += _over_a_load(played, choices)
        if (index + 1) % _REPORT_EVERY == 0:
            rate = (index + 1) / (time.monotonic() - started)
            reached = f"{len(GOALS & seen.keys())} of {len(GOALS)} forms and states"
            _say(f"image: {index + 1} of {number} strategies, {rate:.0f} a second, {fires} fires, {reached}")
    return fires


def _over_a_load(played: Played, choices: RandomChoices) -> int:
    changed, at = change(choices, played.case), choices.number(0, len(played.case.events))
    return check_load(played, changed, at) if loads(changed) else 0


def _check(played: Played, check: Callable[[Played], None]) -> None:
    """Runs a check; a case that fails is made small before it is raised."""
    try:
        check(played)
    except DisagreementError:
        check(Played.of(reduced(played.case, lambda smaller: _fails(smaller, check))))
        raise


def _fails(case: Case, check: Callable[[Played], None]) -> bool:
    try:
        if plays(case):
            check(Played.of(case))
    except DisagreementError:
        return True
    return False


def _rtl(number: int, seed: int, only_exits: bool) -> int:
    collected: list[Case] = []
    each_case(number, seed, collected.append, fills_case if only_exits else fabric_case)
    if only_exits:
        collected = [case for case in collected if goes_together(case)]
    fires = 0
    outcomes: Counter[str] = Counter()
    for start in range(0, len(collected), _BATCH):
        batch = collected[start : start + _BATCH]
        fires += check_rtl(batch, shapes_for(len(batch), seed * 1_000_000 + start), outcomes)
        bad = f"{outcomes[FRAME]} of them of bad frames"
        _say(f"rtl: {start + len(batch)} of {len(collected)} strategies, {fires} fires, {bad}")
    return fires


def _rtl_over_loads(number: int, seed: int) -> int:
    fires = 0
    outcomes: Counter[str] = Counter()
    for start in range(0, number, _BATCH):
        numbers = range(start, min(start + _BATCH, number))
        shapes = shapes_for(len(numbers), seed * 1_000_000 + start)
        cases = [
            load_case(RandomChoices(seed * 1_000_003 + n), shape) for n, shape in zip(numbers, shapes, strict=True)
        ]
        fires += check_rtl_over_loads(cases, outcomes)[0]
        bad = f"{outcomes[FRAME]} of them of bad frames"
        _say(f"rtl over loads: {numbers.stop} of {number} strategies, {fires} fires, {bad}")
    return fires


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _keep(error: DisagreementError, folder: Path, seed: int) -> None:
    """Shows a failing case and how to run it again."""
    folder.mkdir(parents=True, exist_ok=True)
    error.case.save(folder)
    shape = "" if error.shape is None else f" --rtl-shape {error.shape}"
    print(error)
    print(f"seed {seed}: DISAGREE; kept in {folder}, run it again with each ENGINE:")
    touch = " --fills touch" if error.case.touch else ""
    print(f"  fixaccel simulate {folder}/strategy.yaml --events {folder}/events.csv --engine ENGINE{touch}{shape}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strategies", type=int, default=2000, help="for rules against table and image [2000]")
    parser.add_argument("--rtl", type=int, default=0, help="for rules against rtl [0]")
    parser.add_argument("--loads", type=int, default=0, help="for rules against rtl over a load while armed [0]")
    parser.add_argument("--exits", action="store_true", help="of these, all with what follows fills")
    parser.add_argument("--seed", type=int, default=1, help="of everything random [1]")
    parser.add_argument("--keep", type=Path, default=Path("build/property"), help="for a failing case [build/property]")
    arguments = parser.parse_args()
    seen: Counter[str] = Counter()
    try:
        image = _table_and_image(arguments.strategies, arguments.seed, seen, arguments.exits)
        rtl = _rtl(arguments.rtl, arguments.seed, arguments.exits)
        over_loads = _rtl_over_loads(arguments.loads, arguments.seed)
    except DisagreementError as error:
        _keep(error, arguments.keep / f"seed-{arguments.seed}", arguments.seed)
        return 1
    except EngineError as error:
        print(f"seed {arguments.seed}: {error}")
        return 2
    if arguments.strategies:
        print(table(seen))
    print(
        f"seed {arguments.seed}: rules = table = image on {arguments.strategies} strategies ({image} fires), "
        f"rules = rtl on {arguments.rtl} strategies ({rtl} fires), "
        f"over a load while armed on {arguments.loads} ({over_loads} fires)"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
