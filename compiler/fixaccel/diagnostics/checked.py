# SPDX-License-Identifier: Apache-2.0
"""What reading files gave, whatever was read."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from fixaccel.diagnostics.report import Diagnostic
from fixaccel.source import SourceFile


@dataclass(frozen=True)
class Checked:
    """What reading files gave: diagnostics, and the files by the name in spans, for rendering."""

    diagnostics: list[Diagnostic]
    sources: Mapping[str, SourceFile] = field(default_factory=dict)
    dropped: int = 0  # diagnostics beyond the bound of a report

    @property
    def failed(self) -> bool:
        """Whether an error was found."""
        return any(diagnostic.is_error for diagnostic in self.diagnostics)

    @staticmethod
    def merge(parts: Sequence["Checked"]) -> "Checked":
        """All of them as one, a diagnostic that several share once."""
        diagnostics = list(dict.fromkeys(diagnostic for part in parts for diagnostic in part.diagnostics))
        sources = {name: source for part in parts for name, source in part.sources.items()}
        return Checked(diagnostics, sources, sum(part.dropped for part in parts))

    def plus(self, diagnostics: Iterable[Diagnostic]) -> "Checked":
        """With more diagnostics over the same files."""
        return Checked([*self.diagnostics, *diagnostics], self.sources, self.dropped)
