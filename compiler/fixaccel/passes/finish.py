# SPDX-License-Identifier: Apache-2.0
"""Pass `finish`: the checked strategy, if nothing was wrong."""

from fixaccel.drafts.work import Draft, Parent, Work
from fixaccel.language.rules import Block, Strategy


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
    # Rules may share a list of parents, so that it is turned into ranges once.
    shared = {id(draft.parents): draft.parents for draft in work.drafts if draft.parents}
    ranges = {key: _ranges(parents, firsts) for key, parents in shared.items()}
    blocks = tuple(
        _block(draft, firsts, ranges.get(id(draft.parents)), _ranges(draft.cancels, firsts)) for draft in work.drafts
    )
    work.strategy = Strategy(work.path.stem, work.venue, blocks, dict(work.inputs), work.groups, work.limits)


def _block(
    draft: Draft, firsts: dict[int, int], parents: tuple[range, ...] | None, cancels: tuple[range, ...]
) -> Block:
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
        parents=parents,
        armed_on=rule.armed_on,
        cancels=cancels,
        limits=draft.limits,
        rearm=draft.rearm,
        note=rule.note,
        table_file=draft.table_file,
        table_lines=draft.table_lines,
    )


def _ranges(parents: list[Parent], firsts: dict[int, int]) -> tuple[range, ...]:
    """The parts of these drafts; a rule over a list is one stretch."""
    ranges: list[range] = []
    for parent in parents:
        assert parent.draft.form
        first = firsts[id(parent.draft)]
        one = range(first, first + len(parent.draft.form))
        if parent.row is not None:
            one = one[parent.row : parent.row + 1]
        if ranges and ranges[-1].stop == one.start:
            one = range(ranges.pop().start, one.stop)
        ranges.append(one)
    return tuple(ranges)
