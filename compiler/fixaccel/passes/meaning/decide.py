# SPDX-License-Identifier: Apache-2.0
"""Pass `decide`: asks the trader's function for every price in advance and merges equal neighbours into intervals."""

import os
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np

from fixaccel.decide import __all__ as imported_by_traders
from fixaccel.decide import kept
from fixaccel.decide.request import Failure, Fault, Outcome, Request
from fixaccel.decide.sandbox import Bounds, decide
from fixaccel.diagnostics.codes import checks
from fixaccel.diagnostics.codes import decide as codes
from fixaccel.diagnostics.report import Diagnostic, Related, Report
from fixaccel.drafts.work import Draft, Work
from fixaccel.language.codes import Units
from fixaccel.language.forms import Decision
from fixaccel.language.keys.order import ACCOUNT, PRICE, QTY, SIDE, TIF, TYPE
from fixaccel.language.keys.schema import Key, Located, clip
from fixaccel.language.orders import Order, Orders
from fixaccel.language.terms import Source
from fixaccel.language.text.files import read_source
from fixaccel.language.written import WrittenDecide, WrittenOrder
from fixaccel.passes.meaning.intervals import over_units
from fixaccel.passes.meaning.orders import base_order, complete_order
from fixaccel.settings import DECIDE_SECONDS_MOST, DECIDE_SECONDS_VARIABLE
from fixaccel.source import ScalarNode, SourceFile, Span
from fixaccel.values import decimal_text

POINTS = 1_000_000
_UNKNOWN_NAME = re.compile(
    r"NameError: name '(\w+)' is not defined|ImportError: cannot import name '(\w+)' from 'fixaccel'"
)
SHOWN_ORDERS = 5

_KEYS: tuple[Key[Any], ...] = (SIDE, QTY, TYPE, PRICE, TIF, ACCOUNT)  # in the order of the columns of an answer
_CODES = {
    Fault.SYNTAX: codes.DECIDE_FUNCTION,
    Fault.LOAD: codes.DECIDE_FUNCTION,
    Fault.NO_FUNCTION: codes.DECIDE_FUNCTION,
    Fault.RAISED: codes.DECIDE_RAISED,
    Fault.ANSWER: codes.DECIDE_ANSWER,
    Fault.UNSTEADY: codes.DECIDE_ANSWER,
    Fault.TOO_MANY: codes.DECIDE_TOO_MANY,
    Fault.TIME: codes.DECIDE_STOPPED,
    Fault.MEMORY: codes.DECIDE_STOPPED,
    Fault.ENDED: codes.DECIDE_STOPPED,
}
_HELP = {
    Fault.SYNTAX: "correct the file",
    Fault.LOAD: "the file is run before the function is called",
    Fault.NO_FUNCTION: "write `def {function}(price, instrument):` in the file",
    Fault.RAISED: "return None where there is nothing to send",
    Fault.ANSWER: "return an `Order`, or None; of a `@vectorized` function an `Orders`",
    Fault.UNSTEADY: "an answer may depend on the price and the instrument only",
    Fault.TOO_MANY: "round what the function computes, or decide over fewer prices",
    Fault.TIME: "decide over fewer prices, mark it `@vectorized`, or allow more by `fixaccel --decide-seconds N`",
    Fault.MEMORY: "hold less at a time",
    Fault.ENDED: "the function must return",
}


def bounds() -> Bounds:
    """What the process that runs a function may use; the variable raises its processor time."""
    with suppress(ValueError):
        seconds = float(os.environ.get(DECIDE_SECONDS_VARIABLE, ""))
        if 0 < seconds <= DECIDE_SECONDS_MOST:
            return Bounds(seconds)
    return Bounds()


def run(work: Work) -> None:
    """Fills ``form`` of the rules with `decide` and `python`."""
    failed: set[str] = set()
    for draft in work.drafts:
        written = draft.written.decide
        if written is None or written.value.python is None or not draft.written.order_readable:
            continue
        named = written.value.python
        # What failed once is not asked again for the next symbol: it could take its whole time each time.
        if named.value not in failed:
            draft.form = _Question(draft, written.value, named, work).decision()
            if draft.form is None:
                failed.add(named.value)


