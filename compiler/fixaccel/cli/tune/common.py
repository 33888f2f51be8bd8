# SPDX-License-Identifier: Apache-2.0
"""What the commands of `tune` share: where the machine is, where its records are, and which plan is meant."""

import functools
import ipaddress
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from fixaccel.cli.daemon import endpoint_option
from fixaccel.cli.output import show
from fixaccel.diagnostics.checked import Checked
from fixaccel.diagnostics.report import Report
from fixaccel.language.documents.venue import parse_venue
from fixaccel.language.text.files import read_source
from fixaccel.language.text.reader import read_tree
from fixaccel.source import SourceFile
from fixaccel.tune.bind import Bound, bind
from fixaccel.tune.catalogue import catalogue
from fixaccel.tune.host import Host, Machine, Tree
from fixaccel.tune.installed import load
from fixaccel.tune.plan_file import read_plan
from fixaccel.tune.record import BusyError, RecordError, Records, default_folder
from fixaccel.tune.session import session_of
from fixaccel.tune.survey import Circumstances, is_tuned_active

F = TypeVar("F", bound=Callable[..., None])
_PATH = click.Path(path_type=Path)

LEFT = 3  # exit code: something of what was asked is left


@dataclass(frozen=True)
class Where:
    """A machine, the records of it, and the daemon there. A tree has none unless one ``is_asked``."""

    host: Host
    records: Records
    endpoint: str = ""
    is_asked: bool = False

    def around(self) -> Circumstances:
        """What is going on there. Exits with 1 if the record of what is installed is damaged."""
        session = session_of(self.endpoint) if self.is_asked or isinstance(self.host, Machine) else ""
        with failing_with_1():
            options = frozenset(load(self.records).options)
        return Circumstances(session, is_tuned_active(self.host), options)


@dataclass(frozen=True)
class Asked:
    """The files of a plan and a venue, None where none is named."""

    plan: Path | None
    venue: Path | None


@dataclass(frozen=True)
class Knobs:
    """Ids that were named on the command line."""

    only: frozenset[str] = frozenset()
    skip: frozenset[str] = frozenset()


def machine_options(function: Callable[..., None]) -> Callable[..., None]:
    """Adds `--root`, `--config` and `--state`, passed as ``at``."""

    @functools.wraps(function)
    def with_machine(
        *positional: object, root: Path | None, config: Path | None, state: Path | None, **others: object
    ) -> None:
        function(*positional, at=where(root, config, state), **others)

    decorated: Callable[..., None] = with_machine
    for name, metavar, text in (
        ("--state", "DIR", "Folder of the records [default: /var/lib/fixaccel/tune, or the user's own]."),
        ("--config", "FILE", "The daemon's settings [default: /etc/fixaccel/fixacceld.toml]."),
        ("--root", "DIR", "A tree of files in place of the machine: proc, sys, ethtool, etc, var below it."),
    ):
        decorated = click.option(name, metavar=metavar, type=_PATH, help=text)(decorated)
    return decorated


def daemon_option(function: Callable[..., None]) -> Callable[..., None]:
    """Adds `--to` and the files of TLS, for ``at``. Stands below `machine_options`."""

    @functools.wraps(function)
    def with_daemon(*positional: object, at: Where, endpoint: str, **others: object) -> None:
        source = click.get_current_context().get_parameter_source("endpoint")
        is_asked = source is click.core.ParameterSource.COMMANDLINE
        function(*positional, at=replace(at, endpoint=endpoint, is_asked=is_asked), **others)

    return endpoint_option(with_daemon)


def plan_options(function: Callable[..., None]) -> Callable[..., None]:
    """Adds the plan and `--venue`, passed as ``asked``."""

    @functools.wraps(function)
    def with_plan(*positional: object, plan: Path | None, venue: Path | None, **others: object) -> None:
        function(*positional, asked=Asked(plan, venue), **others)

    venue = click.option("--venue", metavar="FILE", type=_PATH, help="Venue file; the route there has the interface.")
    decorated: Callable[..., None] = venue(with_plan)
    return click.argument("plan", metavar="[PLAN]", required=False, type=_PATH)(decorated)


def json_option(function: F) -> F:
    """Adds `--json`."""
    return click.option("--json", "as_json", is_flag=True, help="One JSON object.")(function)


def knob_options(function: Callable[..., None]) -> Callable[..., None]:
    """Adds `--only` and `--skip`, passed as ``knobs``."""

    @functools.wraps(function)
    def with_knobs(*positional: object, only: tuple[str, ...], skip: tuple[str, ...], **others: object) -> None:
        for name in (*only, *skip):
            if name not in catalogue():
                raise click.UsageError(f"there is no knob `{name}`; `fixaccel tune inspect` lists them")
        function(*positional, knobs=Knobs(frozenset(only), frozenset(skip)), **others)

    decorated: Callable[..., None] = with_knobs
    for name, text in (("--skip", "Leave this knob alone"), ("--only", "This knob alone")):
        decorated = click.option(
            name, metavar="KNOB", multiple=True, shell_complete=complete_knobs, help=f"{text}; may be repeated."
        )(decorated)
    return decorated


def complete_knobs(_ctx: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Ids of the catalogue."""
    return [CompletionItem(id_, help=knob.why) for id_, knob in catalogue().items() if id_.startswith(incomplete)]


def complete_runs(ctx: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Numbers of runs, the youngest first."""
    try:
        ids = where(*(ctx.params.get(name) for name in ("root", "config", "state"))).records.ids()
    except (RecordError, click.UsageError):
        return []
    return [CompletionItem(id_) for id_ in reversed(ids) if id_.startswith(incomplete)]


def where(root: Path | None, config: Path | None, state: Path | None) -> Where:
    """The machine that is meant. Raises UsageError."""
    if root is not None and not root.is_dir():
        raise click.UsageError(f"{root} is no folder")
    host = Tree(root, config) if root is not None else Machine(config)
    return Where(host, Records(state or default_folder(host)))


def bound_plan(asked: Asked, host: Host, skip: frozenset[str] = frozenset()) -> Bound:
    """The plan on the machine; what is wrong or unwise goes to standard error. Exits with 2 where it has errors."""
    report = Report()
    sources: dict[str, SourceFile] = {}
    address = _venue_address(asked.venue, report, sources) if asked.venue else None
    plan = read_plan(asked.plan, report, sources)
    bound = bind(plan, host, address, report, skip) if plan and not report.failed else None
    show(Checked(report.sorted(), sources, report.dropped), "full", err=True)
    if bound is None:
        sys.exit(2)
    return bound


@contextmanager
def failing_with_1() -> Iterator[None]:
    """Exits with 1 and the reason if a record cannot be had, or another run is at work."""
    try:
        yield
    except (RecordError, BusyError) as error:
        click.echo(f"Error: {error}", err=True)
        sys.exit(1)


def print_json(found: dict[str, Any]) -> None:
    """As an object for programs and people."""
    click.echo(json.dumps(found, indent=1, ensure_ascii=False))


def _venue_address(path: Path, report: Report, sources: dict[str, SourceFile]) -> str | None:
    source = read_source(path, str(path), report, sources)
    tree = read_tree(source, report) if source else None
    read = parse_venue(tree, report) if tree is not None else None
    if read is None or report.failed:
        return None
    host = read.venue.session.host
    try:
        ipaddress.IPv4Address(host)
    except ValueError:
        raise click.UsageError(f"{path}: {host} is no IPv4 address: name the interface in a plan") from None
    return host
