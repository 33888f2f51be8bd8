# SPDX-License-Identifier: Apache-2.0
"""Kinds of text about distances and times: steps, trails, percentages, times of day."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from fixaccel.diagnostics.codes import language as codes
from fixaccel.diagnostics.report import Report
from fixaccel.language.keys.kinds import number_help, number_schema, numbers_meant, pattern_of, scalar_text
from fixaccel.language.keys.schema import JsonSchema, clip
from fixaccel.language.rules import Window
from fixaccel.language.written import Percent, TickCount
from fixaccel.source import Node, ScalarNode
from fixaccel.values import parse_decimal, scaled

_TICKS = re.compile(r"(-?[0-9]{1,9}) ticks?\Z")
_WINDOW = re.compile(r"([01][0-9]|2[0-3]):([0-5][0-9])-([01][0-9]|2[0-3]):([0-5][0-9])\Z")
_SEXAGESIMAL = re.compile(
    r"([0-9]{1,2}):([0-9]{2})(?::[0-9]{2})? *(?:-|\.\.|to|\u2013) *([0-9]{1,2}):([0-9]{2})(?::[0-9]{2})?\Z"
)
_MOMENT = re.compile(r"([01][0-9]|2[0-3]):([0-5][0-9])(?::([0-5][0-9]))?\Z")
_LOOSE_MOMENT = re.compile(r"([0-9]{1,2})[:.h]([0-9]{1,2})(?:[:.]([0-9]{1,2}))?\Z")
_PERCENT_SCHEMA: JsonSchema = {"type": "string", "pattern": r"^[0-9]+(\.[0-9]+)? ?%$"}
_TICKS_SCHEMA: JsonSchema = {"type": "string", "pattern": pattern_of(_TICKS)}

BASIS_POINT_PLACES = 2  # decimals of a percentage
MILLIONTH_PLACES = 4
HUNDRED_PERCENT = Decimal(100)


@dataclass(frozen=True)
class StepKind:
    """A signed price difference or `N ticks`."""

    form: str = "a price difference such as `-5`, or `-2 ticks`"

    def json_schema(self) -> JsonSchema:
        """A decimal, or a number of ticks."""
        return {"anyOf": [*number_schema()["anyOf"], _TICKS_SCHEMA]}

    def read(self, node: Node, key: str, report: Report) -> Decimal | TickCount | None:
        """The step, not zero."""
        scalar = scalar_text(node, key, self.form, report)
        if scalar is None:
            return None
        step = _price_or_ticks(scalar)
        if step is None:
            _refuse(scalar, self.form, number_help(scalar.text), report, numbers_meant(scalar.text))
        elif (step.ticks if isinstance(step, TickCount) else step) == 0:
            _refuse(scalar, "a step: all conditions would be the same", "a step is above or below zero", report)
            return None
        return step


@dataclass(frozen=True)
class TrailDistance:
    """How far a trail follows: a price difference, `N ticks` or `P%`."""

    form: str = "a distance such as `10`, `50 ticks` or `1.5%`"

    def json_schema(self) -> JsonSchema:
        """A decimal, a number of ticks, or a percentage."""
        return {"anyOf": [*number_schema()["anyOf"], _TICKS_SCHEMA, _PERCENT_SCHEMA]}

    def read(self, node: Node, key: str, report: Report) -> Decimal | TickCount | Percent | None:
        """The distance, above zero."""
        scalar = scalar_text(node, key, self.form, report)
        if scalar is None:
            return None
        if scalar.text.endswith("%"):
            return _percent(scalar, MILLIONTH_PLACES, report)
        distance = _price_or_ticks(scalar)
        if distance is None:
            _refuse(scalar, self.form, number_help(scalar.text), report, numbers_meant(scalar.text))
        elif (distance.ticks if isinstance(distance, TickCount) else distance) <= 0:
            _refuse(scalar, self.form, "the order's side says which way; a distance is above zero", report)
            return None
        return distance


@dataclass(frozen=True)
class PercentKind:
    """A percentage above zero in basis points."""

    form: str = "a percentage such as `5%`"

    def json_schema(self) -> JsonSchema:
        """A text of the pattern."""
        return _PERCENT_SCHEMA

    def read(self, node: Node, key: str, report: Report) -> int | None:
        """Basis points."""
        scalar = scalar_text(node, key, self.form, report)
        if scalar is None:
            return None
        if not scalar.text.endswith("%"):
            meant = [f"{scalar.text}%"] if parse_decimal(scalar.text) is not None else []
            way_out = f"write `{meant[0]}`" if meant else None
            message = f"`{clip(scalar.text)}` is not {self.form}"
            report.add(codes.BAD_PERCENT, message, scalar.span, help=way_out, instead=meant)
            return None
        percent = _percent(scalar, BASIS_POINT_PLACES, report)
        return None if percent is None else scaled(percent.value, BASIS_POINT_PLACES)


@dataclass(frozen=True)
class WindowKind:
    """`HH:MM-HH:MM`."""

    form: str = "times of day such as `09:30-16:00`"

    def json_schema(self) -> JsonSchema:
        """A text of the pattern."""
        return {"type": "string", "pattern": pattern_of(_WINDOW)}

    def read(self, node: Node, key: str, report: Report) -> Window | None:
        """Minutes of the day."""
        scalar = scalar_text(node, key, self.form, report)
        if scalar is None:
            return None
        match = _WINDOW.match(scalar.text)
        if match is None:
            message = f"`{clip(scalar.text)}` is not {self.form}"
            way_out, instead = _times_help(scalar.text)
            report.add(codes.BAD_TIMES, message, scalar.span, help=way_out, instead=instead)
            return None
        hour, minute, end_hour, end_minute = (int(part) for part in match.groups())
        window = Window(hour * 60 + minute, end_hour * 60 + end_minute)
        if window.start == window.end:
            way_out = "leave `during` out where the whole day is meant"
            report.add(codes.BAD_TIMES, f"{scalar.text} begins and ends at once", scalar.span, help=way_out)
            return None
        return window


@dataclass(frozen=True)
class TimeOfDay:
    """`HH:MM` or `HH:MM:SS`, on the venue's clocks."""

    form: str = "a time of day such as `15:55`"

    def json_schema(self) -> JsonSchema:
        """A text of the pattern; YAML readers of editors may take some times for numbers."""
        return {"anyOf": [{"type": "string", "pattern": pattern_of(_MOMENT)}, {"type": "number"}]}

    def read(self, node: Node, key: str, report: Report) -> int | None:
        """Seconds since midnight."""
        scalar = scalar_text(node, key, self.form, report)
        if scalar is None:
            return None
        match = _MOMENT.match(scalar.text)
        if match is None:
            message = f"`{clip(scalar.text)}` is not {self.form}"
            way_out, instead = _moment_help(scalar.text)
            report.add(codes.BAD_TIMES, message, scalar.span, help=way_out, instead=instead)
            return None
        hour, minute, second = (int(part or 0) for part in match.groups())
        return (hour * 60 + minute) * 60 + second


