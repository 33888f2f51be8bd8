# SPDX-License-Identifier: Apache-2.0
"""Pass `finish`: the checked strategy, if nothing was wrong."""

from dataclasses import replace

import numpy as np

from fixaccel.language.rules import Block, Strategy
from fixaccel.passes.work import Work


def run(work: Work) -> None:
    """Fills ``strategy``; rules are numbered in declaration order from 0."""
    if work.report.failed or work.venue is None or work.written is None:
        return
    blocks: list[Block] = []
    for draft in work.drafts:
        # A part that is missing without a diagnostic would be a rule silently dropped.
        assert draft.condition, draft.id
        assert draft.order, draft.id
        assert draft.written.id
        block = Block.of(draft.id, len(blocks), draft.instrument, draft.condition, draft.order, draft.written.span)
        blocks.append(
            replace(block, rule_id=draft.written.id.value, when_span=draft.when_span, note=draft.written.note)
        )
    count = sum(len(block) for block in blocks)
    work.strategy = Strategy(
        work.path.stem, work.venue, tuple(blocks), dict(work.inputs), placement=np.zeros(count, np.uint8)
    )