@dataclass(frozen=True)
class _Interval:
    """Places of the first and the last point."""

    first: int
    last: int
    order: Order


class _Question:
    """One function at one instrument."""

    def __init__(self, draft: Draft, written: WrittenDecide, named: Located[str], work: Work) -> None:
        self._draft = draft
        self._written = written
        self._named = named
        self._work = work
        file, _, self._function = named.value.rpartition(":")
        self._file = file
        self._path = work.path.parent / file
        self._name = os.path.normpath(self._path)

    def decision(self) -> Decision | None:
        """The intervals; None after reporting what went wrong."""
        work = self._work
        over = over_units(self._written, self._draft, work)
        source = work.sources.get(self._name) or read_source(
            self._path, self._name, work.report, work.sources, asked_at=self._named.span
        )
        if over is None or source is None:
            return None
        work.inputs[self._file] = source.digest
        request = self._request(over)
        if request.count() > POINTS:
            message = f"{request.count():,} prices are to be decided, at most {POINTS:,} are"
            assert self._written.over
            work.report.add(
                codes.DECIDE_TOO_MANY, message, self._written.over.span, help="decide over fewer prices"
            )  # fmt: skip
            return None
        outcome = kept.find(request)
        if outcome is None and not work.ask:
            work.unasked.append(self._named)
            return self._decided([], request.points())
        outcome = outcome or self._ask(request)
        self._warn_of_output(outcome)
        if outcome.failure:
            self._report_failure(outcome.failure, request, source)
            return None
        self._note_files(outcome)
        return self._bind(outcome, request, source)

    def _ask(self, request: Request) -> Outcome:
        tell, total = self._work.progress, request.count()
        progress = (lambda done: tell(self._named.value, done / max(total, 1))) if tell else None
        outcome = decide(request, bounds(), progress)
        kept.keep(request, outcome)
        return outcome

    def _request(self, over: tuple[int, int]) -> Request:
        instrument = self._draft.instrument
        return Request(
            file=str(self._path.resolve()),
            function=self._function,
            symbol=instrument.symbol,
            steps=tuple((decimal_text(start), decimal_text(tick)) for start, tick in instrument.ticks.steps),
            lot=instrument.lot,
            multiplier=decimal_text(instrument.multiplier),
            price_min=decimal_text(instrument.to_price(instrument.price_min)),
            price_max=decimal_text(instrument.to_price(instrument.price_max)),
            low=over[0],
            high=over[1],
            mid=self._written.source.value is Source.MID,
            folder=str(self._work.path.parent.resolve()),
        )

    def _warn_of_output(self, outcome: Outcome) -> None:
        lines = outcome.printed.splitlines()
        if lines:
            first = clip(lines[0], 80)
            message = f"`{self._function}` printed: {first}"
            self._work.report.add(checks.DECIDE_PRINTED, message, self._named.span, help="delete the print")

    def _report_failure(self, failure: Failure, request: Request, source: SourceFile) -> None:
        message = failure.message
        if failure.fault not in {Fault.SYNTAX, Fault.LOAD, Fault.NO_FUNCTION, Fault.TOO_MANY}:
            message = f"`{self._function}`{self._at(failure, request)}: {message}"
        line = failure.line
        place = self._named.span if line is None else _line_span(source, line, failure.column)
        related = [] if place is self._named.span else [Related("asked for here", self._named.span)]
        way_out = _HELP[failure.fault].format(function=self._function)
        unknown = _UNKNOWN_NAME.search(failure.message)
        if unknown and (name := unknown[1] or unknown[2]) in imported_by_traders:
            way_out = f"write `from fixaccel.decide import {name}` at the top of the file"
        self._work.report.add(_CODES[failure.fault], message, place, related=related, help=way_out)

    @staticmethod
    def _at(failure: Failure, request: Request) -> str:
        if failure.at is None:
            return ""
        points = request.points()
        return f" at the price {decimal_text(request.price(int(points[failure.at])))}" if len(points) else ""

    def _note_files(self, outcome: Outcome) -> None:
        """Files that the trader's own imported or opened decide too: they belong to what was compiled."""
        folder = self._work.path.parent.resolve()
        for file in outcome.files:
            digest = kept.digest_of(file)
            if digest:  # what was looked for and is not there is no input
                self._work.inputs[os.path.relpath(file, folder)] = digest

    def _bind(self, outcome: Outcome, request: Request, source: SourceFile) -> Decision | None:
        points = request.points()
        span = _line_span(source, outcome.line)
        first_of: dict[int, int] = {}
        for first, _, number in outcome.runs:
            first_of.setdefault(number, first)
        orders: dict[int, Order] = {}
        wrong = 0
        for number, first in first_of.items():
            report = Report()
            order = self._order(outcome.orders[number], span, report)
            if order:
                orders[number] = order
                continue
            wrong += 1
            if wrong <= SHOWN_ORDERS:
                for diagnostic in report:
                    self._report_order(diagnostic, span, decimal_text(request.price(int(points[first]))))
        if wrong:
            if wrong > SHOWN_ORDERS:
                message = f"{wrong - SHOWN_ORDERS:,} more answers of `{self._function}` are wrong"
                self._work.report.add(codes.DECIDE_ANSWER, message, span)
            return None
        return self._decision(_merged(outcome, orders), points)

    def _order(self, texts: Sequence[str | None], span: Span, report: Report) -> Order | None:
        values: dict[str, Any] = {}
        for key, text in zip(_KEYS, texts, strict=True):
            if text is not None:
                value = key.kind.read(ScalarNode(text, "", span), key.name, report)
                if value is None:
                    return None
                values[key.name] = Located(value, span)
        written = WrittenOrder(span, **values).over(base_order(self._draft, self._work))
        return complete_order(written, self._draft, report)

    def _report_order(self, diagnostic: Diagnostic, span: Span, price: str) -> None:
        message, related = diagnostic.message, list(diagnostic.related)
        if diagnostic.span == span:
            message = f"the order that `{self._function}` sends at the price {price}: {message}"
            related.append(Related("asked for here", self._named.span))
        self._work.report.add(diagnostic.code, message, diagnostic.span, related=related, help=diagnostic.help)

    def _decision(self, intervals: list[_Interval], points: Units) -> Decision:
        if not intervals:
            message = f"`{self._function}` answers None at every price: the rule never fires"
            self._work.report.add(
                checks.DECIDE_NOTHING, message, self._named.span, help="check `over` and the function"
            )  # fmt: skip
        return self._decided(intervals, points)

    def _decided(self, intervals: list[_Interval], points: Units) -> Decision:
        return Decision(
            source=self._written.source.value,
            low=points[np.array([one.first for one in intervals], np.intp)],
            high=points[np.array([one.last for one in intervals], np.intp)],
            orders=Orders.of([one.order for one in intervals]),
            over=(int(points[0]), int(points[-1])),
        )


def _merged(outcome: Outcome, orders: dict[int, Order]) -> list[_Interval]:
    """Answers that differ only in what they leave to the rule's order become the same here."""
    intervals: list[_Interval] = []
    for first, last, number in outcome.runs:
        before = intervals[-1] if intervals else None
        if before and before.last + 1 == first and before.order == orders[number]:
            intervals[-1] = _Interval(before.first, last, before.order)
        else:
            intervals.append(_Interval(first, last, orders[number]))
    return intervals


def _line_span(source: SourceFile, line: int, column: int | None = None) -> Span:
    """A line without its indentation, or one character of it."""
    text = source.line(line)
    if column is not None and 0 < column <= len(text):
        return Span(source.name, line, column, line, column + 1)
    indent = len(text) - len(text.lstrip())
    return Span(source.name, line, indent + 1, line, max(len(text.rstrip()), indent + 1) + 1)
