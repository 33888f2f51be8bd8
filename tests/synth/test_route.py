# SPDX-License-Identifier: Apache-2.0
"""Reading nextpnr's report, choosing a part, and one small module through the whole of it."""

import json
from pathlib import Path

import pytest

from synth import route, rtlil
from synth.netlist import Cell, Netlist
from synth.yosys import ToolError

STEPS = [
    {"type": "clk-to-q", "delay": 0.5, "from": {"cell": "ff1", "port": "CLK"}, "to": {"cell": "ff1", "port": "Q"}},
    {"type": "routing", "delay": 1.25, "from": {"cell": "ff1", "port": "Q"}, "to": {"cell": "lut", "port": "A"}},
    {"type": "logic", "delay": 0.25, "from": {"cell": "lut", "port": "A"}, "to": {"cell": "lut", "port": "F"}},
    {"type": "setup", "delay": 0.5, "from": {"cell": "lut", "port": "F"}, "to": {"cell": "ff2", "port": "DI"}},
]


def test_a_report_is_read() -> None:
    report = {
        "fmax": {"$glbnet$clk": {"achieved": 123.4, "constraint": 250}},
        "critical_paths": [
            {"from": "<async>", "to": "posedge clk", "path": [STEPS[1] | {"delay": 99}]},
            {"from": "posedge clk", "to": "posedge clk", "path": STEPS},
        ],
    }
    run = route.read_report(report, {"ff1": "length", "ff2": "sum"}.__getitem__, 3)
    assert run == route.Run(3, 123.4, "length", "sum", 1.25, 1.25)


def test_the_smallest_part_that_holds_it() -> None:
    def of(kind: str, count: int) -> Netlist:
        return Netlist("alone", [Cell(str(i), kind, {}, {}, {}) for i in range(count)], {}, {}, {})

    assert route.part_for(of("LUT4", 100)) == "25k"
    assert route.part_for(of("DP16KD", 53)) == "85k"
    with pytest.raises(ToolError, match="209 DP16KD"):
        route.part_for(of("DP16KD", 209))


TEXT = """
module top (input logic clk, input logic [15:0] left, right, output logic [15:0] sum);
  always_ff @(posedge clk) sum <= left + right;
endmodule
"""


@pytest.mark.synth
def test_a_module_alone_is_placed_between_registers_once(read, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    design = read(TEXT)
    runs = route.measure(design, "top", [1], scratch=tmp_path, cache=cache)
    assert 100 < runs[0].fmax < 600
    # The path begins in the wrapper's register of an input: a port counts as a register.
    assert runs[0].source in {"port left", "port right"}
    assert runs[0].sink == "sum"
    (kept,) = cache.glob("*.json")
    kept.write_text(json.dumps(json.loads(kept.read_text()) | {"fmax": 1.0}))
    assert route.measure(read("// moved\n" + TEXT), "top", [1], scratch=tmp_path, cache=cache)[0].fmax == 1.0
    changed = read(TEXT.replace("left + right", "left - right"))
    assert rtlil.digest(dict(changed.modules), "top") != rtlil.digest(dict(design.modules), "top")
