# SPDX-License-Identifier: Apache-2.0
"""`fixaccel board init` against a folder that stands in for a board; over the Verilated fabric it is tests/e2e."""

import ast
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from board_stand_in import MACB, UIO, Board
from click.testing import CliRunner

from fixaccel.bringup import carry, on_board
from fixaccel.bringup.plan import OVERLAY, PlanError, nodes, overlay, overlay_source, plan_of
from fixaccel.cli.board import board as command_line
from fixaccel.data import data_path
from fixaccel.hwmap import load_hwmap, load_window
from fixaccel.language.terms import Board as BoardFile
from fixaccel.pipeline import load_board

Init: TypeAlias = Callable[[], dict[str, Any]]

GEM, WIRE = (data_path(f"strategies/boards/{name}.yaml") for name in ("pynq-z1-gem", "pynq-z1"))

pytestmark = pytest.mark.skipif(
    shutil.which("dtc") is None, reason="dtc is missing: apt-get install device-tree-compiler"
)


@pytest.fixture(scope="module")
def file() -> BoardFile:
    found = load_board(GEM).board
    assert found is not None
    return found


@pytest.fixture
def plan(file: BoardFile) -> dict[str, Any]:
    return plan_of(file, "eth0")


@pytest.fixture
def board(tmp_path: Path, plan: dict[str, Any]) -> Iterator[Board]:
    with Board(tmp_path / "board", plan) as running:
        yield running


@pytest.fixture
def files(tmp_path: Path, file: BoardFile, plan: dict[str, Any]) -> dict[str, bytes]:
    bitstream = tmp_path / "pynq-z1-gem.bit"
    bitstream.write_bytes(b"bits")
    bitstream.with_suffix(".hwh").write_bytes(b"handoff")
    return carry.files_of(plan, overlay(file), bitstream)


@pytest.fixture
def init(board: Board, files: dict[str, bytes], monkeypatch: pytest.MonkeyPatch) -> Init:
    def run() -> dict[str, Any]:
        for name, value in board.environment.items():
            monkeypatch.setenv(name, value)
        return carry.carry_here(files, sys.executable, "--root", str(board.root))

    return run


def test_a_board_is_set_up(init: Init, board: Board, plan: dict[str, Any]) -> None:
    settings = board.root / "etc/fixaccel/fixacceld.toml"
    settings.parent.mkdir(parents=True)
    settings.touch()
    result = init()
    assert "failed" not in result, result
    did = {step["name"]: step["did"] for step in result["steps"]}
    assert did["devices"] == "fixaccel-window is uio0, fixaccel-registers is uio1"
    assert did["controller"] == f"{board.device} from macb, now uio2"
    assert did["network"] == "fix0 has 192.0.2.7/24"
    assert did["daemon"] == "started"
    assert re.fullmatch(r"13 words and a clock of 1[23]\d\.\d+ MHz", did["check"]), did["check"]
    assert board.driver() == UIO
    # In this order: clocks of a link are kept ahead of the driver that switches them off, and set behind it.
    record = board.record()
    slcr = plan["slcr"]
    clocks = [f"write 0x{slcr['base'] + at:08X} 0x{0x100 + i:X}" for i, at in enumerate(slcr["clocks"])]
    expected = [
        "download pynq-z1-gem.bit", "insert fixaccel", "write 0xF8000008 0xDF0D", *clocks,
        "systemctl start fixaccel-gemd", "ip link set fix0 up", "ip addr replace 192.0.2.7/24 dev fix0",
        "ip route replace default via 192.0.2.1 dev fix0", "systemctl start fixacceld",
    ]  # fmt: skip
    assert [line for line in record if line in expected] == expected
    assert (board.root / "sys/class/net/fix0/address").read_text() == "02:00:00:00:00:07\n"


def test_twice_is_as_once_and_the_addresses_are_those_of_the_interface_in_place(init: Init, board: Board) -> None:
    assert "failed" not in init()
    (board.state / "record").write_text("")
    result = init()
    assert "failed" not in result, result
    record = board.record()
    assert "systemctl stop fixaccel-gemd" in record
    assert "ip -j -4 addr show dev fix0" in record
    assert record.index("remove fixaccel") < record.index("insert fixaccel")
    assert board.driver() == UIO


def test_without_a_configuration_the_daemon_is_not_started(init: Init, board: Board) -> None:
    did = {step["name"]: step["did"] for step in init()["steps"]}
    assert did["daemon"].startswith("not started: /etc/fixaccel/fixacceld.toml")
    assert "systemctl start fixacceld" not in board.record()


