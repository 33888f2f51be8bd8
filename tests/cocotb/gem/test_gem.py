# SPDX-License-Identifier: Apache-2.0
import pytest
from runner import RTL, refused_alone, simulate

pytestmark = pytest.mark.rtl

SOURCES = [
    "gen/fixaccel_hwmap_pkg.sv",
    "common/fixaccel_types_pkg.sv",
    *(
        line
        for line in (RTL / "files_gem.f").read_text().splitlines()
        if line and not line.startswith(("//", "fixaccel_gem"))
    ),
]


@pytest.mark.parametrize("part", ["receive", "transmit", "mail"])
def test_gem_port(part):
    simulate("gem_port", f"tb_{part}", here=__file__, sources=SOURCES)


@pytest.mark.parametrize(
    ("parameter", "value", "who"),
    [
        ("RECEIVE_SLOTS", 12, "gem_receive"),
        ("RECEIVE_SLOTS", 32, "gem_receive"),
        ("TRANSMIT_SLOTS", 8, "gem_transmit"),
        ("TO_CPU_SLOTS", 16, "gem_to_cpu"),
        ("FROM_CPU_SLOTS", 1, "gem_from_cpu"),
    ],
)
def test_slots_that_do_not_fit_the_window(parameter, value, who):
    said = refused_alone("gem_port", SOURCES, {parameter: value})
    assert who in said
    assert "not a power of two of at most" in said
