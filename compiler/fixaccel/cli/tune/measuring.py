# SPDX-License-Identifier: Apache-2.0
"""What commands that measure share: how much, through what, and how far it is."""

import functools
import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import click

from fixaccel.cli.tune.spans import Seconds
from fixaccel.tune.bind import Bound
from fixaccel.tune.measured.scene import LOOPBACK, MeasureError, Scene
from fixaccel.tune.measured.whole import Extent

F = TypeVar("F", bound=Callable[..., None])
_PEER = re.compile(r"[^:\s]+:[0-9]{1,5}\Z")
_FEWEST = 60


def extent_options(function: Callable[..., None]) -> Callable[..., None]:
    """Adds `--samples`, `--time`, `--journal` and `--peer`, passed as ``extent`` and ``peer``."""

    @functools.wraps(function)
    def with_extent(
        *positional: object, samples: int, seconds: float, journal: Path | None, peer: str | None, **others: object
    ) -> None:
        if peer is not None and not (_PEER.match(peer) and 0 < int(peer.rpartition(":")[2]) < 1 << 16):
            raise click.UsageError(f"`{peer}` is no peer: ADDRESS:PORT of a `fixaccel tune echo`")
        if journal is not None and not journal.is_dir():
            raise click.UsageError(f"{journal} is no folder: name the one in which the daemon's journal lies")
        function(*positional, extent=Extent(samples, seconds, journal), peer=peer, **others)

    decorated: Callable[..., None] = with_extent
    for option in (
        click.option("--peer", metavar="ADDRESS:PORT", help="Measure over the network, to a `fixaccel tune echo`."),
        click.option("--journal", metavar="DIR", type=click.Path(path_type=Path),
                     help="Folder of the daemon's journal [default: /var/lib/fixaccel]."),
        click.option("--time", "seconds", metavar="TIME", type=Seconds(), default=5.0,
                     help="How long cyclictest and oslat look at a core [default: 5s]."),
        click.option("--samples", metavar="N", type=click.IntRange(_FEWEST, 10_000_000), default=6000,
                     show_default=True, help="Round trips of each pace, and of each side."),
    ):  # fmt: skip
        decorated = option(decorated)
    return decorated


class Progress:
    """Lines on standard error; on a terminal one that is written over."""

    def __init__(self) -> None:
        self._is_terminal = sys.stderr.isatty()
        self._started = time.monotonic()
        self._wide = 0

    def __call__(self, text: str) -> None:
        """Shows what is being done now."""
        line = f"{time.monotonic() - self._started:6.0f} s  {text}"
        if self._is_terminal:
            click.echo("\r" + line.ljust(self._wide), err=True, nl=False)
            self._wide = len(line)
        else:
            click.echo(line, err=True)

    def end(self) -> None:
        """Gives the line back."""
        if self._is_terminal and self._wide:
            click.echo("\r" + " " * self._wide + "\r", err=True, nl=False)
            self._wide = 0


@contextmanager
def scene_of(bound: Bound, peer: str | None) -> Iterator[tuple[Scene, Progress]]:
    """What is measured with; what it lacks is said. Exits with 1 where it cannot be measured."""
    progress = Progress()
    try:
        with Scene(bound, peer) as scene:
            if scene.way == LOOPBACK:
                click.echo(f"measured over loopback: {scene.says}", err=True)
            yield scene, progress
    except MeasureError as error:
        progress.end()
        click.echo(f"Error: {error}", err=True)
        sys.exit(1)
    finally:
        progress.end()


def time_text(seconds: float) -> str:
    """About how long."""
    return f"about {seconds:.0f} s" if seconds < 100 else f"about {seconds / 60:.0f} min"
