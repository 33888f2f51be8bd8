# SPDX-License-Identifier: Apache-2.0
import pytest
from cores import simulate_stubbed

pytestmark = pytest.mark.rtl


@pytest.mark.parametrize("module", ["order", "waits", "limits", "self_trade"])
def test_order(module):
    simulate_stubbed(f"tb_{module}", here=__file__)
