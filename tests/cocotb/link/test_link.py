# SPDX-License-Identifier: Apache-2.0

import pytest
from runner import RTL, refused_alone, simulate

pytestmark = pytest.mark.rtl
LINK = [line for line in (RTL / "files_link.f").read_text().splitlines() if line and not line.startswith("//")]
CORE = ["gen/fixaccel_hwmap_pkg.sv", "common/fixaccel_types_pkg.sv", "common/crc32_pkg.sv", "parse/frame_check.sv"]
SOURCES = [*CORE, *LINK]
# Short frames: a simulation of many takes less.
PARAMETERS = {"WORDS": 80, "FIRE_WORDS": 64, "RETRY": 3000}


@pytest.mark.parametrize("part", ["up", "channels", "frames"])
def test_unit(part: str) -> None:
    simulate("link_unit", f"tb_{part}", here=__file__, sources=SOURCES, parameters=PARAMETERS)


def test_frames_that_there_are_not() -> None:
    said = refused_alone("link_unit", SOURCES, {"FIRE_WORDS": 32})
    assert "a frame of fires has a record" in said
