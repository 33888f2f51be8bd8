# SPDX-License-Identifier: Apache-2.0
"""Rules in words, as `fixaccel explain` has them."""

from functools import cached_property, lru_cache

from fixaccel.explain.describe import Teller, Told
from fixaccel.language.naming import find_rule
from fixaccel.language.rules import Block, Strategy
from fixaccel.language.terms import Board
from fixaccel.pipeline import load_board

_MOST = 4  # of a rule over many instruments


@lru_cache(maxsize=1)
def _board() -> Board | None:
    return load_board().board


class RuleTexts:
    """Of one strategy. What is looked up over all of its rules is looked up once."""

    def __init__(self, strategy: Strategy) -> None:
        self._strategy = strategy

    def text(self, name: str) -> str | None:
        """Markdown about a rule or one part of it; None if the strategy has none of that name."""
        teller, blocks = self._teller, self._blocks.get(name)
        part = None if blocks else find_rule(self._strategy, name)
        if teller is None or not (blocks or part):
            return None
        told = [teller.block(block) for block in blocks[:_MOST]] if blocks else [teller.part(part)] if part else []
        more = len(blocks) - _MOST if blocks else 0
        texts = [_entry(entry) for entry in told]
        return "\n\n---\n\n".join([*texts, *([f"and {more:,} more"] if more > 0 else [])])

    @cached_property
    def _teller(self) -> Teller | None:
        board = _board()
        return Teller(self._strategy, board) if board else None

    @cached_property
    def _blocks(self) -> dict[str, list[Block]]:
        found: dict[str, list[Block]] = {}
        for block in self._strategy.blocks:
            for name in {block.rule_id, block.id}:
                found.setdefault(name, []).append(block)
        return found


def _entry(told: Told) -> str:
    facts = "\n".join(f"- {name}: {text}" for name, text in told.facts)
    return f"**{told.id}**\n\n{told.sentence}\n\n{facts}"
