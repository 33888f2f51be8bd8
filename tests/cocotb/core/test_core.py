# SPDX-License-Identifier: Apache-2.0
import pytest
from cores import simulate_core

pytestmark = pytest.mark.rtl

BENCHES = (
    "tb_core",
    "tb_tables",
    "tb_dry_run",
    "tb_watches",
    "tb_latency",
    "tb_banks",
    "tb_bank_state",
    "tb_two_flows",
    "tb_commit",
)


@pytest.mark.parametrize("bench", BENCHES)
def test_core(bench):
    simulate_core(bench, here=__file__)
