# SPDX-License-Identifier: Apache-2.0
"""Columns of numbers, and what the numbers in them stand for."""

import numpy as np
import numpy.typing as npt

from fixaccel.language.terms import Direction, OrderType, Side, Source

Codes = npt.NDArray[np.uint8]


Indices = npt.NDArray[np.int32]


Units = npt.NDArray[np.int64]


# A column holds the place of a value in its tuple. Sources and directions stand as in the hwmap.
SOURCES = (Source.BID, Source.ASK, Source.LAST, Source.MID)


DIRECTIONS = (Direction.LE, Direction.GE)


SIDES = (Side.BUY, Side.SELL)


ORDER_TYPES = (OrderType.MARKET, OrderType.LIMIT)
