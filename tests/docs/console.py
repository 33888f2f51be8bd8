# SPDX-License-Identifier: Apache-2.0
"""Blocks of a page that show what to type and what comes of it."""

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CONSOLE = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"^```\{code-block\} \w+\n:caption: (\S+)\n(?::[^\n]*\n)*\n(.*?)^```", re.MULTILINE | re.DOTALL)


@dataclass
class Command:
    line: str
    code: int
    output: list[str]


def commands(text: str) -> list[Command]:
    """Lines behind a prompt, without their comments, and the lines below them."""
    found: list[Command] = []
    for block in CONSOLE.findall(text):
        for line in block.splitlines():
            if line.startswith("$ "):
                command, _, comment = line[2:].partition("  #")
                code = re.search(r"exit code ([0-9]+)", comment)
                found.append(Command(command.strip(), int(code[1]) if code else 0, []))
            elif found:
                found[-1].output.append(line.rstrip())
    return found


def matches(shown: list[str], seen: str) -> bool:
    """Whether the output is what a page shows."""
    lines = [r"(?:[^\n]*\n)*" if line == "..." else re.escape(line).replace(r"\.\.\.", ".*") + " *\n" for line in shown]
    return re.fullmatch("".join(lines), seen) is not None


def files(text: str, folder: Path) -> None:
    """Makes what a page shows as files, in a folder as after a clone."""
    (folder / "strategies").symlink_to(ROOT / "strategies")
    (folder / "build").mkdir()
    for name, content in FILE.findall(text):
        (folder / name).write_text(content, encoding="utf-8")


def run(command: Command, folder: Path, **settings: str) -> None:
    """Runs it with the virtual environment on the path. Raises AssertionError if something else comes of it."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        command.line,
        shell=True,
        cwd=folder,
        env=os.environ | {"PATH": path} | settings,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == command.code, f"{command.line}\n{done.stdout}{done.stderr}"
    assert not command.output or matches(command.output, done.stdout), f"{command.line}\n{done.stdout}"
