# SPDX-License-Identifier: Apache-2.0
"""The fires of the fabric and those of the rules that run in the runtime, as one sequence."""

from collections.abc import Sequence
from heapq import merge

from fixaccel.image.software.table import read_software_table, software_table
from fixaccel.language.codes import SOURCES
from fixaccel.language.rules import Strategy
from fixaccel.language.terms import Source
from fixaccel.native.interpreter import TableError
from fixaccel.native.library import LibraryError
from fixaccel.semantics.messages import Fire, Message
from fixaccel.semantics.ranking import rank
from fixaccel.simulate.engines import EngineError
from fixaccel.simulate.table_run import TableEngine


def with_runtime_fires(fabric: list[Fire], strategy: Strategy, messages: Sequence[Message]) -> list[Fire]:
    """``fabric`` and what the software table's parts fire on ``messages``, in firing order. Raises EngineError."""
    columns = read_software_table(software_table(strategy))
    if not len(columns):
        return fabric
    try:
        runtime = TableEngine(strategy, columns).run(messages, lambda _: None)
    except (LibraryError, TableError) as error:
        raise EngineError(str(error)) from None
    fired = {fire.rule for fire in (*fabric, *runtime)}
    ranks = {rule.id: rank(rule) for rule in strategy.rules if rule.id in fired}

    def order(fire: Fire) -> tuple[int, int, tuple[int, ...]]:
        if not fire.source:
            return fire.event, -1, ()  # by the clock, ahead of the message
        # The observations of a message come in the order of the sources.
        return fire.event, SOURCES.index(Source(fire.source)), ranks[fire.rule]

    return list(merge(fabric, runtime, key=order))
