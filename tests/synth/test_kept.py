# SPDX-License-Identifier: Apache-2.0
"""A register that the source keeps apart from its likes is measured as a vendor's synthesis makes it."""

from pathlib import Path

import pytest

from synth import resources, xilinx

pytestmark = pytest.mark.synth

TWICE = """module top (input logic clk, en, input logic [7:0] d, output logic [7:0] q);
  {mark} logic [1:0][7:0] copies;
  always_ff @(posedge clk) begin
    copies <= {{d, d}};
    q <= en ? copies[0] : ~copies[1];
  end
endmodule
"""


@pytest.mark.parametrize(("mark", "flip_flops"), [("", 16), ('(* keep = "true" *)', 24)])
def test_copies_are_merged_unless_they_are_kept(read, tmp_path: Path, mark: str, flip_flops: int) -> None:
    netlist = xilinx.flat(read(TWICE.format(mark=mark)), "top", root=tmp_path, scratch=tmp_path)
    assert resources.count(netlist).ff == flip_flops
