# SPDX-License-Identifier: Apache-2.0
"""Deliberate faults, which each proof and each model has to find; what proofs and models say at the end."""

from pathlib import Path

import click


def with_fault(file: Path, text: str, becomes: str) -> str:
    """The file's content with a fault in it. Raises ValueError unless ``text`` stands there just once."""
    whole = file.read_text(encoding="utf-8")
    if whole.count(text) != 1:
        raise ValueError(f"{file} has {whole.count(text)} times what a fault replaces: {text}")
    return whole.replace(text, becomes)


def say(lines: list[tuple[bool, str, str]]) -> bool:
    """Prints whether each check holds, what is said of it, and the tool's own account. Returns whether all hold."""
    for _, line, text in lines:
        click.echo(line)
        if text:
            click.echo(text, err=True)
    return all(holds for holds, _, _ in lines)
