# SPDX-License-Identifier: Apache-2.0
"""Runs the variants side by side, each from the text of its strategy on, all over the same events."""

import multiprocessing
import os
import signal
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

import numpy as np

from fixaccel.diagnostics.render import render
from fixaccel.events.columns import EventColumns
from fixaccel.image.software.table import all_columns
from fixaccel.language.terms import Side
from fixaccel.native.interpreter import TableError
from fixaccel.native.library import LibraryError
from fixaccel.pipeline import load_strategy
from fixaccel.replay.fills import made_fills
from fixaccel.replay.ledger import final_result
from fixaccel.semantics.fires import REJECTED, SENT
from fixaccel.semantics.messages import Fire
from fixaccel.simulate.fires import fire_rows
from fixaccel.simulate.table_run import TableRun


class SweepError(Exception):
    """The sweep cannot go on, whatever the values; the text says why."""


@dataclass(frozen=True)
class Outcome:
    """What a variant came to. ``errors`` are lines; where there are some, nothing was run.

    ``rejected`` counts by limit, quantities those of orders that were sent. ``filled`` counts fills of a model,
    ``result`` is what they came to at the last prices, in the venue's currency; None without a model.
    """

    errors: tuple[str, ...] = ()
    fires: int = 0
    sent: int = 0
    rejected: dict[str, int] = field(default_factory=dict)
    first_ns: int | None = None
    buy: int = 0
    sell: int = 0
    filled: int = 0
    result: float | None = None

    @classmethod
    def of(cls, fires: Sequence[Fire], filled: int = 0, result: float | None = None) -> "Outcome":
        """Of the fires of a run."""
        sent = [fire for fire in fires if fire.outcome == SENT]
        rejected: dict[str, int] = {}
        for fire in fires:
            if fire.outcome != SENT:
                limit = fire.outcome.removeprefix(REJECTED)
                rejected[limit] = rejected.get(limit, 0) + 1
        qty = {side: sum(fire.qty for fire in sent if fire.side == side.value) for side in Side}
        first = fires[0].ts_ns if fires else None
        return cls((), len(fires), len(sent), rejected, first, qty[Side.BUY], qty[Side.SELL], filled, result)


def run_variant(path: Path, text: str, events: EventColumns, *, touch: bool = False) -> Outcome:
    """Checks one text of the strategy at ``path`` and runs it; ``touch``: a model fills its orders.

    Raises LibraryError, TableError.
    """
    loaded = load_strategy(path, text.encode("utf-8"))
    if loaded.strategy is None:
        errors = [diagnostic for diagnostic in loaded.diagnostics if diagnostic.is_error]
        return Outcome(tuple(render(errors, loaded.sources, "concise", loaded.dropped).splitlines()))
    run = TableRun(all_columns(loaded.strategy), touch=touch)
    fires = list(fire_rows(run.feed(events), loaded.strategy))
    if not touch:
        return Outcome.of(fires)
    fills = made_fills(loaded.strategy, run.orders.made)
    return Outcome.of(fires, len(fills), final_result(loaded.strategy.venue.instruments, fills, events))


def run_all(
    path: Path, texts: Sequence[str], events: EventColumns, progress: Callable[[int], None], *, touch: bool = False
) -> list[Outcome]:
    """The outcome of each text, run on all cores. ``progress`` is told how many are done. Raises SweepError."""
    workers = min(len(os.sched_getaffinity(0)), len(texts))
    if workers < 2:
        return _alone(path, texts, events, progress, touch=touch)
    with tempfile.TemporaryDirectory(prefix="fixaccel-sweep-") as folder:
        _save(events, Path(folder))
        # Not forked: the libraries behind Parquet and arrays have threads that a fork would lose.
        pool = ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), _begin, (path, folder, touch))
        try:
            jobs = {pool.submit(_work, text): place for place, text in enumerate(texts)}
            outcomes = [Outcome()] * len(texts)
            for done, job in enumerate(as_completed(jobs), 1):
                outcomes[jobs[job]] = job.result()
                progress(done)
        except (LibraryError, TableError) as error:
            raise SweepError(str(error)) from None
        except BrokenProcessPool:
            raise SweepError("a process of the sweep has ended by itself; is there memory for all of them?") from None
        except BaseException:
            # Ctrl-C: what runs may take long, and nobody waits for it.
            for process in multiprocessing.active_children():
                process.terminate()
            raise
        finally:
            pool.shutdown(cancel_futures=True)
        return outcomes


def _alone(
    path: Path, texts: Sequence[str], events: EventColumns, progress: Callable[[int], None], *, touch: bool
) -> list[Outcome]:
    outcomes = []
    try:
        for text in texts:
            outcomes.append(run_variant(path, text, events, touch=touch))
            progress(len(outcomes))
    except (LibraryError, TableError) as error:
        raise SweepError(str(error)) from None
    return outcomes


# In a worker: what all of its variants have in common.
_SHARED: dict[str, tuple[Path, EventColumns, bool]] = {}


def _begin(path: Path, folder: str, touch: bool) -> None:
    # Ctrl-C goes to all processes of a terminal; the first of them says what becomes of the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _SHARED["run"] = (path, _load(Path(folder)), touch)


def _work(text: str) -> Outcome:
    path, events, touch = _SHARED["run"]
    return run_variant(path, text, events, touch=touch)


def _save(events: EventColumns, folder: Path) -> None:
    """One file for each column, which the workers map instead of each having a copy."""
    for column in fields(EventColumns):
        if (values := getattr(events, column.name)) is not None:
            np.save(folder / f"{column.name}.npy", values)


def _load(folder: Path) -> EventColumns:
    arrays: dict[str, Any] = {}
    for file in folder.iterdir():
        array = np.load(file, mmap_mode="r")
        arrays[file.stem] = array if array.ndim else int(array)
    return EventColumns(**arrays)
