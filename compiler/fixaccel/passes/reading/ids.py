# SPDX-License-Identifier: Apache-2.0
"""Pass `ids`: every rule has a name of its own, disabled ones too."""

from typing import TYPE_CHECKING

from fixaccel.diagnostics.codes import strategy as codes
from fixaccel.diagnostics.report import Related
from fixaccel.drafts.work import Work

if TYPE_CHECKING:
    from fixaccel.source import Span


def run(work: Work) -> None:
    """Reports names that stand twice."""
    if work.written is None:
        return
    seen: dict[str, Span] = {}
    for rule in work.written.rules:
        if rule.id is None:
            continue
        first = seen.setdefault(rule.id.value, rule.id.span)
        if first != rule.id.span:
            message = f"another rule is called `{rule.id.value}`"
            work.report.add(
                codes.ID_CLASH, message, rule.id.span, related=[Related("first here", first)], help="choose another id"
            )