def _moment_help(text: str) -> tuple[str, list[str]]:
    """How to write what ``text`` seems to mean, and the time where that is sure."""
    parts = _LOOSE_MOMENT.match(text)
    wanted = ":".join(f"{int(part):02}" for part in parts.groups() if part) if parts else ""
    if _MOMENT.match(wanted):
        return f"write `{wanted}`", [wanted]
    if wanted in {"24:00", "24:00:00"}:
        return "the end of the day is 00:00: write `00:00`", ["00:00"]
    return "hours go from 00 to 23, minutes and seconds from 00 to 59: write `15:55` or `15:55:30`", []


def _times_help(text: str) -> tuple[str, list[str]]:
    """How to write what ``text`` seems to mean, and the times where that is sure."""
    match = _SEXAGESIMAL.match(text)
    if match is None:
        return "write two times of 24 hours with a `-` between them: `09:30-16:00`", []
    parts = [int(part) for part in match.groups()]
    if parts[2:] == [24, 0]:
        wanted = f"{parts[0]:02}:{parts[1]:02}-00:00"
        return f"the end of the day is 00:00: write `{wanted}`", [wanted]
    wanted = f"{parts[0]:02}:{parts[1]:02}-{parts[2]:02}:{parts[3]:02}"
    if _WINDOW.match(wanted):
        return f"write `{wanted}`", [wanted]
    return "hours go from 00 to 23, minutes from 00 to 59", []


def _price_or_ticks(scalar: ScalarNode) -> Decimal | TickCount | None:
    ticks = _TICKS.match(scalar.text)
    return TickCount(int(ticks[1])) if ticks else parse_decimal(scalar.text)


def _percent(scalar: ScalarNode, places: int, report: Report) -> Percent | None:
    """A percentage above zero, at most a hundred, with at most ``places`` decimals; the text ends in `%`."""
    number = scalar.text.removesuffix("%").rstrip()
    value = parse_decimal(number)
    if value is None:
        message, way_out = f"`{clip(scalar.text)}` is not a percentage", number_help(number)
    elif not 0 < value <= HUNDRED_PERCENT:
        message, way_out = f"{clip(scalar.text)} is not between zero and 100%", None
    elif scaled(value, places) is None:
        message, way_out = f"{clip(scalar.text)} has more than {places} decimals", None
    else:
        return Percent(value)
    report.add(codes.BAD_PERCENT, message, scalar.span, help=way_out)
    return None


def _refuse(scalar: ScalarNode, wanted: str, way_out: str, report: Report, instead: Iterable[str] = ()) -> None:
    message = f"`{clip(scalar.text)}` is not {wanted}"
    report.add(codes.BAD_DISTANCE, message, scalar.span, help=way_out, instead=instead)
