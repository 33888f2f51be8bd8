# SPDX-License-Identifier: Apache-2.0
"""Programs of templates, and both decoders' word on a datagram in one form."""

from collections.abc import Callable

from fixaccel.diagnostics.report import Report
from fixaccel.fast.decoder import Datagram
from fixaccel.fast.model import Item, Templates
from fixaccel.fast.program.compiler import compile_program
from fixaccel.fast.program.interest import Interest, everything
from fixaccel.fast.program.interpreter import Interpreter, Outcome
from fixaccel.fast.program.program import Limits, Program
from fixaccel.fast.program.rebuild import Rebuilder


def program_of(found: Templates, tagged: Callable[[Item], bool] = everything, **more: object) -> Program:
    """The program that tells all fields for which ``tagged`` holds; one that has room for everything."""
    report = Report()
    program, _ = compile_program(found, Interest(tagged=tagged, **more), Limits(), report)  # type: ignore[arg-type]
    assert not report.failed, list(report)
    return program


def told(found: Templates, program: Program, outcome: Outcome) -> Datagram:
    """What a program said, as the reference decoder says it, but for the error, which `place` gives."""
    return Datagram(Rebuilder(found, program).messages(outcome.events), outcome.counts)


def place(program: Program, outcome: Outcome) -> tuple[str, int, str | None, str | None] | None:
    """Code, byte, template and field of the fault that stopped it."""
    stopped = outcome.stopped
    if stopped is None:
        return None
    path = [label for at in (*stopped.calls, stopped.at) for label in program.sources[at].path]
    if stopped.routine is None:
        return stopped.fault.name, stopped.byte, None, None
    template = program.routines[stopped.routine].name
    return stopped.fault.name, stopped.byte, template, ".".join(path) or None


def said(reference: Datagram) -> tuple[str, int, str | None, str | None] | None:
    """The same of the reference decoder."""
    error = reference.error
    return (error.fault.name, error.at, error.template, error.field) if error else None


def run(program: Program, data: bytes) -> Outcome:
    """What the program does with a datagram."""
    return Interpreter(program).datagram(data)
