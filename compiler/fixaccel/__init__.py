# SPDX-License-Identifier: Apache-2.0
"""fixaccel: stop orders in YAML, compiled to tables for an FPGA that answers on the wire."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fixaccel.api import (
        Bundle,
        Diagnostic,
        Diagnostics,
        Explanation,
        Fire,
        FixaccelError,
        RuleTestRun,
        Simulation,
        Strategy,
        Summary,
        check,
        load,
        run_tests,
    )

    __version__: str

__all__ = [
    "Bundle",
    "Diagnostic",
    "Diagnostics",
    "Explanation",
    "Fire",
    "FixaccelError",
    "RuleTestRun",
    "Simulation",
    "Strategy",
    "Summary",
    "__version__",
    "check",
    "load",
    "run_tests",
]


if not TYPE_CHECKING:  # a checker of types would take any name for one of these

    def __getattr__(name: str) -> object:
        # The compiler is imported with the first name that is used: commands, and files of `decide`, need not wait.
        if name == "__version__":
            return import_module("importlib.metadata").version("fixaccel")
        if name in __all__:
            return getattr(import_module("fixaccel.api"), name)
        raise AttributeError(f"module `fixaccel` has no `{name}`; it has {', '.join(__all__)}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
