# SPDX-License-Identifier: Apache-2.0
"""`make demo`: compiler, virtual board and page have the same board file, of the interface that was asked for."""

import subprocess
from pathlib import Path

import pytest

from fixaccel.demo.live import page_command
from fixaccel.lab.desk import BOARD_FILES
from fixaccel.pipeline import load_board
from lab.desk import ROOT


@pytest.mark.parametrize("interface", BOARD_FILES)
def test_the_pages_board_is_that_of_the_interface(tmp_path: Path, interface: str) -> None:
    command = page_command(tmp_path, "127.0.0.1:0", interface)
    board = load_board(Path(command[command.index("--board") + 1])).board
    assert board is not None
    assert board.interface == interface


@pytest.mark.parametrize(
    ("asked", "options"),
    [
        ((), ""),
        (("BOARD=gem",), " --board gem"),
        (("BOARD=gem", "UI=1"), " --board gem --page"),
        (("UI=0.0.0.0:8000",), " --page=0.0.0.0:8000"),
    ],
)
def test_make_demo_says_which_interface_and_where_the_page_is(asked: tuple[str, ...], options: str) -> None:
    said = subprocess.run(["make", "-n", "demo", *asked], capture_output=True, text=True, check=True, cwd=ROOT)
    (started,) = [line for line in said.stdout.splitlines() if "fixaccel demo" in line]
    assert started.endswith(f"-m fixaccel demo{options}")
