# SPDX-License-Identifier: Apache-2.0
"""Pass `parse`: the tree as a strategy, each value in its own form."""

from fixaccel.language.strategy_file import parse_strategy
from fixaccel.passes.work import Work


def run(work: Work) -> None:
    """Fills ``written``."""
    if work.tree is not None:
        work.written = parse_strategy(work.tree, work.sources[str(work.path)], work.report)
