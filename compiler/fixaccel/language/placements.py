# SPDX-License-Identifier: Apache-2.0
"""Where a part runs, and why."""

from enum import Enum

import numpy as np
import numpy.typing as npt

from fixaccel.language.patterns import HWMAP


class Placement(Enum):
    """Where a part runs; the value says why."""

    FABRIC = "the fabric compares each observation with it"
    MID = "`mid` is compared doubled, and twice the price range is wider than the fabric's numbers"
    CONFIRM = "the fabric keeps the observation just before of `bid`, `ask` and `last`, but not of `mid`"
    MIXED = "rules before it on its instrument, source and direction have another `confirm`"
    BEHIND = (
        "a price that satisfies it may satisfy a threshold `>=` without `confirm`, and that would have to fire first"
    )
    REFUSES = "its `if_already_through: reject` judges without `confirm`, and a chain of the fabric is of one kind"
    THROUGH = "armed by another rule or armed again, `if_already_through` needs the value known then"
    DURING = "rules before it on its instrument, source and direction have another `during`"
    DURINGS = "the strategy has more different `during` than the fabric keeps"
    SLOTS = (
        f"the fabric has room for {HWMAP.constant('rearm_slots')} parts that are armed again after a time, or by fills"
    )
    TIMES = "it is armed again more often than the fabric counts"
    QUANTITY = "this `total_qty` has more digits than the fabric counts"
    DECIDE = "the fabric holds thresholds `>=` or one decision for each source of an instrument: that place is taken"
    EMPTY = "none of its prices has an order: it never fires"
    TRAIL = "the fabric does not follow extremes yet"
    TOGETHER = "placed whole with the rules that it is joined to by `oco` or `armed_by`"
    COUNTED = "one of `limits` counts it together with rules that run in the runtime"
    REPEAT = "the fabric does not know yet when a rule sent its last order"
    FILLS = "the runtime sizes it when it fires, by what the venue has reported: an order of the fabric is ready before"
    CANCELS = "the runtime sends what cancels other rules' orders"
    AT = "it fires by the clock, which the fabric does not compare"
    RULE_LIMITS = "the fabric does not check the limits of one rule alone"
    COLLAR_IGNORE = "with `collar_breach: ignore` the collar decides before a rule is looked at, in the fabric after it"


PLACEMENTS = tuple(Placement)
FABRIC = PLACEMENTS.index(Placement.FABRIC)


def placed(placement: npt.NDArray[np.uint8]) -> dict[str, int]:
    """How many parts run in the fabric and how many in the runtime."""
    fabric = int((placement == FABRIC).sum())
    return {"fabric": fabric, "runtime": len(placement) - fabric}
