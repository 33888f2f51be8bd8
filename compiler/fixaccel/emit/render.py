# SPDX-License-Identifier: Apache-2.0
"""Texts from the shipped templates."""

import jinja2

from fixaccel.data import data_path


def _cell(text: str | None) -> str:
    """Text that stays inside one cell of a Markdown table."""
    return " ".join((text or "").replace("|", "\\|").split())


def render(template: str, **values: object) -> bytes:
    """``template`` (a path below ``templates``) filled with ``values``. Raises on a name that is missing."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(data_path("templates")),
        undefined=jinja2.StrictUndefined,
        autoescape=False,  # configuration, Tcl and Markdown, never HTML
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["cell"] = _cell
    return environment.get_template(template).render(**values).encode("utf-8")
