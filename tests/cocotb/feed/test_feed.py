# SPDX-License-Identifier: Apache-2.0

import pytest
from runner import RTL, refused_alone, simulate

pytestmark = pytest.mark.rtl
FEED = [line for line in (RTL / "files_feed.f").read_text().splitlines() if line and not line.startswith("//")]
CORE = ["gen/fixaccel_hwmap_pkg.sv", "gen/feed_hwmap_pkg.sv", "common/fixaccel_types_pkg.sv", "common/crc32_pkg.sv"]
SOURCES = [*CORE, "parse/frame_check.sv", "parse/ones_sum.sv", *FEED]


def test_unit() -> None:
    simulate("feed_unit", "tb_unit", here=__file__, sources=SOURCES)


def test_datagrams() -> None:
    simulate("feed_datagram", "tb_datagram", here=__file__, sources=SOURCES)


def test_line() -> None:
    simulate("feed_line", "tb_line", here=__file__, sources=SOURCES)


def test_arbitration() -> None:
    """Two ports, and silence that does not take as long."""
    simulate("feed_unit", "tb_arbitration", here=__file__, sources=SOURCES, parameters={"PORTS": 2, "TICK": 1 << 11})


def test_ports_that_there_are_not() -> None:
    assert "PORTS is 1 or 2" in refused_alone("feed_unit", SOURCES, {"PORTS": 3})
