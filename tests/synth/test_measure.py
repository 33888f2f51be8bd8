# SPDX-License-Identifier: Apache-2.0
"""A whole measurement of a small fabric: parts, paths, findings and parameters."""

from dataclasses import replace
from pathlib import Path

import pytest

from synth import design
from synth.goals import Goal, Ratchet
from synth.measure import Bench, find
from synth.verdicts import judge_all
from synth.yosys import ToolError

ROOT = Path(__file__).parents[2]
GOAL = Goal(165, 0.05, 1, {"rtl": 7}, {"lutram": 2048, "registers": 1024}, {"orders": 8})
CORE = """
module half (input logic clk, input logic [7:0] d, output logic [7:0] q);
  always_ff @(posedge clk) q <= d + 1;
endmodule
module fixaccel_core #(
    parameter int ORDERS = 16,
    parameter int OTHER  = 1
) (
    input  logic                      clk,
    input  logic [$clog2(ORDERS)-1:0] at,
    input  logic [7:0]                d,
    output logic [7:0]                q
);
  logic [7:0] kept[ORDERS], between;
  always_ff @(posedge clk) kept[at] <= d;
  half first (.clk, .d(kept[at]), .q(between));
  half second (.clk, .d(between), .q);
endmodule
"""


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    (tmp_path / "rtl").mkdir()
    (tmp_path / "rtl" / "fixaccel_core.sv").write_text(CORE)
    (tmp_path / "rtl" / "files.f").write_text("fixaccel_core.sv\n")
    (tmp_path / design.BOARD_FILE).parent.mkdir(parents=True)
    (tmp_path / design.BOARD_FILE).write_text((ROOT / design.BOARD_FILE).read_text())
    return Bench(tmp_path, GOAL, tmp_path / "scratch", tmp_path / "cache", lambda text: None)


@pytest.mark.synth
def test_a_small_fabric(bench: Bench) -> None:
    core = bench.elaborated("full", GOAL.route_capacity)
    measured = bench.synthesise(core, core.top)
    bench.flatten(core, core.top, measured)
    assert measured.whole
    assert {name: part.instances for name, part in measured.parts.items()} == {"fixaccel_core": 1, "half": 2}
    assert [(m.path, m.size) for m in measured.memories] == [("kept", 8)]  # the capacity that was changed
    assert measured.total.ff == 16
    assert measured.parts["half"].own.ff == 16
    assert measured.parts["half"].paths[0].sink == "q"
    assert measured.flat
    assert measured.flat.ff == 16
    # A register of the one below; yosys keeps one of the names of a net that leaves it.
    assert measured.parts["fixaccel_core"].paths[0].sink in {"first.q", "between", "second.q"}
    assert not judge_all(measured, GOAL, Ratchet()).failed
    bench.place(core, core.top, measured, [1], below=False)
    assert judge_all(measured, GOAL, Ratchet()).verdicts[-1].module == "half"
    assert (measured.parts["fixaccel_core"].fmax or 0) > 100
    assert measured.parts["half"].fmax is None


def test_parameters_are_those_that_the_core_declares(bench: Bench) -> None:
    assert design.parameters(bench.root, bench.board, {"orders": 64, "templates": 4}) == {"ORDERS": 64}


@pytest.mark.synth
def test_names_of_modules(bench: Bench) -> None:
    core = bench.elaborated("full")
    assert find(core, "fixaccel_core") == "fixaccel_core"
    assert find(core, "second") == find(core, "half$fixaccel_core.second") == "half$fixaccel_core.second"
    assert find(core, "half").startswith("half$fixaccel_core.")
    with pytest.raises(ToolError, match="there are: fixaccel_core, half"):
        find(core, "quarter")


def test_a_wrong_board_file_is_told(bench: Bench) -> None:
    (bench.root / design.BOARD_FILE).write_text("fixaccel-board: 1\n")
    with pytest.raises(ToolError, match="fixaccel check"):
        design.board_of(bench.root)


@pytest.mark.synth
def test_a_module_that_is_too_deep_is_mapped_for_few_levels(bench: Bench, beside_a_chain: tuple[str, int]) -> None:
    text, at_most = beside_a_chain
    top = (
        "module fixaccel_core (input logic clk, input logic [47:0] d, e, output logic q, output logic [1023:0] sum);\n"
    )
    top += "  top inner (.clk, .d, .e, .chosen_q(q), .sum);\nendmodule\n"
    (bench.root / "rtl" / "fixaccel_core.sv").write_text(text + top)
    core = bench.elaborated("full")
    found = {
        levels: replace(bench, goal=replace(GOAL, levels={"rtl": levels})).synthesise(core, core.top)
        for levels in (30, 7)
    }
    assert found[30].parts["top"].levels > at_most  # it may be: nothing is looked at again
    assert found[7].parts["top"].levels <= at_most
    assert found[7].parts["top"].own == found[30].parts["top"].own
