# SPDX-License-Identifier: Apache-2.0
"""Makes a page for each example in strategies/ from its head comment, and the list of them."""

from pathlib import Path

_HEAD = """# Example strategies

Each of these compiles, and each has tests beside it: `fixaccel test strategies` runs them all. The quickest way to a
strategy of your own is to copy the nearest and change it, or `fixaccel new`.

"""


def pages(strategies: Path) -> dict[str, str]:
    """Pages by name, MyST Markdown; ``index`` is the list."""
    files = [path for path in sorted(strategies.glob("*.yaml")) if not path.name.endswith(".test.yaml")]
    entries = {path.stem: _page(path) for path in files}
    rows = [f"- [](strategies/{path.stem}.md): {_sentence(path)}" for path in files]
    toctree = ["```{toctree}", ":hidden:", "", *(f"strategies/{path.stem}" for path in files), "```"]
    return {"index": _HEAD + "\n".join([*rows, "", *toctree, ""]), **entries}


def _comment(path: Path) -> list[str]:
    """The head comment, the licence line left out."""
    lines = path.read_text(encoding="utf-8").splitlines()
    end = next(number for number, line in enumerate(lines) if not line.startswith("#"))
    return [
        line.removeprefix("#").removeprefix(" ") for line in lines[:end] if "SPDX" not in line and "$schema" not in line
    ]


def _sentence(path: Path) -> str:
    return " ".join(_comment(path)).partition(". ")[0].rstrip(".") + "."


def _page(path: Path) -> str:
    # Commands stand indented in the comment; in a page they are a block.
    prose = [f"    {line.strip()}" if line.startswith("  ") else line for line in _comment(path)]
    parts = [f"# {path.stem}", "", *prose, "", *_include(path, "yaml")]
    folder = path.parent
    text = path.read_text(encoding="utf-8")
    for extra in sorted([*folder.glob("tables/*"), *folder.glob("python/*.py")]):
        if f"{extra.parent.name}/{extra.name}" in text:
            parts += _include(extra, "python" if extra.suffix == ".py" else "text")
    test = path.with_suffix(".test.yaml")
    if test.exists():
        parts += ["Its tests:", "", *_include(test, "yaml")]
    return "\n".join(parts)


def _include(path: Path, language: str) -> list[str]:
    name = path.relative_to(path.parents[1] if path.parent.name == "strategies" else path.parents[2]).as_posix()
    return [f"```{{literalinclude}} ../../{name}", f":language: {language}", f":caption: {name}", "```", ""]
