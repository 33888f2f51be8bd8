# SPDX-License-Identifier: Apache-2.0
"""Reads a table, in whichever form it is. Bounded, and no loop over the rows."""

import hashlib
from pathlib import Path

from fixaccel.diagnostics.codes import reading
from fixaccel.diagnostics.codes import tables as codes
from fixaccel.diagnostics.report import Report
from fixaccel.language.rows.file import FILE_BYTES, TableFile
from fixaccel.language.text.files import read_bytes
from fixaccel.source import SourceFile, Span


def read_table(
    path: Path, name: str, report: Report, sources: dict[str, SourceFile], *, asked_at: Span
) -> TableFile | None:
    """The table at ``path``, called ``name`` in diagnostics; None after reporting why it cannot be used."""
    # Here, not above: most strategies have no table, and these two take a while to import.
    from fixaccel.language.rows.csv import read_csv  # noqa: PLC0415
    from fixaccel.language.rows.parquet import MAGIC, read_parquet  # noqa: PLC0415

    start = Span(name, 1, 1, 1, 1)
    try:
        data = read_bytes(path, FILE_BYTES)
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        report.add(reading.CANNOT_READ, f"cannot read {name}: {reason}", asked_at)
        return None
    if len(data) > FILE_BYTES:
        message = f"{name} is larger than {FILE_BYTES >> 20} MiB"
        report.add(reading.TOO_LARGE, message, start, help="split the table over several rules")
        return None
    digest = hashlib.sha256(data).hexdigest()
    read = read_parquet if data.startswith(MAGIC) else read_csv
    table = read(data, name, digest, report, sources)
    if table is not None and not len(table):
        report.add(codes.TABLE_HEADER, f"{name} has no rows", asked_at, help="give it a row for each trigger")
        return None
    return table
