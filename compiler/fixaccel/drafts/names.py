# SPDX-License-Identifier: Apache-2.0
"""Names of rules and their parts: what `armed_by` can name, and what must not stand twice."""

import re
from collections.abc import Sequence
from functools import cached_property

from fixaccel.diagnostics.codes import strategy as codes
from fixaccel.diagnostics.report import Related, Report
from fixaccel.drafts.work import Draft, Parent

_STEP = re.compile(r"(.+)\[([1-9][0-9]{0,8})\]\Z")


class PartNames:
    """The names of ``drafts``: ID, ID@SYMBOL, ID[n], ID@SYMBOL[n], and the ids that table rows have of their own."""

    def __init__(self, drafts: Sequence[Draft]) -> None:
        self.rules: dict[str, list[Draft]] = {}  # by the rule's id
        self._drafts: dict[str, Draft] = {}
        self._named = [draft for draft in drafts if draft.names]
        self._wholes: dict[str, list[Parent]] = {}
        for draft in drafts:
            if draft.written.id:
                self.rules.setdefault(draft.written.id.value, []).append(draft)
                self._drafts[draft.id] = draft

    def whole(self, rule: str) -> list[Parent]:
        """All drafts of a rule; one list for all that ask, as both may be many."""
        if rule not in self._wholes:
            self._wholes[rule] = [Parent(draft) for draft in self.rules[rule]]
        return self._wholes[rule]

    def part(self, name: str) -> Parent | None:
        """The draft or row with this name."""
        if name in self._drafts:
            return Parent(self._drafts[name])
        step = _STEP.match(name)
        if step is None:
            return self._rows.get(name)
        draft = self._drafts.get(step[1])
        if draft is None or not draft.many:
            return None
        row = int(step[2]) - 1
        if draft.form is None:
            return Parent(draft)  # it was reported
        return Parent(draft, row) if row < len(draft.form) and row not in draft.names else None

    @cached_property
    def _rows(self) -> dict[str, Parent]:
        """Made only where `armed_by` asks for it: a table may have a million."""
        return {name: Parent(draft, row) for draft in self._named for row, name in draft.names.items()}

    def check(self, report: Report) -> None:
        """Reports ids of table rows that something else has too."""
        count = sum(len(draft.names) for draft in self._named)
        distinct = {name for draft in self._named for name in draft.names.values()}
        if len(distinct) == count and distinct.isdisjoint(self.rules):
            return
        first = {name: drafts[0].written.span for name, drafts in self.rules.items()}
        for draft in self._named:
            for row, name in draft.names.items():
                place = draft.place(row)
                if first.setdefault(name, place) is not place:
                    report.add(
                        codes.ID_CLASH,
                        f"another rule or row is called `{name}`",
                        place,
                        related=[Related("first here", first[name])],
                        help="choose another id",
                    )
