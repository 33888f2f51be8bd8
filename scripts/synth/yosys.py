# SPDX-License-Identifier: Apache-2.0
"""Runs yosys, each script in a process of its own: a fault ends that process, and its memory goes with it."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path


class ToolError(Exception):
    """A tool failed; the text tells what it said."""


def run(script: Sequence[str], name: str, *, root: Path, scratch: Path) -> None:
    """Runs the commands of ``script`` with ``root`` as working folder; the script and its log stay in ``scratch``.

    Raises ToolError with yosys' own words.
    """
    scratch.mkdir(parents=True, exist_ok=True)
    file = (scratch / f"{name}.ys").resolve()
    file.write_text("".join(f"{line}\n" for line in script), encoding="utf-8")
    with file.with_suffix(".log").open("w", encoding="utf-8") as log:
        done = subprocess.run(
            [sys.executable, __file__, str(file)], cwd=root, stdout=log, stderr=subprocess.PIPE, text=True, check=False
        )
    if done.returncode:
        said = [line for line in done.stderr.splitlines() if line.strip()][-20:]
        raise ToolError("\n".join([f"yosys failed at {name} ({file}):", *said]))


def main() -> None:
    """Runs the script whose path is the first argument."""
    from pyosys import libyosys  # noqa: PLC0415 - only this process loads the tool

    design = libyosys.Design()
    for line in Path(sys.argv[1]).read_text(encoding="utf-8").splitlines():
        libyosys.run_pass(line, design)


if __name__ == "__main__":
    main()