def word(base: int, name: str) -> str:
    registers, window = load_hwmap(), load_window("gem_port")
    hwmap = window if base == load_window("zynq_gem").constant("base_gp0") else registers
    return str(base + hwmap.registers[name].address)


REGISTERS, WINDOW = (load_window("zynq_gem").constant(name) for name in ("base_gp1", "base_gp0"))


@pytest.mark.parametrize(
    ("at", "value", "expected", "to_do"),
    [
        (word(REGISTERS, "magic"), 0, "magic = 0x46584143 at 0x80000000", "the bitstream is another"),
        (word(REGISTERS, "hwmap_hash"), 1, "hwmap_hash = ", "build the bitstream again with this version"),
        (word(REGISTERS, "cap_orders"), 64, "cap_orders = 4096", "of another board file"),
        (word(WINDOW, "magic"), 0, "magic = 0x4658474D at 0x40000000", "the bitstream is another"),
        (word(WINDOW, "cap_to_cpu_slots"), 4, "cap_to_cpu_slots = 8", "of another board file"),
    ],
)
def test_another_fabric_is_said_and_the_network_stays(
    init: Init, board: Board, at: str, value: int, expected: str, to_do: str
) -> None:
    board.words[at] = value
    board.remember()
    result = init()
    failed = result["failed"]
    assert failed["name"] == "check"
    assert failed["expected"].startswith(expected), failed
    assert str(value) in failed["found"] or f"0x{value:08X}" == failed["found"]
    assert to_do in failed["to_do"]
    assert result["undone"] == ["fixaccel.dtbo out of the device tree"]
    assert board.driver() == MACB
    assert not any(line.startswith("systemctl start") for line in board.record())


def test_another_clock_is_said(init: Init, board: Board, plan: dict[str, Any]) -> None:
    board.clock(plan["clock"]["base"] + plan["clock"]["cycle"], 100e6)
    failed = init()["failed"]
    assert failed["expected"] == "a clock of 125 MHz"
    assert re.fullmatch(r"(9\d|10\d)\.\d+ MHz", failed["found"])
    assert board.driver() == MACB


@pytest.mark.parametrize(
    ("wrong", "step", "says"),
    [
        ("bad", "bitstream", "RuntimeError: the part is another"),
        ("no-symbols", "device tree", "cannot be applied"),
        ("no-package", "board", "none"),
    ],
)
def test_what_fails_ahead_of_the_controller_leaves_the_network_alone(
    init: Init, board: Board, wrong: str, step: str, says: str
) -> None:
    board.wrong(wrong)
    result = init()
    assert (result["failed"]["name"], says in result["failed"]["found"]) == (step, True), result
    assert board.driver() == MACB
    assert "ip link set fix0 up" not in board.record()


def test_a_gemd_that_does_not_start_gives_the_controller_back(init: Init, board: Board) -> None:
    board.wrong("fails-fixaccel-gemd")
    result = init()
    assert result["failed"]["found"] == "Job for fixaccel-gemd.service failed."
    assert result["undone"] == [
        "fixaccel-gemd", f"{board.device} back to macb", "fixaccel.dtbo out of the device tree"
    ]  # fmt: skip
    assert board.driver() == MACB
    record = board.record()
    assert "ip addr replace 192.0.2.7/24 dev eth0" in record
    assert "ip route replace default via 192.0.2.1 dev eth0" in record


def test_a_fabric_that_is_another_the_second_time_gives_the_network_back(init: Init, board: Board) -> None:
    assert "failed" not in init()
    board.words[word(WINDOW, "magic")] = 0
    board.remember()
    result = init()
    assert result["failed"]["name"] == "check"
    assert f"{board.device} back to macb" in result["undone"]
    assert board.driver() == MACB
    assert board.record()[-1] == "remove fixaccel" or "dev eth0" in board.record()[-1]


