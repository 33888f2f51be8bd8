# SPDX-License-Identifier: Apache-2.0
"""One rule as written, from the values at its keys."""

from typing import TypeVar

from fixaccel.diagnostics.codes import language as codes
from fixaccel.diagnostics.codes import reading
from fixaccel.diagnostics.report import Related, Report
from fixaccel.language.keys import rule as keys
from fixaccel.language.keys.limits import written_limits
from fixaccel.language.keys.order import written_order
from fixaccel.language.keys.schema import Located, Section
from fixaccel.language.rules import ArmedOn, Through
from fixaccel.language.written import (
    WrittenDecide,
    WrittenInterval,
    WrittenLadder,
    WrittenRearm,
    WrittenRule,
    WrittenTrail,
)
from fixaccel.source import SourceFile, Span

T = TypeVar("T")
CONDITIONS = tuple(key.name for key in (keys.WHEN, keys.TRAIL, keys.TABLE, keys.DECIDE, keys.AT))


def written_rule(section: Section, source: SourceFile, report: Report) -> WrittenRule:
    """The rule that ``section`` holds; what is missing or wrong has been reported."""
    _check_one_condition(section, report)
    instruments, order, note = section.get(keys.INSTRUMENT), section.get(keys.ORDER), section.get(keys.NOTE)
    if note:
        _check_swallowed_comment(note, source, report)
    during, rearm = section.get(keys.DURING), section.get(keys.REARM)
    armed_by, cancels, limits = section.get(keys.ARMED_BY), section.get(keys.CANCELS), section.get(keys.LIMITS)
    return WrittenRule(
        span=section.span,
        id=section.get(keys.ID),
        instruments=instruments.value if instruments else [],
        is_list=bool(instruments and (len(instruments.value) != 1 or instruments.span != instruments.value[0].span)),
        when=section.get(keys.WHEN),
        order=written_order(order.value) if order else None,
        order_readable=order is not None or "order" not in section.keys,
        enabled=_or(section.get(keys.ENABLED), default=True),
        note=note.value if note else None,
        keys=section.keys,
        ladder=_ladder(section.get(keys.LADDER)),
        trail=_trail(section.get(keys.TRAIL), source),
        table=section.get(keys.TABLE),
        decide=_decide(section.get(keys.DECIDE), report),
        confirm=_or(section.get(keys.CONFIRM), default=1),
        through=_or(section.get(keys.THROUGH), default=Through.FIRE),
        during=tuple(window.value for window in during.value) if during else (),
        oco=section.get(keys.OCO),
        armed_by=armed_by.value.rule if armed_by else None,
        armed_on=armed_by.value.on if armed_by else ArmedOn.SENT,
        cancels=tuple(cancels.value) if cancels else (),
        at=section.get(keys.AT),
        limits=written_limits(limits.value, report) if limits else None,
        rearm=Located(rearm.value, rearm.span) if rearm and isinstance(rearm.value, WrittenRearm) else None,
    )


def _or(value: Located[T] | None, *, default: T) -> T:
    return default if value is None else value.value


def _check_one_condition(section: Section, report: Report) -> None:
    present = [name for name in CONDITIONS if name in section.keys]
    if not present:
        report.add(
            codes.ONE_CONDITION, "the rule says nowhere when to fire", section.span, help="add `when: last <= PRICE`"
        )
    for name in present[1:]:
        first = Related(f"`{present[0]}` here", section.keys[present[0]])
        report.add(
            codes.ONE_CONDITION,
            f"a rule cannot have both `{present[0]}` and `{name}`",
            section.keys[name],
            related=[first],
        )


def _ladder(section: Located[Section] | None) -> Located[WrittenLadder] | None:
    if section is None:
        return None
    step, count = section.value.get(keys.STEP), section.value.get(keys.COUNT)
    return Located(WrittenLadder(step, count), section.span) if step and count else None


def _trail(section: Located[Section] | None, source: SourceFile) -> Located[WrittenTrail] | None:
    if section is None:
        return None
    values = section.value
    prices, by, activate = values.get(keys.TRAIL_SOURCE), values.get(keys.BY), values.get(keys.ACTIVATE)
    unreadable = keys.ACTIVATE.name in values.keys and activate is None
    if prices is None or by is None or unreadable:
        return None
    text = source.line(by.span.line)[by.span.column - 1 : by.span.end_column - 1].strip("'\"")
    return Located(WrittenTrail(prices, by, text, activate), section.span)


def _decide(section: Located[Section] | None, report: Report) -> Located[WrittenDecide] | None:
    if section is None:
        return None
    values = section.value
    one = keys.exactly_one(values, "`decide`", (keys.PYTHON.name, keys.INTERVALS.name), report)
    over, python, intervals = values.get(keys.OVER), values.get(keys.PYTHON), values.get(keys.INTERVALS)
    if one and keys.PYTHON.name in values.keys and keys.OVER.name not in values.keys:
        way_out = "add `over: LO..HI`, the prices to ask the function for"
        report.add(codes.MISSING_KEY, "`python` needs `over`", values.keys[keys.PYTHON.name], help=way_out)
    prices = values.get(keys.DECIDE_SOURCE)
    if not one or prices is None or (python is None and intervals is None) or (python and over is None):
        return None
    written = [_interval(entry.value) for entry in intervals.value] if intervals else None
    sound = None if written is None else [interval for interval in written if interval]
    return Located(WrittenDecide(prices, over, python, sound), section.span)


def _interval(section: Section) -> WrittenInterval | None:
    low, high, order = section.get(keys.FROM), section.get(keys.TO), section.get(keys.INTERVAL_ORDER)
    if low is None or high is None:
        return None
    readable = order is not None or keys.INTERVAL_ORDER.name not in section.keys
    return WrittenInterval(section.span, low, high, written_order(order.value) if order else None, readable)


def _check_swallowed_comment(note: Located[str], source: SourceFile, report: Report) -> None:
    line = source.line(note.span.end_line)
    rest = line[note.span.end_column - 1 :]
    if not line[: note.span.end_column - 1].strip():
        return  # below a block of text
    quoted = line[note.span.end_column - 2 : note.span.end_column - 1] in {"'", '"'}
    if rest.lstrip().startswith("#") and not quoted:
        start = note.span.end_column + len(rest) - len(rest.lstrip())
        place = Span(note.span.file, note.span.end_line, start, note.span.end_line, len(line) + 1)
        whole = " ".join((note.value + rest).split()).replace('"', '\\"')
        way_out = f'quote the note: `note: "{whole}"`, or put the comment on a line of its own'
        report.add(
            reading.SWALLOWED_COMMENT, "YAML ends the note here: the rest of the line is a comment", place, help=way_out
        )
