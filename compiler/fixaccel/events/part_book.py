# SPDX-License-Identifier: Apache-2.0
"""Which part a row of an execution means: names as results have them."""

from dataclasses import dataclass

from fixaccel.language.keys.schema import clip, suggest
from fixaccel.language.naming import find_rule
from fixaccel.language.rules import Rule, Strategy


@dataclass(frozen=True)
class Unknown:
    """Why a name means no one part, and the way out."""

    message: str
    help: str | None


class PartBook:
    """Looks names up in one strategy, each once."""

    def __init__(self, strategy: Strategy) -> None:
        self._strategy = strategy
        self._found: dict[str, Rule | Unknown] = {}

    def find(self, name: str) -> Rule | Unknown:
        """The part of this name, or the only one of the rule of this name."""
        if name not in self._found:
            self._found[name] = find_rule(self._strategy, name) or self._only_one(name)
        return self._found[name]

    def get(self, name: str) -> int | None:
        """The number of that part, None if there is none."""
        found = self.find(name)
        return found.index if isinstance(found, Rule) else None

    def _only_one(self, name: str) -> Rule | Unknown:
        blocks = [block for block in self._strategy.blocks if name in {block.rule_id, block.id}]
        if sum(map(len, blocks)) == 1:
            return Rule(blocks[0], 0)
        if blocks:
            way_out = f"name one of them, such as `{blocks[0].name(0)}`"
            return Unknown(
                f"`{clip(name)}` stands for {sum(map(len, blocks)):,} parts, and an order is of one", way_out
            )
        close = suggest(name, {block.id for block in self._strategy.blocks})
        return Unknown(f"the strategy has no rule `{clip(name)}`", f"did you mean `{close}`?" if close else None)
