# SPDX-License-Identifier: Apache-2.0
"""Takes a run back unless it is confirmed in time: a process of its own, for a login that the run may cut."""

import os
import sys
import time

from fixaccel.tune.host import Host, Machine
from fixaccel.tune.record import BEGUN, UNCONFIRMED, BusyError, Record, Records
from fixaccel.tune.take_back import take_back
from fixaccel.tune.verdict import tell

_LOOK_S = 0.2


def start(record: Record, records: Records, host: Host, seconds: float) -> int:
    """Begins to watch; returns the process. It outlives this one and its terminal."""
    words = [sys.executable, "-m", "fixaccel", "tune", "rollback", record.id, "--unless-confirmed", str(seconds)]
    words += ["--state", str(records.folder.absolute()), "--config", str(host.settings.absolute())]
    if not isinstance(host, Machine):
        words += ["--root", str(host.root.absolute())]
    # Silent, and in a session of its own: a terminal that goes away does not take it along.
    nowhere = [(os.POSIX_SPAWN_OPEN, stream, os.devnull, os.O_RDWR, 0) for stream in range(3)]
    return os.posix_spawn(sys.executable, words, os.environ, file_actions=nowhere, setsid=True)


def keep(id_: str, records: Records, host: Host, seconds: float) -> bool:
    """Waits; returns whether it had to take the run back. Raises RecordError."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if records.load(id_).state not in {BEGUN, UNCONFIRMED}:
            return False
        time.sleep(min(_LOOK_S, max(0.0, end - time.monotonic())))
    while True:
        try:
            with records.locked():
                record = records.load(id_)
                if record.state not in {BEGUN, UNCONFIRMED}:
                    return False
                # Whoever is locked out cannot log off either: the session is no reason to leave it.
                take_back(record, host)
                records.save(record)
                tell(records, host)
                return True
        except BusyError:
            time.sleep(_LOOK_S)
