# SPDX-License-Identifier: Apache-2.0
"""All that is measured of a machine as it is."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from fixaccel.tune.bind import Bound
from fixaccel.tune.host import Machine
from fixaccel.tune.machine import facts
from fixaccel.tune.measured.disk import syncs
from fixaccel.tune.measured.figures import Measurement, figure, pace_name
from fixaccel.tune.measured.noise import Listening, quiet
from fixaccel.tune.measured.pingpong import Pace
from fixaccel.tune.measured.scene import LOOPBACK, MeasureError, Scene, stand_in
from fixaccel.tune.measured.tools import TOOLS, by_tool, wake
from fixaccel.tune.record import boot_of, kernel_of

RATE = 50  # of a desk, and of the paper
BLOCKS = 6
JOURNAL = Path("/var/lib/fixaccel")

Say = Callable[[str], object]


@dataclass(frozen=True)
class Extent:
    """How much is measured: round trips of each pace and side, and seconds of each of the others."""

    samples: int = 6000
    seconds: float = 5.0
    journal: Path | None = None

    def paces(self, blocks: int) -> list[Pace]:
        """Of one of so many blocks."""
        each = -(-self.samples // blocks)
        return [Pace(RATE, each), Pace(0, each)]

    def takes(self, blocks: int) -> float:
        """About how many seconds so many blocks of the pace of a desk take."""
        return self.paces(blocks)[0].count * blocks / RATE


def measure(kind: str, bound: Bound, scene: Scene, extent: Extent, say: Say) -> Measurement:
    """Round trips, wake-ups, the journal's disk. What cannot be had is a note. Raises MeasureError for round trips."""
    host = bound.host
    made = Measurement(
        kind, datetime.now(UTC).isoformat(timespec="seconds"), kernel_of(host), boot_of(host), facts(bound), scene.way
    )
    if scene.way == LOOPBACK:
        made.notes.append(f"over loopback: {scene.says}")
    if not isinstance(host, Machine):
        made.notes.append(f"with the settings of {host.root}, on the machine that this runs on")
    core = stand_in(host)["core"]
    pressure = quiet(host, say)
    listening = Listening(host, core, pressure)
    paces = extent.paces(BLOCKS)
    blocks = []
    for number in range(BLOCKS):
        say(f"round trips, block {number + 1} of {BLOCKS}")
        blocks.append(scene.block(paces))
    made.notes += dict.fromkeys(said for block in blocks for said in [*block.said, *_left(block.left)])
    made.figures = [figure(pace_name(pace), [block.samples[at] for block in blocks]) for at, pace in enumerate(paces)]
    say("wake-ups")
    made.figures.append(wake(min(extent.seconds, 1.0)))
    for tool in TOOLS if isinstance(host, Machine) else ():
        found, why = by_tool(tool, bound.cores.daemon, extent.seconds)
        made.figures += [found] if found else []
        made.notes += [why] if why else []
    say("the journal's disk")
    try:
        made.figures.append(syncs(journal_of(extent.journal)))
    except MeasureError as error:
        made.notes.append(str(error))
    made.noise = listening.heard()
    if pressure is None:
        made.notes.append("this kernel does not tell the pressure on its processors (/proc/pressure)")
    return made


def journal_of(named: Path | None) -> Path:
    """The folder that is named, else the daemon's or the nearest above it that may be written to."""
    if named is not None:
        return named
    place = JOURNAL
    while not place.is_dir():
        place = place.parent
    return place if os.access(place, os.W_OK) else Path.cwd()


def _left(left: dict[str, str]) -> list[str]:
    return [f"{place} is not so on the link that is measured: {why}" for place, why in left.items()]
