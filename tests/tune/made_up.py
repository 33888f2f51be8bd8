# SPDX-License-Identifier: Apache-2.0
"""Round trips that nobody makes: their times follow from what the host holds, so that each knob has a known effect."""

from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Self

import numpy as np

from fixaccel.tune.bind import Bound
from fixaccel.tune.measured.pingpong import Pace
from fixaccel.tune.measured.scene import NAMESPACES, Block, Scene, stand_in

USUAL = 100.0  # microseconds


class MadeUp(Scene):
    """``effects`` are factors by the settings or texts of the host; called for each block."""

    def __init__(self, bound: Bound, peer: str | None = None, factor: Callable[[Bound], float] | None = None) -> None:
        super().__init__(bound, peer)
        self._factor = factor or as_in_books
        self._chance = np.random.default_rng(7)
        self.count = 0

    def __enter__(self) -> Self:
        self.way = NAMESPACES
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        pass

    def block(self, paces: Sequence[Pace]) -> Block:
        self.count += 1
        middle = USUAL * self._factor(self._bound)
        return Block([middle * self._chance.lognormal(0, 0.1, pace.count) for pace in paces], [], {})


def as_in_books(bound: Bound) -> float:
    """A daemon that spins is faster, one without delayed small segments slower, and all else is nothing."""
    corked = bound.host.text("proc/sys/net/ipv4/tcp_autocorking")
    return (0.5 if stand_in(bound.host)["spins"] else 1.0) * (1.5 if corked == "0\n" else 1.0)
