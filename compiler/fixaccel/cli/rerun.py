# SPDX-License-Identifier: Apache-2.0
"""`--watch`: a command that runs again whenever a file that it read has changed, until Ctrl-C."""

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn, TypeAlias, TypeVar

import click

from fixaccel.cli.ending import INTERRUPTED
from fixaccel.cli.paths import STDIN

F = TypeVar("F")
Stamp: TypeAlias = tuple[int, int, int] | None

_LOOK_MS = 1_000  # what changed while a run was going on is seen no later than this
_CLOCK_NS = 10 * 10**6  # files have the time of the kernel's last tick
_SUFFIXES = (".yaml", ".yml", ".csv", ".parquet", ".py")


@dataclass(frozen=True)
class Run:
    """One run: its exit code and the files that it read."""

    code: int
    files: frozenset[Path]


def watch_option(function: F) -> F:
    """Adds `--watch`, passed as ``watching``."""
    decorate: Any = click.option(
        "--watch", "watching", is_flag=True, help="Run again when a file that was read changes, until Ctrl-C."
    )
    return decorate(function)  # type: ignore[no-any-return]


def run_and_exit(run: Callable[[], Run], paths: Iterable[Path], form: str, *, watching: bool) -> NoReturn:
    """Runs once and exits with its code; when ``watching`` again and again, and exits with 130."""
    if not watching:
        sys.exit(run().code)
    if STDIN in paths:
        raise click.UsageError("--watch needs files; standard input ends")
    folders = [path for path in paths if path.is_dir()]
    try:
        _again_and_again(run, folders, form)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


def _again_and_again(run: Callable[[], Run], folders: list[Path], form: str) -> NoReturn:
    known: dict[Path, Stamp] = {}
    while True:
        # Only a person at a terminal wants to see no more than the last run.
        if form == "full" and sys.stdout.isatty():
            click.clear()
        before, began, listed = {file: _stamp(file) for file in known}, time.time_ns(), _listed(folders)
        try:
            done = run()
        except click.UsageError as error:
            if not known:
                raise
            error.show()
            done = Run(2, frozenset(known))
        sys.stdout.flush()
        known = {file: before[file] if file in before else _first_stamp(file, began) for file in done.files}
        if form == "full":
            files = f"{len(known)} file{'s' if len(known) != 1 else ''}"
            click.echo(f"watching {files}; Ctrl-C ends", err=True)
        _wait(known, folders, listed, failed=done.code != 0)


def _wait(known: dict[Path, Stamp], folders: list[Path], listed: set[Path], *, failed: bool) -> None:
    """Until one of the files has changed, or something new that may matter is there.

    ``listed`` is what was in the folders before the run.
    """
    for number, noticed in enumerate(_changes(known, folders)):
        # What came during the run came before anybody looked.
        changed = noticed if number else noticed | (_listed(folders) - listed)
        if any(_stamp(file) != stamp for file, stamp in known.items()):
            return
        new = [path for path in changed if path not in known and path.suffix in _SUFFIXES]
        # What a function of `decide` writes is no reason; a file that was missing is one.
        if any(failed or (path.suffix == ".yaml" and _is_below(path, folders)) for path in new):
            return


def _changes(known: dict[Path, Stamp], folders: list[Path]) -> Iterator[set[Path]]:
    """Sets of files by their names as they were given; an empty one from time to time."""
    # It takes a while to import, and most runs do not watch.
    from watchfiles import watch  # noqa: PLC0415

    while True:
        places = {file.parent for file in known} | set(folders) | {Path()}
        there = {os.path.realpath(place): place for place in places if place.is_dir()}
        try:
            for changes in watch(
                *there,
                recursive=bool(folders),
                yield_on_timeout=True,
                rust_timeout=_LOOK_MS,
                step=20,
                ignore_permission_denied=True,
            ):
                names = (Path(path) for _, path in changes)
                yield {there.get(str(path.parent), path.parent) / path.name for path in names}
        except FileNotFoundError:
            # One of the folders went after it was looked for.
            time.sleep(_LOOK_MS / 1000)
            yield set()


def _listed(folders: list[Path]) -> set[Path]:
    return {path for folder in folders for path in folder.rglob("*") if path.suffix in _SUFFIXES}


def _is_below(path: Path, folders: list[Path]) -> bool:
    return any(Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder)) for folder in folders)


def _first_stamp(file: Path, began: int) -> Stamp:
    """Of a file that nobody knew before the run: one that changed during it may have been read before that."""
    stamp = _stamp(file)
    return None if stamp and stamp[0] > began - _CLOCK_NS else stamp


def _stamp(file: Path) -> Stamp:
    """Changes whenever the file's content does; None where there is none."""
    try:
        status = file.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino
