# SPDX-License-Identifier: Apache-2.0
"""The process that runs a trader's function: `python -m fixaccel.decide.worker RESULT_FD PROGRESS_FD REQUEST`.

Writes an `Outcome` to the first file descriptor and the place of the price being decided to the second.
"""

import importlib.util
import inspect
import mmap
import os
import sys
import traceback
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from fixaccel.decide.answers import AnswerError, Answers, runs
from fixaccel.decide.api import Instrument, Prices, is_vectorized
from fixaccel.decide.request import Failure, Fault, Outcome, Request
from fixaccel.decide.watched import Watched
from fixaccel.language.codes import Units
from fixaccel.language.keys.schema import suggest

MOST_RUNS = 65_536
_AGAIN = 16  # prices that are asked for twice
PROGRESS_BYTES = 8


class _StopError(Exception):
    """Ends the run with a failure."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.message)
        self.failure = failure


def main() -> None:
    """Runs the request of the command line."""
    result, progress = int(sys.argv[1]), int(sys.argv[2])
    request = Request.of_json(sys.argv[3])
    try:
        outcome = _decide(request, mmap.mmap(progress, PROGRESS_BYTES))
    except _StopError as stop:
        outcome = Outcome(failure=stop.failure)
    except MemoryError:
        outcome = Outcome(failure=Failure(Fault.MEMORY, "out of memory"))
    with os.fdopen(result, "w", encoding="utf-8") as file:
        file.write(outcome.as_json())
    sys.stdout.flush()
    # Threads that the function left behind must not keep the process.
    os._exit(0)


def _decide(request: Request, progress: mmap.mmap) -> Outcome:
    watched = Watched()
    module = _load(request)
    function = _function(module, request)
    instrument = Instrument(
        request.symbol,
        request.lot,
        Decimal(request.multiplier),
        Decimal(request.price_min),
        Decimal(request.price_max),
        request.table,
    )
    points = request.points()
    # A limit price is compared with whole units, also where mid is decided.
    answers = Answers(request.table.unit)
    if is_vectorized(function):
        numbers = _call_once(function, points, instrument, answers, request)
    else:
        numbers = _call_each(function, points, instrument, answers, request, progress)
    found = runs(numbers)
    if len(found) > MOST_RUNS:
        message = f"the answers change {len(found):,} times, at most {MOST_RUNS:,} intervals are compiled"
        raise _StopError(Failure(Fault.TOO_MANY, message, line=_line_of(function, request)))
    own = os.path.realpath(request.file)
    files = [path for path in watched.inputs if path != own]
    line = _line_of(function, request) or 1
    return Outcome(found, answers.orders, line, files, watched.files, watched.repeatable)


def _load(request: Request) -> ModuleType:
    path = Path(request.file)
    # The file may import others beside it.
    sys.path.insert(0, str(path.parent))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    try:
        spec.loader.exec_module(module)
    except SyntaxError as error:
        if error.filename != request.file:
            raise _StopError(_raised(error, Fault.LOAD, request)) from error
        raise _StopError(Failure(Fault.SYNTAX, str(error.msg), line=error.lineno, column=error.offset)) from error
    except MemoryError:
        raise
    except BaseException as error:
        raise _StopError(_raised(error, Fault.LOAD, request)) from error
    return module


def _function(module: ModuleType, request: Request) -> Callable[..., Any]:
    found = getattr(module, request.function, None)
    if callable(found):
        return found  # type: ignore[no-any-return]
    if found is not None:
        message = f"`{request.function}` is a {type(found).__name__}, not a function"
        raise _StopError(Failure(Fault.NO_FUNCTION, message))
    names = [name for name, value in vars(module).items() if inspect.isfunction(value)]
    close = suggest(request.function, names)
    more = f"; did you mean `{close}`?" if close else ""
    raise _StopError(Failure(Fault.NO_FUNCTION, f"there is no function `{request.function}` in the file{more}"))


def _call_each(
    function: Callable[..., Any],
    points: Units,
    instrument: Instrument,
    answers: Answers,
    request: Request,
    progress: mmap.mmap,
) -> Units:
    numbers = np.empty(len(points), np.int64)

    def ask(at: int) -> int:
        progress[:PROGRESS_BYTES] = at.to_bytes(PROGRESS_BYTES, sys.byteorder)
        try:
            answer = function(request.price(int(points[at])), instrument)
        except MemoryError:
            raise
        except BaseException as error:
            raise _StopError(_raised(error, Fault.RAISED, request, at)) from error
        return answers.number(answer, at)

    try:
        for at in range(len(points)):
            numbers[at] = ask(at)
        for at in np.linspace(0, len(points) - 1, min(_AGAIN, len(points))).astype(int).tolist():
            if ask(at) != numbers[at]:
                message = "the answer was another one when asked again"
                raise _StopError(Failure(Fault.UNSTEADY, message, at, _line_of(function, request)))
    except AnswerError as error:
        raise _StopError(Failure(Fault.ANSWER, str(error), error.at, _line_of(function, request))) from error
    return numbers


def _call_once(
    function: Callable[..., Any], points: Units, instrument: Instrument, answers: Answers, request: Request
) -> Units:
    floats = np.array([float(request.price(units)) for units in points.tolist()], np.float64)

    def ask() -> Units:
        prices = Prices(points.copy(), request.unit, floats.copy())
        try:
            answer = function(prices, instrument)
        except MemoryError:
            raise
        except BaseException as error:
            raise _StopError(_raised(error, Fault.RAISED, request)) from error
        return answers.numbers(answer, len(points))

    try:
        numbers = ask()
        unsteady = np.flatnonzero(ask() != numbers)
    except AnswerError as error:
        raise _StopError(Failure(Fault.ANSWER, str(error), error.at, _line_of(function, request))) from error
    if len(unsteady):
        message = "the answer was another one when asked again"
        raise _StopError(Failure(Fault.UNSTEADY, message, int(unsteady[0]), _line_of(function, request)))
    return numbers


def _raised(error: BaseException, fault: Fault, request: Request, at: int | None = None) -> Failure:
    """What was raised, at the innermost line of the trader's file."""
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == request.file]
    try:
        text = str(error)
    except Exception:  # noqa: BLE001 - a trader's own exception may raise anything
        text = ""
    name = type(error).__name__
    return Failure(fault, f"{name}: {text}" if text else name, at, lines[-1] if lines else None)


def _line_of(function: Callable[..., Any], request: Request) -> int | None:
    code = getattr(inspect.unwrap(function), "__code__", None)
    return code.co_firstlineno if code and code.co_filename == request.file else None


if __name__ == "__main__":
    main()
