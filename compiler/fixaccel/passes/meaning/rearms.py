# SPDX-License-Identifier: Apache-2.0
"""Pass `rearms`: when rules are armed again."""

from fixaccel.drafts.work import Work
from fixaccel.language.rules import RearmAfter, RearmReset
from fixaccel.passes.meaning.conditions import bind


def run(work: Work) -> None:
    """Fills ``rearm``."""
    for draft in work.drafts:
        if draft.written.rearm is None:
            continue
        written = draft.written.rearm.value
        if written.after_ns is not None:
            draft.rearm = RearmAfter(written.after_ns, written.times)
        elif written.reset:
            condition = bind(written.reset, draft.instrument, work.report)
            draft.rearm = RearmReset(condition, written.times) if condition else None
