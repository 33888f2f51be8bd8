# SPDX-License-Identifier: Apache-2.0
"""Pass `parse`: the tree as a strategy, each value in its own form."""

from fixaccel.drafts.work import Work
from fixaccel.language.documents.strategy import parse_strategy


def run(work: Work) -> None:
    """Fills ``written``."""
    if work.tree is not None:
        work.written = parse_strategy(work.tree, work.sources[str(work.path)], work.report)
