# SPDX-License-Identifier: Apache-2.0
"""The builds of fixaccel_core that many tests share."""

from runner import COCOTB, core_sources, simulate

# Small tables: a build simulates faster and tests reach the ends.
PARAMETERS = {"INSTRUMENTS": 16, "TRIGGERS": 64, "ORDERS": 64, "TEMPLATES": 8, "GROUPS": 16}
OWN_TO_RECEIVE = ("parse", "match")


def simulate_stubbed(test_module: str, *, here: str) -> None:
    """Runs ``test_module`` on the core whose receive side the test plays itself (core/stubbed.py)."""
    sources = [source for source in core_sources() if source.parent.name not in OWN_TO_RECEIVE]
    stub = COCOTB / "core" / "receive_stub.sv"
    simulate("fixaccel_core", test_module, here=here, sources=[*sources[:-1], stub, sources[-1]], parameters=PARAMETERS,
             name="core-stubbed")  # fmt: skip


def simulate_core(test_module: str, *, here: str) -> None:
    """Runs ``test_module`` on the whole core."""
    simulate("fixaccel_core", test_module, here=here, parameters=PARAMETERS, name="core")
