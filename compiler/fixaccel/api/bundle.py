# SPDX-License-Identifier: Apache-2.0
"""A compiled strategy in its folder."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fixaccel.api.boards import PathLike, board_at, packed
from fixaccel.api.diagnostics import Diagnostics
from fixaccel.api.errors import FixaccelError
from fixaccel.api.html import line_html, table_html
from fixaccel.emit.bundle import not_ours
from fixaccel.emit.place import place_bundle
from fixaccel.pipeline import Loaded


@dataclass(frozen=True, eq=False)
class Bundle:
    """A bundle that was written. ``files`` are paths within ``path``.

    ``report`` is what ``report.json`` says: where each rule runs and why, latency, capacity and worst case.
    """

    path: Path
    files: tuple[str, ...]
    report: Mapping[str, Any]
    diagnostics: Diagnostics

    @property
    def fabric(self) -> int:
        """How many parts run in the fabric."""
        return int(self.report["placement"]["fabric"])

    @property
    def runtime(self) -> int:
        """How many parts run in the runtime."""
        return int(self.report["placement"]["runtime"])

    @property
    def capacity(self) -> dict[str, tuple[int, int]]:
        """What is used of each of the board's tables, and how much there is."""
        return {name: (entry["used"], entry["of"]) for name, entry in self.report["capacity"].items()}

    def __repr__(self) -> str:
        return f"<Bundle {self.path}: {self.fabric} parts in the fabric, {self.runtime} in the runtime>"

    def _repr_html_(self) -> str:
        where = f"{self.fabric:,} parts in the fabric and {self.runtime:,} in the runtime"
        head = line_html(f"{self.report['strategy']}: {where}, board {self.report['board']}; {self.report['load']}")
        rows = [(name, f"{used:,}", f"{most:,}") for name, (used, most) in self.capacity.items()]
        return head + table_html(("table", "used", "of"), rows) + line_html(f"{len(self.files)} files in {self.path}")


def compile_bundle(loaded: Loaded, folder: PathLike, board: PathLike | None) -> Bundle:
    """Compiles into ``folder``. Raises FixaccelError, and OSError where it cannot be written."""
    strategy, output = loaded.strategy, Path(folder)
    assert strategy is not None
    if held := not_ours(output):
        raise FixaccelError(f"{output} {held}; choose another folder")
    target = board_at(board)
    image = packed(loaded, target, strategy.name)
    warnings = [diagnostic for diagnostic in loaded.diagnostics if not diagnostic.is_error]
    names = place_bundle(image, strategy, target, output, warnings)
    content = json.loads((output / "report.json").read_bytes())
    return Bundle(output, tuple(names), content, Diagnostics(loaded))
