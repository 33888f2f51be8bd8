# SPDX-License-Identifier: Apache-2.0
"""What figures are remembered by: another design, tool or pass has another fingerprint, another text has not."""

import pytest

from synth import xilinx

INNER = """
module inner (input logic clk, input logic [1:0] a, output logic [1:0] q);
  always_ff @(posedge clk) q <= {a[0] & a[1], a[0]};
endmodule
"""
UNIT = """
module unit #(parameter int WIDTH = 4) (input logic clk, input logic [3:0] a, b, output logic [WIDTH-1:0] q);
  logic [3:0] table_q[4];
  logic [3:0] sum;
  inner first(.clk, .a(a[1:0]), .q(sum[1:0]));
  inner second(.clk, .a(b[1:0]), .q(sum[3:2]));
  always_ff @(posedge clk) begin
    if (a == 4'd9) table_q[b[1:0]] <= a + b;
    q <= WIDTH'(table_q[a[1:0]] ^ sum);
  end
endmodule
"""
# What of UNIT becomes something else.
CHANGES = (
    ("a + b", "a - b"),
    ("4'd9", "4'd8"),
    ("table_q[4]", "table_q[8]"),
    ("posedge clk", "negedge clk"),
    ("if (a == 4'd9) ", ""),
    (".a(b[1:0])", ".a(b[2:1])"),
    (".a(a[1:0])", ".a({a[0], a[1]})"),
    ("WIDTH = 4", "WIDTH = 5"),
    ("inner second", "other second"),
)


@pytest.mark.synth
def test_another_design_has_another_fingerprint_and_another_text_has_not(read, monkeypatch: pytest.MonkeyPatch) -> None:
    assert all(UNIT.count(text) == 1 for text, _ in CHANGES)
    units = [UNIT, *(UNIT.replace(text, becomes) for text, becomes in CHANGES), UNIT.replace(";", ";  // so\n")]
    # All of them beside each other: reading takes much longer than what is read.
    beside = "".join(f"  unit{i} u{i}(.clk, .a, .b, .q());\n" for i in range(len(units)))
    top = f"module top(input logic clk, input logic [3:0] a, b);\n{beside}endmodule\n"
    texts = [text.replace("module unit", f"module unit{i}") for i, text in enumerate(units)]
    other = INNER.replace("module inner", "module other").replace("a[0] & a[1]", "a[0] | a[1]")
    design = read(top + "".join(texts), **{"inner.sv": INNER + other})

    def fingerprints() -> list[str]:
        return [xilinx.fingerprint(design, f"unit{i}$top.u{i}") for i in range(len(units))]

    plain, *changed, commented = before = fingerprints()
    assert commented == plain
    assert len({plain, *changed}) == 1 + len(CHANGES)
    for name, value in {"_TOOL": "pyosys 0", "_SYNTH": "synth_xilinx", "_APART": ()}.items():
        with monkeypatch.context() as patch:
            patch.setattr(xilinx, name, value)
            assert not {*fingerprints()} & {*before}
