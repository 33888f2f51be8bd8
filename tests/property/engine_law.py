# SPDX-License-Identifier: Apache-2.0
"""Runs cases through the engines and compares what they say, fire by fire."""

import tempfile
from pathlib import Path

from strategy_cases import BOARD, HWMAP, SMALL_BOARD, Case, image_of

from fixaccel.semantics.messages import Fire
from fixaccel.simulate.engines import EngineError, ImageEngine, RulesEngine
from fixaccel.simulate.results import results_csv
from fixaccel.simulate.rtl.run import Case as RtlCase
from fixaccel.simulate.rtl.run import find_rtlsim, run_cases


class DisagreementError(AssertionError):
    """Two engines differ; the text has the case and both results."""

    def __init__(self, what: str, case: Case, shape: int | None = None) -> None:
        super().__init__(f"{what}\n{case}")
        self.case = case
        self.shape = shape


def _no_progress(_: int) -> None:
    pass


def check_image(case: Case) -> int:
    """Compares rules and image, on two boards; returns the number of fires. Raises DisagreementError."""
    with tempfile.TemporaryDirectory() as folder:
        strategy, messages = case.load(Path(folder))
    rules = RulesEngine(strategy).run(messages, _no_progress)
    for board in (SMALL_BOARD, BOARD):
        image = ImageEngine(image_of(strategy, board), strategy, board, HWMAP).run(messages, _no_progress)
        _compare(case, "image", rules, image)
    return len(rules)


def shapes_for(number: int, first: int) -> list[int | None]:
    """Frame shapes for ``number`` cases: one in eight as plain as frames can be."""
    return [None if n % 8 == 0 else first + n for n in range(number)]


def check_rtl(cases: list[Case], shapes: list[int | None]) -> int:
    """Compares rules and rtl over all cases in one run of the simulator; returns the number of fires."""
    find_rtlsim()  # a missing program is no disagreement
    fires = 0
    with tempfile.TemporaryDirectory() as folder:
        loaded = [case.load(Path(folder)) for case in cases]
        jobs = [
            RtlCase(strategy, image_of(strategy), messages, shape)
            for (strategy, messages), shape in zip(loaded, shapes, strict=True)
        ]
        results = _run(cases, jobs, Path(folder))
    for case, (strategy, messages), shape, seen in zip(cases, loaded, shapes, results, strict=True):
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


def _compare(case: Case, engine: str, rules: list[Fire], other: list[Fire], shape: int | None = None) -> None:
    if rules != other:
        seen = f"--- rules\n{results_csv(rules)}--- {engine}\n{results_csv(other)}"
        raise DisagreementError(f"rules and {engine} differ, shape {shape}\n{seen}", case, shape)
