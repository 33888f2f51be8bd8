# SPDX-License-Identifier: Apache-2.0
"""`fixaccel build`: Vivado's scripts run against a stand-in, and what is done with its reports."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from fixaccel.cli.build import build as command_line
from fixaccel.data import data_path
from fixaccel.hwmap import load_hwmap, load_window
from fixaccel.pipeline import load_board
from fixaccel.vivado.design import VERSION, bitstream_files
from fixaccel.vivado.reports import ReportError, read_reports

BOARD = data_path("strategies/boards/pynq-z1-gem.yaml")
STAND_IN = Path(__file__).parent / "vivado.tcl"
USED = "19544 24061 120.5 9"


@pytest.fixture
def build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Runs the command for ``board`` with a Vivado that is as ``setting`` says."""
    vivado = tmp_path / "bin" / "vivado"
    vivado.parent.mkdir()
    vivado.write_text(f'#!/bin/sh\nexec tclsh {STAND_IN} "$@"\n')
    vivado.chmod(0o755)
    monkeypatch.setenv("PATH", f"{vivado.parent}:{os.environ['PATH']}")

    def run(setting: str = "", board: Path = BOARD, *options: str) -> Result:
        monkeypatch.setenv("VIVADO_STAND_IN", f"record {{{tmp_path / 'record'}}} {setting}")
        command = ["--board", str(board), "-o", str(tmp_path / "out"), *options]
        return CliRunner().invoke(command_line, command)

    return run


def record_of(folder: Path) -> list[str]:
    return (folder / "record").read_text(encoding="utf-8").splitlines()


def test_bitstream_and_handoff_of_a_design_that_closes(build, tmp_path: Path) -> None:
    done = build()
    assert done.exit_code == 0, done.output + (tmp_path / "out" / "vivado.log").read_text()
    assert done.output.splitlines() == [
        f"4 files for Vivado {VERSION} in {tmp_path / 'out'}",
        "125 MHz on xc7z020clg400-1, slack: setup 0.412 ns, hold 0.031 ns, pulse width 2.750 ns",
        "  lut        19544 of 53200, the fabric 19544",
        "  ff         24061 of 106400, the fabric 24061",
        "  bram36     120.5 of 140, the fabric 120.5",
        "  dsp            9 of 220, the fabric 9",
        str(tmp_path / "out" / "pynq-z1-gem.bit"),
        str(tmp_path / "out" / "pynq-z1-gem.hwh"),
    ]
    assert all((tmp_path / "out" / f"pynq-z1-gem.{kind}").is_file() for kind in ("bit", "hwh"))


def test_each_source_is_read_once_ahead_of_the_block_design(build, tmp_path: Path) -> None:
    build()
    record = record_of(tmp_path)
    read = [Path(line.split()[1]) for line in record if line.startswith("read_verilog ")]
    rtl = data_path("rtl")
    sources = {path for path in rtl.rglob("*.sv") if not path.stem.endswith("_properties")}
    # No board receives a feed yet, nor is linked to another; a memory of theirs is the port's too.
    feed, link, gem = (
        {rtl / line for line in (rtl / name).read_text(encoding="utf-8").split() if line.endswith(".sv")}
        for name in ("files_feed.f", "files_link.f", "files_gem.f")
    )
    assert {path for path in read if path.suffix == ".sv"} == sources - (feed - gem) - (link - gem) - set(
        (rtl / "proofs").glob("*.sv")
    )
    assert len(read) == len(set(read))
    begun = next(number for number, line in enumerate(record) if line.startswith("create_bd_design"))
    assert sum(line.startswith("read_verilog ") for line in record[begun:]) == 1, "the wrapper alone"


def test_the_processing_system_has_the_boards_clock_and_the_ports_their_addresses(build, tmp_path: Path) -> None:
    build()
    record = record_of(tmp_path)
    assert "create_project -in_memory -part xc7z020clg400-1" in record
    assert "set_property ps CONFIG.PCW_FPGA0_PERIPHERAL_FREQMHZ 125" in record
    controller = load_window("zynq_gem")
    window, registers = (f"0x{controller.constant(name):08X}" for name in ("base_gp0", "base_gp1"))
    bytes_of = [1 << loaded.constant("address_bits") for loaded in (load_window("gem_port"), load_hwmap())]
    assert [line for line in record if line.startswith("assign_bd_address")] == [
        f"assign_bd_address ps/Data fabric/s_axi/reg0 {window} {bytes_of[0]}",
        f"assign_bd_address ps/Data fabric/s_axil/reg0 {registers} {bytes_of[1]}",
        "assign_bd_address fabric/m_axi ps/S_AXI_GP0/GP0_IOP 0xE0000000 4M",
    ]
    assert controller.constant("base_gem0") - 0xE0000000 < 4 << 20, "the controller is among them"


@pytest.mark.parametrize(
    ("setting", "why"),
    [
        ("slack {-0.118 0.031 2.750}", "setup slack is -0.118 ns"),
        ("slack {0.412 -0.004 2.750}", "hold slack is -0.004 ns"),
        ("slack {0.412 0.031 -0.155}", "pulse width slack is -0.155 ns"),
        ("used {53201 24061 120.5 9}", "lut: 53201 used, the chip has 53200"),
        ("used {21501 24061 120.5 9}", "lut: 21501 used, its budget is 21500"),
        ("used {19544 24061 129.5 9}", "bram36: 129.5 used, its budget is 129"),
    ],
)
def test_what_does_not_close_is_no_bitstream(build, tmp_path: Path, setting: str, why: str) -> None:
    assert build().exit_code == 0
    done = build(setting)
    assert done.exit_code == 1
    assert f"error: no bitstream: {why}" in done.output
    assert not list((tmp_path / "out").glob("*.bit")), "nor is there one of an earlier run"


