# SPDX-License-Identifier: Apache-2.0
"""Result files: one CSV row a fire."""

import csv
import io
from collections.abc import Iterable
from dataclasses import astuple, fields
from pathlib import Path

from fixaccel.semantics.messages import Fire

COLUMNS = tuple(field.name for field in fields(Fire))


def results_csv(fires: Iterable[Fire]) -> str:
    """The text of a result file, lines ended by a line feed."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(astuple(fire) for fire in fires)
    return text.getvalue()


def write_results(path: Path, fires: Iterable[Fire]) -> None:
    """Writes a result file. Raises OSError."""
    with path.open("w", encoding="ascii", newline="") as file:
        file.write(results_csv(fires))
