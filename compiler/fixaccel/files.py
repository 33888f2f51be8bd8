# SPDX-License-Identifier: Apache-2.0
"""Files that are there whole or not at all."""

import os
import tempfile
from pathlib import Path


def write_atomically(path: Path, data: bytes) -> None:
    """Replaces the content of ``path``, or makes it; its mode stays. A link is followed. Raises OSError."""
    place = Path(os.path.realpath(path))
    mode = place.stat().st_mode & 0o7777 if place.exists() else 0o666 & ~_umask()
    descriptor, name = tempfile.mkstemp(prefix=f".{place.name}.", dir=place.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
            os.fchmod(file.fileno(), mode)
        Path(name).replace(place)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _umask() -> int:
    old = os.umask(0)
    os.umask(old)
    return old
