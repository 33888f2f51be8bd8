# SPDX-License-Identifier: Apache-2.0
"""The state of one part."""

from dataclasses import dataclass, field
from enum import Enum

from fixaccel.language.rules import Rule
from fixaccel.semantics.orders import OwnOrder


class State(Enum):
    """All but the first two are final until re-armed; CANCELLED and REFUSED never are."""

    DISARMED = "disarmed"
    ARMED = "armed"
    FIRED = "fired"
    CANCELLED = "cancelled"
    REFUSED = "refused"


class Sight(Enum):
    """Whether an armed threshold may fire yet: `if_already_through`."""

    LIVE = "live"
    WAITING = "waiting"  # must first be seen not satisfied
    UNDECIDED = "undecided"  # the first eligible observation decides between live and refused


@dataclass(slots=True)
class Follow:
    """How far a trail has come: half units where its source is mid, price units otherwise."""

    active: bool
    extreme: int | None = None
    stop: int | None = None


@dataclass(slots=True)
class Part:
    """One part and all that is remembered of it."""

    rule: Rule
    state: State = State.DISARMED
    sight: Sight = Sight.LIVE
    follow: Follow = field(default_factory=lambda: Follow(active=False))
    fires: int = 0  # sent ones
    rearmings: int = 0
    rearm_at_ns: int | None = None  # armed again by the first message from then on
    awaits_reset: bool = False  # armed again once its reset condition is satisfied
    moment_ns: int | None = None  # when an armed `at` fires; None until the first message has said what time it is
    orders: list[OwnOrder] = field(default_factory=list)  # all that it sent, oldest first
    filled: int = 0  # of all its orders; may be below zero after busts
