# SPDX-License-Identifier: Apache-2.0
"""From a file of templates to its program."""

from dataclasses import dataclass, field
from pathlib import Path

from fixaccel.diagnostics.checked import Checked
from fixaccel.diagnostics.report import Report
from fixaccel.fast.model import Templates
from fixaccel.fast.program.compiler import compile_program
from fixaccel.fast.program.interest import Interest
from fixaccel.fast.program.program import Limits, Program
from fixaccel.fast.reader import load_templates


@dataclass(frozen=True)
class LoadedProgram(Checked):
    """``program`` and ``templates`` are None exactly if there is an error. ``tags`` are the names of fields by tag."""

    program: Program | None = None
    templates: Templates | None = None
    tags: dict[int, str] = field(default_factory=dict)


def load_program(path: Path, interest: Interest, limits: Limits) -> LoadedProgram:
    """Reads and compiles ``path``."""
    loaded = load_templates(path)
    if loaded.templates is None:
        return LoadedProgram(loaded.diagnostics, loaded.sources, loaded.dropped)
    report = Report()
    program, tags = compile_program(loaded.templates, interest, limits, report)
    found = LoadedProgram(report.sorted(), loaded.sources, report.dropped)
    merged = Checked.merge([loaded, found])
    if report.failed:
        return LoadedProgram(merged.diagnostics, merged.sources, merged.dropped)
    return LoadedProgram(merged.diagnostics, merged.sources, merged.dropped, program, loaded.templates, tags)
