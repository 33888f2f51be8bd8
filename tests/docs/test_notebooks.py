# SPDX-License-Identifier: Apache-2.0
"""Notebooks of the documentation lie there without outputs, and run."""

from pathlib import Path

import nbformat
import notebook_pages
import pytest
from nbclient.exceptions import CellExecutionError

NOTEBOOKS = sorted((Path(__file__).resolve().parents[2] / "docs" / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_outputs_are_stripped(path):
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    for cell in notebook.cells:
        assert cell.cell_type == "markdown" or (cell.execution_count is None and not cell.outputs)


def test_the_bracket_runs():
    """Kernel, frame, chart and all; what is shown is what the page has."""
    notebook = notebook_pages.executed(next(path for path in NOTEBOOKS if path.stem == "bracket"))
    cells = {cell.id: cell.outputs for cell in notebook.cells if cell.cell_type == "code"}
    assert "data:image/svg+xml" in cells["load"][0].data["text/html"]
    assert "take-profit" in cells["frame"][0].data["text/plain"]
    assert cells["plot"][-1].data["image/png"]
    failed = "\n".join(cells["wrong"][0].traceback)
    assert "did you mean `buy`" in failed
    assert "strategy.py" not in failed
    page = notebook_pages.page(notebook, "bracket.ipynb")
    assert "{download}`bracket.ipynb`" in page
    assert page.count("```{raw} html") == sum(map(len, cells.values()))


def test_a_notebook_that_fails_is_no_page(tmp_path):
    cell = nbformat.v4.new_code_cell("1 / 0")
    path = tmp_path / "odd.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=[cell]), path)
    with pytest.raises(CellExecutionError, match="ZeroDivisionError"):
        notebook_pages.executed(path)
