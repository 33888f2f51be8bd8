# SPDX-License-Identifier: Apache-2.0
"""`fixaccel fast encode`: JSON to a capture."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import click

from fixaccel.cli.fast.options import groups, reset_option, templates_option, templates_or_exit
from fixaccel.cli.output import refuse_output
from fixaccel.diagnostics.text import printable
from fixaccel.fast.capture import frame_of, write_capture
from fixaccel.fast.encoder import Encoder
from fixaccel.fast.errors import EncodingError
from fixaccel.fast.layout import DATAGRAM_BYTES
from fixaccel.fast.messages import Message, from_json
from fixaccel.fast.model import Templates
from fixaccel.language.terms import Group

_BEGIN = 1_767_225_600 * 10**9  # 2026-01-01 UTC, where lines have no time of their own
_STEP = 10_000  # nanoseconds between datagrams
_SOURCE = Group("10.50.129.200", 16000)


class _Line(NamedTuple):
    number: int
    datagram: int | None
    message: Message


@click.command()
@click.argument("messages", type=click.Path(path_type=Path))
@templates_option
@reset_option
@click.option("-o", "--output", metavar="FILE", required=True, type=click.Path(path_type=Path), help="Capture (pcap).")
@click.option(
    "--number",
    metavar="N",
    type=click.IntRange(0, 8),
    default=0,
    show_default=True,
    help="Bytes of a raw number of the datagram in front, highest first.",
)
@click.option(
    "--first", metavar="N", type=click.IntRange(0), default=1, show_default=True, help="Number of the first datagram."
)
@click.option(
    "--to",
    "lines",
    multiple=True,
    metavar="ADDRESS:PORT",
    callback=groups,
    help="Where the datagrams are sent: once for each line [default: 239.195.1.1:16001].",
)
@click.option("--lose", metavar="LINE:NUMBER,...", default="", help="Datagrams that a line (a, b, ...) loses.")
@click.option("--overwrite", is_flag=True, help="Replace the capture if it is there already.")
def encode(
    *,
    messages: Path,
    templates: Path,
    reset: str | None,
    output: Path,
    number: int,
    first: int,
    lines: tuple[Group, ...],
    lose: str,
    overwrite: bool,
) -> None:
    """Encode MESSAGES, JSON lines as `decode` prints them, as datagrams of a capture.

    Each line is a datagram; lines one behind the other with the same `datagram` are one.

    Exit code 0: written; 2: a line cannot be encoded, or a file cannot be read or written.

    \b
    Examples:
      fixaccel fast encode day.jsonl --templates templates.xml --number 4 -o day.pcap
      fixaccel fast encode day.jsonl --templates t.xml -o day.pcap \\
        --to 239.195.1.1:16001 --to 239.195.1.129:17001 --lose a:3,b:3
    """
    refuse_output(output, [messages, templates], overwrite=overwrite)
    found = templates_or_exit(templates).templates
    assert found
    to = lines or (Group("239.195.1.1", 16001),)
    lost = _lost(lose, len(to))
    try:
        payloads = list(_payloads(messages, found, Encoder(reset_each_message=reset == "message"), number, first))
        known = range(first, first + len(payloads))
        if unknown := {number for _, number in lost} - set(known):
            message = f"there is no datagram {min(unknown)}; they are {known.start} to {known.stop - 1}"
            raise click.BadParameter(message, param_hint="--lose")
        frames = [
            (_BEGIN + at * _STEP + line, frame_of(group, _SOURCE, payload, at))
            for at, payload in enumerate(payloads)
            for line, group in enumerate(to)
            if (line, first + at) not in lost
        ]
        count = write_capture(output, frames)
    except OSError as error:
        raise click.UsageError(f"{printable(str(error.filename or messages))}: {error.strerror}") from None
    made = f"{_counted(len(payloads), 'datagram')} in {_counted(count, 'frame')}"
    click.echo(f"wrote {printable(str(output))}: {made}")


def _counted(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def _payloads(path: Path, templates: Templates, encoder: Encoder, number: int, first: int) -> Iterator[bytes]:
    datagram: list[_Line] = []

    def whole() -> bytes:
        try:
            body = encoder.datagram(line.message for line in datagram)
        except EncodingError as error:
            raise click.UsageError(f"{printable(str(path))}:{datagram[0].number}: {error}") from None
        if number + len(body) > DATAGRAM_BYTES:
            place = f"{printable(str(path))}:{datagram[0].number}"
            raise click.UsageError(f"{place}: {number + len(body):,} bytes do not fit a datagram of {DATAGRAM_BYTES:,}")
        return body

    count = first
    for line in _read(path, templates):
        if datagram and (line.datagram is None or line.datagram != datagram[-1].datagram):
            yield _numbered(count, number) + whole()
            count, datagram = count + 1, []
        datagram.append(line)
    if datagram:
        yield _numbered(count, number) + whole()


def _numbered(count: int, size: int) -> bytes:
    return (count % (1 << 8 * size)).to_bytes(size) if size else b""


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Of two values of one name JSON takes the last, and one would be lost."""
    twice = [name for name, count in Counter(name for name, _ in pairs).items() if count > 1]
    if twice:
        raise EncodingError("", f"`{twice[0]}` is there twice")
    return dict(pairs)


def _read(path: Path, templates: Templates) -> Iterator[_Line]:
    with path.open("rb") as file:
        for number, text in enumerate(file, 1):
            if not text.strip():
                continue
            try:
                data = json.loads(text.decode("utf-8"), object_pairs_hook=_once)
                yield _Line(number, *_message(data, templates))
            except (ValueError, EncodingError, RecursionError) as error:
                reason = f"this is not JSON: {error}" if isinstance(error, ValueError) else str(error)
                raise click.UsageError(f"{printable(str(path))}:{number}: {printable(reason)}") from None


def _message(data: Any, templates: Templates) -> tuple[int | None, Message]:  # noqa: ANN401 - what JSON can hold
    if not isinstance(data, dict):
        raise EncodingError("", "a line is an object")
    if "error" in data:
        raise EncodingError("", "this line tells of a fault, not of a message")
    given = {key: value for key, value in data.items() if key not in {"frame", "time_ns", "group", "datagram"}}
    together = data.get("datagram", data.get("frame"))
    if together is not None and not isinstance(together, int):
        raise EncodingError("datagram", "it is a whole number")
    return together, from_json(given, templates)


def _lost(text: str, lines: int) -> set[tuple[int, int]]:
    found = set()
    for one in filter(None, text.split(",")):
        line, _, number = one.partition(":")
        at = ord(line) - ord("a") if len(line) == 1 else -1
        if not 0 <= at < lines or not re.fullmatch("[0-9]{1,18}", number):
            names = ", ".join(chr(ord("a") + at) for at in range(lines))
            raise click.BadParameter(f"{one!r} is not LINE:NUMBER; lines are: {names}", param_hint="--lose")
        found.add((at, int(number)))
    return found
