# SPDX-License-Identifier: Apache-2.0
"""`fixaccel latency`: where the microseconds of a daemon's orders go."""

import json
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO

import click

from fixaccel.board.control import ControlClient
from fixaccel.board.polling import Poller, away
from fixaccel.cli.daemon import daemon, endpoint_option
from fixaccel.cli.ending import until_interrupted
from fixaccel.files import replacing
from fixaccel.latency.histogram_log import log_text
from fixaccel.latency.stages import FIRST, SECOND

Answer = dict[str, Any]

_FIGURES = (("p50", "p50_ns"), ("p99", "p99_ns"), ("p99.9", "p999_ns"), ("max", "max_ns"))
_PATHS = {"rule": "orders of rules", "desk": "orders by hand", "fabric": "orders of the fabric"}
_COUNTS = (
    ("answered", "answered"),
    ("rejected", "rejected"),
    ("unanswered", "without an answer"),
    ("resent", "sent again"),
    ("untold", "that nobody watched"),
    ("without_t1", "without T1"),
)
_MOMENTS = {"t1": "T1", "t2": "T2", "t3": "T3"}
_BY = {
    "app": "by the daemon's clock",
    "kernel": "by the kernel",
    "shared": "by the kernel, of a later segment of the same read",
    "card": "by the card",
    "fabric": "by the fabric's cycles",
}
_OFF = 'the daemon takes no times: cpu.stamps is "off"'
_NS_PER_US = 1000
_MOST_WORST = 1000  # that the daemon lists
_NS = 10**9


@click.command()
@endpoint_option
@click.option("--json", "as_json", is_flag=True, help="One JSON object, as the daemon answers.")
@click.option("--watch", is_flag=True, help="Show them again and again, until Ctrl-C.")
@click.option("--every", metavar="S", type=click.FloatRange(min=0.1), help="Seconds between two looks.  [default: 1]")
@click.option("--worst", metavar="N", type=click.IntRange(0, _MOST_WORST), default=0, help="The N slowest orders, too.")
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write FILE.hlog, the histograms as a log of HdrHistogram, or FILE.parquet, a row for each of the last "
    "orders. What there is of that name is replaced once all is written.",
)
def latency(endpoint: str, as_json: bool, watch: bool, every: float | None, worst: int, output: Path | None) -> None:
    """Show the time from the reason for an order to the order, and from its answer to whoever waits for that.

    T1: the price, or the request by hand, arrives. T2: the order is with the network driver, or has left the fabric.
    T3: the venue's first answer arrives. T4: it is in the journal, or with the desk. Times are in microseconds, since
    the daemon was started.

    Exit code 1: refused, or the daemon takes no times; 2: no daemon answers, or the file cannot be written. With
    `--watch` 0, once it is interrupted.

    \b
    Examples:
      fixaccel latency
      fixaccel latency --worst 20
      fixaccel latency --json | jq '.paths.rule.parts.inner.p99_ns'
      fixaccel latency --watch --every 5
      fixaccel latency -o today.hlog
      fixaccel latency -o today.parquet
    """
    if every is not None and not watch:
        raise click.UsageError("--every goes with --watch")
    if output is not None:
        if watch or as_json or worst:
            raise click.UsageError("-o goes without --json, --watch and --worst")
        if output.suffix not in _FORMATS:
            raise click.UsageError(f"-o writes FILE.hlog or FILE.parquet, not {output}")
        _export(endpoint, output)
        return
    arguments = {"worst": worst} if worst else {}
    if watch:
        _watch(endpoint, every or 1.0, arguments, as_json=as_json)
        return
    with daemon(endpoint) as client:
        answer = client.ask("latency", **arguments)
    click.echo(json.dumps(answer) if as_json else "\n".join(lines(answer)))


def _export(endpoint: str, output: Path) -> None:
    try:
        with daemon(endpoint) as client:
            if client.ask("latency")["stamps"] == "off":
                click.echo(f"Error: {_OFF}", err=True)
                sys.exit(1)
            with replacing(output) as file:
                text = _FORMATS[output.suffix](client, file)
    except OSError as error:
        click.echo(f"Error: {output}: {error.strerror or error}", err=True)
        sys.exit(2)
    click.echo(f"{output}: {text}")


