# SPDX-License-Identifier: Apache-2.0
"""Registers behind a block RAM or a multiplier go into it, and those before a multiplier, and only those."""

import json
from collections import Counter
from pathlib import Path

import pytest

from synth import hard_registers, route, yosys

TEXT = """
module top (input logic clk, rst, enable, input logic [9:0] address, input logic [8:0] word, input logic write,
            output logic [8:0] out);
  logic [8:0] mem[1024], read;
  always_ff @(posedge clk) begin
    if (write) mem[address] <= word;
    read <= mem[address];
    BEHIND
  end
endmodule
"""
PLAIN = "out <= read;"


@pytest.mark.synth
@pytest.mark.parametrize(
    ("behind", "left", "enable"),
    [
        (PLAIN, 0, "1"),
        ("if (enable) out <= read;", 0, "enable"),
        ("if (rst) out <= '0; else out <= read;", 9, "1"),
        ("out <= ~read;", 9, "1"),
        ("out <= {read[8:1], read[0] ^ read[1]};", 9, "1"),
        ("if (enable) out[3:0] <= read[3:0]; out[8:4] <= read[8:4];", 9, "1"),
    ],
)
def test_what_only_takes_the_word_goes_in(tmp_path: Path, behind: str, left: int, enable: str) -> None:
    (tmp_path / "top.sv").write_text(TEXT.replace("BEHIND", behind), encoding="utf-8")
    file = tmp_path / "netlist.json"
    commands = [f"read_slang {tmp_path / 'top.sv'}", "setattr -set no_rw_check 1 */m:*", f"synth_ecp5 -json {file}"]
    yosys.run(commands, "ecp5", root=tmp_path, scratch=tmp_path)
    module = json.loads(file.read_text(encoding="utf-8"))["modules"]["top"]
    moved = hard_registers.absorb(module)
    kinds = Counter(cell["type"] for cell in module["cells"].values())
    (memory,) = (cell for cell in module["cells"].values() if cell["type"] == "DP16KD")
    assert (kinds["TRELLIS_FF"], moved) == (left, 9 - left)
    if not left:
        assert memory["port_directions"]["OCEA"] == "input"
        mode = next(m for m in ("REGMODE_A", "REGMODE_B") if memory["parameters"][m] == "OUTREG")
        clock_enable = memory["connections"][f"OCE{mode[-1]}"]
        assert clock_enable == (["1"] if enable == "1" else module["ports"][enable]["bits"])


@pytest.mark.synth
@pytest.mark.parametrize(("behind", "moved"), [("sum <= left * right;", 36), ("sum <= left * right + 1;", 0)])
def test_a_product_goes_in_and_is_faster_for_it(read, tmp_path: Path, behind: str, moved: int) -> None:
    text = f"""
    module top (input logic clk, input logic [17:0] left, right, output logic [35:0] sum);
      always_ff @(posedge clk) {behind}
    endmodule
    """
    runs = route.measure(read(text), "top", [1], scratch=tmp_path, cache=tmp_path / "cache")
    (file,) = tmp_path.rglob("netlist.json")
    cells = json.loads(file.read_text(encoding="utf-8"))["modules"]["alone"]["cells"].values()
    (product,) = (cell for cell in cells if cell["type"] == "MULT18X18D")
    assert product["parameters"].get("REG_OUTPUT_CLK", "NONE") == ("CLK0" if moved else "NONE")
    # The product alone takes 3.9 ns.
    assert (runs[0].fmax > 165) == bool(moved)


@pytest.mark.synth
@pytest.mark.parametrize(
    ("text", "inside", "left"),
    [
        ("left_q <= left; right_q <= right; sum <= left_q * right_q;", ["A", "B"], 0),
        ("if (enable) left_q <= left; right_q <= right; sum <= left_q * right_q;", ["A", "B"], 0),
        ("left_q <= left; right_q <= right; sum <= left_q * right_q; twice <= right_q * right_q;", [*"AABB"], 0),
        # One bit that goes elsewhere, or comes otherwise, keeps both out; so does an operand that comes from logic.
        ("left_q <= left; right_q <= right; sum <= left_q * right_q; twice <= 36'(left_q[0]);", [], 36 + 1),
        ("left_q <= left; if (rst) left_q[0] <= '0; right_q <= right; sum <= left_q * right_q;", [], 36),
        ("left_q <= left; sum <= left_q * (right ^ left);", [], 18),
    ],
)
def test_operands_go_in(tmp_path: Path, text: str, inside: list[str], left: int) -> None:
    top = f"""
    module top (input logic clk, rst, enable, input logic [17:0] left, right, output logic [35:0] sum, twice);
      logic [17:0] left_q, right_q;
      always_ff @(posedge clk) begin
        {text}
      end
    endmodule
    """
    (tmp_path / "top.sv").write_text(top, encoding="utf-8")
    file = tmp_path / "netlist.json"
    commands = [f"read_slang {tmp_path / 'top.sv'}", f"synth_ecp5 -json {file}"]
    yosys.run(commands, "ecp5", root=tmp_path, scratch=tmp_path)
    module = json.loads(file.read_text(encoding="utf-8"))["modules"]["top"]
    hard_registers.absorb(module)
    cells = module["cells"].values()
    products = [cell for cell in cells if cell["type"] == "MULT18X18D"]
    found = [side for cell in products for side in "AB" if cell["parameters"].get(f"REG_INPUT{side}_CLK") == "CLK0"]
    assert sorted(found) == inside
    assert sum(cell["type"] == "TRELLIS_FF" for cell in cells) == left
    if "enable" in text:
        (product,) = products
        enables = [product["connections"][product["parameters"][f"REG_INPUT{side}_CE"]] for side in "AB"]
        assert module["ports"]["enable"]["bits"] in enables
        assert ["1"] in enables
