# SPDX-License-Identifier: Apache-2.0
"""How many events a second `fixaccel simulate` takes, by engine."""

import tempfile
import time
from pathlib import Path

import market
from fixaccel.simulate.engines import ImageEngine, RulesEngine
from fixaccel.simulate.rtl.run import RtlEngine
from report import Figure, figure

NOTE = "Microseconds an event, wall clock; 100 instruments with 3 stops; a sample is a run. The ratio is to `rules`."
_SAMPLES = 5


def measure() -> list[Figure]:
    """One row an engine."""
    with tempfile.TemporaryDirectory(prefix="fixaccel-bench-") as folder:
        subject = market.strategy(Path(folder), 100, 3)
    image, board = market.image_of(subject), market.board()
    messages = market.touches(subject, 3)
    engines: dict[str, RulesEngine | ImageEngine | RtlEngine] = {
        "rules": RulesEngine(subject),
        "image": ImageEngine(image, subject, board, market.HWMAP),
        "rtl": RtlEngine(image, subject, board, market.HWMAP, None, None),
    }
    figures: list[Figure] = []
    for name, engine in engines.items():
        samples = []
        for _ in range(_SAMPLES):
            start = time.perf_counter_ns()
            engine.run(messages, lambda _: None)
            samples.append((time.perf_counter_ns() - start) / 1000 / len(messages))
        figures.append(figure(name, "us", samples, figures[0] if figures else None))
    return figures
