# SPDX-License-Identifier: Apache-2.0
"""Decoding with a program, in the words of the reference decoder."""

from collections.abc import Callable

from fixaccel.fast.decoder import Datagram
from fixaccel.fast.errors import FastError
from fixaccel.fast.model import Templates
from fixaccel.fast.program.interpreter import Outcome, Stopped
from fixaccel.fast.program.program import Program
from fixaccel.fast.program.rebuild import Rebuilder


class ProgramDecoder:
    """``program`` tells every field of ``templates``; ``run`` is an interpreter of it."""

    def __init__(self, templates: Templates, program: Program, run: Callable[[bytes], Outcome]) -> None:
        self._program, self._run = program, run
        self._rebuilder = Rebuilder(templates, program)

    def datagram(self, data: bytes) -> Datagram:
        """All messages of ``data``, whose raw bytes in front the program passes over."""
        outcome = self._run(data)
        if outcome.stopped:
            return Datagram((), outcome.counts, self._error(outcome.stopped))
        return Datagram(self._rebuilder.messages(outcome.events), outcome.counts)

    def _error(self, stopped: Stopped) -> FastError:
        if stopped.routine is None:
            return FastError(stopped.fault, stopped.byte)
        labels = [label for at in (*stopped.calls, stopped.at) for label in self._program.sources[at].path]
        template = self._program.routines[stopped.routine].name
        return FastError(stopped.fault, stopped.byte, template, ".".join(labels) or None)
