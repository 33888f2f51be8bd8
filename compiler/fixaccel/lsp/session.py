# SPDX-License-Identifier: Apache-2.0
"""What the server knows during a session: the texts, what their analyses gave, and what is still to be analysed."""

from collections.abc import Callable
from pathlib import Path

from lsprotocol import types

from fixaccel.language.terms import Instrument
from fixaccel.lsp.analysis import Analysis, SupersededError, analyse
from fixaccel.lsp.analyst import Analyst
from fixaccel.lsp.documents import Document, Documents, path_of
from fixaccel.lsp.publishing import Publishing

Publish = Callable[[types.PublishDiagnosticsParams], None]

Analyse = Callable[..., Analysis]

TYPING_S = 0.2  # from the last key to the analysis


class Session:
    """``publish`` is called from the thread that analyses."""

    def __init__(
        self, publish: Publish, failed: Callable[[str, BaseException], None], analyse: Analyse = analyse
    ) -> None:
        self.documents = Documents()
        self.publishing = Publishing(self.documents)
        self.ask_on_save = True
        self._publish = publish
        self._failed = failed
        self._run = analyse
        self._sound: dict[Path, Analysis] = {}  # of each file the last one that found a strategy sound
        self._was_ours: set[Path] = set()
        self._analyst = Analyst(self._analyse)

    def start(self) -> None:
        """Begins to analyse."""
        self._analyst.start()

    def close(self) -> None:
        """Ends what is being analysed, and what tells of rules."""
        self._analyst.close()
        for path in list(self._sound):
            self._forget(path)

    def show(self, uri: str, text: str, version: int | None, delay_s: float = 0.0) -> None:
        """A text was opened or changed: it, and what depends on it, is analysed."""
        document = self.documents.put(uri, text, version)
        self._want(document.path, delay_s)

    def saved(self, uri: str) -> None:
        """Functions of `decide` are asked now, where that is wished."""
        document = self.documents.opened(path_of(uri))
        if document:
            self._analyst.want(document.path, ask=self.ask_on_save)

    def hide(self, uri: str) -> None:
        """A text was closed: nothing is told of it any more but what others find."""
        path = self.documents.close(uri)
        self._analyst.forget(path)
        self._was_ours.discard(path)
        self._forget(path)
        self._tell(path, None)
        self.changed_on_disk(path)

    def changed_on_disk(self, path: Path) -> None:
        """What depends on that file is analysed again."""
        for root in self.publishing.depending_on(path):
            self._analyst.want(root, TYPING_S)

    def rule_text(self, strategy: Path, *names: str) -> str | None:
        """The first of these rules or parts that the strategy has, as it last was without an error.

        Of one that is not open, what tests know that are.
        """
        own = self._sound.get(strategy)
        for analysis in [own] if own else list(self._sound.values()):
            for name in names:
                if analysis.rules and (text := analysis.rules.text(strategy, name)):
                    return text
        return None

    def venue_of(self, document: Document) -> Document | None:
        """The venue file of a strategy, or of the strategy that tests name."""
        if document.kind == "venue":
            return document
        strategy = self.strategy_of(document)
        path = strategy.named("venue") if strategy else None
        return self.documents.get(path) if path else None

    def strategy_of(self, document: Document) -> Document | None:
        """The document itself, or the strategy that tests name."""
        if document.kind == "test":
            path = document.named("strategy")
            return self.documents.get(path) if path else None
        return document if document.kind == "strategy" else None

    def instruments(self, document: Document) -> dict[str, Instrument]:
        """Those of its venue that are sound."""
        venue = self.venue_of(document)
        return venue.instruments if venue else {}

    def _want(self, path: Path, delay_s: float) -> None:
        self._analyst.want(path, delay_s)
        for root in self.publishing.depending_on(path):
            self._analyst.want(root, delay_s)

    def _analyse(self, path: Path, ask: bool, stop: Callable[[], bool]) -> None:
        document = self.documents.opened(path)
        if document is None:
            return
        if document.kind is None and path not in self._was_ours:
            self._tell(path, None)
            return
        self._was_ours.add(path)
        try:
            analysis = self._run(document, self.documents.unsaved(), stop, ask=ask)
        except SupersededError:
            return
        except Exception as error:  # noqa: BLE001 - whatever it is, the editor goes on
            self._failed(f"checking {path.name}", error)
            return
        if not self.documents.opened(path):
            if analysis.rules:
                analysis.rules.close()
            return
        if analysis.rules:
            self._forget(path)
            self._sound[path] = analysis
        self._tell(path, analysis)
        if analysis.then:
            analysis.then(stop)

    def _forget(self, path: Path) -> None:
        known = self._sound.pop(path, None)
        if known and known.rules:
            known.rules.close()

    def _tell(self, path: Path, analysis: Analysis | None) -> None:
        for params in self.publishing.put(path, analysis):
            self._publish(params)
