# SPDX-License-Identifier: Apache-2.0
"""Levels of logic are counted along the right paths and named by their registers."""

from pathlib import Path

import pytest

from synth import levels, xilinx
from synth.levels import Group, LoopError, Names
from synth.netlist import Cell, Netlist

CLOCK = {"C": [1]}


def flip_flop(name: str, d: int, q: int) -> Cell:
    return Cell(name, "FDRE", {**CLOCK, "D": [d], "CE": ["1"], "R": ["0"]}, {"Q": [q]}, {})


def lut(output: int, *inputs: int) -> Cell:
    return Cell(
        f"lut{output}", f"LUT{len(inputs)}", {f"I{i}": [bit] for i, bit in enumerate(inputs)}, {"O": [output]}, {}
    )


def netlist(*cells: Cell, names: dict[int, str], inputs: dict | None = None, outputs: dict | None = None) -> Netlist:
    return Netlist("top", list(cells), inputs or {}, outputs or {}, {bit: [name] for bit, name in names.items()})


def test_the_deepest_path_of_each_pair_of_registers() -> None:
    found = levels.worst(
        netlist(
            flip_flop("f1", 20, 10), flip_flop("f2", 13, 11), flip_flop("f3", 14, 12),
            lut(13, 10), lut(14, 15, 11), lut(15, 16), lut(16, 10),
            names={10: "a", 11: "b", 12: "c"},
        )
    )  # fmt: skip
    # What leads to c by way of a is deeper than by way of b; of one endpoint the worst source counts.
    assert found == [Group(3, 0, "a", "c"), Group(1, 0, "a", "b")]


def test_ports_count_as_registers() -> None:
    cells = [lut(20, 10), lut(21, 20)]
    found = levels.worst(netlist(*cells, names={}, inputs={"data": [10]}, outputs={"answer": [21]}))
    assert found == [Group(2, 0, "data", "answer")]


def test_a_carry_chain_bit_by_bit() -> None:
    # O[0] goes through a LUT into S[2] of the same cell: no loop, though output and input are one cell's.
    carry = Cell(
        "carry", "CARRY4", {"CI": ["0"], "CYINIT": ["0"], "S": [10, 11, 30, "0"], "DI": [10, 11, "0", "0"]},
        {"O": [20, 21, 22, 23], "CO": [24, 25, 26, 27]}, {},
    )  # fmt: skip
    design = netlist(
        carry, lut(30, 20), flip_flop("f", 22, 12), names={12: "sum"}, inputs={"left": [10], "right": [11]}
    )
    assert levels.worst(design) == [Group(1, 2, "left", "sum")]


def test_a_loop_is_told() -> None:
    design = netlist(lut(10, 11), lut(11, 10), flip_flop("f", 10, 12), names={10: "round", 11: "about", 12: "q"})
    with pytest.raises(LoopError, match=r"round|about"):
        levels.worst(design)


def test_memories_begin_and_end_paths() -> None:
    block = Cell("store.0.0", "RAMB18E1", {"ADDRARDADDR": [20]}, {"DOADO": [21]}, {})
    distributed = Cell(
        "small.0.0", "RAM32M", {"ADDRA": [22], "DIA": [21], "WCLK": [1]}, {"DOA": [23]}, {}
    )  # fmt: skip
    found = levels.worst(
        netlist(
            flip_flop("f1", 23, 10), lut(20, 10), lut(22, 10), block, distributed, names={10: "a"},
        )
    )  # fmt: skip
    assert found == [
        Group(2, 0, "a", "a"),  # a LUT, then the memory's read
        Group(1, 0, "a", "small (LUT memory)"),
        Group(1, 0, "a", "store (block RAM)"),
        Group(0, 0, "store (block RAM)", "small (LUT memory)"),
    ]


def test_dsp_with_a_register_ends_a_path_and_one_without_does_not() -> None:
    def through(registers: str) -> list[Group]:
        dsp = Cell("dsp", "DSP48E1", {"A": [11]}, {"P": [12]}, {"PREG": registers})
        return levels.worst(
            netlist(
                flip_flop("f1", 30, 10), lut(11, 10), dsp, flip_flop("f2", 12, 13), names={10: "a", 12: "p", 13: "b"}
            )
        )

    assert through("0") == [Group(2, 0, "a", "b")]
    assert through("1") == [Group(1, 0, "a", "p (DSP)"), Group(0, 0, "p (DSP)", "b")]


def test_a_bit_is_named_by_its_register_and_not_by_a_port_that_it_passes() -> None:
    names = {5: ["flow", "session.flow", "session.child.flow_in"]}
    net = Netlist("top", [], {}, {}, names)
    assert Names(net, {"session.child.flow_in"})(5) == "session.flow"
    assert Names(net)(5) == "session.child.flow_in"
    assert Names(net)(6) == ""


@pytest.mark.synth
def test_levels_of_a_design(read, tmp_path: Path) -> None:
    # Twelve inputs of one AND need two LUTs of six in a row; the child's register is named by its path.
    text = """
module child (input logic clk, input logic all, output logic q);
  logic kept;
  always_ff @(posedge clk) kept <= all;
  assign q = !kept;
endmodule
module top (input logic clk, input logic [11:0] d, output logic q);
  logic [11:0] word;
  always_ff @(posedge clk) word <= d;
  child inner (.clk, .all(&word), .q);
endmodule
"""
    design = read(text)
    flat = xilinx.flat(design, "top", root=tmp_path, scratch=tmp_path)
    groups = levels.worst(flat, Names(flat, design.inputs_below("top")))
    assert groups[0] == Group(2, 0, "word", "inner.kept")


@pytest.mark.synth
def test_a_carry_chain_elsewhere_makes_no_path_deeper(read, tmp_path: Path, beside_a_chain: tuple[str, int]) -> None:
    text, at_most = beside_a_chain
    flat = xilinx.flat(read(text), "top", root=tmp_path, scratch=tmp_path)
    assert max(group.luts for group in levels.worst(flat) if group.sink == "chosen_q") <= at_most
