# SPDX-License-Identifier: Apache-2.0
"""LUTs that share a site of the slice."""

from pathlib import Path

import pytest

from synth import packing, xilinx
from synth.netlist import Cell, Netlist
from synth.resources import Resources, count


def lut(output: int, *inputs: int) -> Cell:
    kind = "INV" if len(inputs) == 1 else f"LUT{len(inputs)}"
    return Cell(f"lut{output}", kind, {f"I{i}": [bit] for i, bit in enumerate(inputs)}, {"O": [output]}, {})


def netlist(*cells: Cell) -> Netlist:
    return Netlist("top", list(cells), {}, {}, {})


def chain(propagate: list[int], data: list[int]) -> Cell:
    return Cell("chain", "CARRY4", {"S": propagate, "DI": data}, {"O": [90, 91, 92, 93], "CO": [94, 95, 96, 97]}, {})


@pytest.mark.parametrize(
    ("cells", "pairs"),
    [
        ([lut(10, 1, 2, 3), lut(11, 3, 4, 5)], 1),  # five inputs between them
        ([lut(10, 1, 2, 3), lut(11, 3, 4, 5, 6)], 0),  # six
        ([lut(10, 1, 2), lut(11, 3, 4)], 0),  # they would fit, but share nothing
        ([lut(10, 1, 2, 3, 4, 5, 6), lut(11, 1)], 0),  # a function of six takes the site
        ([lut(10, 1), lut(11, 1, 2, 3, 4, 5)], 1),  # an inverter is a LUT
        ([lut(10, 1, 2), lut(11, 1, 3), lut(12, 1, 4)], 1),  # two to a site
        ([lut(10, 1, 2, 3), lut(11, 1, 2), lut(12, 1, 2, 3, 4)], 1),
        ([], 0),
    ],
)
def test_neighbours(cells: list[Cell], pairs: int) -> None:
    assert packing.pairs(netlist(*cells)) == pairs


def test_on_a_carry_chain_only_a_stage_is_a_pair() -> None:
    # Stage 0 has two LUTs of its own; that of stage 1 drives two stages; 12 and 13 share inputs, but not a stage.
    cells = [lut(10, 1, 2), lut(11, 1, 3), lut(12, 4, 5), lut(13, 4, 6), lut(14, 7, 8)]
    assert packing.pairs(netlist(*cells, chain([10, 12, 13, 14], [11, 7, 7, 7]))) == 1
    assert packing.pairs(netlist(*cells, chain([10, 12, 13, 14], [11, 11, 7, 7]))) == 0, "11 has to leave the site too"
    wide = [lut(10, 1, 2, 3), lut(11, 4, 5, 6)]
    assert packing.pairs(netlist(*wide, chain([10, 80, 81, 82], [11, 83, 84, 85]))) == 0


def test_a_signal_that_many_share_pairs_nothing() -> None:
    alike = [lut(1000 + i, 1, 2000 + i) for i in range(401)]
    assert packing.pairs(netlist(*alike)) == 0
    assert packing.pairs(netlist(*alike[:400])) == 200


@pytest.mark.synth
def test_sites_of_a_mapped_design(read, tmp_path: Path) -> None:
    text = """module top (input logic clk, input logic [7:0] d, output logic [2:0] q);
  always_ff @(posedge clk) q <= {d[0] & d[1] | d[2], d[0] ^ d[1] ^ d[2], d[0] ^ d[3] ^ d[4] ^ d[5] ^ d[6] ^ d[7]};
endmodule
"""
    taken = count(xilinx.by_module(read(text), "top", root=tmp_path, scratch=tmp_path)["top"])
    assert taken == Resources(logic=3, ff=3, pairs=1)
    assert (taken.lut, taken.sites) == (3, 2)
