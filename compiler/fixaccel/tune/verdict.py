# SPDX-License-Identifier: Apache-2.0
"""What was last found of a machine, in a file that the daemon reads: it goes with the boot that it is of."""

import json
import os
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from fixaccel.files import write_atomically
from fixaccel.tune.host import Host, Machine, is_root_of_the_machine
from fixaccel.tune.installed import load
from fixaccel.tune.record import APPLIED, UNCONFIRMED, Record, RecordError, Records
from fixaccel.tune.verify import Verdict, Verified, verify

# As `cpu.verdict` of the daemon's settings has it.
FILE = "run/fixaccel-tune.json"
FORMAT = 1
_AMISS = {Verdict.DRIFTED, Verdict.LOST, Verdict.GONE}


def place_of(host: Host) -> Path | None:
    """Where it stands: for root and for trees the machine's, for others their own, None where they have none."""
    if not isinstance(host, Machine) or is_root_of_the_machine():
        return host.root / FILE
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    return Path(runtime) / Path(FILE).name if runtime else None


def tell(records: Records, host: Host) -> None:
    """Looks at the last run in force, and writes what has become of it; what cannot be written is left as it is."""
    with suppress(RecordError):
        record = records.last(APPLIED, UNCONFIRMED)
        write(record, verify(record, host, load(records)), host)


def write(record: Record | None, found: Iterable[Verified], host: Host) -> None:
    """The verdict on ``record``, None if nothing is set."""
    place = place_of(host)
    if place is None:
        return
    drifted = sum(one.verdict in _AMISS for one in found)
    said = {"format": FORMAT, "run": record.id if record else "", "drifted": drifted, "time": int(time.time())}
    with suppress(OSError):
        if isinstance(host, Machine) or place.parent.is_dir():
            write_atomically(place, (json.dumps(said) + "\n").encode())
