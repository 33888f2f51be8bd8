# SPDX-License-Identifier: Apache-2.0
import pytest
from cores import simulate_stubbed
from runner import simulate

pytestmark = pytest.mark.rtl


def test_registers():
    simulate_stubbed("tb_registers", here=__file__)


def test_safety():
    simulate_stubbed("tb_safety", here=__file__)


def test_utc_clock():
    packages = ["gen/fixaccel_hwmap_pkg.sv", "host/host_pkg.sv"]
    simulate("utc_clock", "tb_utc_clock", here=__file__, sources=[*packages, "host/utc_clock.sv"])
