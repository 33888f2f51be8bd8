# SPDX-License-Identifier: Apache-2.0
import pytest
from cores import simulate_core

pytestmark = pytest.mark.rtl


def test_core():
    simulate_core("tb_core", here=__file__)
