# SPDX-License-Identifier: Apache-2.0
"""One key of the daemon's settings, in TOML: changed where it stands, and all else left as it was written."""

import re
import tomllib
from pathlib import Path
from typing import Any

from fixaccel.files import write_atomically

_MARK = "  # fixaccel tune"
_LINE = re.compile(r"(?P<before>\s*(?P<key>[A-Za-z0-9_-]+)\s*=\s*)(?P<value>[^#\n]*?)(?P<behind>\s*(?:#[^\n]*)?\n?)\Z")


class SettingsError(Exception):
    """The file cannot be changed without a doubt; the text says why."""


def value_of(text: str, name: str) -> str | None:
    """The value of ``TABLE.KEY`` as it is written, None where it is not given."""
    table, _, key = name.rpartition(".")
    lines = text.splitlines(keepends=True)
    at = _line_of(lines, table, key)
    found = _LINE.match(lines[at]) if at is not None else None
    return found["value"] if found else None


def changed(path: Path, name: str, value: str | None) -> None:
    """Gives ``name`` a value in the file at ``path``, or takes it out. Raises SettingsError, OSError."""
    before = path.read_text(encoding="utf-8")
    after = with_value(before, name, value)
    if after != before:
        write_atomically(path, after.encode())


def with_value(text: str, name: str, value: str | None) -> str:
    """``text`` with another value of ``name``; with None, without what was written for it here."""
    table, _, key = name.rpartition(".")
    try:
        wanted = tomllib.loads(text)
        _put(wanted, table, key, value)
    except (tomllib.TOMLDecodeError, SettingsError) as error:
        raise SettingsError(f"the daemon's settings cannot be read: {error}") from error
    lines = text.splitlines(keepends=True)
    at = _line_of(lines, table, key)
    if at is not None:
        _replace(lines, at, value)
        if value is None and lines[at - 1].rstrip("\n") == _head(table) and _body(lines, table) == (at, at):
            del lines[at - 1]  # the table was made here too
    elif value is not None:
        _insert(lines, table, f"{key} = {value}{_MARK}\n")
    made = "".join(lines)
    if made.endswith("\n") and not text.endswith("\n"):
        made = made[:-1]
    # The lines were found by their looks: what they mean to a reader of TOML decides.
    found = _parsed(made)
    if found is None or _without_empty(found, table) != _without_empty(wanted, table):
        raise SettingsError(f"`{name}` is written in a way that is not understood here: change it by hand")
    return made


def _head(table: str) -> str:
    return f"[{table}]{_MARK}"


def _line_of(lines: list[str], table: str, key: str) -> int | None:
    start, end = _body(lines, table)
    return next((n for n in range(start, end) if (found := _LINE.match(lines[n])) and found["key"] == key), None)


def _replace(lines: list[str], at: int, value: str | None) -> None:
    if value is None:
        del lines[at]
        return
    found = _LINE.match(lines[at])
    assert found
    lines[at] = found["before"] + value + found["behind"]


def _insert(lines: list[str], table: str, line: str) -> None:
    start, _ = _body(lines, table)
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += "\n"
    if not start:
        lines.append(f"{_head(table)}\n")
        start = len(lines)
    lines.insert(start, line)


def _body(lines: list[str], table: str) -> tuple[int, int]:
    """First and last line of a table; 0 twice where there is none."""
    heads = [n for n, line in enumerate(lines) if re.match(r"\s*\[", line)]
    for n in heads:
        if re.match(rf"\s*\[\s*{re.escape(table)}\s*\]", lines[n]):
            return n + 1, next((other for other in heads if other > n), len(lines))
    return 0, 0


def _put(tree: dict[str, Any], table: str, key: str, value: str | None) -> None:
    if value is None:
        _table(tree, table).pop(key, None)
        return
    inner = tree
    for name in table.split("."):
        inner = inner.setdefault(name, {})
        if not isinstance(inner, dict):
            raise SettingsError(f"`{table}` is no table")
    inner[key] = tomllib.loads(f"value = {value}")["value"]


def _table(tree: dict[str, Any], table: str) -> dict[str, Any]:
    found: Any = tree
    for name in table.split("."):
        found = found.get(name, {}) if isinstance(found, dict) else {}
    return found if isinstance(found, dict) else {}


def _without_empty(tree: dict[str, Any], table: str) -> dict[str, Any]:
    """``tree`` without the table where nothing is in it."""
    return {name: inner for name, inner in tree.items() if (name, inner) != (table, {})}


def _parsed(text: str) -> dict[str, Any] | None:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return None
