# SPDX-License-Identifier: Apache-2.0
"""Records of the exchange simulator: JSON lines of all that came, happened and left."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from fixaccel.diagnostics.text import printable


class RecordError(Exception):
    """A file that is no record; the text is for the user and begins with the place."""


class Line(NamedTuple):
    """One line of a record: its number from 1, its event, and all its fields."""

    number: int
    event: str
    fields: Mapping[str, Any]


def read_record(path: Path) -> Iterator[Line]:
    """The lines of the record at ``path``; half a line at its end is left out. Raises RecordError, OSError."""
    with path.open("rb") as file:
        number = 0
        for number, text in enumerate(file, 1):
            try:
                fields = json.loads(text)
                event = fields["event"]
            except (ValueError, KeyError, TypeError):
                if not text.endswith(b"\n"):
                    return
                raise RecordError(f"{printable(str(path))}:{number}: this is no line of a record") from None
            yield Line(number, str(event), fields)
    if not number:
        raise RecordError(f"{printable(str(path))}: the record is empty")
