# SPDX-License-Identifier: Apache-2.0
"""Sphinx configuration; the diagnostics page is made from the compiler's own table."""

import sys
from importlib.metadata import version as installed_version
from pathlib import Path

from click import Context
from sphinx.application import Sphinx

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

project = "fixaccel"
author = "the fixaccel authors"
copyright = author  # noqa: A001 - Sphinx's name
version = release = installed_version("fixaccel")

extensions = ["myst_parser", "sphinx_click"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["gen/_*"]
myst_heading_anchors = 3
nitpicky = True

html_theme = "furo"
html_title = f"fixaccel {version}"
html_static_path = ["_static"]
html_copy_source = False


def literal_examples(_app: Sphinx, _ctx: Context, lines: list[str]) -> None:
    """Indented lines of a command's help are commands: a `*` in them is no emphasis."""
    for number, line in enumerate(lines):
        if line.startswith("|   "):
            lines[number] = f"| ``{line[1:].strip()}``"


def setup(app: Sphinx) -> None:
    """Writes the page of diagnostics before Sphinx looks for pages."""
    from diagnostics_page import page  # noqa: PLC0415 - lies beside this file, on the path only from here on

    target = HERE / "reference" / "diagnostics.md"
    text = page()
    # Left alone when it says the same, or Sphinx would read the page anew in every run.
    if not target.exists() or target.read_text(encoding="utf-8") != text:
        target.write_text(text, encoding="utf-8")
    for part in ("description", "epilog"):
        app.connect(f"sphinx-click-process-{part}", literal_examples)
