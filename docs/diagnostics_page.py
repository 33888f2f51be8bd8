# SPDX-License-Identifier: Apache-2.0
"""Makes the reference of diagnostics from the compiler's table of codes: an index, and a page for each code."""

from pathlib import Path

from fixaccel.diagnostics import CODES, Code

_HEAD = """# Diagnostics

Every message of the compiler has a code that never changes its meaning. `fixaccel check` and `fixaccel compile` report
all of them in one run, each with file, line, column and a way out. These pages are made from the compiler's own table;
`fixaccel explain CODE` says what a code means.

| code | name | severity | |
| --- | --- | --- | --- |
"""


def pages(renderings: Path) -> dict[str, str]:
    """Pages by name, MyST Markdown: ``index``, and one for each code. ``renderings`` has ``CODE-name.txt`` files."""
    rows = [
        f"| [{c.number}](diagnostics/{c.number}.md) | {c.slug} | {c.severity.value} | {_cell(c.title)} |"
        for c in CODES.values()
    ]
    toctree = ["```{toctree}", ":hidden:", "", *(f"diagnostics/{number}" for number in CODES), "```", ""]
    index = _HEAD + "\n".join([*rows, "", *toctree])
    return {"index": index, **{code.number: _page(code, renderings) for code in CODES.values()}}


def _page(code: Code, renderings: Path) -> str:
    lines = [f"# {code.number} {code.slug}", "", f"*{code.severity.value}*: {code.title}", "", code.explanation, ""]
    if code.example.text:
        lines += ["For example:", "", *_text(code.example.text)]
    shown = renderings / f"{code.number}-{code.slug}.txt"
    if shown.exists():
        lines += ["What the compiler says of an example:", "", *_text(shown.read_text(encoding="utf-8"))]
    return "\n".join(lines)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _text(text: str) -> list[str]:
    return ["```text", text.rstrip("\n"), "```", ""]
