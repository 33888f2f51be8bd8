# SPDX-License-Identifier: Apache-2.0
"""Boards, and strategies packed for them, for callers who want an exception where something is wrong."""

import os
from pathlib import Path
from typing import TypeAlias

from fixaccel.api.errors import FixaccelError
from fixaccel.hwmap import load_hwmap
from fixaccel.image.image import Image, ImageError
from fixaccel.image.pack.pack import build_image
from fixaccel.language.terms import Board
from fixaccel.pipeline import Loaded, load_board

PathLike: TypeAlias = str | os.PathLike[str]


def board_at(path: PathLike | None) -> Board:
    """The board of a file, by default the shipped one. Raises FixaccelError."""
    loaded = load_board(None if path is None else Path(path))
    if loaded.board is None:
        raise FixaccelError.of(loaded, str(path))
    return loaded.board


def packed(loaded: Loaded, board: Board, subject: str) -> Image:
    """The tables of a strategy for that board. Raises FixaccelError where it does not fit."""
    assert loaded.strategy is not None
    try:
        return build_image(loaded.strategy, board, load_hwmap())
    except ImageError as error:
        raise FixaccelError.of(loaded.plus(error.diagnostics), subject) from None
