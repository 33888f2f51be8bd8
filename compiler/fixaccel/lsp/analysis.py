# SPDX-License-Identifier: Apache-2.0
"""One run of the compiler's front half over what editors show: diagnostics of all files that it read."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from fixaccel.diagnostics.report import Diagnostic
from fixaccel.language.keys.schema import Located
from fixaccel.language.rules import Strategy
from fixaccel.language.text.files import unsaved
from fixaccel.lsp.documents import Document, beside
from fixaccel.pipeline import Checked, Loaded, check_file, load_strategy
from fixaccel.source import SourceFile
from fixaccel.testing.load import Strategies, load_suite


class SupersededError(Exception):
    """There is a newer text: nobody waits for this analysis any more."""


@dataclass(frozen=True)
class Analysis:
    """What came of one text of one file; ``files`` are all that it depends on."""

    document: Document
    diagnostics: list[Diagnostic] = field(default_factory=list)
    sources: Mapping[str, SourceFile] = field(default_factory=dict)
    files: frozenset[Path] = frozenset()
    strategy: Strategy | None = None  # of a strategy file
    unasked: tuple[Located[str], ...] = ()

    @property
    def failed(self) -> bool:
        """Whether there is an error."""
        return any(diagnostic.is_error for diagnostic in self.diagnostics)


class _Strategies(Strategies):
    """Strategies that tests name, without a call of their functions."""

    def load(self, path: Path) -> Loaded:
        """As it is, and as editors show it."""
        return load_strategy(beside(path, path.name), ask=False)


def analyse(document: Document, texts: Mapping[str, bytes], stop: Callable[[], bool], *, ask: bool) -> Analysis:
    """Checks one document with what is not saved yet in place of files.

    With ``ask`` functions of `decide` are called as `fixaccel check` does; without, answers that are kept count.
    Raises SupersededError as soon as ``stop`` says so, which ends a function that is being asked.
    """

    def progress(_name: str, _done: float) -> None:
        if stop():
            raise SupersededError

    with unsaved({**texts, str(document.path): document.text.encode("utf-8", "replace")}):
        found = _check(document, progress, ask=ask)
    if stop():
        raise SupersededError
    files = found.files if isinstance(found, Loaded) else getattr(found, "files", ())
    return Analysis(
        document,
        list(found.diagnostics),
        found.sources,
        frozenset(beside(path, path.name) for path in (document.path, *files)),
        found.strategy if isinstance(found, Loaded) else None,
        found.unasked if isinstance(found, Loaded) else (),
    )


def _check(document: Document, progress: Callable[[str, float], None], *, ask: bool) -> Checked:
    if document.kind == "test":
        return load_suite(document.path, _Strategies())
    return check_file(document.path, progress=progress, ask=ask)
