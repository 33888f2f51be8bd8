# SPDX-License-Identifier: Apache-2.0
"""Parts of a strategy by the names that reports and tests use."""

import re

from fixaccel.language.rules import Block, Rule, Strategy

_STEP = re.compile(r"(?P<id>.+)\[(?P<number>[1-9][0-9]{0,8})\]\Z")


def find_rule(strategy: Strategy, name: str) -> Rule | None:
    """The part called ``name``, None if there is none. Looks at blocks, not at a million parts."""
    match = _STEP.match(name)
    for block in strategy.blocks:
        row = _row(block, name, match)
        if row is not None and row < len(block) and block.name(row) == name:
            return Rule(block, row)
    return None


def _row(block: Block, name: str, match: re.Match[str] | None) -> int | None:
    if match and block.id == match["id"]:
        return int(match["number"]) - 1
    if block.id == name:
        return 0
    return next((row for row, known in block.names.items() if known == name), None)
