# SPDX-License-Identifier: Apache-2.0
"""How long an editor waits for the language server's answers in a file of ten thousand rules."""

import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import front
import market
from report import Figure, figure

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "lsp"))

from editor import Editor, server

SMALL, LARGE = 100, front.RULES
NOTE = (
    f"Milliseconds from a request to its answer, over the pipes of a real server, in a file of {LARGE:,} rules; a "
    "sample is a request in the middle of the file, straight behind an edit, while the analysis of the text before is "
    f"being given up. The ratio is to a file of {SMALL:,} rules. `diagnostics` is from an edit to what is wrong with "
    "it, the pause for further keys included."
)
_SAMPLES = 20
_PAUSE_S = 0.25  # lets the analysis of an edit begin
_ASKED = ("completion", "hover", "definition")


def measure() -> list[Figure]:
    """Completion, hover and definition by the size of the file, then diagnostics."""
    small, large = _session(SMALL), _session(LARGE)
    figures = []
    for name in (*_ASKED, "diagnostics"):
        base = figure(f"{name}, {SMALL:,} rules", "ms", small[name])
        figures += [base, figure(f"{name}, {LARGE:,} rules", "ms", large[name], base)]
    return figures


def _session(rules: int) -> dict[str, list[float]]:
    with tempfile.TemporaryDirectory(prefix="fixaccel-bench-") as name:
        folder = Path(name)
        path = folder / "rules.yaml"
        market.venue(folder / "venue.yaml", front.SYMBOLS)
        text = front.strategy(rules)
        path.write_text(text, encoding="utf-8")
        process = server(cwd=folder)
        editor = Editor(process.stdout, process.stdin)  # type: ignore[arg-type]
        try:
            editor.start(folder)
            return _samples(editor, path, text)
        finally:
            process.kill()
            process.wait()


def _samples(editor: Editor, path: Path, text: str) -> dict[str, list[float]]:
    lines = text.splitlines(keepends=True)
    line = next(number for number in range(len(lines) // 2, len(lines)) if "armed_by" in lines[number])
    editor.open(path)
    editor.diagnostics(path)
    for _ in range(2):  # the outline, and what an editor asks for at first, are not what is measured
        editor.ask("textDocument/documentSymbol", textDocument={"uri": path.as_uri()})
    found: dict[str, list[float]] = {name: [] for name in (*_ASKED, "diagnostics")}
    version = 1
    for number in range(_SAMPLES):
        for name in _ASKED:
            version += 1
            lines[line] = lines[line].rstrip("\n") + ("0" if number % 2 else "") + "\n"
            editor.change(path, "".join(lines), version)
            at = editor.at(path, line, len(lines[line]) - 2)
            found[name].append(_ms(partial(editor.ask, f"textDocument/{name}", **at)))
            time.sleep(_PAUSE_S)
    for number in range(3):
        version += 1
        wrong = [*lines[:line], f"    wrong{number}: 1\n", *lines[line:]]
        wanted = partial(_tells, f"`wrong{number}`")
        editor.change(path, "".join(wrong), version)
        waited = _ms(partial(editor.diagnostics, path, wanted))
        found["diagnostics"].append(waited)
    return found


def _tells(text: str, diagnostics: list[dict[str, Any]]) -> bool:
    return any(text in one["message"] for one in diagnostics)


def _ms(work: Callable[[], Any]) -> float:
    start = time.perf_counter()
    work()
    return (time.perf_counter() - start) * 1_000
