# SPDX-License-Identifier: Apache-2.0
"""Workers of Dask distributed: processes of this machine, or a cluster that is there already. `fixaccel[cluster]`."""

import logging
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import dask
from distributed import Client, LocalCluster, Security, as_completed
from distributed.scheduler import KilledWorker

from fixaccel.cluster.spec import Spec
from fixaccel.cluster.units import Group, Unit
from fixaccel.cluster.work import Found, Job, count_unit, groups_at, held, identity

_TRIES = 3  # of a unit
_PATIENCE_S = 20  # until a scheduler answers


class ClusterError(Exception):
    """The cluster cannot be used, or a unit failed; the text says what, and on which worker."""


@dataclass(frozen=True)
class Tls:
    """Files of our side of a connection."""

    certificate: Path
    key: Path
    authority: Path


@contextmanager
def connected(spec: Spec, tls: Tls | None = None) -> Iterator["DaskWorkers"]:
    """Workers that have what we have. Raises ClusterError."""
    # What Dask says is about itself; what went wrong is told by us, once.
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    settings = {
        "distributed.scheduler.allowed-failures": _TRIES - 1,
        "distributed.comm.timeouts.connect": f"{_PATIENCE_S}s",
    }
    with dask.config.set(settings):
        try:
            if spec.address:
                assert tls is not None
                security = Security(
                    tls_ca_file=str(tls.authority), tls_client_cert=str(tls.certificate), tls_client_key=str(tls.key),
                    require_encryption=True,
                )  # fmt: skip
                with Client(spec.address, security=security, timeout=_PATIENCE_S) as client:
                    yield _checked(client)
                return
            # Its own certificates, made for it: any user of this machine could speak to an open port.
            with (
                LocalCluster(
                    n_workers=spec.workers or os.cpu_count() or 1, threads_per_worker=1, processes=True, memory_limit=0,
                    dashboard_address=None, security=True, protocol="tls://", host="127.0.0.1",
                    silence_logs=logging.CRITICAL,
                ) as cluster,
                Client(cluster) as client,
            ):  # fmt: skip
                yield _checked(client)
        except (OSError, TimeoutError) as error:
            raise ClusterError(f"{spec.text}: {error}") from error


def _checked(client: Client) -> "DaskWorkers":
    """Raises ClusterError where there is no worker, or one that would count with another library."""
    ours = identity()
    theirs = client.run(identity)
    if not theirs:
        raise ClusterError("the cluster has no worker")
    for worker, (version, library) in sorted(theirs.items()):
        if (version, library) != ours:
            raise ClusterError(
                f"worker {worker} has fixaccel {version} with the table interpreter {library[:12]}, and not {ours[0]} "
                f"with {ours[1][:12]}: install the same package there"
            )
    return DaskWorkers(client)


class DaskWorkers:
    """Units to workers, each to whoever is free."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def groups(self, paths: Sequence[str]) -> list[list[Group] | None]:
        """`groups_of` each file, where the workers are."""
        futures = self._client.map(groups_at, paths, pure=False)
        try:
            found: list[list[Group] | None] = self._client.gather(futures)
        except KilledWorker as error:
            raise ClusterError(
                f"{_path_of(error, futures, paths)}: its footer ended a worker {_TRIES} times"
            ) from error
        return found

    def count(self, job: Job, units: Sequence[Unit]) -> Iterable[tuple[int, Found]]:
        """As it comes. Raises ClusterError for a unit that has failed three times."""
        # Sent once, not with each unit; as a task, for what is on a worker that ends is made again then.
        sent = self._client.submit(held, job, pure=False)
        futures = [self._client.submit(count_unit, sent, unit, retries=_TRIES - 1, pure=False) for unit in units]
        places = {future.key: number for number, future in enumerate(futures)}
        try:
            for future in as_completed(futures):
                number = places[future.key]
                if future.status != "finished":
                    error = future.exception()
                    if error is None:
                        what = "was given up by the scheduler: does that still run?"
                    elif isinstance(error, KilledWorker):
                        what = f"ended its worker {_TRIES} times"
                    else:
                        what = f"failed {_TRIES} times: {error}"
                    raise ClusterError(f"{_name_of(units[number])} {what}")
                yield number, future.result()
        finally:
            self._client.cancel(futures)


def _name_of(unit: Unit) -> str:
    """Its first file, and of which days."""
    first, last = unit.slices[0], unit.slices[-1]
    until = f", up to {last.until}" if last.until else ""
    behind = f", behind {first.after}" if first.after else ""
    return f"{first.path}{behind}{until}"


def _path_of(error: KilledWorker, futures: Sequence[object], paths: Sequence[str]) -> str:
    keys = [getattr(future, "key", None) for future in futures]
    return paths[keys.index(error.task)] if error.task in keys else paths[0]