def _write_log(client: ControlClient, file: BinaryIO) -> str:
    text = log_text(client.ask("latency", buckets=True), time.time_ns())
    file.write(text.encode("ascii"))
    return f"{text.count('Tag=')} histograms"


def _write_orders(client: ControlClient, file: BinaryIO) -> str:
    # Only this needs the library.
    from fixaccel.latency.order_rows import all_orders, write  # noqa: PLC0415

    return f"{write(file, all_orders(lambda after: client.ask('latency', after=after)))} orders"


_FORMATS = {".hlog": _write_log, ".parquet": _write_orders}


def _watch(endpoint: str, every_s: float, arguments: dict[str, int], *, as_json: bool) -> None:
    with until_interrupted(), Poller(endpoint) as poller:
        while True:
            end = time.monotonic() + every_s
            answer = poller.ask("latency", **arguments)
            if as_json:
                click.echo(json.dumps(answer))
            else:
                click.clear()  # nothing where there is no terminal
                click.echo(f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S} UTC")
                click.echo(away(answer) or "\n".join(lines(answer)))
            time.sleep(max(0.0, end - time.monotonic()))


def lines(answer: Answer) -> Iterator[str]:
    """What the daemon says, for a reader."""
    if answer["stamps"] == "off":
        yield _OFF
        return
    seen = {name: path for name, path in answer["paths"].items() if path["orders"]}
    if not seen:
        yield "no order has left since the daemon was started"
    for number, (name, path) in enumerate(seen.items()):
        if number:
            yield ""
        yield from _path_lines(_PATHS[name], path)
        if name == "fabric":
            yield from _cycle_lines(answer["fabric"])
    if answer["worst"]:
        yield ""
        yield "the slowest, in us"
        yield from (_order_line(order) for order in answer["worst"])


def _path_lines(name: str, path: Answer) -> Iterator[str]:
    counts = ", ".join(f"{path[key]} {text}" for key, text in _COUNTS if path[key])
    yield f"{path['orders']} {name}: {counts}"
    yield from (f"  {moment} {text}" for moment, text in _stamped(path["stamps"]))
    yield f"  {'us':14}" + "".join(f"{name:>10}" for name, _ in _FIGURES) + f"{'mean':>10}"
    parts = path["parts"]
    for label, whole, stages in (("T1 to T2", "t1_t2", FIRST), ("T3 to T4", "t3_t4", SECOND)):
        if not parts[whole]["count"]:
            continue
        yield _figures(label, parts[whole])
        for stage in stages:
            if parts[stage]["count"]:
                yield _figures("  " + stage.removeprefix("answer_"), parts[stage])
    if parts["inner"]["count"]:
        yield _figures("both", parts["inner"])


def _cycle_lines(fabric: Answer) -> Iterator[str]:
    """What T1 to T2 of the fabric was made of."""
    if clock := fabric["clock_hz"]:
        of = "a virtual board, simulated" if fabric["simulated"] else "the board"
        yield f"  T1 to T2 are cycles of {of}, of {_NS / clock:g} ns each"


def _stamped(stamps: Answer) -> Iterator[tuple[str, str]]:
    """By whom each moment was taken; nothing where all are by the daemon's own clock."""
    if not any(count for counts in stamps.values() for by, count in counts.items() if by != "app"):
        return
    for key, moment in _MOMENTS.items():
        said = ", ".join(f"{count} {text}" for by, text in _BY.items() if (count := stamps[key].get(by, 0)))
        if said:
            yield moment, said


def _figures(label: str, part: Answer) -> str:
    values = [part[key] for _, key in _FIGURES] + [part["sum_ns"] / part["count"]]
    return f"  {label:14}" + "".join(f"{value / _NS_PER_US:10.1f}" for value in values)


def _order_line(order: Answer) -> str:
    when = datetime.fromtimestamp(order["t1_ns"] / _NS, UTC)
    stages = sorted(order["stages"].items(), key=lambda stage: -stage[1])
    most = ", ".join(f"{name.replace('_', ' ')} {ns / _NS_PER_US:.1f}" for name, ns in stages[:3])
    return f"  {when:%H:%M:%S.%f}  {order['cl_ord_id']}  {order['inner_ns'] / _NS_PER_US:9.1f}  {most}"
