# SPDX-License-Identifier: Apache-2.0
"""What arms a part, and what its fire does to others: `if_already_through`, `oco`, `armed_by`, `rearm`."""

from fixaccel.language.forms import Trail, Triggers
from fixaccel.language.rules import NO_GROUP, ArmedOn, RearmAfter, RearmReset, Rule, Strategy
from fixaccel.semantics.states import Follow, Part, Sight, State
from fixaccel.semantics.thresholds import sight_at_arming


def arm(part: Part, value: int | None) -> None:
    """Arms a part as if it never had been, ``value`` being the known value of its source (None: unknown)."""
    part.state, part.sight = State.ARMED, Sight.LIVE
    part.rearm_at_ns, part.awaits_reset, part.moment_ns = None, False, None
    form = part.rule.block.form
    part.follow = Follow(active=isinstance(form, Trail) and form.activate is None)
    if isinstance(form, Triggers):
        sight = sight_at_arming(part, value)
        if sight is None:
            part.state = State.REFUSED
        else:
            part.sight = sight


def cancel(part: Part) -> None:
    """A sibling's order was sent. What has fired or was refused stays so."""
    if part.state in {State.DISARMED, State.ARMED}:
        part.state = State.CANCELLED


def spend(part: Part, ts_ns: int) -> None:
    """Counts a sent fire, and has the part armed again where its rule says so."""
    part.fires += 1
    rearm = part.rule.block.rearm
    if rearm is None or part.rearmings == rearm.times:
        return
    part.rearmings += 1
    match rearm:
        case RearmAfter():
            part.rearm_at_ns = ts_ns + rearm.after_ns
        case RearmReset():
            part.awaits_reset = True


class Links:
    """Who is joined to whom. All by index of the part."""

    def __init__(self, strategy: Strategy) -> None:
        self._groups: dict[int, list[int]] = {}
        self._children: dict[tuple[int, ArmedOn], list[int]] = {}
        for rule in strategy.rules:
            if rule.group != NO_GROUP:
                self._groups.setdefault(rule.group, []).append(rule.index)
            for parents in rule.block.parents or ():
                for parent in parents:
                    self._children.setdefault((parent, rule.block.armed_on), []).append(rule.index)

    def siblings(self, rule: Rule) -> list[int]:
        """The others of its `oco` group."""
        members = self._groups.get(rule.group, []) if rule.group != NO_GROUP else []
        return [index for index in members if index != rule.index]

    def children(self, rule: Rule, on: ArmedOn) -> list[int]:
        """Those that name it in `armed_by`, and wait for that."""
        return self._children.get((rule.index, on), [])
