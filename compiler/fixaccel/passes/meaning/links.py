# SPDX-License-Identifier: Apache-2.0
"""Pass `links`: which rules arm and cancel each other, and each other's orders."""

import numpy as np

from fixaccel.diagnostics.codes import strategy as codes
from fixaccel.diagnostics.report import Related
from fixaccel.drafts.names import PartNames
from fixaccel.drafts.work import Draft, Parent, Work
from fixaccel.language.keys.schema import Located, clip, nearest
from fixaccel.language.rules import NO_GROUP
from fixaccel.language.written import WrittenRule

CANCELS_MOST = 16  # rules in one `cancels`


def run(work: Work) -> None:
    """Fills ``oco``, ``parents``, ``cancels`` and ``groups``."""
    names = PartNames(work.drafts)
    names.check(work.report)
    _join(work)
    rules = {rule.id.value: rule for rule in work.written.rules if rule.id} if work.written else {}
    for draft in work.drafts:
        if draft.written.armed_by:
            draft.parents = _parents(draft, draft.written.armed_by, names, rules, work)
    for draft in work.drafts:
        draft.cancels = _cancelled(draft, names, rules, work)
    _check_cycles(work)


def _join(work: Work) -> None:
    """Groups: one for each symbol where all rules in it are over lists."""
    of_draft = {id(draft): _group_names(draft) for draft in work.drafts}
    single = {name for draft in work.drafts if not draft.written.is_list for name in of_draft[id(draft)]}
    numbers: dict[str, int] = {}
    for draft in work.drafts:
        found = of_draft[id(draft)]
        if not found or draft.form is None:
            continue
        full = {name: name if name in single else f"{name}@{draft.instrument.symbol}" for name in found}
        number = {name: numbers.setdefault(text, len(numbers)) for name, text in full.items()}
        own = number[draft.written.oco.value] if draft.written.oco else NO_GROUP
        if draft.row_groups is None:
            draft.oco = np.full(len(draft.form), own, np.int32)
        else:
            index: dict[str | None, int] = {None: own}
            index.update(number)
            draft.oco = np.fromiter(map(index.__getitem__, draft.row_groups), np.int32, len(draft.row_groups))
    work.groups = tuple(numbers)


def _group_names(draft: Draft) -> set[str]:
    rows = {name for name in draft.row_groups if name is not None} if draft.row_groups is not None else set()
    return rows | {draft.written.oco.value} if draft.written.oco else rows


def _parents(
    child: Draft, armed_by: Located[str], names: PartNames, rules: dict[str, WrittenRule], work: Work
) -> list[Parent] | None:
    """The drafts or rows that arm ``child``; None after reporting that there are none."""
    name = armed_by.value
    if name in names.rules:
        if child.written.is_list and names.rules[name][0].written.is_list:
            return _same_symbol(child, armed_by, names, work)
        return names.whole(name)
    part = names.part(name)
    if part:
        return [part]
    _report_unknown(armed_by, names, rules, work)
    return None


def _cancelled(draft: Draft, names: PartNames, rules: dict[str, WrittenRule], work: Work) -> list[Parent]:
    """The drafts or rows whose orders ``draft`` cancels; over a list, of rules over lists those of its symbol."""
    found: list[Parent] = []
    written = draft.written.cancels
    if len(written) > CANCELS_MOST:
        message = f"`cancels` names {len(written)} rules, at most {CANCELS_MOST} can be cancelled at once"
        work.report.add(codes.UNKNOWN_CANCELLED, message, written[CANCELS_MOST].span, help="name fewer rules")
        return found
    for named in written:
        name = named.value
        part = names.part(name)
        if name in names.rules:
            both_lists = draft.written.is_list and names.rules[name][0].written.is_list
            same = names.part(f"{name}@{draft.instrument.symbol}")
            of_name = ([same] if same else []) if both_lists else names.whole(name)
        elif part:
            of_name = [part]
        else:
            _report_unknown(named, names, rules, work, cancels=True)
            continue
        if any(parent.draft.written is draft.written for parent in of_name):
            message = f"`{draft.written.id.value if draft.written.id else name}` cancels its own orders"
            way_out = "name the rules whose orders are to go when this one's is sent"
            work.report.add(codes.UNKNOWN_CANCELLED, message, named.span, help=way_out)
            continue
        found += [parent for parent in of_name if parent not in found]
    return found


