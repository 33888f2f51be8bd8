# SPDX-License-Identifier: Apache-2.0
"""A module alone: a wrapper with a register at every port, so that paths from and to ports count, and three pins."""

from collections.abc import Iterable

from synth.rtlil import Port

TOP = "alone"
CLOCK = "clk"


def wrapper(module: str, ports: Iterable[Port]) -> str:
    """Verilog: a chain shifts values into all inputs; outputs are registered, then folded into a second chain.

    The chains have one LUT between registers, so they are never the slowest path, and nothing can be optimised away.
    The first inverts: a register of the module that takes a bit of a port as it is would be the same as the one behind
    that bit in the chain, and what hangs on the two would hang on one.
    """
    all_ports = list(ports)
    signals = [port for port in all_ports if port.name != CLOCK]
    inputs = [port for port in signals if port.direction == "input"]
    outputs = [port for port in signals if port.direction != "input"]
    lines = [f"module {TOP} (input {CLOCK}, input scan_in, output scan_out);"]
    lines += [f"  reg [{p.width - 1}:0] {_register(p)};" for p in inputs]
    for p in outputs:
        lines += [f"  wire [{p.width - 1}:0] next_{p.name};", f"  reg [{p.width - 1}:0] {_register(p)}, fold_{p.name};"]
    if inputs:
        chain = ", ".join(_register(p) for p in inputs)
        lines.append(f"  always @(posedge {CLOCK}) {{{chain}}} <= ~{{{chain}, scan_in}};")
    if outputs:
        folds, now = (", ".join(name(p) for p in outputs) for name in (lambda p: f"fold_{p.name}", _register))
        after = ", ".join(f"next_{p.name}" for p in outputs)
        lines.append(f"  always @(posedge {CLOCK}) {{{now}}} <= {{{after}}};")
        lines.append(f"  always @(posedge {CLOCK}) {{{folds}}} <= {{{folds}, scan_in}} ^ {{{now}}};")
        lines.append(f"  assign scan_out = fold_{outputs[0].name}[{outputs[0].width - 1}];")
    connections = [f".{CLOCK}({CLOCK})"] if len(signals) < len(all_ports) else []
    connections += [f".{p.name}({_register(p)})" for p in inputs] + [f".{p.name}(next_{p.name})" for p in outputs]
    lines += [f"  \\{module}  dut ({', '.join(connections)});", "endmodule"]
    return "\n".join(lines) + "\n"


def _register(port: Port) -> str:
    return f"{port.direction}_{port.name}"


def hidden(inputs: Iterable[str], ports: Iterable[Port]) -> set[str]:
    """Names of input ports in the wrapped design: the module's own, and ``inputs`` of the instances in it."""
    return {f"dut.{name}" for name in inputs} | {f"dut.{p.name}" for p in ports if p.direction == "input"}


def readable(signal: str, ports: Iterable[Port]) -> str:
    """A signal of the wrapped design by the name that it has in the module; the wrapper's registers by their port's."""
    for port in ports:
        if signal in {_register(port), f"dut.{port.name}"} and (port.direction == "input" or "." not in signal):
            return f"port {port.name}"
    return signal.removeprefix("dut.")
