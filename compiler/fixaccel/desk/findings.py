# SPDX-License-Identifier: Apache-2.0
"""Diagnostics over a desk, the first of each kind."""

from collections.abc import Iterable
from dataclasses import replace

from fixaccel.diagnostics.report import Diagnostic

SHOWN = 20  # of one kind


def bounded(found: Iterable[Diagnostic]) -> list[Diagnostic]:
    """The first of one kind; the last of them says how many there are besides."""
    found = list(found)
    shown = found[:SHOWN]
    if len(found) > SHOWN:
        more = f" (and {len(found) - SHOWN:,} more like this)"
        shown[-1] = replace(shown[-1], message=shown[-1].message + more)
    return shown
