# SPDX-License-Identifier: Apache-2.0
"""What a run tried: each stage or knob, the word for it, and whether it stayed."""

from dataclasses import dataclass, field

from fixaccel.tune.catalogue import catalogue
from fixaccel.tune.measured.effect import Difference, Effect
from fixaccel.tune.measured.figures import FORMAT, Measurement
from fixaccel.tune.measured.noise import Noise

KEPT = "kept"
REQUIRED = "kept: required"
BACK = "taken back"
SKIPPED = "skipped"
# What each means, for the reference.
FATES = {
    KEPT: "it helps, and stays",
    REQUIRED: "sharing the session needs all of it, so it stays whatever the verdict",
    BACK: "set back to what was there before; what is required of it stays, and is named",
    SKIPPED: "you said no, or nothing of it can be set here; the notes name why",
}


@dataclass
class Trial:
    """One stage, or one knob of it. ``effect`` is None where nothing was measured, and ``said`` tells why.

    ``orders`` has a letter pair for each pair of blocks: AB where the former values came first.
    """

    stage: str
    knobs: list[str]
    fate: str
    effect: Effect | None = None
    differences: list[Difference] = field(default_factory=list)
    orders: list[str] = field(default_factory=list)
    noise: Noise = field(default_factory=Noise)
    said: list[str] = field(default_factory=list)


@dataclass
class Trials:
    """All of a run, by its number. ``seed`` made the orders and the intervals; ``unreached`` were not measured."""

    run: str
    started: str
    seed: int
    pairs: int
    way: str
    each: bool = False
    trials: list[Trial] = field(default_factory=list)
    unreached: list[str] = field(default_factory=list)
    before: Measurement | None = None
    after: Measurement | None = None
    format: int = FORMAT

    @property
    def not_kept(self) -> list[str]:
        """Knobs that a plan may skip from now on: what did not help, without what is required or was not told."""
        unhelpful = [trial for trial in self.trials if trial.effect in {Effect.NONE, Effect.HURTS}]
        tried = [knob for trial in unhelpful if trial.fate == BACK for knob in trial.knobs]
        return [knob for knob in tried if catalogue()[knob].cls != "required"]
