# SPDX-License-Identifier: Apache-2.0
"""Pass `finish`: the checked strategy, if nothing was wrong."""

from fixaccel.language.rules import Block, Strategy
from fixaccel.passes.work import Draft, Work


def run(work: Work) -> None:
    """Fills ``strategy``; parts are numbered in declaration order from 0."""
    if work.report.failed or work.venue is None or work.written is None:
        return
    firsts: dict[int, int] = {}
    count = 0
    for draft in work.drafts:
        # A part that is missing without a diagnostic would be a rule silently dropped.
        assert draft.form, draft.id
        firsts[id(draft)] = count
        count += len(draft.form)
    blocks = tuple(_block(draft, firsts) for draft in work.drafts)
    work.strategy = Strategy(work.path.stem, work.venue, blocks, dict(work.inputs), work.groups, work.limits)


def _block(draft: Draft, firsts: dict[int, int]) -> Block:
    rule = draft.written
    assert draft.form
    assert rule.id
    return Block(
        id=draft.id,
        rule_id=rule.id.value,
        first=firsts[id(draft)],
        instrument=draft.instrument,
        form=draft.form,
        span=rule.span,
        when_span=draft.when_span,
        many=draft.many,
        names=draft.names,
        through=rule.through,
        during=rule.during,
        oco=draft.oco,
        parents=None if draft.parents is None else _ranges(draft, firsts),
        rearm=draft.rearm,
        note=rule.note,
        table_file=draft.table_file,
        table_lines=draft.table_lines,
    )


def _ranges(draft: Draft, firsts: dict[int, int]) -> tuple[range, ...]:
    """Parts that arm the draft; a rule over a list is one stretch."""
    ranges: list[range] = []
    for parent in draft.parents or ():
        assert parent.draft.form
        first = firsts[id(parent.draft)]
        one = range(first, first + len(parent.draft.form))
        if parent.row is not None:
            one = one[parent.row : parent.row + 1]
        if ranges and ranges[-1].stop == one.start:
            one = range(ranges.pop().start, one.stop)
        ranges.append(one)
    return tuple(ranges)
