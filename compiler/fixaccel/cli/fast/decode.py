# SPDX-License-Identifier: Apache-2.0
"""`fixaccel fast decode`: a capture to JSON."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from fixaccel.cli.fast.options import groups as as_groups
from fixaccel.cli.fast.options import reset_option, skip_option, templates_option, templates_or_exit
from fixaccel.diagnostics.text import printable
from fixaccel.fast.capture import Capture, Captured, CaptureError, Group
from fixaccel.fast.decoder import Datagram, Decoder
from fixaccel.fast.errors import Counts
from fixaccel.fast.messages import to_json


@click.command()
@click.argument("capture", type=click.Path(path_type=Path))
@templates_option
@skip_option
@reset_option
@click.option(
    "--group",
    "groups",
    multiple=True,
    metavar="ADDRESS:PORT",
    callback=as_groups,
    help="Only what is sent there; may be repeated.",
)
@click.option("--strict", is_flag=True, help="Stop at the first fault, those that are only counted among them.")
def decode(capture: Path, templates: Path, skip: int, reset: str, groups: tuple[Group, ...], strict: bool) -> None:
    """Decode the datagrams of CAPTURE (pcap, pcapng) to JSON, a line for each message.

    A datagram counts whole or not at all: one with a fault gives a line with `error`, its byte, template and field, and
    none of its messages. What the standard lets pass (needless bytes) is counted at the end.

    Exit code 0: all was understood; 1: there were faults; 2: a file cannot be read.

    \b
    Examples:
      fixaccel fast decode day.pcap --templates templates.xml --skip 4
      fixaccel fast decode day.pcap --templates t.xml --group 239.195.1.1:16001 --strict
    """
    found = templates_or_exit(templates)
    decoder = Decoder(found, reset_each_message=reset == "message")
    frames = Capture(capture, frozenset(groups))
    counts, faults, taken = Counts(), 0, 0
    for captured in _read(frames):
        datagram = decoder.datagram(captured.payload, skip)
        counts += datagram.counts
        taken += 1
        for line in _lines(captured, datagram):
            click.echo(json.dumps(line))
        if datagram.error or (strict and datagram.counts):
            faults += 1
            if strict:
                break
    _summary(frames, taken, faults, counts)
    sys.exit(1 if faults else 0)


def _read(frames: Capture) -> Iterator[Captured]:
    """What is in the capture; trouble with it alone is a usage error, not that with the output."""
    try:
        yield from frames
    except (OSError, CaptureError) as error:
        reason = f"cannot read {frames.path}: {error.strerror}" if isinstance(error, OSError) else str(error)
        raise click.UsageError(printable(reason)) from None


def _lines(captured: Captured, datagram: Datagram) -> Iterator[dict[str, Any]]:
    head = {"frame": captured.number, "time_ns": captured.time, "group": str(captured.group)}
    if error := datagram.error:
        yield {**head, "error": error.fault.name, "at": error.at, "template": error.template, "field": error.field}
    for message in datagram.messages:
        yield {**head, **to_json(message)}


def _summary(frames: Capture, taken: int, faults: int, counts: Counts) -> None:
    click.echo(f"{taken:,} datagram{'' if taken == 1 else 's'}, {faults:,} with a fault", err=True)
    for fault, count in sorted(counts.items(), key=lambda pair: pair[0].name):
        click.echo(f"{count:,} times {fault.name}: {fault.value}", err=True)
    for why, count in frames.passed.most_common():
        click.echo(f"{count:,} frame{'' if count == 1 else 's'} passed over: {why.value}", err=True)
