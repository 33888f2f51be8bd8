# SPDX-License-Identifier: Apache-2.0
"""Who imports whom: no module in a circle, and what tells of a strategy knows nothing of bundles."""

import ast
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2] / "compiler" / "fixaccel"


def module(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


FILES = {module(path): path for path in PACKAGE.rglob("*.py")}


def statements(node: ast.AST) -> Iterator[ast.ImportFrom | ast.Import]:
    """Imports at any depth, but for those that only the type checker sees."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and isinstance(child.test, ast.Name) and child.test.id == "TYPE_CHECKING":
            continue
        if isinstance(child, ast.ImportFrom | ast.Import):
            yield child
        yield from statements(child)


def imports(name: str) -> set[str]:
    """Modules of ours."""
    found: set[str] = set()
    for statement in statements(ast.parse(FILES[name].read_text(encoding="utf-8"))):
        if isinstance(statement, ast.Import):
            found |= {one.name for one in statement.names}
        elif statement.module:
            named = {f"{statement.module}.{one.name}" for one in statement.names}
            found |= named & FILES.keys() or {statement.module}
    return (found & FILES.keys()) - {name}


def test_no_module_is_in_a_circle_with_others() -> None:
    TopologicalSorter({name: imports(name) for name in FILES}).prepare()


def test_what_explains_knows_nothing_of_bundles() -> None:
    there = {name for name in FILES if name.startswith("fixaccel.explain.")}
    assert there
    assert {name: one for name in there for one in imports(name) if one.startswith("fixaccel.emit")} == {}
