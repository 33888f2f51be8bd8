# SPDX-License-Identifier: Apache-2.0
"""What a demo prints."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.table import Table

console = Console(highlight=False, width=None if sys.stdout.isatty() else 120)


@contextmanager
def step(text: str) -> Iterator[None]:
    """Says that it is done once it is."""
    with console.status(text):
        yield
    console.print(f"[green]done[/] {text}")


def table(title: str, columns: str, rows: list[list[str]]) -> None:
    """``columns`` by commas."""
    shown = Table(title=title, title_justify="left", title_style="bold")
    for column in columns.split(","):
        shown.add_column(column)
    for row in rows:
        shown.add_row(*row)
    console.print(shown)
