# SPDX-License-Identifier: Apache-2.0
"""Event files as people name them: a file, a folder of them, a pattern."""

import glob
from collections.abc import Iterable
from pathlib import Path

SUFFIXES = (".parquet", ".csv")
_SPECIAL = set("*?[")


def event_files(places: Iterable[str]) -> list[Path]:
    """Each file that is named; of a folder all event files below it, of a pattern all that fit, by name.

    Raises ValueError for a folder or pattern that has none. A file that is not there is named all the same.
    """
    found: list[Path] = []
    for place in places:
        path = Path(place)
        if path.is_dir():
            inside = sorted(file for file in path.rglob("*") if file.suffix in SUFFIXES and file.is_file())
            if not inside:
                raise ValueError(f"`{place}` has no event file: none ends with {' or '.join(SUFFIXES)}")
            found += inside
        elif _SPECIAL & set(place) and not path.exists():
            names = glob.glob(place, recursive=True)  # noqa: PTH207 - it may be absolute
            fitting = sorted(Path(name) for name in names if Path(name).is_file())
            if not fitting:
                raise ValueError(f"no file fits `{place}`")
            found += fitting
        else:
            found.append(path)
    return found
