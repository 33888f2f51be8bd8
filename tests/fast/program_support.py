# SPDX-License-Identifier: Apache-2.0
"""Programs of templates, and both decoders' word on a datagram in one form."""

from collections.abc import Callable

from fixaccel.diagnostics.report import Report
from fixaccel.fast.decoder import Datagram
from fixaccel.fast.errors import Counts
from fixaccel.fast.messages import Message
from fixaccel.fast.model import Item, Templates
from fixaccel.fast.program.compiler import compile_program
from fixaccel.fast.program.decoding import ProgramDecoder
from fixaccel.fast.program.interest import Interest, everything
from fixaccel.fast.program.interpreter import Interpreter, Outcome
from fixaccel.fast.program.program import Limits, Program


def program_of(found: Templates, tagged: Callable[[Item], bool] = everything, **more: object) -> Program:
    """The program that tells all fields for which ``tagged`` holds; one that has room for everything."""
    report = Report()
    program, _ = compile_program(found, Interest(tagged=tagged, **more), Limits(), report)  # type: ignore[arg-type]
    assert not report.failed, list(report)
    return program


def said(datagram: Datagram) -> tuple[tuple[Message, ...], Counts, tuple[str, int, str | None, str | None] | None]:
    """Messages, counts, and code, byte, template and field of the fault: equal where two decoders say the same."""
    error = datagram.error
    fault = (error.fault.name, error.at, error.template, error.field) if error else None
    return datagram.messages, datagram.counts, fault


def told(found: Templates, program: Program, outcome: Outcome) -> Datagram:
    """What a program that tells everything said, as the reference decoder says it."""
    return ProgramDecoder(found, program, lambda _: outcome).datagram(b"")


def run(program: Program, data: bytes) -> Outcome:
    """What the program does with a datagram."""
    return Interpreter(program).datagram(data)
