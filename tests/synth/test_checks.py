# SPDX-License-Identifier: Apache-2.0
"""Each structural check on a small design that has the fault, and none of them on one that has not."""

from pathlib import Path

import pytest

from synth import checks, resources, xilinx
from synth.yosys import ToolError

pytestmark = pytest.mark.synth

HEAD = "module top (input logic clk, rst, en, input logic [7:0] d, output logic [7:0] q);\n"
SOUND = HEAD + "  always_ff @(posedge clk) begin\n    if (en) q <= d;\n    if (rst) q <= '0;\n  end\nendmodule\n"
CHILD = "module child (input logic clk, input logic [7:0] d, output logic [7:0] q);\n"

FAULTS = {
    "latch top.q": HEAD + "  always_latch if (en) q = d;\nendmodule\n",
    "asynchronous top.q": HEAD
    + "  always_ff @(posedge clk or posedge rst) if (rst) q <= '0; else q <= d;\nendmodule\n",
    "initial top.q": HEAD + "  initial q = 8'd1;\n  always_ff @(posedge clk) q <= d;\nendmodule\n",
    "clock top.q": HEAD + "  always_ff @(negedge clk) q <= d;\nendmodule\n",
    "clock top.inner": CHILD
    + "  always_ff @(posedge clk) q <= d;\nendmodule\n"
    + HEAD
    + "  logic gated;\n  assign gated = clk & en;\n  child inner (.clk(gated), .d, .q);\nendmodule\n",
    "loop left right": HEAD
    + "  logic left, right;\n  assign left = right ^ d[0];\n  assign right = left & en;\n"
    + "  always_ff @(posedge clk) q <= {8{left}};\nendmodule\n",
    "drivers inner.q": CHILD
    + "  always_ff @(posedge clk) q <= d;\nendmodule\n"
    + HEAD
    + "  wire [7:0] both;\n  child other (.clk, .d, .q(both));\n  child inner (.clk, .d(~d), .q(both));\n"
    + "  assign q = both;\nendmodule\n",
    "vendor top.BUFG": HEAD
    + "  logic slow;\n  BUFG buffer (.I(d[0]), .O(slow));\n  always_ff @(posedge clk) q <= {8{slow}};\nendmodule\n",
}


@pytest.mark.parametrize("key", FAULTS)
def test_fault_is_found(read, tmp_path: Path, key: str) -> None:
    found = checks.structure(read(FAULTS[key]), "top", root=tmp_path, scratch=tmp_path)
    assert [finding.key for finding in found] == [key]


def test_sound_design_has_none(read, tmp_path: Path) -> None:
    assert checks.structure(read(SOUND), "top", root=tmp_path, scratch=tmp_path) == []


def test_primitive_in_the_vendor_folder(read, tmp_path: Path) -> None:
    wrapper = "module buffer (input logic d, output logic q);\n  BUFG it (.I(d), .O(q));\nendmodule\n"
    text = HEAD + "  logic b;\n  buffer inner (.d(d[0]), .q(b));\n  always_ff @(posedge clk) q <= {8{b}};\nendmodule\n"
    design = read(text, **{"rtl/vendor/buffer.sv": wrapper})
    assert checks.structure(design, "top", root=tmp_path, scratch=tmp_path) == []
    elsewhere = read(text, **{"rtl/egress/buffer.sv": wrapper})
    assert [f.key for f in checks.structure(elsewhere, "top", root=tmp_path, scratch=tmp_path)] == [
        "vendor buffer.BUFG"
    ]


def test_only_what_is_below_the_top_is_checked(read, tmp_path: Path) -> None:
    child = CHILD + "  always_latch if (d[0]) q = d;\nendmodule\n"
    design = read(child + HEAD + "  child inner (.clk, .d, .q);\nendmodule\n")
    assert [f.key for f in checks.structure(design, "top", root=tmp_path, scratch=tmp_path)] == ["latch child.q"]
    module = design.instance("inner")
    assert module
    assert [f.key for f in checks.structure(design, module, root=tmp_path, scratch=tmp_path)] == ["latch child.q"]


def test_unknown_module_is_an_error_of_the_tool(read) -> None:
    with pytest.raises(ToolError, match="unknown module 'absent'"):
        read(HEAD + "  absent it (.clk);\nendmodule\n")


MEMORY = """
module top (
    input logic clk, write, input logic [5:0] at, from, input logic [63:0] d, output logic [63:0] q
);
  logic [63:0] store[64];
  always_ff @(posedge clk) if (write) store[at] <= d;
  READ
endmodule
"""


@pytest.mark.parametrize(
    ("name", "read_port", "where"),
    [
        ("a read without a clock", "assign q = store[from];", "lutram"),
        ("all words read at once", "always_comb begin q = '0; foreach (store[i]) q |= store[i]; end", "registers"),
    ],
)
def test_memory_that_fell_into_logic(read, tmp_path: Path, name: str, read_port: str, where: str) -> None:
    design = read(MEMORY.replace("READ", read_port))
    netlists = xilinx.by_module(design, "top", root=tmp_path, scratch=tmp_path)
    placed = resources.memories(design, netlists, "top")
    # What is read all at once is no memory from the start.
    in_luts = [("store", 64, 64, "lutram")] if where == "lutram" else []
    assert [(m.path, m.size, m.width, m.where) for m in placed] == in_luts
    found = checks.memories(design, "top", placed, lutram_bits=4095, register_bits=4095)
    assert [finding.key for finding in found] == ["memory store"]
    assert {"lutram": "LUTs", "registers": "flip-flops"}[where] in found[0].text
    assert checks.memories(design, "top", placed, lutram_bits=4096, register_bits=4096) == []


def test_memory_in_block_ram(read, tmp_path: Path) -> None:
    text = MEMORY.replace("[5:0] at", "[9:0] at").replace("store[64]", "store[1024]")
    design = read(text.replace("READ", "always_ff @(posedge clk) q <= store[from];"))
    netlists = xilinx.by_module(design, "top", root=tmp_path, scratch=tmp_path)
    placed = resources.memories(design, netlists, "top")
    assert [(m.where, m.bram36) for m in placed] == [("block", 2)]
    assert checks.memories(design, "top", placed, lutram_bits=0, register_bits=64) == []
    assert resources.count(netlists["top"]).bram36 == 2
