# SPDX-License-Identifier: Apache-2.0
"""Levels of logic between registers in an xc7 netlist: LUTs, and CARRY4s beside them, of the worst path to each.

Ports count as registers. A block RAM, a LUT used as memory and a DSP with a register inside begin and end paths too.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from synth.netlist import Bit, Cell, Netlist
from synth.resources import FLIP_FLOPS, LUTRAM, SHIFT, memory_of

Level = tuple[int, int]  # LUTs, CARRY4s
_DSP_REGISTERS = ("AREG", "BREG", "CREG", "MREG", "PREG", "ADREG", "DREG")


@dataclass(frozen=True)
class Group:
    """The worst path from one register (or memory) to another."""

    luts: int
    carries: int
    source: str
    sink: str

    def __str__(self) -> str:
        return f"{self.luts}+{self.carries}  {self.source} -> {self.sink}"


class LoopError(Exception):
    """A combinational loop; the text names a signal on it."""


def worst(netlist: Netlist, name_of: Callable[[Bit], str] | None = None) -> list[Group]:
    """The worst path of each pair of registers, the deepest first. Raises LoopError."""
    graph = _Graph(netlist, name_of or Names(netlist))
    found: dict[tuple[str, str], Level] = {}
    for bit, sink in graph.sinks():
        level, source = graph.arrival(bit)
        if source and level > found.get((source, sink), (-1, -1)):
            found[source, sink] = level
    groups = [Group(luts, carries, source, sink) for (source, sink), (luts, carries) in found.items()]
    return sorted(groups, key=lambda g: (-g.luts, -g.carries, g.source, g.sink))


class Names:
    """The name of the register or port behind a bit, without its index.

    After flattening a bit has a name in every module that it passes. The register's own is taken: not that of an
    instance's input port, and of the rest the one deepest in the hierarchy.
    """

    def __init__(self, netlist: Netlist, inputs: Iterable[str] = ()) -> None:
        self._names = netlist.names
        self._inputs = frozenset(inputs)

    def __call__(self, bit: Bit) -> str:
        names = self._names.get(bit, [])
        own = [name for name in names if name not in self._inputs] or names
        return max(own, key=lambda name: (name.count("."), -len(name)), default="")


@dataclass
class _Graph:
    netlist: Netlist
    name_of: Callable[[Bit], str]

    def __post_init__(self) -> None:
        self._fanin: dict[Bit, tuple[Level, list[Bit]]] = {}
        self._done: dict[Bit, tuple[Level, str]] = {}
        self._sinks: list[tuple[Bit, str]] = []
        for port, bits in self.netlist.inputs.items():
            self._start(bits, port)
        for cell in self.netlist.cells:
            self._add(cell)
        for port, bits in self.netlist.outputs.items():
            self._sinks += [(bit, port) for bit in bits]

    def sinks(self) -> Iterator[tuple[Bit, str]]:
        """Bits that a register or a port takes, each with that one's name."""
        return iter(self._sinks)

    def arrival(self, bit: Bit) -> tuple[Level, str]:
        """Levels up to ``bit`` and the register where the path begins; none if nothing but constants lead there."""
        stack: list[tuple[Bit, bool]] = [(bit, False)]
        open_bits: set[Bit] = set()
        while stack:
            at, entered = stack.pop()
            if at in self._done:
                continue
            cost, before = self._fanin.get(at, ((0, 0), []))
            if not entered:
                if at in open_bits:
                    raise LoopError(f"combinational loop through {self.name_of(at) or at}")
                open_bits.add(at)
                stack.append((at, True))
                stack += [(b, False) for b in before if b not in self._done]
                continue
            open_bits.discard(at)
            level, source = max((self._done[b] for b in before), default=((0, 0), ""), key=lambda a: (a[1] != "", a[0]))
            self._done[at] = ((level[0] + cost[0], level[1] + cost[1]), source)
        return self._done[bit]

    def _start(self, bits: Iterable[Bit], name: str) -> None:
        for bit in bits:
            self._done[bit] = ((0, 0), name)

    def _add(self, cell: Cell) -> None:
        if cell.type in FLIP_FLOPS:
            name = self.name_of(cell.outputs["Q"][0]) or cell.name
            self._start(cell.outputs["Q"], name)
            self._end(cell, name, {"D", "CE", "R", "S", "CLR", "PRE", "G", "GE"})
        elif cell.type in LUTRAM or cell.type in SHIFT:
            for port, bits in cell.outputs.items():
                self._through(cell, bits, _read_address(cell, port), (1, 0))
            self._end(cell, f"{memory_of(cell.name)} (LUT memory)", set(cell.inputs))
        elif cell.type == "CARRY4":
            self._carry(cell)
        elif _combinational(cell):
            cost = (1, 0) if cell.type.startswith(("LUT", "DSP")) else (0, 0)
            for bits in cell.outputs.values():
                self._through(cell, bits, list(cell.inputs), cost)
        else:
            kind = "block RAM" if cell.type.startswith("RAMB") else "DSP" if cell.type.startswith("DSP") else cell.type
            name = f"{memory_of(cell.name) if kind == 'block RAM' else _outputs_name(cell, self.name_of)} ({kind})"
            for bits in cell.outputs.values():
                self._start(bits, name)
            self._end(cell, name, set(cell.inputs))

    def _through(self, cell: Cell, bits: Iterable[Bit], ports: Iterable[str], cost: Level) -> None:
        before: list[Bit] = [bit for port in ports for bit in cell.inputs[port] if isinstance(bit, int)]
        for bit in bits:
            self._fanin[bit] = (cost, before)

    def _carry(self, cell: Cell) -> None:
        """Bit by bit: an output depends only on the bits below it."""
        select, data = cell.inputs["S"], cell.inputs["DI"]
        below = [*cell.inputs["CI"], *cell.inputs["CYINIT"]]
        for index in range(4):
            for port, before in (("O", [select[index]]), ("CO", [select[index], data[index]])):
                bit = cell.outputs.get(port, [])[index : index + 1]
                if bit:
                    self._fanin[bit[0]] = ((0, 1), [b for b in [*below, *before] if isinstance(b, int)])
            below += [select[index], data[index]]

    def _end(self, cell: Cell, name: str, ports: set[str]) -> None:
        for port in ports & set(cell.inputs):
            self._sinks += [(bit, name) for bit in cell.inputs[port] if isinstance(bit, int)]


def _combinational(cell: Cell) -> bool:
    if cell.type == "DSP48E1":
        return not any(int(cell.parameters.get(name, "0"), 2) for name in _DSP_REGISTERS)
    return cell.type.startswith(("LUT", "MUXF", "INV", "BUF"))


def _read_address(cell: Cell, output: str) -> list[str]:
    """Ports that an output of a LUT memory or shift register follows without a clock; none for one that is clocked."""
    wanted = {"SPO": "A", "DPO": "DPRA", "O": "A", "Q": "A"}.get(output, output.replace("DO", "ADDR"))
    return [port for port in cell.inputs if port.rstrip("0123456789") == wanted]


def _outputs_name(cell: Cell, name_of: Callable[[Bit], str]) -> str:
    names = (name_of(bit) for bits in cell.outputs.values() for bit in bits)
    return next((name for name in names if name), cell.name)
