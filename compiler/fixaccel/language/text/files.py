# SPDX-License-Identifier: Apache-2.0
"""Bytes of a file to checked text: bounded size, UTF-8, no characters that hide what a file says."""

import hashlib
import os
import re
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from fixaccel.diagnostics.codes import reading as codes
from fixaccel.diagnostics.report import Report
from fixaccel.source import SourceFile, Span

# Some thirty thousand rules written by hand; more triggers belong in a table file.
FILE_BYTES = 4 << 20

# What YAML calls printable, less the line ends of other systems and the marks that reorder text on a screen.
BAD_CHARACTERS = re.compile(
    "[^\t\n\r\x20-\x7e\xa0-\u2027\u202f-\u2065\u206a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
)
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_BOM = "\ufeff"


def read_source(
    path: Path,
    name: str,
    report: Report,
    sources: dict[str, SourceFile],
    *,
    asked_at: Span | None = None,
    given: bytes | None = None,
) -> SourceFile | None:
    """The text of ``path``, called ``name`` in diagnostics; None if it is unusable.

    Enters it into ``sources``, also when only a character in it is wrong. ``asked_at`` is the place that names the
    file, where a missing file is reported; ``given`` is its content where that is known already.
    """
    start = Span(name, 1, 1, 1, 1)
    try:
        data = read_bytes(path, FILE_BYTES) if given is None else given
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        report.add(codes.CANNOT_READ, f"cannot read {name}: {reason}", asked_at or start)
        return None
    if len(data) > FILE_BYTES:
        bound = f"{FILE_BYTES >> 20} MiB"
        report.add(codes.TOO_LARGE, f"{name} is larger than {bound}", start, help="move triggers into a table file")
        return None
    text = decode(data, start, report)
    if text is None:
        return None
    sources[name] = SourceFile(name, text, hashlib.sha256(data).hexdigest())
    return sources[name] if _characters_are_good(sources[name], report) else None


_UNSAVED: ContextVar[Mapping[str, bytes]] = ContextVar("unsaved", default={})  # noqa: B039 - it is only read


@contextmanager
def unsaved(texts: Mapping[str, bytes]) -> Iterator[None]:
    """Inside, these go before what is on disk: files by absolute path, as an editor shows them."""
    token = _UNSAVED.set(texts)
    try:
        yield
    finally:
        _UNSAVED.reset(token)


def read_bytes(path: Path, most: int) -> bytes:
    """The file's bytes, at most ``most`` and one more. Raises OSError; ValueError for what is not a regular file."""
    shown = _UNSAVED.get()
    if shown and (text := shown.get(os.path.abspath(path))) is not None:  # noqa: PTH100 - no link is followed
        return text[: most + 1]
    # Non-blocking: a pipe without a writer must not hang the compiler.
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    with open(descriptor, "rb") as file:  # noqa: PTH123 - the descriptor is open already
        mode = os.fstat(descriptor).st_mode
        if stat.S_ISDIR(mode):
            raise ValueError("it is a folder")
        if not stat.S_ISREG(mode):
            raise ValueError("it is not a regular file")
        return file.read(most + 1)


def decode(data: bytes, start: Span, report: Report) -> str | None:
    """The text of a file that begins at ``start``, its byte order mark taken off; None after reporting why not."""
    if data.startswith(_UTF16):
        report.add(codes.NOT_UTF8, "this file is UTF-16", start, help="save it as UTF-8")
        return None
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        good = SourceFile.of(start.file, data[: error.start].decode("utf-8"))
        place = good.span_at(len(good.text))
        report.add(codes.NOT_UTF8, f"byte 0x{data[error.start]:02x} is not UTF-8 text", place, help="save it as UTF-8")
        return None
    if text.startswith(_BOM):
        report.add(
            codes.BYTE_ORDER_MARK, "the file begins with a byte order mark", start, help="save it as UTF-8 without mark"
        )
        text = text[1:]
    return text


def _characters_are_good(source: SourceFile, report: Report) -> bool:
    bad = BAD_CHARACTERS.search(source.text)
    if bad:
        message = f"character U+{ord(bad.group()):04X} must not stand here"
        report.add(codes.BAD_CHARACTER, message, source.span_at(bad.start()), help="remove it")
    return bad is None
