# SPDX-License-Identifier: Apache-2.0
"""A rule in words, as `fixaccel explain` has it."""

from functools import lru_cache

from fixaccel.explain.describe import Teller, Told, find
from fixaccel.language.rules import Strategy
from fixaccel.language.terms import Board
from fixaccel.pipeline import load_board

_MOST = 4  # of a rule over many instruments


@lru_cache(maxsize=1)
def _board() -> Board | None:
    return load_board().board


def rule_text(strategy: Strategy, name: str) -> str | None:
    """Markdown about a rule or one part of it; None if the strategy has none of that name."""
    board = _board()
    found = find(strategy, name)
    if found is None or board is None:
        return None
    teller = Teller(strategy, board)
    told = [teller.block(block) for block in found[:_MOST]] if isinstance(found, list) else [teller.part(found)]
    more = len(found) - _MOST if isinstance(found, list) else 0
    texts = [_entry(entry) for entry in told]
    return "\n\n---\n\n".join([*texts, *([f"and {more:,} more"] if more > 0 else [])])


def _entry(told: Told) -> str:
    facts = "\n".join(f"- {name}: {text}" for name, text in told.facts)
    return f"**{told.id}**\n\n{told.sentence}\n\n{facts}"
