# SPDX-License-Identifier: Apache-2.0
"""`fixaccel fast decode`: a capture to JSON."""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import click

from fixaccel.cli.fast.options import (
    Framing,
    framing_or_exit,
    program_or_exit,
    reset_option,
    skip_option,
    templates_option,
    venue_option,
)
from fixaccel.cli.fast.options import groups as as_groups
from fixaccel.diagnostics.text import printable
from fixaccel.fast.capture import Capture, Captured, CaptureError
from fixaccel.fast.decoder import Datagram, Decoder
from fixaccel.fast.errors import Counts
from fixaccel.fast.messages import to_json
from fixaccel.fast.program.decoding import ProgramDecoder
from fixaccel.fast.program.interest import everything
from fixaccel.fast.program.interpreter import Interpreter
from fixaccel.fast.program.native import Fabric, Native, NativeError
from fixaccel.fast.program.program import Limits
from fixaccel.language.terms import Group

ENGINES = ("rules", "program", "native", "rtl")


@click.command()
@click.argument("capture", type=click.Path(path_type=Path))
@partial(templates_option, required=False)
@venue_option
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
@click.option(
    "--engine",
    type=click.Choice(ENGINES),
    default="rules",
    show_default=True,
    help="The reference decoder, the compiled program in Python or in C++, or the fabric that runs it, Verilated.",
)
@click.option("--strict", is_flag=True, help="Stop at the first fault, those that are only counted among them.")
def decode(
    *,
    capture: Path,
    templates: Path | None,
    venue: Path | None,
    skip: int | None,
    reset: str | None,
    groups: tuple[Group, ...],
    engine: str,
    strict: bool,
) -> None:
    """Decode the datagrams of CAPTURE (pcap, pcapng) to JSON, a line for each message.

    A datagram counts whole or not at all: one with a fault gives a line with `error`, its byte, template and field, and
    none of its messages. What the standard lets pass (needless bytes) is counted at the end. All engines say the same,
    but that `rtl` does not know the venue's instruments, and does not count them (U4).

    With --venue the venue file says where the FAST bytes begin, which groups carry the feed and which of its
    instruments count.

    Exit code 0: all was understood; 1: there were faults; 2: a file cannot be read, or the engine cannot run.

    \b
    Examples:
      fixaccel fast decode day.pcap --venue venue.yaml
      fixaccel fast decode day.pcap --venue venue.yaml --engine native
      fixaccel fast decode day.pcap --templates templates.xml --skip 4 --group 239.195.1.1:16001 --strict
    """
    framing = framing_or_exit(venue, templates, skip, reset)
    if framing.groups and (foreign := [group for group in groups if group not in framing.groups]):
        raise click.BadParameter(f"the venue's feed has no group {foreign[0]}", param_hint="--group")
    frames = Capture(capture, frozenset(groups) or framing.groups, framing.senders)
    counts, faults, taken = Counts(), 0, 0
    with ExitStack() as stack:
        try:
            decoded = _engine(engine, framing, stack)
            for captured in _read(frames):
                datagram = decoded(captured.payload)
                counts += datagram.counts
                taken += 1
                for line in _lines(captured, datagram):
                    click.echo(json.dumps(line))
                if datagram.error or (strict and datagram.counts):
                    faults += 1
                    if strict:
                        break
        except NativeError as error:
            raise click.UsageError(printable(str(error))) from None
    _summary(frames, taken, faults, counts)
    sys.exit(1 if faults else 0)


def _engine(name: str, framing: Framing, stack: ExitStack) -> Callable[[bytes], Datagram]:
    """What decodes a datagram. Ends the program where there is no room for the templates in one."""
    interest = framing.interest
    if name == "rules":
        decoder = Decoder(framing.templates, reset_each_message=interest.reset_each_message, observed=framing.observed)
        return partial(decoder.datagram, skip=framing.skip)
    interest = replace(interest, tagged=everything)
    program = program_or_exit(framing.templates, interest, Limits(), framing.sources, code=2)
    if name == "program":
        run = Interpreter(program, framing.known).datagram
    elif name == "native":
        run = partial(stack.enter_context(Native()).datagram, program, known=framing.known)
    else:
        run = partial(stack.enter_context(Fabric()).datagram, program)
    return ProgramDecoder(framing.templates, program, run).datagram


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
