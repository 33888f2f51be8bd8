# SPDX-License-Identifier: Apache-2.0
"""Engines by name. Each is for one run: runs of one strategy may go side by side."""

from typing import Literal, TypeAlias, get_args

from fixaccel.api.boards import PathLike, board_at, packed
from fixaccel.api.errors import FixaccelError
from fixaccel.hwmap import load_hwmap
from fixaccel.image.software.columns import PartColumns
from fixaccel.pipeline import Loaded
from fixaccel.simulate.engines import EngineError, RulesEngine, image_columns
from fixaccel.simulate.table_run import TableEngine

EngineName: TypeAlias = Literal["rules", "image"]


def checked_name(engine: str) -> None:
    """Raises ValueError for a name that is none."""
    if engine not in get_args(EngineName):
        names = " or ".join(f'"{name}"' for name in get_args(EngineName))
        raise ValueError(f"engine is {names}, not {engine!r}")


class Engines:
    """The engines of one strategy. What was packed for the shipped board is kept: it takes longer than many runs."""

    def __init__(self, loaded: Loaded) -> None:
        self._loaded = loaded
        self._packed: PartColumns | None = None

    def get(self, engine: EngineName, board: PathLike | None, *, touch: bool = False) -> RulesEngine | TableEngine:
        """An engine for one run; ``touch``: it fills orders. Raises FixaccelError where the board is too small."""
        assert self._loaded.strategy is not None
        if engine == "rules":
            return RulesEngine(self._loaded.strategy, touch=touch)
        return TableEngine(self._loaded.strategy, self._columns(board), touch=touch)

    def _columns(self, board: PathLike | None) -> PartColumns:
        if board is not None:
            return self._pack(board)
        if self._packed is None:
            self._packed = self._pack(None)
        return self._packed

    def _pack(self, board: PathLike | None) -> PartColumns:
        strategy, target = self._loaded.strategy, board_at(board)
        assert strategy is not None
        image = packed(self._loaded, target, strategy.name)
        try:
            return image_columns(image, strategy, target, load_hwmap())
        except EngineError as error:
            raise FixaccelError(str(error)) from None
