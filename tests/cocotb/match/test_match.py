# SPDX-License-Identifier: Apache-2.0
import pytest
from runner import simulate

pytestmark = pytest.mark.rtl
SEARCH = [
    "gen/fixaccel_hwmap_pkg.sv",
    "common/fixaccel_types_pkg.sv",
    "common/compare_pkg.sv",
    "parse/receive_pkg.sv",
    "match/match_pkg.sv",
    "match/interval_search.sv",
]


def test_interval_search():
    simulate("interval_search", "tb_interval_search", here=__file__, sources=SEARCH, parameters={"TRIGGERS": 16384})
