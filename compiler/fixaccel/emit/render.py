# SPDX-License-Identifier: Apache-2.0
"""Texts from the shipped templates."""

from functools import cache
from pathlib import Path

import jinja2

from fixaccel.data import data_path


def _cell(text: str | None) -> str:
    """Text that stays inside one cell of a Markdown table."""
    return " ".join((text or "").replace("|", "\\|").split())


@cache
def _environment(folder: Path) -> jinja2.Environment:
    """Kept, with its templates compiled: whoever writes many bundles in a process has them from here."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(folder),
        undefined=jinja2.StrictUndefined,
        autoescape=False,  # configuration, Tcl and Markdown, never HTML
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["cell"] = _cell
    return environment


def render(template: str, **values: object) -> bytes:
    """``template`` (a path below ``templates``) filled with ``values``. Raises on a name that is missing."""
    return _environment(data_path("templates")).get_template(template).render(**values).encode("utf-8")
