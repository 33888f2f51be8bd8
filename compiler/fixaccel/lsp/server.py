# SPDX-License-Identifier: Apache-2.0
"""The language server: requests of the protocol, each answered by a file of its own here.

Texts come whole, not as changes: the library and YAML disagree on what ends a line, and a file is small.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping
from importlib.metadata import version
from typing import Any, TypeAlias

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from fixaccel.lsp.completion import complete
from fixaccel.lsp.documents import Document, path_of
from fixaccel.lsp.fixes import fixes
from fixaccel.lsp.hover import hover
from fixaccel.lsp.layout import NotLaidOutError, layout
from fixaccel.lsp.navigation import definition, references
from fixaccel.lsp.process import analyse_in_place
from fixaccel.lsp.session import TYPING_S, Session
from fixaccel.lsp.symbols import symbols

Handler: TypeAlias = Callable[[Any], Any]
Answer: TypeAlias = Callable[[Session, Document, Any], Any]

ANSWERS: dict[str, tuple[Answer, Any]] = {
    types.TEXT_DOCUMENT_HOVER: (lambda session, document, asked: hover(session, document, asked.position), None),
    types.TEXT_DOCUMENT_COMPLETION: (
        lambda session, document, asked: complete(session, document, asked.position),
        types.CompletionOptions(trigger_characters=[" ", ":", "{", ",", "[", "/"]),
    ),
    types.TEXT_DOCUMENT_DEFINITION: (
        lambda session, document, asked: definition(session, document, asked.position),
        None,
    ),
    types.TEXT_DOCUMENT_REFERENCES: (
        lambda session, document, asked: references(
            session, document, asked.position, declared=asked.context.include_declaration
        ),
        None,
    ),
    types.TEXT_DOCUMENT_DOCUMENT_SYMBOL: (lambda _session, document, _asked: symbols(document), None),
    types.TEXT_DOCUMENT_FORMATTING: (lambda _session, document, _asked: layout(document), None),
    types.TEXT_DOCUMENT_CODE_ACTION: (
        lambda session, document, asked: fixes(session, document, asked.range),
        types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix]),
    ),
}

_LOG = logging.getLogger("fixaccel.lsp")
_WATCHED = "**/*.{yaml,yml,csv,parquet,py}"


class Server(LanguageServer):
    """One editor's."""

    def __init__(self) -> None:
        super().__init__("fixaccel", version("fixaccel"), text_document_sync_kind=types.TextDocumentSyncKind.Full)
        self.session = Session(self._publish, self.tell_crash, analyse_in_place)
        self._loop: Any = None
        self._register()

    def report_server_error(self, error: Exception, source: Any) -> None:  # noqa: ANN401, ARG002 - pygls's signature
        """A message that cannot be understood is logged: nothing of ours can be done about it."""
        _LOG.warning("%s", " ".join(str(error).split())[:500])

    def tell_crash(self, what: str, error: BaseException) -> None:
        """A fault of ours: a line for the editor's log, the trace for our own."""
        _LOG.error("%s", what, exc_info=error)
        reason = " ".join(f"{type(error).__name__}: {error}".split())[:300]
        message = f"fixaccel: {what} failed ({reason})"
        self._later(lambda: self.window_log_message(types.LogMessageParams(types.MessageType.Error, message)))

    def _publish(self, params: types.PublishDiagnosticsParams) -> None:
        self._later(lambda: self.text_document_publish_diagnostics(params))

    def _later(self, call: Callable[[], None]) -> None:
        """In the thread that talks to the editor; nothing once that has ended."""
        try:
            if self._loop:
                self._loop.call_soon_threadsafe(call)
        except RuntimeError:
            _LOG.debug("the editor has gone")

    def shutdown(self) -> None:
        """Ends what is being analysed."""
        self.session.close()
        super().shutdown()  # type: ignore[no-untyped-call]

    def _register(self) -> None:
        told: dict[str, Handler] = {
            types.INITIALIZE: self._initialize,
            types.INITIALIZED: self._initialized,
            types.TEXT_DOCUMENT_DID_OPEN: self._opened,
            types.TEXT_DOCUMENT_DID_CHANGE: self._changed,
            types.TEXT_DOCUMENT_DID_SAVE: self._saved,
            types.TEXT_DOCUMENT_DID_CLOSE: self._closed,
            types.WORKSPACE_DID_CHANGE_WATCHED_FILES: self._files_changed,
        }
        for name, handler in told.items():
            self.feature(name)(self._guarded(name, handler))
        for name, (answer, options) in ANSWERS.items():
            self.feature(name, options)(self._in_thread(name, answer))

    def _guarded(self, name: str, handler: Handler) -> Handler:
        """A fault of ours is logged, and the request answered with nothing."""

        def guarded(params: Any) -> Any:  # noqa: ANN401 - as the protocol has it
            try:
                return handler(params)
            except Exception as error:  # noqa: BLE001 - whatever it is, the editor goes on
                self.tell_crash(name, error)
                return None

        return guarded

    def _in_thread(self, name: str, answer: Answer) -> Handler:
        """A long answer does not keep the next key waiting; it is about the text as it was when it was asked for."""

        async def answered(params: Any) -> Any:  # noqa: ANN401 - as the protocol has it
            document = self.session.documents.opened(path_of(params.text_document.uri))
            if document is None:
                return None
            call = self._guarded(name, lambda params: self._answer(answer, document, params))
            return await asyncio.get_running_loop().run_in_executor(self.thread_pool, call, params)

        return answered

    def _answer(self, answer: Answer, document: Document, params: Any) -> Any:  # noqa: ANN401 - as the protocol has it
        try:
            return answer(self.session, document, params)
        except NotLaidOutError as error:
            message = str(error)
            self._later(lambda: self.window_show_message(types.ShowMessageParams(types.MessageType.Warning, message)))
            return None

    def _initialize(self, params: types.InitializeParams) -> None:
        self._loop = asyncio.get_running_loop()
        session, options = self.session, params.initialization_options
        session.documents.encoding = str(self.workspace.position_codec.encoding)
        folders = [folder.uri for folder in params.workspace_folders or ()] or [params.root_uri or ""]
        session.documents.roots = [path_of(uri) for uri in folders if uri.startswith("file:")]
        if isinstance(options, Mapping):
            session.ask_on_save = options.get("decide", "saved") != "never"
        session.start()

    def _initialized(self, _params: types.InitializedParams) -> None:
        watching = self.client_capabilities.workspace and self.client_capabilities.workspace.did_change_watched_files
        if watching and watching.dynamic_registration:
            options = types.DidChangeWatchedFilesRegistrationOptions([types.FileSystemWatcher(_WATCHED)])
            name = types.WORKSPACE_DID_CHANGE_WATCHED_FILES
            self.client_register_capability(types.RegistrationParams([types.Registration("files", name, options)]))

    def _opened(self, params: types.DidOpenTextDocumentParams) -> None:
        document = params.text_document
        self.session.show(document.uri, document.text, document.version)

    def _changed(self, params: types.DidChangeTextDocumentParams) -> None:
        document = params.text_document
        text = self.workspace.get_text_document(document.uri).source
        self.session.show(document.uri, text, document.version, TYPING_S)

    def _saved(self, params: types.DidSaveTextDocumentParams) -> None:
        self.session.saved(params.text_document.uri)

    def _closed(self, params: types.DidCloseTextDocumentParams) -> None:
        self.session.hide(params.text_document.uri)

    def _files_changed(self, params: types.DidChangeWatchedFilesParams) -> None:
        for change in params.changes:
            self.session.changed_on_disk(path_of(change.uri))
