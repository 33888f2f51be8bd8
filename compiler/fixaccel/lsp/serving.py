# SPDX-License-Identifier: Apache-2.0
"""How an editor reaches the server: over standard input and output, or over TCP from the same machine."""

import io
import logging
import os
import signal
from pathlib import Path

from fixaccel.lsp.server import Server
from fixaccel.lsp.streams import EndedReader


def log_to(file: Path | None) -> None:
    """Faults with their traces into ``file``; without one nowhere: the editor is told of each in a line."""
    handler: logging.Handler = logging.FileHandler(file, encoding="utf-8") if file else logging.NullHandler()
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)


def serve_streams() -> bool:
    """Until the editor ends, or SIGINT; whether it was that. Nothing but the protocol goes to standard output."""
    # No process that is started gets hold of the editor's ends.
    reading, writing = EndedReader(os.dup(0)), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    with reading.until(signal.SIGINT):
        Server().start_io(io.BufferedReader(reading), writing)
    return reading.ended


def serve_tcp(host: str, port: int) -> None:
    """One editor, until it ends. Raises OSError where the address cannot be used."""
    Server().start_tcp(host, port)
