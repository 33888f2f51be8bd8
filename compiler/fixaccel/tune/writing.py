# SPDX-License-Identifier: Apache-2.0
"""One value written and read back, and how that ended."""

import errno
from dataclasses import dataclass

from fixaccel.tune.catalogue import catalogue
from fixaccel.tune.forms import same
from fixaccel.tune.host import Host, NeedsError, NotHereError
from fixaccel.tune.record import ALREADY, CLAMPED, PENDING, SET, Entry
from fixaccel.tune.survey import Outcome

_RIGHTS = {errno.EPERM, errno.EACCES, errno.EROFS}


class WriteError(Exception):
    """It went wrong, and may be written or not; the text names knob and place."""


@dataclass(frozen=True)
class Written:
    """How it ended; ``detail`` is what is missing, or what the kernel made of it."""

    outcome: Outcome
    detail: str = ""


def write(entry: Entry, host: Host) -> Written:
    """Sets the wanted value, and the entry's state to what came of it; what was refused was not written.

    Raises WriteError.
    """
    try:
        host.write(entry.place, entry.form, entry.wanted)
        entry.read = host.read(entry.place, entry.form)
    except OSError as error:
        # Not written, so nothing of it has to be taken back.
        if error.errno in _RIGHTS:
            entry.state = PENDING
            return Written(Outcome.NEEDS, catalogue()[entry.knob].needs)
        if error.errno == errno.EEXIST:
            # A group that others have just made is theirs.
            entry.state, entry.former = ALREADY, entry.wanted
            return Written(Outcome.ALREADY)
        if error.errno == errno.EOPNOTSUPP:
            entry.state = PENDING
            return Written(Outcome.NOT_HERE, "the driver or kernel does not take it")
        raise WriteError(f"{entry.knob}: {entry.place}: {error.strerror or error}") from error
    except (NotHereError, NeedsError) as error:
        raise WriteError(f"{entry.knob}: {error}") from error
    is_taken = entry.read is not None and same(entry.form, entry.read, entry.wanted)
    entry.state = SET if is_taken else CLAMPED
    if is_taken:
        return Written(Outcome.SET)
    return Written(Outcome.CLAMPED, f"the kernel made {entry.read} of {entry.wanted}")
