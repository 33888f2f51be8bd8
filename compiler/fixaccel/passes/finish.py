# SPDX-License-Identifier: Apache-2.0
"""Pass `finish`: the checked strategy, if nothing was wrong."""

from fixaccel.language.model import Rule, Strategy
from fixaccel.passes.work import Work


def run(work: Work) -> None:
    """Fills ``strategy``; rules are numbered in declaration order from 0."""
    if work.report.failed or work.venue is None or work.written is None:
        return
    rules: list[Rule] = []
    for draft in work.drafts:
        # A part that is missing without a diagnostic would be a rule silently dropped.
        assert draft.condition, draft.id
        assert draft.order, draft.id
        rules.append(
            Rule(
                draft.id,
                len(rules),
                draft.instrument,
                draft.condition,
                draft.order,
                draft.written.note,
                draft.written.span,
            )
        )
    work.strategy = Strategy(work.path.stem, work.venue, tuple(rules), dict(work.inputs))