@pytest.mark.parametrize(
    ("setting", "says"),
    [
        ("version 2024.2", f"is `Vivado v2024.2 (64-bit)`, and the scripts are for Vivado {VERSION}"),
        ("mhz 124.998", "the processing system makes 124.998 MHz of 125 MHz"),
        ("fails place_design", "ERROR: [Stand-in 1-1] place_design failed"),
        ("fails write_bitstream", "Vivado ended with 1"),
    ],
)
def test_a_vivado_that_cannot(build, tmp_path: Path, setting: str, says: str) -> None:
    done = build(setting)
    assert done.exit_code == 2
    assert says in done.output
    assert "Traceback" not in done.output
    assert not list((tmp_path / "out").glob("*.bit"))


def test_where_it_is_not_installed_one_line_says_so_and_the_scripts_are_there(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "fixaccel", "build", "--board", str(BOARD), "-o", str(tmp_path / "out")]
    done = subprocess.run([*command, "--vivado", "no-vivado"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.splitlines()[0] == (
        f"error: no-vivado is not installed here: Vivado {VERSION} makes the bitstream"
    )
    assert {file.name for file in (tmp_path / "out").iterdir()} == {
        "build.tcl", "block_design.tcl", "fixaccel_board.v", "board.xdc"
    }  # fmt: skip


def test_a_board_on_the_wire_has_no_block_design(build) -> None:
    done = build("", data_path("strategies/boards/pynq-z1.yaml"), "--scripts-only")
    assert done.exit_code == 1
    assert "`interface: wire`" in done.output


def test_a_cycle_of_broken_nanoseconds_is_refused(build, tmp_path: Path) -> None:
    board = tmp_path / "board.yaml"
    board.write_text(BOARD.read_text().replace("125MHz", "150MHz"))
    done = build("", board, "--scripts-only")
    assert done.exit_code == 1
    assert "6.667 ns" in done.output


def test_the_wrapper_is_plain_verilog_around_the_fabric(tmp_path: Path) -> None:
    """Verilator holds its ports and parameters to those of the fabric, of which it needs nothing else."""
    board = load_board(BOARD).board
    assert board is not None
    top = tmp_path / "fixaccel_board.v"
    top.write_bytes(bitstream_files(board)["fixaccel_board.v"])
    packages = [*Path(sys.prefix).glob("lib/python3*/site-packages/verilator")]
    program = str(packages[0] / "bin" / "verilator") if packages else "verilator"
    environment = os.environ | ({"VERILATOR_ROOT": str(packages[0])} if packages else {})
    rtl = data_path("rtl")
    outside, end, _ = (rtl / "fixaccel_gem.sv").read_text(encoding="utf-8").partition("\n);\n")
    fabric = tmp_path / "fixaccel_gem.sv"
    fabric.write_text(f"{outside}{end}endmodule\n", encoding="utf-8")
    packages_of_it = ["gen/fixaccel_hwmap_pkg.sv", "common/fixaccel_types_pkg.sv", "gen/gem_port_hwmap_pkg.sv"]
    files = [*(rtl / name for name in packages_of_it), fabric, top]
    quiet = ["-Wno-UNUSED", "-Wno-UNDRIVEN"]
    command = [program, "--lint-only", "-Wall", *quiet, *map(str, files), "--top-module", "fixaccel_board"]
    said = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert (said.returncode, said.stderr) == (0, "")
    ports = re.findall(r"^ +(?:input|output) .*?(\w+),?$", top.read_text(), re.MULTILINE)
    assert len(ports) == len(set(ports))


def test_reports_of_another_form_are_no_verdict(tmp_path: Path) -> None:
    with pytest.raises(ReportError, match=r"timing\.rpt"):
        read_reports(tmp_path)
    (tmp_path / "timing.rpt").write_text("nothing\n")
    with pytest.raises(ReportError, match="no summary of timing"):
        read_reports(tmp_path)
    (tmp_path / "timing.rpt").write_text("WNS(ns)   WHS(ns)   WPWS(ns)\n---\n  NA   0.1   0.1\n")
    with pytest.raises(ReportError, match="a slack is missing"):
        read_reports(tmp_path)


def test_a_folder_with_other_files_is_left_alone(build, tmp_path: Path) -> None:
    out = tmp_path / "out"
    (out / "work").mkdir(parents=True)
    (out / "work" / "thesis.txt").write_text("mine")
    (out / "build.tcl").write_text("puts mine")
    done = build()
    assert done.exit_code == 2
    assert "holds files that are not of a build" in done.output
    assert (out / "work" / "thesis.txt").read_text() == "mine"
    assert (out / "build.tcl").read_text() == "puts mine"


def test_an_earlier_build_is_replaced(build) -> None:
    assert build().exit_code == 0
    assert build().exit_code == 0


def test_vivado_by_a_path_from_here(build, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = build("", BOARD, "--vivado", "bin/vivado")
    assert done.exit_code == 0, done.output


def test_a_program_that_says_no_text_is_not_vivado(build, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.write_bytes(b"#!/bin/sh\nprintf '\\377\\376\\n'\n")
    other.chmod(0o755)
    done = build("", BOARD, "--vivado", str(other))
    assert done.exit_code == 2
    assert f"the scripts are for Vivado {VERSION}" in done.output
