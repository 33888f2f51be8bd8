# SPDX-License-Identifier: Apache-2.0
"""A strategy told in words and drawn."""

from functools import cached_property
from html import escape

import click

from fixaccel.api.errors import FixaccelError
from fixaccel.api.html import picture_html, table_html, terminal_html
from fixaccel.diagnostics.text import printable
from fixaccel.explain.chart import charts
from fixaccel.explain.describe import Teller, Told, find
from fixaccel.explain.svg import svg
from fixaccel.explain.text import head_text, told_text, worst_text
from fixaccel.explain.worst import worst_lines
from fixaccel.exposure.worst_case import worst_case
from fixaccel.language.keys.schema import suggest
from fixaccel.language.rules import Block, Rule, Strategy
from fixaccel.language.terms import Board

# A page that nobody scrolls through is not made.
_MOST_SHOWN = 100


class Explanation:
    """What each rule does, in a sentence and fact by fact, with the worst case of all and a picture of the prices.

    Printed it is what `fixaccel explain` says; a notebook shows the picture and a section for each rule.
    """

    def __init__(self, strategy: Strategy, board: Board, rule: str | None) -> None:
        self._strategy = strategy
        teller = Teller(strategy, board)
        found = list(strategy.blocks) if rule is None else _found(strategy, rule)
        self._whole = rule is None
        self._blocks = found if isinstance(found, list) else [found.block]
        self._rules = tuple(map(teller.block, found)) if isinstance(found, list) else (teller.part(found),)

    @property
    def rules(self) -> tuple[Told, ...]:
        """What is told of each rule."""
        return self._rules

    @cached_property
    def worst_case(self) -> tuple[str, ...]:
        """What goes out if everything armed fires, line by line; nothing where one rule is told of."""
        return tuple(worst_lines(worst_case(self._strategy))) if self._whole else ()

    @cached_property
    def svg(self) -> str:
        """The price axis of each instrument, with thresholds, limits and directions, as the text of an SVG file."""
        return svg(self._strategy.name, charts(self._strategy, self._blocks))

    def __str__(self) -> str:
        return click.unstyle(self._styled())

    def __repr__(self) -> str:
        return f"<Explanation of {self._strategy.name}: {len(self.rules)} rule{'' if len(self.rules) == 1 else 's'}>"

    def _repr_html_(self) -> str:
        shown = self.rules[:_MOST_SHOWN]
        parts = [terminal_html(head_text(self._strategy))] if self._whole else []
        parts.append(picture_html(self.svg, f"Prices of {self._strategy.name}"))
        parts += [_section(told, opened=len(self.rules) == 1) for told in shown]
        if len(shown) < len(self.rules):
            parts.append(f"<div>and {len(self.rules) - len(shown):,} more rules</div>")
        if self.worst_case:
            parts.append(terminal_html(worst_text(self.worst_case)))
        return "\n".join(parts)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        """For notebooks: the text beside the page, so that what is saved can be read anywhere."""
        del include, exclude
        return {"text/plain": str(self), "text/html": self._repr_html_()}

    def _styled(self) -> str:
        parts = [head_text(self._strategy)] if self._whole else []
        parts += [told_text(told) for told in self.rules]
        return "\n\n".join([*parts, *([worst_text(self.worst_case)] if self.worst_case else [])])


def _section(told: Told, *, opened: bool) -> str:
    place = f'<span style="opacity:.65">{escape(printable(told.place))}</span>'
    head = f"<summary><b>{escape(told.id)}</b> {escape(told.sentence)} {place}</summary>"
    return f"<details{' open' if opened else ''}>{head}{table_html(('', ''), told.facts)}</details>"


def _found(strategy: Strategy, name: str) -> list[Block] | Rule:
    found = find(strategy, name)
    if found is None:
        close = suggest(name, {block.rule_id for block in strategy.blocks} | {block.id for block in strategy.blocks})
        hint = f"; did you mean `{close}`?" if close else ""
        raise FixaccelError(f"the strategy has no rule `{printable(name)}`{hint}")
    return found
