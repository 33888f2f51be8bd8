# SPDX-License-Identifier: Apache-2.0
"""`fixaccel tune baseline`, `measure` and `echo`: how fast a machine is."""

import socket

import click

from fixaccel.cli.tune.common import (
    Asked,
    Where,
    bound_plan,
    failing_with_1,
    json_option,
    machine_options,
    plan_options,
    print_json,
)
from fixaccel.cli.tune.measuring import extent_options, scene_of
from fixaccel.tune.bind import Bound
from fixaccel.tune.measured.effect import Judged, compare
from fixaccel.tune.measured.figures import Measurement, as_object
from fixaccel.tune.measured.pingpong import echo as answer
from fixaccel.tune.measured.show import about, difference_objects, figure_rows, judged_rows
from fixaccel.tune.measured.store import keep, last
from fixaccel.tune.measured.whole import Extent
from fixaccel.tune.measured.whole import measure as measure_all
from fixaccel.tune.record import RecordError
from fixaccel.tune.show import table

NOT_IN_TURN = "not measured in turn, so a hint and no verdict: `fixaccel tune run` has those"


@click.command()
@plan_options
@extent_options
@machine_options
@json_option
def baseline(asked: Asked, extent: Extent, peer: str | None, as_json: bool, at: Where) -> None:
    """Measure this machine as it is, to compare with later.

    Round trips of a message over TCP, at 50 a second and as fast as it goes, between two network namespaces that are
    made for it and set as this one is; a program stands for the daemon and takes its settings. How late a core wakes,
    with cyclictest and oslat where they are installed. How long the journal's disk takes. Kept with machine, kernel,
    time and what else the machine did.

    Exit code 0: measured; 1: it cannot be, or not be kept; 2: misuse, or the plan has errors.

    \b
    Examples:
      fixaccel tune baseline
      fixaccel tune baseline desk.tune.yaml --journal /var/lib/fixaccel
      fixaccel tune baseline --peer 10.1.2.3:7007
    """
    made = measured("baseline", bound_plan(asked, at.host), extent, peer, at)
    if as_json:
        print_json(as_object(made))
    else:
        show_measurement(made)


@click.command()
@plan_options
@extent_options
@machine_options
@json_option
def measure(asked: Asked, extent: Extent, peer: str | None, as_json: bool, at: Where) -> None:
    """Measure this machine as it is now, beside the last baseline.

    What differs is a hint: the machine may have had more to do. `fixaccel tune run` measures in turn.

    Exit code 0: measured; 1: it cannot be, or not be kept; 2: misuse, or the plan has errors.

    \b
    Examples:
      fixaccel tune measure
      fixaccel tune measure --samples 600 --json | jq '.figures[0].p99'
    """
    with failing_with_1():
        before = last(at.records, "baseline")
    made = measured("measure", bound_plan(asked, at.host), extent, peer, at)
    judged = compare(before.blocks(), made.blocks(), seed=0) if before else None
    if as_json:
        differences = difference_objects(judged.differences) if judged else []
        print_json(as_object(made) | {"against": before.id if before else None, "differences": differences})
        return
    show_measurement(made)
    if before and judged:
        show_hint(before, judged)


@click.command()
@click.argument("listen", metavar="[ADDRESS:]PORT")
def echo(listen: str) -> None:
    """Answer the round trips of another host, until Ctrl-C: the other end of `--peer`.

    Whatever comes in at that address is sent back. Use it where nobody else can come to, and end it afterwards.

    Exit code 1: the address is not to be had; 2: misuse.

    \b
    Examples:
      fixaccel tune echo 10.1.2.3:7007
    """
    address, _, port = listen.rpartition(":")
    if not (port.isdigit() and int(port) < 1 << 16):
        raise click.UsageError(f"`{listen}` has no port: give ADDRESS:PORT")
    try:
        server = socket.create_server((address or "127.0.0.1", int(port)))
    except OSError as error:
        raise click.ClickException(f"{listen}: {error.strerror}") from error
    with server:
        click.echo(f"answers at {address or '127.0.0.1'}:{server.getsockname()[1]}, ends with Ctrl-C", err=True)
        answer(server)


def show_hint(before: Measurement, judged: Judged) -> None:
    """What has changed since, as far as it says something."""
    click.echo(f"\nagainst {about(before)}")
    for line in table(judged_rows(judged)):
        click.echo(line)
    click.echo(NOT_IN_TURN)


def measured(kind: str, bound: Bound, extent: Extent, peer: str | None, at: Where) -> Measurement:
    """Measures and keeps it. Exits with 1 where either fails."""
    with failing_with_1(), at.records.locked(), scene_of(bound, peer) as (scene, progress):
        made = measure_all(kind, bound, scene, extent, progress)
        try:
            keep(made, at.records)
        except RecordError:
            progress.end()
            raise
    return made


def show_measurement(made: Measurement) -> None:
    """Its figures and notes."""
    click.echo(about(made))
    for line in table(figure_rows(made)):
        click.echo(line)
    for note in made.notes:
        click.echo(f"* {note}")
