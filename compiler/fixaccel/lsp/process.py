# SPDX-License-Identifier: Apache-2.0
"""Analyses in processes of their own: answers are not kept waiting, and what is superseded ends at once.

Each is forked from a server that has the compiler imported. One that found strategies sound lives on: it tells of
their rules until a newer one takes its place.
"""

import multiprocessing
import os
import re
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, TypeAlias

from fixaccel.diagnostics.codes import CODES
from fixaccel.language.text.files import FILE_BYTES, read_bytes
from fixaccel.lsp.analysis import Analysis, LoadedRules, Rules, SupersededError, analyse
from fixaccel.lsp.contents import READ_MOST, Content, content_of
from fixaccel.lsp.documents import Document

Read: TypeAlias = list[tuple[str, Content]]  # by the texts of pieces

LONG = 64_000  # characters: of less an analysis is over before a process would have begun

_CONTEXT = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload([__name__, "fixaccel.cli.main"])
_TABLE = re.compile(r"\btable *:")
_POLL_S = 0.02
_ANSWER_S = 2.0  # the process does nothing else: longer than that it is not well
_NICE = 5
_PIECES = 64  # read before questions are looked for again


class AnalysisError(Exception):
    """A fault of ours in the other process; its text is the trace there."""


class ProcessRules:
    """Asks the process that analysed. Messages come in the order in which the process has them ready."""

    def __init__(self, process: Any, connection: Connection) -> None:  # noqa: ANN401 - a context's own class
        self._process = process
        self._connection = connection
        self._lock = threading.Lock()
        self._read: Read | None = None

    def text(self, strategy: Path, name: str) -> str | None:
        """As `Rules`."""
        with self._lock, suppress(OSError, EOFError):
            self._connection.send((strategy, name))
            while self._connection.poll(_ANSWER_S):
                kind, content = self._connection.recv()
                if kind == "text":
                    return content if isinstance(content, str) else None
                self._read = content
        return None

    def read(self, stop: Callable[[], bool]) -> Read:
        """What stands in the text, once that has come; nothing where ``stop`` says so before."""
        with suppress(OSError, EOFError):
            while self._read is None and not stop():
                with self._lock:
                    if self._connection.poll(0):
                        self._read = self._connection.recv()[1]
                        break
                # Without the lock, so that questions come between.
                self._process.join(_POLL_S)
        return self._read or []

    def close(self) -> None:
        """As `Rules`."""
        self._process.terminate()
        with self._lock:
            self._connection.close()


def analyse_in_place(
    document: Document, texts: Mapping[str, bytes], stop: Callable[[], bool], *, ask: bool
) -> Analysis:
    """As `analyse`: here what is short, in a process what may take long."""
    run = analyse_apart if _may_take_long(document, texts) else analyse
    return run(document, texts, stop, ask=ask)


def _may_take_long(document: Document, texts: Mapping[str, bytes]) -> bool:
    """A long text, or one with tables, or tests of such a strategy."""
    strategy = document.named("strategy") if document.kind == "test" else None
    tested = ""
    with suppress(OSError, ValueError):
        if strategy:
            data = texts.get(str(strategy))
            tested = (read_bytes(strategy, FILE_BYTES) if data is None else data).decode("utf-8", "replace")
    return any(len(text) > LONG or _TABLE.search(text) for text in (document.text, tested))


def analyse_apart(document: Document, texts: Mapping[str, bytes], stop: Callable[[], bool], *, ask: bool) -> Analysis:
    """As `analyse`. What stands in a text of which much is new is read there too, after it.

    Raises AnalysisError for what that raises.
    """
    ours, theirs = _CONTEXT.Pipe()
    new = document.contents is not None and document.contents.unread > READ_MOST
    plain = replace(document, known={})
    process = _CONTEXT.Process(target=_work, args=(theirs, plain, dict(texts), ask, new), daemon=True)
    process.start()
    theirs.close()
    rules = ProcessRules(process, ours)
    try:
        while not ours.poll(_POLL_S):
            if stop():
                raise SupersededError
        kind, content = ours.recv()
    except (OSError, EOFError):
        rules.close()
        raise AnalysisError(f"the process that analysed ended with {process.exitcode}") from None
    except SupersededError:
        rules.close()
        raise
    if kind == "fault":
        rules.close()
        raise AnalysisError(content)
    diagnostics, sources, files, unasked, sound = content
    whole = [replace(one, code=CODES[one.code]) for one in diagnostics]

    def then(superseded: Callable[[], bool]) -> None:
        if new and document.contents:
            document.contents.learn(rules.read(superseded))
        if not sound:
            rules.close()

    return Analysis(document, whole, sources, files, unasked, rules if sound else None, then)


def _work(connection: Connection, document: Document, texts: Mapping[str, bytes], ask: bool, new: bool) -> None:
    _settle()
    try:
        # Nothing is asked before the analysis is told: what there is to read is the editor's end.
        analysis = analyse(document, texts, lambda: connection.poll(0), ask=ask)
    except SupersededError:
        return
    except Exception:  # noqa: BLE001 - whatever it is, the server tells of it
        connection.send(("fault", traceback.format_exc()))
        return
    with suppress(OSError, EOFError):
        plain = [replace(one, code=one.code.number) for one in analysis.diagnostics]  # type: ignore[arg-type]
        rules = analysis.rules if isinstance(analysis.rules, LoadedRules) else LoadedRules({})
        connection.send(
            ("analysis", (plain, analysis.sources, analysis.files, analysis.unasked, analysis.rules is not None))
        )
        rules.prepare()
        if new:
            connection.send(("read", [*_read(document, lambda: _answer(connection, rules, 0))]))
        while True:
            _answer(connection, rules, None)


def _settle() -> None:
    """What it is asked to end by also ends a function of `decide` that is being asked."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Standard output is the editor's.
    os.dup2(2, 1)
    # On a busy machine answers come first.
    os.nice(_NICE)


def _read(document: Document, between: Callable[[], None]) -> Iterator[tuple[str, Content]]:
    pieces = document.pieces
    for number, piece in enumerate(pieces.pieces if pieces else ()):
        if number % _PIECES == 0:
            between()
        if pieces:
            yield pieces.text_of(piece), content_of(document.kind, pieces, piece, str(document.path))


def _answer(connection: Connection, rules: Rules, patience: float | None) -> None:
    """One question, if one comes within that time."""
    if connection.poll(patience):
        connection.send(("text", rules.text(*connection.recv())))
