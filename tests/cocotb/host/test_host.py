# SPDX-License-Identifier: Apache-2.0
import pytest
from cores import simulate_stubbed
from runner import refused, simulate

pytestmark = pytest.mark.rtl


def test_registers():
    simulate_stubbed("tb_registers", here=__file__)


def test_safety():
    simulate_stubbed("tb_safety", here=__file__)


def test_flow():
    simulate_stubbed("tb_flow", here=__file__)


def test_counters():
    packages = ["gen/fixaccel_hwmap_pkg.sv", "common/fixaccel_types_pkg.sv", "host/host_pkg.sv"]
    simulate("counters", "tb_counters", here=__file__, sources=[*packages, "host/counters.sv"])


@pytest.mark.parametrize(
    ("toplevel", "parameters", "complaint"),
    [
        ("fixaccel_core", {"INSTRUMENTS": 1000}, "INSTRUMENTS is 1000, not a power of two"),
        ("fixaccel_core", {"TRIGGERS": 1}, "TRIGGERS is 1, not a power of two"),
        ("fixaccel_core", {"ORDERS": 48}, "ORDERS is 48, not a power of two"),
        ("fixaccel_core", {"TEMPLATES": 100}, "TEMPLATES is 100, not a power of two"),
        ("fixaccel_core", {"BYTES_PER_BEAT": 4}, "BYTES_PER_BEAT must be 1"),
        ("rx_gate", {"BYTES": 10000}, "BYTES and FRAMES are powers of two"),
        ("rx_gate", {"BYTES": 4096}, "at least eight of the longest frames"),
    ],
)
def test_parameters_that_do_not_fit(toplevel, parameters, complaint):
    assert complaint in refused(toplevel, parameters)


def test_utc_clock():
    packages = ["gen/fixaccel_hwmap_pkg.sv", "common/fixaccel_types_pkg.sv", "host/host_pkg.sv"]
    simulate(
        "utc_clock", "tb_utc_clock", here=__file__, sources=[*packages, "common/age_limit.sv", "host/utc_clock.sv"]
    )
