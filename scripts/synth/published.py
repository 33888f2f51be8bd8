# SPDX-License-Identifier: Apache-2.0
"""Figures that the documentation shows: `make synth ARGS=--publish` writes them, a test holds them to the sources."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from synth.measure import Measured
from synth.resources import Resources

FILE = "docs/figures/resources.json"
# What stands beside the core in the file, each by its own name.
BESIDE = ("gem_port", "feed_unit", "link_unit")
# Share of the LUTs and flip-flops by which a table may be behind the sources.
_BEHIND = 0.02

_Figures = dict[str, float]


def content(measured: Measured) -> dict[str, Any]:
    """Figures by module, of all of them, and flattened where that was measured."""
    modules = {
        part.definition: {"instances": part.instances} | _figures(part.own)
        for part in sorted(measured.parts.values(), key=lambda part: (part.source, part.definition))
    }
    return {
        "part": measured.board.part,
        "capacity": dict(measured.board.capacity),
        "modules": modules,
        "all": _figures(measured.total),
        "flattened": _flattened(measured),
    }


def _figures(of: Resources) -> _Figures:
    return {"lut": of.logic, "lutram": of.lutram, "ff": of.ff, "bram36": of.bram36, "dsp": of.dsp}


def _flattened(measured: Measured) -> dict[str, Any] | None:
    flat = measured.flat
    return _figures(flat) | {"sites": flat.sites} if flat else None


def write(measured: Measured, path: Path) -> None:
    """The core. One module a line, so that a change can be read; what is there of what stands beside it stays."""
    _put(path, content(measured) | {name: of for name, of in _published(path).items() if name in BESIDE})


def write_beside(measured: Measured, path: Path) -> None:
    """One of ``BESIDE``, beside what is there of the core and of the others."""
    figures = _figures(measured.total) | {"flattened": _flattened(measured), "fingerprint": measured.fingerprint}
    _put(path, _published(path) | {measured.top: figures})


def _published(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return found


def _put(path: Path, figures: Mapping[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


def outdated(path: Path, measured: Measured) -> Iterator[str]:
    """In what the file at ``path`` says something else than ``measured``; nothing if it is up to date."""
    published = _published(path)
    now = content(measured)
    if published["capacity"] != now["capacity"] or published["part"] != now["part"]:
        yield "another part or other capacities"
    if modules := set(published["modules"]) ^ set(now["modules"]):
        yield f"modules {', '.join(sorted(modules))}"
    yield from _behind(published["all"], now["all"])


def measured_of(path: Path, name: str, fingerprint: str) -> bool:
    """Whether the figures of one of ``BESIDE`` were measured of just this: `xilinx.fingerprint` of it."""
    return bool(_published(path)[name].get("fingerprint") == fingerprint)


def beside_outdated(path: Path, measured: Measured) -> Iterator[str]:
    """The same of one of ``BESIDE``."""
    yield from _behind(_published(path)[measured.top], _figures(measured.total))


def _behind(published: _Figures, now: _Figures) -> Iterator[str]:
    for figure, value in now.items():
        shown = published[figure]
        may = 0 if figure in ("bram36", "dsp") else _BEHIND * value
        if abs(shown - value) > may:
            yield f"{figure} {shown:g}, measured {value:g}"
