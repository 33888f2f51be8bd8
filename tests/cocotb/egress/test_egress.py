# SPDX-License-Identifier: Apache-2.0
import pytest
from cores import simulate_stubbed
from runner import simulate

pytestmark = pytest.mark.rtl


@pytest.mark.parametrize("module", ["guard", "arbiter", "rx_gate", "lease"])
def test_egress(module):
    simulate_stubbed(f"tb_{module}", here=__file__)


def test_arbiter_alone():
    sources = ["common/crc32_pkg.sv", "egress/egress_pkg.sv", "egress/arbiter.sv"]
    simulate("arbiter", "tb_arbiter_alone", here=__file__, sources=sources)
