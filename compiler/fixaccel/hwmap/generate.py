# SPDX-License-Identifier: Apache-2.0
"""Writes the map's views for the other languages: SystemVerilog package, C++ header, reference page."""

from pathlib import Path

import jinja2

from fixaccel.data import data_path
from fixaccel.hwmap.hwmap import Hwmap

# Template -> place in the repository.
VIEWS = {
    "package.sv.j2": "rtl/gen/fixaccel_hwmap_pkg.sv",
    "header.hpp.j2": "runtime/include/fixaccel/gen/hwmap.hpp",
    "reference.md.j2": "docs/reference/gen/hwmap.md",
}
# Of a map that is not the core's: neither tables nor a capacity of the core.
WINDOW_VIEWS = {
    "window.sv.j2": "rtl/gen/{name}_hwmap_pkg.sv",
    "window.hpp.j2": "runtime/include/fixaccel/gen/{name}.hpp",
    "window.md.j2": "docs/reference/gen/{name}.md",
}


def views(hwmap: Hwmap) -> dict[str, str]:
    """Template -> place in the repository, of this map."""
    if hwmap.name == "fixaccel":
        return VIEWS
    return {template: place.format(name=hwmap.name) for template, place in WINDOW_VIEWS.items()}


def render(hwmap: Hwmap) -> dict[str, str]:
    """Text of every view, by its path relative to the repository."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(data_path("templates/hwmap")),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    return {place: environment.get_template(name).render(map=hwmap) for name, place in views(hwmap).items()}


def write(hwmap: Hwmap, root: Path) -> list[str]:
    """Writes the views that differ below ``root``; returns their paths."""
    changed = stale(hwmap, root)
    texts = render(hwmap)
    for place in changed:
        target = root / place
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(texts[place], encoding="utf-8")
    return changed


def stale(hwmap: Hwmap, root: Path) -> list[str]:
    """Paths of the views below ``root`` that are missing or not what the map says."""
    return [
        place
        for place, text in render(hwmap).items()
        if not (root / place).is_file() or (root / place).read_text(encoding="utf-8") != text
    ]
