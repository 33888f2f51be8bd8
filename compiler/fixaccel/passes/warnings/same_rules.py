# SPDX-License-Identifier: Apache-2.0
"""Pass `same-rules`: warns of two rules that fire on the same price and send the same order."""

import numpy as np

from fixaccel.diagnostics.codes import strategy as codes
from fixaccel.diagnostics.report import Related
from fixaccel.drafts.columns import Finding, PartColumns, Warnings, arming, mixed, others
from fixaccel.drafts.work import Draft, Work
from fixaccel.language.rules import NO_GROUP


def run(work: Work) -> None:
    """Compares meanings, not texts. One warning for each rule that repeats others."""
    parts = PartColumns.of(work.drafts)
    if parts is None:
        return
    columns = (
        parts.instrument, parts.source, parts.direction, parts.threshold, parts.confirm, parts.side, parts.qty,
        parts.type, parts.price, parts.envelope, parts.of_drafts([_liveness(draft) for draft in parts.drafts]),
    )  # fmt: skip
    meaning = mixed(columns)
    order = np.argsort(meaning, kind="stable")
    begins = np.flatnonzero(np.append(True, meaning[order][1:] != meaning[order][:-1]))
    first = np.repeat(order[begins], np.diff(np.append(begins, len(order))))
    rows, firsts = order[order != first], first[order != first]
    # Of one group only one is sent; and two different rules with one number are no pair.
    apart = (parts.group[rows] == NO_GROUP) | (parts.group[rows] != parts.group[firsts])
    found = apart & np.all([column[rows] == column[firsts] for column in columns], axis=0)
    rows, firsts = rows[found], firsts[found]
    at, count = np.unique(parts.owner[rows], return_index=True, return_counts=True)[1:]
    pairs = zip(rows[at].tolist(), firsts[at].tolist(), count.tolist(), strict=True)
    Warnings(codes.SAME_RULES, work).add([_finding(parts, *pair) for pair in pairs])


def _liveness(draft: Draft) -> object:
    return arming(draft), draft.written.through, draft.rearm


def _finding(parts: PartColumns, row: int, first: int, count: int) -> Finding:
    draft, at = parts.part(row)
    earlier, earlier_at = parts.part(first)
    name = earlier.name(earlier_at)
    message = f"`{draft.name(at)}` is the same as `{name}`: both fire, and the quantity is doubled"
    return Finding(
        message + others(count - 1, draft),
        draft.place(at),
        (Related(f"`{name}`", earlier.place(earlier_at)),),
        "delete one of the two, or change it",
    )
