# SPDX-License-Identifier: Apache-2.0
"""Diagnostics as an editor takes them, each at the file that it is about, whichever file's analysis found it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from lsprotocol import types

from fixaccel.diagnostics.report import Diagnostic
from fixaccel.lsp.analysis import Analysis
from fixaccel.lsp.documents import Documents
from fixaccel.lsp.positions import Positions, range_without_text
from fixaccel.source import SourceFile, Span

SOURCE = "fixaccel"
_SEVERITIES = {True: types.DiagnosticSeverity.Error, False: types.DiagnosticSeverity.Warning}


@dataclass(frozen=True)
class Found:
    """A diagnostic and the texts that its places are in."""

    diagnostic: Diagnostic
    analysis: Analysis


class Publishing:
    """Who found what. A file is told of anew where one of those that say something about it has changed."""

    def __init__(self, documents: Documents) -> None:
        self._documents = documents
        self._by: dict[Path, Analysis] = {}

    def put(self, path: Path, analysis: Analysis | None) -> list[types.PublishDiagnosticsParams]:
        """Enters what the file at ``path`` gave, None: nothing any more. Gives what is to be told."""
        before = self._by.pop(path, None)
        if analysis:
            self._by[path] = analysis
        concerned = {path, *_files(before), *_files(analysis)}
        return [self._of(file) for file in sorted(concerned)]

    def analysis(self, path: Path) -> Analysis | None:
        """The last one of that file."""
        return self._by.get(path)

    def depending_on(self, path: Path) -> list[Path]:
        """Files to analyse again when ``path`` has changed, that one itself left out."""
        return [root for root, one in list(self._by.items()) if root != path and (path in one.files or one.failed)]

    def found_at(self, path: Path) -> list[Found]:
        """All diagnostics of one file, one that several have found once."""
        own = self._by.get(path)
        others = [one for root, one in sorted(self._by.items()) if root != path]
        seen: dict[Diagnostic, Found] = {}
        for analysis in [own, *others] if own else others:
            for diagnostic in analysis.diagnostics:
                if diagnostic.span.file == str(path):
                    seen.setdefault(diagnostic, Found(diagnostic, analysis))
        return list(seen.values())

    def _of(self, file: Path) -> types.PublishDiagnosticsParams:
        shown = self._documents.opened(file)
        own = self._by.get(file)
        told = [self.told(found) for found in self.found_at(file)]
        if own:
            told += [self._unasked(own, span, name) for name, span in _unasked(own)]
        version = own.document.version if own and shown else None
        return types.PublishDiagnosticsParams(self._documents.uri(file), told, version)

    def told(self, found: Found) -> types.Diagnostic:
        """As the protocol has it."""
        diagnostic, sources = found.diagnostic, found.analysis.sources
        help_ = f"\nhelp: {diagnostic.help}" if diagnostic.help else ""
        return types.Diagnostic(
            range=self.range(diagnostic.span, sources),
            message=f"{diagnostic.message}{help_}",
            severity=_SEVERITIES[diagnostic.is_error],
            code=diagnostic.code.number,
            source=SOURCE,
            related_information=[
                types.DiagnosticRelatedInformation(
                    types.Location(self._documents.uri(Path(one.span.file)), self.range(one.span, sources)), one.label
                )
                for one in diagnostic.related
            ]
            or None,
        )

    def range(self, span: Span, sources: Mapping[str, SourceFile]) -> types.Range:
        """The place of a span in the text that was analysed."""
        source = sources.get(span.file)
        if source is None:
            return range_without_text(span)
        shown = self._documents.opened(Path(span.file))
        if shown and shown.text.removeprefix("\ufeff") == source.text:
            return shown.positions.range_of(span)
        return _positions(source.text, self._documents.encoding).range_of(span)

    def _unasked(self, analysis: Analysis, span: Span, name: str) -> types.Diagnostic:
        message = f"`{name}` has not been asked yet: its rule is taken for one that never fires until the file is saved"
        severity = types.DiagnosticSeverity.Information
        return types.Diagnostic(self.range(span, analysis.sources), message, severity, source=SOURCE)


@lru_cache(maxsize=16)
def _positions(text: str, encoding: str) -> Positions:
    """Kept for the next of many diagnostics."""
    return Positions(text, encoding)


def _unasked(analysis: Analysis) -> Iterable[tuple[str, Span]]:
    return dict.fromkeys((one.value, one.span) for one in analysis.unasked)


def _files(analysis: Analysis | None) -> set[Path]:
    return {Path(diagnostic.span.file) for diagnostic in analysis.diagnostics} if analysis else set()
