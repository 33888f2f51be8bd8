# SPDX-License-Identifier: Apache-2.0
"""Rules for the hostile wire, a share of them linked by `oco` and `armed_by`."""

import random
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import pairwise

REACH = 30  # ticks between the middle of the market and the farthest threshold
LINKED = 0.5  # of the rules that the fabric runs
LADDER = 0.04  # of the rules are ladders of so many steps
STEPS = 3


@dataclass(eq=False)
class Rule:
    """A threshold of one instrument, `distance` ticks from its middle; a ladder goes on from there."""

    id: str
    symbol: str
    source: str
    below: bool
    distance: int
    text: str  # `when` and `order`, as YAML
    steps: int = 1
    group: str = ""
    parent: "Rule | None" = None

    def parts(self) -> list[str]:
        """Ids of its parts."""
        return [self.id] if self.steps == 1 else [f"{self.id}[{step + 1}]" for step in range(self.steps)]

    def yaml(self) -> str:
        """One line of the strategy."""
        keys = f'id: {self.id}, instrument: "{self.symbol}", {self.text}'
        if self.group:
            keys += f", oco: {self.group}"
        if self.parent:
            keys += f', armed_by: "{self.parent.id}"'
        return f"  - {{{keys}}}"


def threshold(
    number: int,
    symbol: str,
    terms: tuple[str, str, int],
    choice: random.Random,
    decided: Collection[tuple[str, str]] = (),
    confirmed: Collection[tuple[str, str]] = (),
) -> Rule:
    """Rule `number`, of an instrument with these tick, middle and lot; `<=` where the source is `decided`."""
    tick, middle, lot = Decimal(terms[0]), Decimal(terms[1]), terms[2]
    source = choice.choice(["bid", "ask", "last", "last", "mid"])
    below = choice.random() < 0.5 or (symbol, source) in decided
    out = -tick if below else tick
    distance = choice.randint(1, REACH)
    price = middle + distance * out
    order = f"side: {'sell' if below else 'buy'}, qty: {lot * choice.choice([1, 2, 3, 10, 77])}"
    limit = choice.random() < 0.5
    offset = choice.randint(-9, 9)
    steps = STEPS if choice.random() < LADDER and distance + 2 * STEPS <= REACH else 1
    if not limit:
        order += ", type: market"
    elif steps > 1:
        order += ", type: limit, price: trigger"
    else:
        order += f", type: limit, price: {price + offset * tick:f}"
    confirm = ", confirm: 2" if (symbol, source) in confirmed else ""
    text = f"when: {source} {'<=' if below else '>='} {price:f}{confirm}, order: {{{order}}}"
    if steps > 1:
        text += f", ladder: {{step: {2 * out:f}, count: {steps}}}"
    return Rule(f"r{number}", symbol, source, below, distance, text, steps)


@dataclass
class Linker:
    """Joins rules that the fabric runs, nearest in price first: so one message has several of a group."""

    rules: list[Rule]
    choice: random.Random
    groups: int = 0
    free: list[Rule] = field(init=False)

    def __post_init__(self) -> None:
        """At first all are free, in random order."""
        self.free = self.choice.sample(self.rules, len(self.rules))

    def link(self) -> None:
        """Each form in turn, until the share of linked rules is reached."""
        forms: list[Callable[[], None]] = [
            self.one_chain,
            self.one_instrument,
            self.several_instruments,
            self.bracket,
            self.line,
            self.line_of_a_chain,
            self.many_parents,
            self.alternatives,
            self.sibling_that_waits,
        ]
        turn = 0
        enough = len(self.free) * (1 - LINKED)
        while len(self.free) > enough:
            forms[turn % len(forms)]()
            turn += 1

    def one_chain(self) -> None:
        """A group on one side of one source: a jump passes several of it."""
        self.join(self.take(self.choice.randint(2, 4), self.same_chain))

    def one_instrument(self) -> None:
        """A group over the sources of an instrument."""
        self.join(self.take(self.choice.randint(2, 5), self.same_symbol))

    def several_instruments(self) -> None:
        """A group over instruments."""
        self.join(self.take(self.choice.randint(2, 5), self.any))

    def bracket(self) -> None:
        """An entry that arms its stop and its target."""
        entry, *exits = self.take(3, self.same_symbol)
        self.join(exits)
        self.arm(entry, exits)

    def line(self) -> None:
        """Each arms the next, on one instrument or over several."""
        first, second, third = self.take(3, self.choice.choice([self.same_symbol, self.any]))
        self.arm(first, [second])
        self.arm(second, [third])

    def line_of_a_chain(self) -> None:
        """The same on one side of one source: all are satisfied by a message that fires the first alone."""
        for parent, child in pairwise(self.take(3, self.same_chain)):
            self.arm(parent, [child])

    def many_parents(self) -> None:
        """Any step of a ladder arms."""
        ladder = next((rule for rule in self.free if rule.steps > 1), None)
        if ladder:
            self.free.remove(ladder)
            self.arm(ladder, self.take(2, lambda _, rule: rule.symbol == ladder.symbol))

    def alternatives(self) -> None:
        """Two entries of which one is sent, the first with exits of its own."""
        first, second, *exits = self.take(4, self.same_symbol)
        self.join([first, second])
        self.join(exits)
        self.arm(first, exits)

    def sibling_that_waits(self) -> None:
        """The first may cancel the second before the third has armed that."""
        first, second, third = self.take(3, self.same_symbol)
        self.join([first, second])
        self.arm(third, [second])

    def take(self, count: int, fits: Callable[[Rule, Rule], bool]) -> list[Rule]:
        """So many free rules, or as many as fit to the first; then nearest in distance to it."""
        first = self.free.pop(0)
        others = [rule for rule in self.free if fits(first, rule)]
        others.sort(key=lambda rule: (abs(rule.distance - first.distance), rule.id))
        for rule in others[: count - 1]:
            self.free.remove(rule)
        return [first, *others[: count - 1]]

    def join(self, rules: list[Rule]) -> None:
        """One group of them."""
        self.groups += 1
        for rule in rules:
            rule.group = f"g{self.groups}"

    @staticmethod
    def arm(parent: Rule, children: list[Rule]) -> None:
        """They wait for its order."""
        for child in children:
            child.parent = parent

    @staticmethod
    def any(_first: Rule, _other: Rule) -> bool:
        """Any will do."""
        return True

    @staticmethod
    def same_symbol(first: Rule, other: Rule) -> bool:
        """Of one instrument."""
        return first.symbol == other.symbol

    @staticmethod
    def same_chain(first: Rule, other: Rule) -> bool:
        """Of one instrument, source and direction."""
        return (first.symbol, first.source, first.below) == (other.symbol, other.source, other.below)


def links(rules: list[Rule]) -> list[str]:
    """Who cancels and arms whom, in words for the reference: `oco PART...`, `armed_by CHILD PARENT...`."""
    groups: dict[str, list[str]] = {}
    for rule in rules:
        if rule.group:
            groups.setdefault(rule.group, []).extend(rule.parts())
    out = [f"oco {' '.join(parts)}" for parts in groups.values()]
    for rule in rules:
        if rule.parent:
            out += [f"armed_by {part} {' '.join(rule.parent.parts())}" for part in rule.parts()]
    return out
