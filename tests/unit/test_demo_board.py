# SPDX-License-Identifier: Apache-2.0
"""`make demo`: compiler, virtual board and page have the same board file, of the interface that was asked for."""

import subprocess
from pathlib import Path

import pytest

from demo_live import page_command
from fixaccel.pipeline import load_board
from lab.desk import BOARD_FILES, ROOT


@pytest.mark.parametrize("interface", BOARD_FILES)
def test_the_pages_board_is_that_of_the_interface(tmp_path: Path, interface: str) -> None:
    command = page_command(tmp_path, "127.0.0.1:0", interface)
    board = load_board(Path(command[command.index("--board") + 1])).board
    assert board is not None
    assert board.interface == interface


@pytest.mark.parametrize("page", ["", "UI=1"])
def test_make_demo_says_which_interface(page: str) -> None:
    command = ["make", "-n", "demo", "BOARD=gem", page or "UI="]
    said = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    (started,) = [line for line in said.stdout.splitlines() if "tests/e2e/demo" in line]
    assert started.startswith("FIXACCEL_INTERFACE=gem-bram ")
