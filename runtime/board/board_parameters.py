# SPDX-License-Identifier: Apache-2.0
# ruff: noqa: INP001 - a script that CMake runs by its path
"""Prints capacities of a board file as Verilator parameters, `-GINSTRUMENTS=1024;...`, for CMake.

Those of its `gem` section count too. Usage: board_parameters.py BOARD.yaml NAME...
"""

import sys
from pathlib import Path

import yaml


def main() -> int:
    """Exit code 1, and the names, if the board file lacks a capacity."""
    board_file, *names = sys.argv[1:]
    board = yaml.safe_load(Path(board_file).read_text(encoding="utf-8"))
    capacity = board["capacity"] | board.get("gem", {})
    missing = [name for name in names if not isinstance(capacity.get(name), int)]
    if missing:
        print(f"{board_file}: no capacity for {', '.join(missing)}", file=sys.stderr)
        return 1
    print(";".join(f"-G{name.upper()}={capacity[name]}" for name in names), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
