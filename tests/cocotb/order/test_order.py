# SPDX-License-Identifier: Apache-2.0
import pytest
from cores import simulate_stubbed

pytestmark = pytest.mark.rtl


def test_order():
    simulate_stubbed("tb_order", here=__file__)