def test_a_python_without_pynq_is_said(files: dict[str, bytes], board: Board, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", board.environment["PATH"])
    monkeypatch.setenv("PYTHONPATH", "")
    result = carry.carry_here(files, sys.executable, "--root", str(board.root))
    assert result["failed"]["found"].startswith("ModuleNotFoundError")
    assert "--python" in result["failed"]["to_do"]
    with pytest.raises(carry.CarryError, match="--python names the one that has pynq"):
        carry.carry_here(files, "/no/python")


def test_it_runs_on_the_boards_python_and_alone() -> None:
    source = Path(on_board.__file__).read_text(encoding="utf-8")
    tree = ast.parse(source, feature_version=(3, 9))
    named = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    assert not [name for name in named if name.startswith("fixaccel")]


def test_the_overlay_comes_to_lie_in_the_bus_of_a_zynq(tmp_path: Path, file: BoardFile) -> None:
    base = tmp_path / "base.dts"
    base.write_text("""/dts-v1/;
/ {
	#address-cells = <1>;
	#size-cells = <1>;
	amba: axi {
		compatible = "simple-bus";
		#address-cells = <1>;
		#size-cells = <1>;
		interrupt-parent = <&intc>;
		ranges;
		intc: interrupt-controller@f8f01000 {
			compatible = "arm,cortex-a9-gic";
			#interrupt-cells = <3>;
			interrupt-controller;
			reg = <0xf8f01000 0x1000>, <0xf8f00100 0x100>;
		};
	};
};
""")
    (tmp_path / OVERLAY).write_bytes(overlay(file))

    def say(*command: str) -> str:
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        return done.stdout

    say("dtc", "-@", "-I", "dts", "-O", "dtb", "-o", "base.dtb", "base.dts")
    say("fdtoverlay", "-i", "base.dtb", "-o", "whole.dtb", OVERLAY)
    for node in nodes():
        at = f"/axi/{node.name}@{node.base:x}"
        assert say("fdtget", "-t", "x", "whole.dtb", at, "reg").split() == [f"{node.base:x}", f"{node.bytes:x}"]
        assert "generic-uio" in say("fdtget", "whole.dtb", at, "compatible")
    assert say("fdtget", "whole.dtb", "/axi/fixaccel-window@40000000", "interrupts").split() == ["0", "29", "4"]


def test_an_overlay_that_dtc_refuses_is_said(monkeypatch: pytest.MonkeyPatch, file: BoardFile) -> None:
    monkeypatch.setattr("fixaccel.bringup.plan.overlay_source", lambda _: b"/dts-v1/; nonsense")
    with pytest.raises(PlanError, match="dtc refuses the overlay"):
        overlay(file)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(PlanError, match="install device-tree-compiler"):
        overlay(file)


def ask(*words: str) -> tuple[int, str]:
    done = CliRunner().invoke(command_line, ["init", *words])
    return done.exit_code, done.output


def test_a_dry_run_prints_the_steps_and_touches_nothing(file: BoardFile, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    code, text = ask("--board", str(GEM), "--dry-run", "--to", "ssh:xilinx@pynq")
    assert code == 0
    assert "on ssh:xilinx@pynq, as root:" in text
    assert "9. daemon: start fixacceld" in text
    assert "0x80000000 magic is 0x46584143" in text
    assert overlay_source(file).decode().rstrip() in text


def test_what_the_command_line_refuses(tmp_path: Path) -> None:
    code, text = ask("--board", str(WIRE), "--dry-run")
    assert (code, "has `interface: wire`, and only `gem-bram` can be set up" in text) == (1, True)
    code, text = ask("--board", str(GEM))
    assert (code, "`--dry-run` needs none" in text) == (2, True)
    code, text = ask("--board", str(GEM), "--bitstream", str(tmp_path / "none.bit"))
    assert (code, text) == (2, f"error: {tmp_path}/none.bit: No such file or directory\n")
    (tmp_path / "one.bit").touch()
    code, text = ask("--board", str(GEM), "--bitstream", str(tmp_path / "one.bit"))
    assert (code, "one.hwh: No such file" in text) == (2, True)


def test_a_step_that_fails_is_told_with_what_to_do(
    board: Board, tmp_path: Path, files: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    board.wrong("bad")
    for name, value in board.environment.items():
        monkeypatch.setenv(name, value)
    assert files
    here = carry.carry_here
    monkeypatch.setattr(
        "fixaccel.cli.board.carry_here", lambda given, python: here(given, python, "--root", str(board.root))
    )
    code, text = ask("--board", str(GEM), "--bitstream", str(tmp_path / "pynq-z1-gem.bit"), "--python", sys.executable)
    assert code == 1
    assert "error: bitstream: expected pynq to load" in text
    assert "what to do: is the bitstream for this part, with its .hwh beside it?" in text
    (board.state / "bad").unlink()
    code, text = ask("--board", str(GEM), "--bitstream", str(tmp_path / "pynq-z1-gem.bit"), "--python", sys.executable)
    assert (code, text.splitlines()[-1]) == (0, "the board is set up"), text


def test_no_result_is_no_success(tmp_path: Path) -> None:
    program = tmp_path / "python"
    program.write_text("#!/bin/sh\necho broken >&2\nexit 3\n")
    program.chmod(0o755)
    with pytest.raises(carry.CarryError, match="ended with 3 and no result: broken"):
        carry.carry_here({}, str(program))
    program.write_text('#!/bin/sh\necho "[]" >"$3"\n')
    with pytest.raises(carry.CarryError, match="has no steps"):
        carry.carry_here({}, str(program))
