# SPDX-License-Identifier: Apache-2.0
"""Results of tests for people: expected and seen side by side, and a summary."""

from collections import Counter
from collections.abc import Sequence
from itertools import groupby

from rich.console import Console
from rich.table import Table
from rich.text import Text

from fixaccel.testing.compare import Pair, texts
from fixaccel.testing.coverage import Coverage
from fixaccel.testing.run import Result

_MARKS = {True: " ", False: "~"}
_MOST_NAMES = 20


def show_results(results: Sequence[Result], console: Console) -> None:
    """Every file in a line, every failure in full."""
    for name, group in groupby(results, key=lambda result: result.suite.name):
        console.print(Text(f"{name}: {counts(list(group))}"))
    for result in results:
        if result.failed:
            console.print()
            _show_failure(result, console)
        elif result.not_run:
            console.print(Text(f"\nnot run: {place(result)}: {result.case.name}\n  {result.not_run}", style="yellow"))


def place(result: Result) -> str:
    """Where the test stands."""
    return f"{result.case.span}"


def counts(results: Sequence[Result]) -> str:
    """`3 passed, 1 failed`."""
    found = Counter(result.outcome for result in results)
    words = ["passed", "failed", *(["not run"] if found["not run"] else [])]
    return ", ".join(f"{found[word]} {word}" for word in words)


def _show_failure(result: Result, console: Console) -> None:
    console.print(Text("FAILED", style="bold red"), Text(f"{place(result)}: {result.case.name}", style="bold"))
    table = Table(box=None, pad_edge=False, header_style="dim", expand=False)
    table.add_column("")
    table.add_column("expected", overflow="fold")
    table.add_column("seen", overflow="fold")
    for pair in result.pairs:
        table.add_row(*_row(pair))
    console.print(table)
    for reason in result.reasons:
        console.print(Text(f"  {reason}"))


def _row(pair: Pair) -> tuple[Text, Text, Text]:
    """A mark, what was expected, what was seen: there the keys that the expectation gives, or the usual ones."""
    if pair.expected is None:
        assert pair.seen
        return Text("+", style="red"), Text(""), _words(texts(pair.seen), _USUAL, pair.different)
    wanted = texts(pair.expected)
    if pair.seen is None:
        return Text("-", style="red"), _words(wanted, tuple(wanted), pair.different), Text("nothing")
    seen = _words(texts(pair.seen), tuple(wanted), pair.different)
    return Text(" " if pair.same else "~", style="red"), _words(wanted, tuple(wanted), pair.different), seen


_USUAL = ("event", "rule", "side", "qty", "type", "price", "observed", "outcome")


def _words(values: dict[str, str], keys: tuple[str, ...], different: tuple[str, ...]) -> Text:
    """`event 2, rule protect, *qty 3*`: stars mark a difference where there is no colour."""
    line = Text()
    for number, key in enumerate(keys):
        line.append(", " if number else "")
        word = f"{key} {values[key]}"
        line.append(f"*{word}*" if key in different else word, style="bold red" if key in different else "")
    return line


def show_coverage(found: Sequence[Coverage], console: Console) -> None:
    """Rules that no test saw fire, by strategy."""
    for entry in found:
        covered = entry.rules - len(entry.never)
        parts = f" ({entry.parts_fired} of {entry.parts} parts)" if entry.parts != entry.rules else ""
        head = f"{entry.strategy}: {covered} of {entry.rules} rules fired in a test{parts}, {entry.percent:.0f} %"
        console.print(Text(head))
        for block in entry.never[:_MOST_NAMES]:
            console.print(Text(f"  never fired: {block.id} ({block.span})", style="yellow"))
        if len(entry.never) > _MOST_NAMES:
            console.print(Text(f"  and {len(entry.never) - _MOST_NAMES} more"))
        for block, fired in entry.partly[:_MOST_NAMES]:
            console.print(Text(f"  fired in part: {block.id}, {fired} of {len(block)}"))
