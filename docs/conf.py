# SPDX-License-Identifier: Apache-2.0
"""Sphinx configuration; pages of diagnostics, keys, modules and examples are made from code and files themselves."""

import sys
from importlib import import_module
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

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx_click"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["gen/*.md"]
myst_heading_anchors = 3
nitpicky = True
# Types of other libraries, and our own that only stand in signatures.
nitpick_ignore_regex = [("py:.*", r"(?!fixaccel\.(decide\.)?[A-Z]\w+$).*")]
default_role = "code"  # what docstrings have in single backticks

autodoc_member_order = "bysource"
autodoc_typehints_format = "short"

html_theme = "furo"
html_title = f"fixaccel {version}"
html_static_path = ["_static"]
html_copy_source = False


def literal_examples(_app: Sphinx, _ctx: Context, lines: list[str]) -> None:
    """Indented lines of a command's help are commands: a `*` in them is no emphasis."""
    for number, line in enumerate(lines):
        if line.startswith("|   "):
            lines[number] = f"| ``{line[1:].strip()}``"


def without_arguments(
    _app: Sphinx, what: str, _name: str, _object: object, _options: object, _arguments: str | None, _result: str | None
) -> tuple[str, None] | None:
    """Objects of the library come from its functions: how a class is called is nobody's concern."""
    return ("", None) if what in {"class", "exception"} else None


def write_if_new(path: Path, text: str) -> None:
    """Leaves the file alone when it says the same, or Sphinx would read the page anew in every run."""
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def setup(app: Sphinx) -> None:
    """Writes the pages that are made from code and examples before Sphinx looks for pages."""
    # These lie beside this file, on the path only from here on.
    import bus_page  # noqa: PLC0415
    import console_picture  # noqa: PLC0415
    import control_page  # noqa: PLC0415
    import diagnostics_page  # noqa: PLC0415
    import editor_picture  # noqa: PLC0415
    import exchange_messages_page  # noqa: PLC0415
    import fast_page  # noqa: PLC0415
    import key_pages  # noqa: PLC0415
    import latency_page  # noqa: PLC0415
    import metrics_page  # noqa: PLC0415
    import model_page  # noqa: PLC0415
    import modules_page  # noqa: PLC0415
    import notebook_pages  # noqa: PLC0415
    import order_fields_page  # noqa: PLC0415
    import placement_page  # noqa: PLC0415
    import proofs_page  # noqa: PLC0415
    import scenario_page  # noqa: PLC0415
    import software_table_page  # noqa: PLC0415
    import tune_page  # noqa: PLC0415
    from strategy_pages import pages  # noqa: PLC0415

    renderings = HERE.parent / "tests" / "diagnostics" / "expected"
    for name, text in diagnostics_page.pages(renderings).items():
        page = "diagnostics.md" if name == "index" else f"diagnostics/{name}.md"
        write_if_new(HERE / "reference" / page, text)
    write_if_new(HERE / "reference" / "fast.md", fast_page.page())
    write_if_new(HERE / "reference" / "fast-program.md", fast_page.program_page())
    write_if_new(HERE / "reference" / "keys.md", key_pages.page())
    write_if_new(HERE / "reference" / "placement.md", placement_page.page(HERE.parent / "strategies"))
    write_if_new(HERE / "reference" / "control.md", control_page.page(HERE.parent))
    write_if_new(HERE / "reference" / "exchange-messages.md", exchange_messages_page.page(HERE.parent))
    write_if_new(HERE / "reference" / "latency.md", latency_page.page(HERE.parent))
    write_if_new(HERE / "reference" / "metrics.md", metrics_page.page())
    write_if_new(HERE / "reference" / "model.md", model_page.page(HERE.parent))
    write_if_new(HERE / "reference" / "order-fields.md", order_fields_page.page())
    write_if_new(HERE / "reference" / "scenario.md", scenario_page.page())
    write_if_new(HERE / "reference" / "proofs.md", proofs_page.page(HERE.parent))
    write_if_new(HERE / "reference" / "tune.md", tune_page.page())
    write_if_new(HERE / "reference" / "bus.md", bus_page.page())
    write_if_new(HERE / "reference" / "software-table.md", software_table_page.page())
    write_if_new(HERE / "reference" / "modules.md", modules_page.page(HERE.parent / "rtl"))
    for path in sorted((HERE / "notebooks").glob("*.ipynb")):
        write_if_new(path.with_suffix(".md"), notebook_pages.page(notebook_pages.executed(path), path.name))
    for module in ("fabric_parts", "bench_tables", "tune_tables", "front_page"):
        for name, text in import_module(module).pages(HERE.parent).items():
            write_if_new(HERE / "gen" / name, text)
    write_if_new(HERE / "_static" / "console.svg", console_picture.picture())
    write_if_new(HERE / "_static" / "editor.svg", editor_picture.picture(HERE))
    for name, text in pages(HERE.parent / "strategies").items():
        write_if_new(HERE / ("strategies.md" if name == "index" else f"strategies/{name}.md"), text)
    app.connect("autodoc-process-signature", without_arguments)
    for part in ("description", "epilog"):
        app.connect(f"sphinx-click-process-{part}", literal_examples)
