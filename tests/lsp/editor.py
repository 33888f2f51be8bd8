# SPDX-License-Identifier: Apache-2.0
"""An editor's side of the protocol: frames over the pipes of a server that it has started, or over a socket."""

import json
import queue
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

PATIENCE_S = 60.0
Message = dict[str, Any]

# What the sessions are about: `HEAD` begins a strategy, in the folder of the venue.
VENUE = """\
fixaccel-venue: 1
name: test
time_zone: UTC
session: {begin_string: FIX.4.4, sender_comp_id: A, target_comp_id: B, connect: 127.0.0.1:9878, heartbeat: 30s}
market_data: {message: snapshot}
instruments:
  MSFT: {tick: 0.01, lot: 1, price_range: 0.01..10000}
"""
HEAD = "fixaccel: 1\nvenue: venue.yaml\nlimits: {collar: 5%}\nrules:\n"


class Editor:
    """Keeps what the server has told; asks and waits for the answer."""

    def __init__(self, reading: BinaryIO, writing: BinaryIO) -> None:
        self._reading = reading
        self._writing = writing
        self._came: queue.Queue[Message | None] = queue.Queue()
        self._asked = 0
        self.told: list[Message] = []
        self.answers: dict[int, Message] = {}
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self) -> None:
        while (length := self._header()) is not None:
            self._came.put(json.loads(self._reading.read(length)))
        self._came.put(None)

    def _header(self) -> int | None:
        length = None
        while line := self._reading.readline():
            if line == b"\r\n":
                return length
            if line.startswith(b"Content-Length: "):
                length = int(line[16:])
        return None

    def send(self, message: Message) -> None:
        data = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self._writing.write(b"Content-Length: %d\r\n\r\n%b" % (len(data), data))
        self._writing.flush()

    def tell(self, method: str, **params: object) -> None:
        self.send({"method": method, "params": params})

    def begin(self, method: str, **params: object) -> int:
        self._asked += 1
        self.send({"id": self._asked, "method": method, "params": params})
        return self._asked

    def ask(self, method: str, **params: object) -> Any:
        number = self.begin(method, **params)
        answer = self.wait(lambda: self.answers.get(number))
        assert "error" not in answer, answer
        return answer["result"]

    def wait(self, wanted: Callable[[], Any]) -> Any:
        """What ``wanted`` gives, once it gives something."""
        while not (found := wanted()):
            message = self._came.get(timeout=PATIENCE_S)
            assert message is not None, "the server has ended"
            if "method" not in message:
                self.answers[message["id"]] = message
            elif "id" in message:
                self.send({"id": message["id"], "result": None})
                self.told.append(message)
            else:
                self.told.append(message)
        return found

    def start(self, folder: Path, encodings: list[str] | None = None, **options: object) -> Any:
        capabilities: Message = {"general": {"positionEncodings": encodings}} if encodings else {}
        capabilities["workspace"] = {"didChangeWatchedFiles": {"dynamicRegistration": True}}
        answer = self.ask(
            "initialize",
            processId=None,
            rootUri=folder.as_uri(),
            capabilities=capabilities,
            initializationOptions=options,
        )
        self.tell("initialized")
        return answer["capabilities"]

    def open(self, path: Path, text: str | None = None) -> None:
        shown = path.read_text(encoding="utf-8") if text is None else text
        document = {"uri": path.as_uri(), "languageId": "yaml", "version": 1, "text": shown}
        self.tell("textDocument/didOpen", textDocument=document)

    def change(self, path: Path, text: str, version: int) -> None:
        document = {"uri": path.as_uri(), "version": version}
        self.tell("textDocument/didChange", textDocument=document, contentChanges=[{"text": text}])

    def at(self, path: Path, line: int, character: int) -> Message:
        return {"textDocument": {"uri": path.as_uri()}, "position": {"line": line, "character": character}}

    def diagnostics(self, path: Path, wanted: Callable[[list[Message]], bool] = bool) -> list[Message]:
        """The last that were told of a file, once they are as ``wanted``."""

        def find() -> list[list[Message]]:
            told = [
                message["params"]["diagnostics"]
                for message in self.told
                if message["method"] == "textDocument/publishDiagnostics" and message["params"]["uri"] == path.as_uri()
            ]
            return [told[-1]] if told and wanted(told[-1]) else []

        told: list[Message] = self.wait(find)[0]
        return told

    def end(self) -> None:
        self.ask("shutdown")
        self.tell("exit")


def server(*arguments: str, cwd: Path) -> "subprocess.Popen[bytes]":
    line = [sys.executable, "-m", "fixaccel", "lsp", *arguments]
    return subprocess.Popen(line, cwd=cwd, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
