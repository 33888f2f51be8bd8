# SPDX-License-Identifier: Apache-2.0
"""`fixaccel board init` by SSH: what stands in for a board has the registers of the Verilated fabric."""

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from board_stand_in import MACB, UIO, Board

from fixaccel.bringup.plan import plan_of
from fixaccel.lab.desk import BOARD_FILES, GEM_BRAM
from fixaccel.pipeline import load_board
from lab import sshd
from lab.desk import Desk

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("dtc") is None, reason="dtc is missing: apt-get install device-tree-compiler"),
]


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with Desk(tmp_path, interface=GEM_BRAM) as running:
        running.start_board()
        yield running


def test_the_fabric_that_is_there_is_the_one_that_was_asked_for(desk: Desk) -> None:
    file = BOARD_FILES[GEM_BRAM]
    board_file = load_board(file).board
    assert board_file is not None
    plan = plan_of(board_file, "eth0")
    bitstream = desk.folder / f"{board_file.name}.bit"
    bitstream.write_bytes(b"bits")
    bitstream.with_suffix(".hwh").write_bytes(b"handoff")
    (desk.folder / "files").mkdir()
    with Board(desk.folder / "stand-in", plan) as board:
        registers, window = plan["windows"]
        sockets = {str(registers["base"]): str(desk.board_socket), str(window["base"]): str(desk.bus_socket)}
        (board.state / "sockets").write_text(json.dumps(sockets))
        _, environment = sshd.start(desk, *(f"{name}={value}" for name, value in board.settings.items()))

        def init(path: Path) -> tuple[int, str]:
            words = [
                "--board",
                str(path),
                "--bitstream",
                str(bitstream),
                "--to",
                "ssh:board",
                "--python",
                sys.executable,
            ]
            command = [sys.executable, "-m", "fixaccel", "board", "init", *words, "--into", str(desk.folder / "files")]
            inside = desk.wire.inside(desk.wire.client, *command)
            done = subprocess.run(inside, capture_output=True, text=True, check=False, env=environment)
            return done.returncode, done.stdout + done.stderr

        # Another board file first: nothing is taken from the kernel.
        other = desk.folder / "other.yaml"
        other.write_text(
            file.read_text(encoding="utf-8").replace("to_cpu_slots: 8", "to_cpu_slots: 4"), encoding="utf-8"
        )
        code, text = init(other)
        assert (code, "found 8\nwhat to do: the bitstream is of another board file" in text) == (1, True), text
        assert board.driver() == MACB

        code, text = init(file)
        assert (code, text.splitlines()[-1]) == (0, "the board is set up"), text
        assert "check: 13 words and a clock of " in text
        assert board.driver() == UIO