def _same_symbol(child: Draft, armed_by: Located[str], names: PartNames, work: Work) -> list[Parent] | None:
    symbol = child.instrument.symbol
    same = names.part(f"{armed_by.value}@{symbol}")
    if same is None:
        place = names.rules[armed_by.value][0].written.instruments[0].span
        work.report.add(
            codes.PARENT_LACKS_SYMBOL,
            f"`{armed_by.value}` is not over {symbol}: nothing would arm `{child.id}`",
            armed_by.span,
            related=[Related(f"the instruments of `{armed_by.value}`", place)],
            help=f"add {symbol} there, or take it out here",
        )
    return [same] if same else None


def _report_unknown(
    named: Located[str], names: PartNames, rules: dict[str, WrittenRule], work: Work, *, cancels: bool = False
) -> None:
    name = named.value
    related, instead = [], []
    stem = name.partition("[")[0]
    if stem in rules and rules[stem].enabled and stem not in names.rules:
        return  # what keeps that rule from being one has been reported
    if name in rules:
        related = [Related("disabled here", rules[name].keys.get("enabled", rules[name].span))]
        message, way_out = f"`{name}` is disabled: nothing would arm this rule", "enable it, or disable this one too"
        if cancels:
            message, way_out = f"`{name}` is disabled: it has no orders", "enable it, or take it out of `cancels`"
    elif stem != name and stem in names.rules:
        parts = names.rules[stem]
        way_out = _part_names(parts)
        message = f"`{stem}` has no part `{clip(name)}`"
        related = [Related(f"`{stem}`", parts[0].written.span)]
    else:
        message = f"there is no rule `{clip(name)}`"
        close = nearest(name, names.rules, work.report)
        way_out = f"did you mean `{close}`?" if close else "name the id of a rule, or one part of it such as `grid[3]`"
        instead = [close] if close else []
    code = codes.UNKNOWN_CANCELLED if cancels else codes.UNKNOWN_PARENT
    work.report.add(code, message, named.span, related=related, help=way_out, instead=instead)


def _part_names(parts: list[Draft]) -> str:
    first = parts[0]
    if first.many and first.form:
        own = ", rows with an id of their own by that" if first.names else ""
        return f"its parts go from `{first.id}[1]` to `{parts[-1].id}[{len(first.form)}]`{own}"
    return f"its parts are {', '.join(f'`{part.id}`' for part in parts[:4])}"


def _check_cycles(work: Work) -> None:
    """A rule that is armed, over however many steps, by itself is never armed. Each rule has one parent at most."""
    parent_of: dict[str, str] = {}
    rules: dict[str, WrittenRule] = {}
    for draft in work.drafts:
        if draft.written.id:
            rules[draft.written.id.value] = draft.written
            if draft.parents and draft.parents[0].draft.written.id:
                parent_of[draft.written.id.value] = draft.parents[0].draft.written.id.value
    seen: dict[str, str] = {}  # rule -> where the walk that met it began
    for start in rules:
        name: str | None = start
        while name is not None and name not in seen:
            seen[name] = start
            name = parent_of.get(name)
        if name is not None and seen[name] == start:
            _report_cycle(name, parent_of, rules, work)


def _report_cycle(start: str, parent_of: dict[str, str], rules: dict[str, WrittenRule], work: Work) -> None:
    path = [start]
    while parent_of[path[-1]] != start:
        path.append(parent_of[path[-1]])
    places = [place for rule in path if (place := rules[rule].armed_by)]
    if len(path) == 1:
        message = f"`{start}` is armed by itself: it is never armed"
    else:
        message = f"rules that arm each other are never armed: {_shown([*path, start])}"
    related = [Related(f"`{rule}` is armed by", place.span) for rule, place in zip(path[1:9], places[1:9], strict=True)]
    way_out = "leave `armed_by` out of the rule that begins"
    work.report.add(codes.ARMED_BY_CYCLE, message, places[0].span, related=related, help=way_out)


def _shown(path: list[str]) -> str:
    shown = path if len(path) <= 9 else [*path[:4], "…", *path[-4:]]
    return " ← ".join(f"`{rule}`" if rule != "…" else rule for rule in shown)
