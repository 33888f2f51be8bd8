# SPDX-License-Identifier: Apache-2.0
"""Makes the reference of all keys from the shapes that read them."""

from collections.abc import Iterator
from typing import Any

from fixaccel.language.keys.schema import Key, Shape
from fixaccel.schemas import SHAPES

_HEAD = """# Keys of all files

Every key that a file may have, made from the shapes that read it. What rules mean is told in [](rules.md) and
[](semantics.md); `fixaccel schema` prints the same as JSON Schema for editors.
"""
_FILES = {
    "strategy": "Strategy files",
    "venue": "Venue files",
    "board": "Board files",
    "test": "Rule tests",
    "tune": "Tuning plans",
    "bus": "Sites of the bus",
}


def page() -> str:
    """The page as MyST Markdown."""
    parts = [_HEAD]
    for kind, title in _FILES.items():
        parts.append(f"## {title}\n")
        parts += [_table(path, shape) for path, shape in _shapes(SHAPES[kind], "")]
    return "\n".join(parts)


def _shapes(shape: Shape, path: str) -> Iterator[tuple[str, Shape]]:
    """This shape and those below it, each with the path of keys that leads there."""
    yield path, shape
    for key in shape.keys.values():
        inner = _inner(key.kind)
        if inner:
            yield from _shapes(inner, f"{path}.{key.name}" if path else key.name)


def _inner(kind: object) -> Shape | None:
    """The shape within a kind, through lists and maps."""
    if isinstance(kind, Shape):
        return kind
    below = getattr(kind, "kind", None) or getattr(kind, "shape", None)
    return _inner(below) if below is not None else None


def _table(path: str, shape: Shape) -> str:
    head = f"### `{path}`\n\n" if path else ""
    rows = [_row(key) for key in shape.keys.values()]
    return f"{head}| key | value | meaning |\n| --- | --- | --- |\n" + "\n".join(rows) + "\n"


def _row(key: Key[Any]) -> str:
    form = key.kind.form if not isinstance(key.kind, Shape) else "a mapping"
    needed = " Required." if key.required else ""
    cells = (f"`{key.name}`", form, key.doc + needed)
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
