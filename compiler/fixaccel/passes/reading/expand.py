# SPDX-License-Identifier: Apache-2.0
"""Pass `expand`: drops disabled rules, binds instruments, turns a rule over a list into one for each instrument."""

import re
from typing import TYPE_CHECKING

from fixaccel.diagnostics.codes import strategy as codes
from fixaccel.diagnostics.report import Related
from fixaccel.drafts.work import Draft, Work
from fixaccel.language.keys.schema import Located, clip, nearest
from fixaccel.language.terms import Instrument
from fixaccel.language.written import WrittenRule

if TYPE_CHECKING:
    from fixaccel.source import Span

DRAFTS_MOST = 200_000


def run(work: Work) -> None:
    """Fills ``drafts``."""
    if work.written is None or work.venue is None:
        return
    enabled = [rule for rule in work.written.rules if rule.enabled]
    if not enabled and not work.report.failed:
        work.report.add(codes.NOTHING_ENABLED, "no rule is enabled", work.written.rules_span)
    if sum(len(rule.instruments) for rule in enabled) > DRAFTS_MOST:
        message = f"the rules stand for more than {DRAFTS_MOST:,}, one for each instrument of a list"
        place = max(enabled, key=lambda rule: len(rule.instruments)).instruments[0].span
        work.report.add(codes.TOO_MANY_PARTS, message, place, help="use fewer rules or instruments, or a table file")
        return
    for rule in enabled:
        work.drafts += _expand(rule, work)


def _expand(rule: WrittenRule, work: Work) -> list[Draft]:
    drafts: list[Draft] = []
    seen: dict[str, Span] = {}
    name = rule.id.value if rule.id else ""
    for symbol in rule.instruments:
        if symbol.value in seen:
            first = Related("first here", seen[symbol.value])
            work.report.add(
                codes.REPEATED_INSTRUMENT,
                f"{clip(symbol.value)} stands twice in the list",
                symbol.span,
                related=[first],
            )
            continue
        seen[symbol.value] = symbol.span
        instrument = find_instrument(symbol, work)
        if instrument:
            drafts.append(Draft(f"{name}@{symbol.value}" if rule.is_list else name, rule, instrument))
    return drafts


def _reported(symbol: str, work: Work) -> bool:
    """Whether the venue file's own fault is why the instrument is not there."""
    assert work.venue
    return work.unreadable is None or symbol in work.unreadable or not (work.venue.instruments or work.unreadable)


def find_instrument(symbol: Located[str], work: Work) -> Instrument | None:
    """The instrument called ``symbol``; None after reporting that the venue has none."""
    assert work.venue
    instrument = work.venue.instruments.get(symbol.value)
    if instrument is None and not _reported(symbol.value, work):
        close = nearest(symbol.value, work.venue.instruments, work.report)
        several = re.split(r"[\s,;]+", symbol.value.strip())
        if len(several) > 1 and all(one in work.venue.instruments for one in several):
            close = None
            way_out = f"write a list: `[{', '.join(several)}]`"
        elif close:
            way_out = f"did you mean `{close}`?"
        elif len(work.venue.instruments) <= 8:
            way_out = f"its instruments: {', '.join(work.venue.instruments)}"
        else:
            way_out = "add it to the venue file"
        message = f"the venue {work.venue.name} has no instrument `{clip(symbol.value)}`"
        instead = [close] if close else []
        work.report.add(codes.UNKNOWN_INSTRUMENT, message, symbol.span, help=way_out, instead=instead)
    return instrument
