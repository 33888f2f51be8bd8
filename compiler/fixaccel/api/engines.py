# SPDX-License-Identifier: Apache-2.0
"""Engines by name, for one strategy after the other."""

from typing import Literal, TypeAlias, get_args

from fixaccel.api.boards import PathLike, board_at, packed
from fixaccel.api.errors import FixaccelError
from fixaccel.hwmap import load_hwmap
from fixaccel.pipeline import Loaded
from fixaccel.simulate.engines import EngineError, ImageEngine, RulesEngine
from fixaccel.table.library import LibraryError

EngineName: TypeAlias = Literal["rules", "image"]


def checked_name(engine: str) -> None:
    """Raises ValueError for a name that is none."""
    if engine not in get_args(EngineName):
        names = " or ".join(f'"{name}"' for name in get_args(EngineName))
        raise ValueError(f"engine is {names}, not {engine!r}")


def engine_of(loaded: Loaded, engine: EngineName, board: PathLike | None) -> RulesEngine | ImageEngine:
    """The engine, ready to run. Raises FixaccelError where the strategy does not fit the board."""
    strategy = loaded.strategy
    assert strategy is not None
    if engine == "rules":
        return RulesEngine(strategy)
    target = board_at(board)
    image = packed(loaded, target, strategy.name)
    try:
        return ImageEngine(image, strategy, target, load_hwmap())
    except (EngineError, LibraryError) as error:
        raise FixaccelError(str(error)) from None
