# SPDX-License-Identifier: Apache-2.0
"""Values for the place at the cursor, by the key that they belong to and by the schema's kind of it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zoneinfo import available_timezones

from fixaccel.language.documents.venue import TimeZone
from fixaccel.language.keys.kinds import ListOf
from fixaccel.language.keys.prices import ConditionKind, OrderPrice
from fixaccel.language.terms import Source
from fixaccel.language.text.files import FILE_BYTES, read_bytes
from fixaccel.lsp.cursor import MARK, Cursor
from fixaccel.lsp.documents import Document
from fixaccel.lsp.names import group_names, rule_ids
from fixaccel.lsp.places import value_of
from fixaccel.lsp.session import Session
from fixaccel.semantics.messages import CARRIED, EXECUTIONS, Kind
from fixaccel.source import ScalarNode
from fixaccel.values import decimal_text

_OPERATORS = ("<=", ">=", "<", ">")
_FILES = {
    "venue": (".yaml", ".yml"),
    "strategy": (".yaml", ".yml"),
    "table": (".csv", ".parquet"),
    "python": (".py",),
}
_FILES_MOST = 500
_FILL_WORDS = 3  # of `fill RULE QTY`
_FUNCTION = re.compile(r"^def[ \t]+([A-Za-z_][A-Za-z0-9_]*)", re.MULTILINE)


@dataclass(frozen=True)
class Offer:
    """``kind`` is word, instrument, rule, group or file."""

    text: str
    kind: str = "word"
    detail: str = ""


def values(session: Session, document: Document, cursor: Cursor) -> Iterator[Offer]:
    """Those that can stand there, the likeliest first."""
    keys = [part for part in cursor.place.path if isinstance(part, str) and MARK not in part]
    key = keys[-1] if keys else ""
    if key in {"instrument", "per_instrument"}:
        yield from _instruments(session, document)
    elif key in {"armed_by", "cancels", "rule"}:
        yield from _rules(session, document, cursor)
    elif key == "oco":
        yield from (Offer(name, "group") for name in group_names(document.names()))
    elif key == "events":
        yield from _event(session, document, cursor)
    elif key in _FILES:
        yield from _files(document, cursor, key)
    else:
        yield from _of_kind(cursor.place.kind, cursor)


def _instruments(session: Session, document: Document) -> Iterator[Offer]:
    for symbol, instrument in session.instruments(document).items():
        ticks = ", ".join(decimal_text(tick) for _, tick in instrument.ticks.steps)
        yield Offer(symbol, "instrument", f"tick {ticks}, lot {instrument.lot}")


def _rules(session: Session, document: Document, cursor: Cursor) -> Iterator[Offer]:
    strategy = session.strategy_of(document)
    number = cursor.place.path[1] if len(cursor.place.path) > 1 else None
    own = value_of(cursor.tree, "rules", number) if isinstance(number, int) else None
    mine = value_of(own, "id")
    for name in rule_ids(strategy.names()) if strategy else ():
        if not (document is strategy and isinstance(mine, ScalarNode) and mine.text == name):
            yield Offer(name, "rule")


def _event(session: Session, document: Document, cursor: Cursor) -> Iterator[Offer]:
    words = cursor.before.split()
    executions = [kind.value for kind in EXECUTIONS]
    if not words:
        yield from _instruments(session, document)
        yield Offer("*", detail="all instruments")
        yield from (Offer(word) for word in executions)
    elif words[0] in executions:
        if len(words) == 1:
            yield from _rules(session, document, cursor)
        elif words[0] == Kind.FILL.value and len(words) == _FILL_WORDS:
            yield Offer("at")
    else:
        if len(words) == 1:
            yield from (Offer(kind.value) for kind in Kind if kind not in EXECUTIONS)
        yield from (Offer(source.value) for source in CARRIED)


def _files(document: Document, cursor: Cursor, key: str) -> Iterator[Offer]:
    """Files of the folder that is being named, from where this file is; of a Python file its functions."""
    written = document.text[cursor.start : cursor.end]
    if key == "python" and cursor.before.endswith(".py:"):
        yield from _functions(document.path.parent / cursor.before.removesuffix(":"))
        return
    folder, _, _ = written.rpartition("/")
    try:
        found = sorted(path for path in (document.path.parent / folder).iterdir() if not path.name.startswith("."))
    except (OSError, ValueError):
        return
    for path in found[:_FILES_MOST]:
        name = f"{folder}/{path.name}" if folder else path.name
        if path.is_dir():
            yield Offer(f"{name}/", "file")
        elif path.suffix in _FILES[key] and path != document.path:
            yield Offer(f"{name}:" if key == "python" else name, "file")


def _functions(file: Path) -> Iterator[Offer]:
    try:
        text = read_bytes(file, FILE_BYTES).decode("utf-8")
    except (OSError, ValueError):
        return
    yield from (Offer(name) for name in _FUNCTION.findall(text))


def _of_kind(kind: object, cursor: Cursor) -> Iterator[Offer]:
    if isinstance(kind, ListOf):
        kind = kind.kind
    if isinstance(kind, ConditionKind):
        if not cursor.before.strip():
            yield from (Offer(source.value) for source in Source)
        elif len(cursor.before.split()) == 1:
            yield from (Offer(operator) for operator in _OPERATORS)
    elif isinstance(kind, OrderPrice):
        yield from (Offer(text) for text in ("trigger", "trigger + 2 ticks", "trigger - 2 ticks"))
    elif isinstance(kind, TimeZone):
        yield from (Offer(zone) for zone in sorted(available_timezones()))
    elif hasattr(kind, "json_schema") and not cursor.before.strip():
        yield from (Offer(word) for word in _words(kind.json_schema()))


def _words(schema: dict[str, Any]) -> list[str]:
    """Words that the schema lists, also where other forms are allowed beside them."""
    found = [word for word in schema.get("enum", ()) if isinstance(word, str)]
    for inner in schema.get("anyOf", ()):
        found += _words(inner)
    return list(dict.fromkeys(found))
