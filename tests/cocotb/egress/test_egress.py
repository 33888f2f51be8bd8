# SPDX-License-Identifier: Apache-2.0
import pytest
from cores import simulate_stubbed
from runner import simulate

pytestmark = pytest.mark.rtl


@pytest.mark.parametrize("module", ["guard", "arbiter", "rx_gate", "lease"])
def test_egress(module):
    simulate_stubbed(f"tb_{module}", here=__file__)


PACKAGES = ["gen/fixaccel_hwmap_pkg.sv", "common/fixaccel_types_pkg.sv", "common/crc32_pkg.sv", "egress/egress_pkg.sv"]


def test_arbiter_alone():
    simulate("arbiter", "tb_arbiter_alone", here=__file__, sources=[*PACKAGES, "egress/arbiter.sv"])


def test_rx_gate_alone():
    simulate("rx_gate", "tb_rx_gate_alone", here=__file__, sources=[*PACKAGES, "egress/rx_gate.sv"])
