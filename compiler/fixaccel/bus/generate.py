# SPDX-License-Identifier: Apache-2.0
"""Writes what the C++ part of the bus shares with this one: `runtime/bus/gen/bus.hpp`."""

from pathlib import Path

import jinja2

from fixaccel.bus import names, ring
from fixaccel.data import data_path

PLACE = "runtime/bus/gen/bus.hpp"


def render() -> str:
    """The header's text."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(data_path("templates/bus")),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    return environment.get_template("bus.hpp.j2").render(names=names, ring=ring)


def is_stale(root: Path) -> bool:
    """Whether the file below ``root`` is missing or says something else."""
    place = root / PLACE
    return not place.is_file() or place.read_text(encoding="utf-8") != render()


def write(root: Path) -> list[str]:
    """Writes the file below ``root`` if it differs; returns its path then."""
    if not is_stale(root):
        return []
    place = root / PLACE
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(render(), encoding="utf-8")
    return [PLACE]
