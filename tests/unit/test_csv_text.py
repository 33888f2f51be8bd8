# SPDX-License-Identifier: Apache-2.0
"""Lines of CSV files against Python's own reader, and the places of their cells."""

import csv

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from fixaccel.csv_text.cells import CellError, split

TEXT = st.text('ab1 ",;\tä', max_size=6)


@given(st.lists(TEXT, min_size=1, max_size=5), st.sampled_from(",;\t|"), st.booleans())
@example([""], ",", False)
@settings(max_examples=200, deadline=None)
def test_cells_are_what_was_written(texts: list[str], delimiter: str, always: bool) -> None:
    def written(text: str) -> str:
        doubled = text.replace('"', '""')
        return f'"{doubled}"' if always or delimiter in text or '"' in text else text

    line = delimiter.join(map(written, texts))
    cells = split(line, 7, delimiter)
    assert [cell.text for cell in cells] == texts
    assert [line[cell.column - 1 : cell.column - 1 + cell.width] for cell in cells] == list(map(written, texts))
    assert {cell.line for cell in cells} == {7}
    if line:
        assert [cell.text for cell in cells] == next(csv.reader([line], delimiter=delimiter, doublequote=True))


@pytest.mark.parametrize(
    ("line", "column"), [('a,"b', 3), ('a"b,c', 2), ('"a"b,c', 4), ('"a"";b', 1), ('x,"a";"b"', 6)]
)
def test_a_quote_out_of_place_has_its_column(line: str, column: int) -> None:
    with pytest.raises(CellError) as error:
        split(line, 1, ",")
    assert error.value.column == column
