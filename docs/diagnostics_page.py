# SPDX-License-Identifier: Apache-2.0
"""Makes the reference page of diagnostics from the compiler's table of codes."""

from fixaccel.diagnostics import CODES, Code

_HEAD = """# Diagnostics

Every message of the compiler has a code that never changes its meaning. `fixaccel check` and `fixaccel compile` report
all of them in one run, each with file, line, column and a way out. This page is made from the compiler's own table.

| code | name | severity | |
| --- | --- | --- | --- |
"""


def _section(code: Code) -> str:
    lines = [f"## {code.number} {code.slug}", "", f"*{code.severity.value}*: {code.title}", "", code.explanation]
    if code.example.text:
        lines += ["", "For example:", "", "```text", code.example.text.rstrip("\n"), "```"]
    return "\n".join(lines)


def page() -> str:
    """The page as MyST Markdown."""
    rows = [
        f"| {c.number} | {c.slug} | {c.severity.value} | {c.title.replace('|', chr(92) + '|')} |"
        for c in CODES.values()
    ]
    return _HEAD + "\n".join(rows) + "\n\n" + "\n\n".join(map(_section, CODES.values())) + "\n"
