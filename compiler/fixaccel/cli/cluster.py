# SPDX-License-Identifier: Apache-2.0
"""Options of commands that share work out, and a count that does."""

import functools
import sys
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import click

from fixaccel.cluster.spec import Spec, parse
from fixaccel.language.rules import Strategy
from fixaccel.simulate.counting import Counts, Fresh
from fixaccel.simulate.progress import ProgressBar

_FILE = click.Path(dir_okay=False, exists=True, path_type=Path)


@dataclass(frozen=True)
class Cluster:
    """Who works; ``tls`` are our certificate, its key and the authority, for a scheduler elsewhere."""

    spec: Spec
    tls: tuple[Path, Path, Path] | None
    checkpoint: Path | None


def _spec(_context: click.Context, _parameter: click.Parameter, text: str | None) -> Spec | None:
    try:
        return None if text is None else parse(text)
    except ValueError as error:
        raise click.BadParameter(str(error)) from error


def cluster_options(function: Callable[..., None]) -> Callable[..., None]:
    """Adds `--cluster` and what belongs to it, passed as ``cluster``, None where nothing is shared out."""

    @functools.wraps(function)
    def with_cluster(
        *positional: object,
        cluster: Spec | None,
        checkpoint: Path | None,
        cert: Path | None,
        key: Path | None,
        ca: Path | None,
        **others: object,
    ) -> None:
        function(*positional, cluster=_cluster(cluster, checkpoint, cert, key, ca), **others)

    options = (
        click.option("--cluster", metavar="local[:N]|tls://HOST:PORT", callback=_spec,
                     help="Share it out: to N processes of this machine, by itself one a core, or to a Dask cluster."),
        click.option("--checkpoint", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path),
                     help="With --cluster: keep what is done there, and go on from it."),
        click.option("--cert", metavar="FILE", type=_FILE, help="Our certificate, for tls://HOST:PORT."),
        click.option("--key", metavar="FILE", type=_FILE, help="Its key."),
        click.option("--ca", metavar="FILE", type=_FILE, help="Certificate of the CA that signed the scheduler's."),
    )  # fmt: skip
    decorated: Callable[..., None] = with_cluster
    for option in reversed(options):
        decorated = option(decorated)
    return decorated


def _cluster(spec: Spec | None, checkpoint: Path | None, *files: Path | None) -> Cluster | None:
    if spec is None:
        if checkpoint is not None or any(files):
            raise click.UsageError("--checkpoint, --cert, --key and --ca go with --cluster")
        return None
    if not spec.address:
        if any(files):
            raise click.UsageError("--cert, --key and --ca go with --cluster tls://HOST:PORT")
        return Cluster(spec, None, checkpoint)
    certificate, key, authority = files
    if certificate is None or key is None or authority is None:
        raise click.UsageError("--cluster tls://HOST:PORT needs --cert, --key and --ca")
    return Cluster(spec, (certificate, key, authority), checkpoint)


def count_on_cluster(strategy: Strategy, events: list[Path], fresh: Fresh, cluster: Cluster) -> Counts:
    """Ends the program with 2 where it cannot be. Raises LibraryError, TableError, FaultyEventsError."""
    try:
        # Only this needs the library.
        from fixaccel.cluster.connect import ClusterError, Tls, connected  # noqa: PLC0415
    except ModuleNotFoundError as error:
        click.echo(f"Error: {error.name} is not installed: `pip install fixaccel[cluster]`", err=True)
        sys.exit(2)
    from fixaccel.cluster.checkpoint import Checkpoint, CheckpointError  # noqa: PLC0415
    from fixaccel.cluster.share import count_shared  # noqa: PLC0415

    try:
        with (
            ExitStack() as stack,
            connected(cluster.spec, Tls(*cluster.tls) if cluster.tls else None) as workers,
            ProgressBar("count", 1) as progress,
        ):
            kept = stack.enter_context(Checkpoint(cluster.checkpoint)) if cluster.checkpoint else None
            return count_shared(strategy, events, fresh, workers, progress, kept)
    except (ClusterError, CheckpointError, ValueError) as error:
        click.echo(f"Error: {error}", err=True)
        sys.exit(2)
