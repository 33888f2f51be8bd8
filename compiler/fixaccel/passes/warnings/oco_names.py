# SPDX-License-Identifier: Apache-2.0
"""Pass `oco-names`: warns of `oco` groups that one slip of a finger has cut in two."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from fixaccel.diagnostics.codes import checks
from fixaccel.diagnostics.report import Related
from fixaccel.drafts.columns import Finding, Warnings
from fixaccel.drafts.work import Draft, Work
from fixaccel.language.rules import NO_GROUP
from fixaccel.source import Span

# More names than that nobody has typed.
_COMPARED = 1_000


@dataclass(frozen=True, slots=True)
class _Group:
    """A name as written, and the first place with it; ``written``: the place is that of the name itself.

    ``alone`` is the name of a part that is all of its group.
    """

    name: str
    place: Span
    alone: str | None
    written: bool


def run(work: Work) -> None:
    """Groups of one part, and groups whose names are one letter apart."""
    if work.report.failed or not work.groups:
        return
    groups = _groups(work.drafts, len(work.groups))
    near = _near(groups) if len(groups) <= _COMPARED else {}
    disabled = _of_disabled(work)
    alone = [group for group in groups.values() if group.alone and group.name not in disabled]
    Warnings(checks.OCO_ALONE, work).add([_of_one(group, near.get(group.name)) for group in alone])
    said = {group.name for group in alone}
    pairs = [(groups[name], other) for name, other in near.items() if not {name, other.name} & said]
    Warnings(checks.OCO_NAMES, work).add([_of_two(*pair) for pair in pairs if pair[1].place < pair[0].place])


def _of_disabled(work: Work) -> set[str]:
    """Groups whose other rules may be out of the strategy for a while."""
    rules = work.written.rules if work.written else ()
    return {rule.oco.value for rule in rules if rule.oco and not rule.enabled}


def _groups(drafts: Sequence[Draft], count: int) -> dict[str, _Group]:
    """By name, in the order of the file."""
    sizes = np.zeros(count, np.int64)
    for draft in drafts:
        if draft.oco is not None:
            sizes += np.bincount(draft.oco[draft.oco != NO_GROUP], minlength=count)
    groups: dict[str, _Group] = {}
    for draft in drafts:
        for name, row in _first_rows(draft):
            assert draft.oco is not None
            alone = sizes[draft.oco[row]] == 1
            if name not in groups or (alone and not groups[name].alone):
                place = _place(draft, row)
                own = draft.written.oco is not None and place is draft.written.oco.span
                groups[name] = _Group(name, place, draft.name(row) if alone else None, own)
    return groups


def _first_rows(draft: Draft) -> Iterator[tuple[str, int]]:
    """Each name of a group in a draft, and the first row that has it."""
    if draft.oco is None:
        return
    numbers, rows = np.unique(draft.oco, return_index=True)
    own = draft.written.oco.value if draft.written.oco else None
    for number, row in sorted(zip(numbers.tolist(), rows.tolist(), strict=True), key=lambda one: one[1]):
        name = (draft.row_groups[row] if draft.row_groups is not None else None) or own
        if number != NO_GROUP and name:
            yield name, row


def _place(draft: Draft, row: int) -> Span:
    own = draft.written.oco
    in_row = draft.row_groups is not None and draft.row_groups[row] is not None
    return own.span if own and not in_row else draft.place(row)


def _of_one(group: _Group, near: _Group | None) -> Finding:
    message = f"`{group.alone}` is all of its `oco` group `{group.name}`: it cancels nothing, and nothing cancels it"
    if near:
        related = (Related(f"`{near.name}`", near.place),)
        way_out = "write the same name in both" if near.alone else f"did you mean `{near.name}`?"
        return Finding(message, group.place, related, way_out, (near.name,) if group.written else ())
    return Finding(message, group.place, (), "give the rules that belong to it the same name, or leave `oco` out")


def _of_two(group: _Group, other: _Group) -> Finding:
    message = f"the `oco` groups `{other.name}` and `{group.name}` are one letter apart: neither cancels the other"
    way_out = "write the same name where one group is meant, or names that differ more"
    instead = (other.name,) if group.written else ()
    return Finding(message, group.place, (Related(f"`{other.name}`", other.place),), way_out, instead)


def _near(groups: dict[str, _Group]) -> dict[str, _Group]:
    """For each group another whose name differs by one letter put in, left out or changed."""
    alike: dict[str, list[str]] = defaultdict(list)
    for name in groups:
        # Two names that are one letter apart have a form with a hole in common.
        forms = {name[:at] + "\0" + name[at + skip :] for at in range(len(name) + 1) for skip in (0, 1)}
        for form in forms:
            alike[form].append(name)
    near: dict[str, _Group] = {}
    for form, names in alike.items():
        for one, other in combinations(names, 2):
            if _mistyped(form, one, other):
                near.setdefault(one, groups[other])
                near.setdefault(other, groups[one])
    return near


def _mistyped(form: str, one: str, other: str) -> bool:
    """Whether the letter may be a slip: not a number that counts, and not a word of its own such as in `leg-a`."""
    before, _, after = form.partition("\0")
    letters = [name[len(before) : len(name) - len(after)] for name in (one, other)]
    alone = not (before[-1:].isalnum() or after[:1].isalnum())
    return not alone and all(letter.isalpha() or not letter for letter in letters)
