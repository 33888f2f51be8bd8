# SPDX-License-Identifier: Apache-2.0
"""How many LUT sites of an xc7 slice a netlist's LUTs take.

A site has six inputs and two outputs, the second a function of five of them: two LUTs with at most five inputs between
them fit one (UG474). Chips and vendors' reports count sites, synthesis counts LUTs.

The pairs that are counted here are fewer than a vendor's tool finds. On a carry chain only a stage's two own LUTs are a
pair; elsewhere only LUTs that share an input, for others may belong far apart. They are taken one after the other, the
largest LUT first, not chosen for the most.
"""

from collections import Counter, defaultdict

from synth.netlist import Bit, Cell, Netlist

# yosys' name of a LUT with one input is INV.
INPUTS = {"INV": 1} | {f"LUT{inputs}": inputs for inputs in range(1, 7)}
_SHARED = 5  # inputs of the second output
_MANY = 400  # LUTs at one signal, such as a reset: sharing it says nothing


def pairs(netlist: Netlist) -> int:
    """Pairs of LUTs of the netlist that share a site."""
    luts = {cell.outputs["O"][0]: _signals(cell) for cell in netlist.cells if cell.type in INPUTS}
    loads = Counter(bit for cell in netlist.cells for bits in cell.inputs.values() for bit in bits)
    stages = [
        stage
        for cell in netlist.cells
        if cell.type == "CARRY4"
        for stage in zip(cell.inputs["S"], cell.inputs["DI"], strict=True)
    ]
    chained = {bit for stage in stages for bit in stage}
    own = sum(
        propagate in luts and data in luts and propagate != data and loads[data] == 1
        and len(luts[propagate] | luts[data]) <= _SHARED
        for propagate, data in stages
    )  # fmt: skip
    return own + _neighbours([of for output, of in luts.items() if output not in chained and len(of) <= _SHARED])


def _signals(cell: Cell) -> frozenset[Bit]:
    return frozenset(bit for bits in cell.inputs.values() for bit in bits if isinstance(bit, int))


def _neighbours(luts: list[frozenset[Bit]]) -> int:
    """Pairs of LUTs, given by their inputs, that share one."""
    luts = sorted(luts, key=len, reverse=True)
    at: dict[Bit, list[int]] = defaultdict(list)
    for lut, of in enumerate(luts):
        for bit in of:
            at[bit].append(lut)
    paired: set[int] = set()
    for lut, of in enumerate(luts):
        if lut in paired:
            continue
        shared: Counter[int] = Counter()
        for bit in of:
            if len(at[bit]) <= _MANY:
                shared.update(other for other in at[bit] if other != lut and other not in paired)
        fitting = [other for other in shared if len(of | luts[other]) <= _SHARED]
        if fitting:
            paired |= {lut, max(fitting, key=lambda other: (len(luts[other]), shared[other], -other))}
    return len(paired) // 2
