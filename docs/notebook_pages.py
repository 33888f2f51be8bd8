# SPDX-License-Identifier: Apache-2.0
"""Runs the notebooks of the documentation, which lie in the repository without outputs, and makes pages of them."""

import os
import re
import tempfile
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

from fixaccel.api.html import terminal_html

_SECONDS = 300
_HTML = "```{{raw}} html\n{}\n```"


def executed(path: Path) -> nbformat.NotebookNode:
    """The notebook at ``path`` with its outputs; it runs in its folder. Raises CellExecutionError."""
    notebook: nbformat.NotebookNode = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    # History and profiles of this run are nobody's, and neither are its sockets.
    with tempfile.TemporaryDirectory(prefix="nb-") as folder:
        client = NotebookClient(notebook, timeout=_SECONDS, resources={"metadata": {"path": str(path.parent)}})
        manager = client.create_kernel_manager()
        manager.transport, manager.ip = "ipc", f"{folder}/kernel"
        client.execute(env=os.environ | {"IPYTHONDIR": folder, "JUPYTER_RUNTIME_DIR": folder})
    return notebook


def page(notebook: nbformat.NotebookNode, source: str) -> str:
    """As MyST Markdown; ``source`` is the notebook, from the page."""
    parts = []
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            parts.append(cell.source)
        else:
            parts.append(f"```python\n{cell.source}\n```")
            parts += [_shown(output) for output in cell.outputs]
    parts.insert(1, f"This page is {{download}}`{source}`, run.")
    return "\n\n".join(parts) + "\n"


def _shown(output: Any) -> str:  # noqa: ANN401 - a node has what its kind has
    if output.output_type == "stream":
        return _HTML.format(_block(terminal_html(output.text)))
    if output.output_type == "error":
        return _HTML.format(_block(terminal_html("\n".join(output.traceback))))
    data = output.data
    if "text/html" in data:
        return _HTML.format(_block(data["text/html"]))
    if "image/png" in data:
        picture = f'<img style="max-width:100%" src="data:image/png;base64,{data["image/png"].strip()}">'
        return _HTML.format(_block(picture))
    return _HTML.format(_block(terminal_html(data["text/plain"])))


def _block(html: str) -> str:
    # A line of backticks would end the directive.
    safe = re.sub("^```", "&#96;&#96;&#96;", html, flags=re.MULTILINE)
    return f'<div style="overflow-x:auto;margin:1em 0">\n{safe}\n</div>'
