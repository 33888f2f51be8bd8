# SPDX-License-Identifier: Apache-2.0
"""Watches read back: `rearm`, `if_already_through` and what fills arm, of the parts that they are of."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from fixaccel.hwmap.hwmap import Hwmap
from fixaccel.image.layout import Layout
from fixaccel.image.numbering import stretches
from fixaccel.image.pack.orders import watch_qty
from fixaccel.image.records import unpack_columns
from fixaccel.image.software.columns import NONE, THROUGHS, Array
from fixaccel.image.unpack.chains import ReadChains
from fixaccel.image.unpack.read_error import require
from fixaccel.language.rules import Through
from fixaccel.language.watches import Role, complement, later

Flags = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.int64]
Fields = Mapping[str, Array]

CANCELS, REVIVES_NOW, ARMS, REVIVES = range(4)  # what a link does, in the order in which a list has them


def kinds_of(link: Fields) -> Numbers:
    """What each link does."""
    return np.asarray(2 * link["arms"] + link["revives"], np.int64)


def watch_orders(order: Fields, layout: Layout) -> Flags:
    """Which order records are watches: those behind the last that sends something. Raises ImageReadError."""
    bound = watch_qty(layout.hwmap)
    watches = np.asarray(order["qty"] >= bound)
    require((order["qty"][watches] == bound).all(), "a watch has a quantity")
    require(not watches[:-1].any() or (np.diff(watches.astype(np.int8)) >= 0).all(), "an order stands behind a watch")
    rest = (column[watches].any() for name, column in order.items() if name not in {"qty", "valid", "link"})
    require(not any(rest), "a watch has what only an order can have")
    require(order["valid"][watches].all(), "a watch is not in use")
    return watches


def watch_triggers(memories: Mapping[str, bytes], hwmap: Hwmap) -> dict[int, int | None]:
    """The rule of each trigger that is a watch, in the memories of a bundle; None: its hits do not tell it."""
    names = ("order", "trigger", "rearm")
    order, trigger, rearm = (unpack_columns(hwmap.memories[name].record, memories[name]) for name in names)
    watches = np.flatnonzero((order["qty"] >= watch_qty(hwmap))[trigger["order"]])
    rules: dict[int, int | None] = dict(zip(watches.tolist(), trigger["rule"][watches].tolist(), strict=True))
    return rules | dict.fromkeys(rearm["trigger"][rearm["order"] > 0].tolist())


@dataclass(frozen=True, eq=False)
class ReadWatches:
    """By trigger, of those that begin a part: what is watched for the part."""

    through: npt.NDArray[np.uint8]  # into `THROUGHS`
    rearm: Numbers  # into the table `rearm`; -1: none
    revived: Numbers  # the trigger that its own order revives, of `rearm`; -1: none
    at_once: Flags  # at once: it watches the same message's later observations, or the time
    gates: dict[int, list[int]]  # the triggers that watch for `if_already_through`
    by_fills: Flags  # the runtime has it armed, by what it is told of others' orders
    tables: dict[str, Array]


@dataclass
class _Own:
    """The watches of one part, by role: their rows among the chains."""

    rows: dict[Role, int] = field(default_factory=dict)


def read_watches(records: Mapping[str, Fields], chains: ReadChains, live: Flags, layout: Layout) -> ReadWatches:
    """The watches among ``chains``; ``live`` is of each trigger at load. Raises ImageReadError."""
    link, count = records["link"], len(records["trigger"]["rule"])
    read = ReadWatches(
        through=np.zeros(count, np.uint8),
        rearm=np.full(count, NONE, np.int64),
        revived=np.full(count, NONE, np.int64),
        at_once=np.zeros(count, np.bool_),
        gates={},
        by_fills=np.zeros(count, np.bool_),
        tables={},
    )
    main = {int(chains.rule[row]): row for row in np.flatnonzero(chains.begins).tolist()}
    starts = records["order"]["link"][chains.order]
    kinds = kinds_of(link)
    owns: dict[int, _Own] = {}
    for row in np.flatnonzero(chains.watches).tolist():
        rule = int(chains.rule[row])
        require(rule in main, "a watch is of a rule that the fabric does not run")
        own = owns.setdefault(rule, _Own())
        role = _role(kinds[_list(link, int(starts[row]))])
        require(role not in own.rows, "a rule has two watches for the same")
        require(chains.instrument[row] == chains.instrument[main[rule]], "a watch is of another instrument")
        require(chains.window[row] == chains.window[main[rule]], "a watch has another window of time than its rule")
        own.rows[role] = row
    most = layout.record("fire_count").field("fires").high
    fires = _padded(records["fire_count"]["fires"], count)
    require(not fires[chains.trigger[~chains.watches]].any(), "a rule begins with fires")
    rearms: dict[tuple[int, ...], int] = {}
    for rule, own in owns.items():
        part = main[rule]
        trigger, triggers = (
            int(chains.trigger[part]),
            {role: int(chains.trigger[row]) for role, row in own.rows.items()},
        )
        for role, row in own.rows.items():
            there = _members(link, kinds, int(starts[row]))
            require(there == _expected(role, trigger, triggers), f"a watch ({role.value}) does not do what it is for")
            require(live[triggers[role]] == (role is not Role.RESET), "a watch is live that waits, or the other way")
        if Role.RESET in own.rows:
            row = own.rows[Role.RESET]
            times = most - int(fires[triggers[Role.RESET]])
            require(0 < times < most, "a watch never hits")
            condition = (int(column[row]) for column in (chains.source, chains.direction, chains.threshold))
            read.rearm[trigger] = rearms.setdefault((NONE, times, *condition), len(rearms))
            read.revived[trigger] = triggers[Role.RESET]
            read.at_once[trigger] = later(chains.source[row], chains.source[part])
        gates = [role for role in own.rows if role is not Role.RESET]
        require(all(fires[triggers[role]] == 0 for role in gates), "a watch begins with hits")
        if gates:
            _check_conditions(chains, part, own)
            through = Through.REJECT if Role.THROUGH in own.rows else Through.WAIT
            read.through[trigger] = THROUGHS.index(through.value)
            read.gates[trigger] = sorted(triggers[role] for role in gates)
    after, filled = _told(records, chains, fires, live, layout)
    for trigger, (after_ns, times, watch) in after.items():
        require(read.rearm[trigger] == NONE, "a rule is armed again in two ways")
        read.revived[trigger], read.at_once[trigger] = watch, True
        read.rearm[trigger] = rearms.setdefault((after_ns, times, 0, 0, 0), len(rearms))
    read.by_fills[filled] = True
    rows = np.array(list(rearms), np.int64).reshape(-1, 5)
    names = ("after_ns", "times", "source", "direction", "threshold")
    read.tables.update({f"rearm.{name}": rows[:, place] for place, name in enumerate(names)})
    return read


def _told(
    records: Mapping[str, Fields], chains: ReadChains, fires: Array, live: Flags, layout: Layout
) -> tuple[dict[int, tuple[int, int, int]], list[int]]:
    """By trigger of a part: how long after its order it is armed again, how often and by what; and which fills arm."""
    slots, triggers, link = records["rearm"], records["trigger"], records["link"]
    main = {int(chains.rule[row]): row for row in np.flatnonzero(chains.begins).tolist()}
    qty, start = records["order"]["qty"], records["order"]["link"]
    found: dict[int, tuple[int, int, int]] = {}
    filled: list[int] = []
    unused = slots["order"] == 0  # that is of no watch
    require(not any(column[unused].any() for column in slots.values()), "a slot that nothing waits in is not empty")
    for slot in np.flatnonzero(~unused).tolist():
        trigger = int(slots["trigger"][slot])
        require(trigger % layout.rearms == slot, "a slot is not that of its trigger")
        rule, order = int(triggers["rule"][trigger]), int(triggers["order"][trigger])
        require(rule in main, "a rule is armed again that the fabric does not run")
        part = int(chains.trigger[main[rule]])
        same = slots["order"][slot] == order < len(qty) and qty[order] == watch_qty(layout.hwmap)
        require(same, "a time to arm again has another order than its trigger")
        require(slots["instrument"][slot] == chains.instrument[main[rule]], "a rule waits for another instrument")
        waits = slots["pending"][slot] or slots["due"][slot] or live[trigger]
        require(not waits, "a rule waits to be armed again at load")
        require(fires[trigger] == 0, "a watch that is in no chain begins with hits")
        last, after_ns = int(slots["last"][slot]), int(slots["after"][slot])
        there = _members(link, kinds_of(link), int(start[order]))
        if there == _expected(Role.FILLS, part, {}):
            require(part not in filled, "a rule is armed by fills at two places")
            require(not (slots["again"][slot] or last or after_ns), "a rule that fills arm waits for something else")
            filled.append(part)
            continue
        require(there == _expected(Role.AFTER, part, {}), "a watch (after) does not do what it is for")
        require(part not in found, "a rule is armed again at two times")
        require(slots["again"][slot] and last > 1, "a watch never hits")
        found[part] = after_ns, last - 1, trigger
    return found, filled


def _list(link: Fields, start: int) -> slice:
    require(0 < start < len(link["first"]), "a watch has no links")
    return slice(start, start + int(np.argmin(link["more"][start:])) + 1)


def _role(kinds: Numbers) -> Role:
    if REVIVES in kinds or REVIVES_NOW in kinds:
        return Role.RESET
    return Role.CLEAR if ARMS in kinds else Role.THROUGH


def _members(link: Fields, kinds: Numbers, start: int) -> dict[int, list[int]]:
    """What a list does, by kind."""
    members: dict[int, list[int]] = {}
    rows = _list(link, start)
    for row in range(rows.start, rows.stop):
        one = stretches(link["first"][row : row + 1], link["last"][row : row + 1] - link["first"][row : row + 1] + 1)
        members.setdefault(int(kinds[row]), []).extend(one.tolist())
    return members


def _expected(role: Role, part: int, triggers: Mapping[Role, int]) -> dict[int, list[int]]:
    """By triggers: ``part`` is that of the rule."""
    match role:
        case Role.RESET | Role.AFTER:
            return {REVIVES: [part]}
        case Role.FILLS:
            return {ARMS: [part]}
        case Role.CLEAR:
            refuses = [triggers[Role.THROUGH]] if Role.THROUGH in triggers else []
            return ({CANCELS: refuses} if refuses else {}) | {ARMS: [part]}
        case Role.THROUGH:
            return {CANCELS: sorted([part, triggers.get(Role.CLEAR, NONE)])}


def _check_conditions(chains: ReadChains, part: int, own: _Own) -> None:
    row = own.rows.get(Role.CLEAR)
    require(row is not None and not chains.decides[part], "a rule is refused that nothing arms")
    direction, threshold = complement(chains.direction[part : part + 1], chains.threshold[part : part + 1])
    expected = {
        Role.CLEAR: (chains.source[part], direction[0], threshold[0]),
        Role.THROUGH: (chains.source[part], chains.direction[part], chains.threshold[part]),
    }
    for role, row in own.rows.items():
        if role in expected:
            same = (chains.source[row], chains.direction[row], chains.threshold[row]) == expected[role]
            require(same, "a watch has another condition than its rule's `if_already_through`")


def _padded(values: Array, count: int) -> Array:
    """Records behind the last that is not zero are left out."""
    require(len(values) <= count, "a fire count of no trigger")
    return np.append(values, np.zeros(count - len(values), values.dtype))
