# SPDX-License-Identifier: Apache-2.0
"""Moves a whole bundle into place: a reader sees the old one or the new one, never some of each."""

import tempfile
from collections.abc import Sequence
from pathlib import Path

from fixaccel.diagnostics import Diagnostic
from fixaccel.emit.bundle import write_bundle
from fixaccel.files import naming
from fixaccel.image.image import Image
from fixaccel.language.rules import Strategy
from fixaccel.language.terms import Board


def place_bundle(
    image: Image, strategy: Strategy, board: Board, output: Path, warnings: Sequence[Diagnostic]
) -> list[str]:
    """Writes beside ``output`` and moves the folder there; returns the names of its files. Raises OSError."""
    place = output.resolve()
    with naming(output):
        place.parent.mkdir(parents=True, exist_ok=True)
        return _place(place, image, strategy, board, warnings)


def _place(place: Path, image: Image, strategy: Strategy, board: Board, warnings: Sequence[Diagnostic]) -> list[str]:
    with tempfile.TemporaryDirectory(prefix=f".{place.name}.", dir=place.parent) as scratch:
        fresh, old = Path(scratch) / "new", Path(scratch) / "old"
        fresh.mkdir()  # a folder of its own: the scratch folder is private to its owner, the bundle is not
        written = write_bundle(image, strategy, board, fresh, warnings)
        names = [path.relative_to(fresh).as_posix() for path in written]
        if place.exists():
            place.rename(old)
        try:
            fresh.rename(place)
        except OSError:
            if old.exists():
                old.rename(place)
            raise
    return names
