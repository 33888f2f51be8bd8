# SPDX-License-Identifier: Apache-2.0
"""Table files in Parquet: text, decimals, whole numbers and binary fractions, all turned into text."""

from decimal import Decimal

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import parquet

from fixaccel.diagnostics.codes import tables as codes
from fixaccel.diagnostics.report import Report
from fixaccel.language.rows.file import TableFile, column_places, row_numbers, too_many_rows
from fixaccel.source import SourceFile, Span

MAGIC = b"PAR1"

# What the used columns may take once decompressed: a small file can claim anything.
COLUMN_BYTES = 512 << 20


def read_parquet(
    data: bytes, name: str, digest: str, report: Report, sources: dict[str, SourceFile]
) -> TableFile | None:
    """The table in ``data``; None after reporting why not."""
    del sources  # there are no lines to show
    start = Span(name, 1, 1, 1, 1)
    try:
        file = parquet.ParquetFile(pa.py_buffer(data))
        names = file.schema_arrow.names
        spans = [Span(name, 1, place + 1, 1, place + 2) for place in range(len(names))]
        places = column_places(names, spans or [start], report) if names else None
        if places is None or too_many_rows(name, file.metadata.num_rows, report):
            return None
        if _claimed_bytes(file.metadata, places) > COLUMN_BYTES:
            message = f"the columns of {name} take more than {COLUMN_BYTES >> 20} MiB"
            report.add(codes.TABLE_TOO_LONG, message, start, help="split the table over several rules")
            return None
        read = parquet.ParquetFile(pa.py_buffer(data), read_dictionary=list(places)).read(list(places))
        columns = {column: _as_text(column, read[column], spans[places[column]], report) for column in places}
    except (pa.ArrowException, OSError, ValueError) as error:
        reason = str(error).partition("\n")[0]
        message = f"{name} is no readable Parquet file: {reason[:200]}"
        report.add(codes.TABLE_COLUMN, message, start, help="write it again, or as CSV")
        return None
    if any(column is None for column in columns.values()):
        return None
    table = pa.table(columns)
    return TableFile(name, digest, table, row_numbers(len(table)), None, places)


def _claimed_bytes(metadata: parquet.FileMetaData, places: dict[str, int]) -> int:
    groups = (metadata.row_group(number) for number in range(metadata.num_row_groups))
    return sum(
        group.column(number).total_uncompressed_size
        for group in groups
        for number in range(group.num_columns)
        if group.column(number).path_in_schema in places
    )


def _as_text(column: str, values: pa.ChunkedArray, span: Span, report: Report) -> pa.ChunkedArray | None:
    kind = values.type
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
        values = values.cast(kind)
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        text = values.cast(pa.string())
    elif pa.types.is_integer(kind) or pa.types.is_decimal(kind):
        text = _plain(values.cast(pa.string()))
    elif pa.types.is_float32(kind) or pa.types.is_float64(kind):
        # The shortest text that reads back as the same number: what the writer of 1180.1 meant.
        text = _plain(values.cast(pa.string()))
    else:
        message = f"the column `{column}` holds {kind}; a cell is text or a number"
        report.add(codes.TABLE_COLUMN, message, span, help="write it as text")
        return None
    return pc.fill_null(text, "")


def _plain(text: pa.ChunkedArray) -> pa.ChunkedArray:
    """Numbers without exponents."""
    encoded = pc.dictionary_encode(text).combine_chunks()
    if not pc.any(pc.match_substring_regex(encoded.dictionary, "[eE]")).as_py():
        return text
    words = [_without_exponent(word) for word in encoded.dictionary.to_pylist()]
    return pa.chunked_array([pa.array(words, pa.string()).take(encoded.indices)])


def _without_exponent(word: str) -> str:
    if "e" not in word.lower():
        return word
    value = Decimal(word)
    # Beyond all prices: left as it is, to be refused as a number.
    return format(value, "f") if abs(value.adjusted()) < 40 else word
