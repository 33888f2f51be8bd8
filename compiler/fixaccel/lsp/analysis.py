# SPDX-License-Identifier: Apache-2.0
"""One run of the compiler's front half over what editors show: diagnostics of all files that it read."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from fixaccel.diagnostics.checked import Checked
from fixaccel.diagnostics.report import Diagnostic
from fixaccel.language.keys.schema import Located
from fixaccel.language.rules import Strategy
from fixaccel.language.text.files import unsaved
from fixaccel.lsp.documents import Document, beside
from fixaccel.lsp.rule_text import RuleTexts
from fixaccel.pipeline import Loaded, check_file, load_strategy
from fixaccel.source import SourceFile
from fixaccel.testing.load import Strategies, load_suite


class SupersededError(Exception):
    """There is a newer text: nobody waits for this analysis any more."""


class Rules(Protocol):
    """Tells of the rules of strategies that were found sound."""

    def text(self, strategy: Path, name: str) -> str | None:
        """Markdown about a rule or a part of one; None where nothing is known of it."""

    def close(self) -> None:
        """Nobody asks any more."""


@dataclass(frozen=True)
class Analysis:
    """What came of one text of one file; ``files`` are all that it depends on."""

    document: Document
    diagnostics: list[Diagnostic] = field(default_factory=list)
    sources: Mapping[str, SourceFile] = field(default_factory=dict)
    files: frozenset[Path] = frozenset()
    unasked: tuple[Located[str], ...] = ()
    rules: Rules | None = None  # of its strategies, where one is sound
    then: Callable[[Callable[[], bool]], None] | None = None  # what is left to do once it has been told

    @property
    def failed(self) -> bool:
        """Whether there is an error."""
        return any(diagnostic.is_error for diagnostic in self.diagnostics)


class _Strategies(Strategies):
    """Strategies that tests name, without a call of their functions."""

    def load(self, path: Path) -> Loaded:
        """As it is, and as editors show it."""
        place = beside(path, path.name)
        self._loaded[place] = load_strategy(place, ask=False)
        return self._loaded[place]

    def sound(self) -> dict[Path, Strategy]:
        """Those that were loaded without an error."""
        return {path: loaded.strategy for path, loaded in self._loaded.items() if loaded.strategy}


class LoadedRules:
    """Of strategies at hand."""

    def __init__(self, strategies: Mapping[Path, Strategy]) -> None:
        self._texts = {path: RuleTexts(strategy) for path, strategy in strategies.items()}

    def prepare(self) -> None:
        """Looks up at once what is looked up over all rules."""
        for texts in self._texts.values():
            texts.text("")

    def text(self, strategy: Path, name: str) -> str | None:
        """As `Rules`."""
        texts = self._texts.get(strategy)
        return texts.text(name) if texts else None

    def close(self) -> None:
        """As `Rules`."""


def analyse(document: Document, texts: Mapping[str, bytes], stop: Callable[[], bool], *, ask: bool) -> Analysis:
    """Checks one document with what is not saved yet in place of files.

    With ``ask`` functions of `decide` are called as `fixaccel check` does; without, answers that are kept count.
    Raises SupersededError as soon as ``stop`` says so, which ends a function that is being asked.
    """

    def progress(_name: str, _done: float) -> None:
        if stop():
            raise SupersededError

    with unsaved({**texts, str(document.path): document.text.encode("utf-8", "replace")}):
        found, sound = _check(document, progress, ask=ask)
    if stop():
        raise SupersededError
    files = found.files if isinstance(found, Loaded) else getattr(found, "files", ())
    return Analysis(
        document,
        list(found.diagnostics),
        found.sources,
        frozenset(beside(path, path.name) for path in (document.path, *files)),
        found.unasked if isinstance(found, Loaded) else (),
        LoadedRules(sound) if sound else None,
    )


def _check(
    document: Document, progress: Callable[[str, float], None], *, ask: bool
) -> tuple[Checked, dict[Path, Strategy]]:
    """What was found, and the strategies that are sound."""
    if document.kind == "test":
        strategies = _Strategies()
        return load_suite(document.path, strategies), strategies.sound()
    checked = check_file(document.path, progress=progress, ask=ask)
    strategy = checked.strategy if isinstance(checked, Loaded) else None
    return checked, {document.path: strategy} if strategy else {}
