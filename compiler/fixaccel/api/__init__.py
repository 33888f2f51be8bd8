# SPDX-License-Identifier: Apache-2.0
"""What `import fixaccel` offers: strategies, checks, simulations and rule tests as objects."""

from fixaccel.api.bundle import Bundle
from fixaccel.api.diagnostics import Diagnostics
from fixaccel.api.errors import FixaccelError
from fixaccel.api.explanation import Explanation
from fixaccel.api.rule_tests import RuleTestRun, run_tests
from fixaccel.api.simulation import Simulation
from fixaccel.api.strategy import Strategy, check, load
from fixaccel.diagnostics import Diagnostic
from fixaccel.semantics.messages import Fire
from fixaccel.simulate.summary import Summary

__all__ = [
    "Bundle",
    "Diagnostic",
    "Diagnostics",
    "Explanation",
    "Fire",
    "FixaccelError",
    "RuleTestRun",
    "Simulation",
    "Strategy",
    "Summary",
    "check",
    "load",
    "run_tests",
]

# They are known by the name under which they are imported: in messages, in pickles and in the reference.
for _public in (Bundle, Diagnostics, Explanation, FixaccelError, RuleTestRun, Simulation, Strategy):
    _public.__module__ = "fixaccel"
