# SPDX-License-Identifier: Apache-2.0
"""What people and programs read of a run."""

import json
from dataclasses import replace
from pathlib import Path

from fixaccel.pipeline import load_board
from synth import published, report
from synth.checks import Finding
from synth.goals import Goal, Ratchet
from synth.levels import Group
from synth.measure import Measured, Part
from synth.resources import PlacedMemory, Resources
from synth.route import Run
from synth.verdicts import judge_all

GOAL = Goal(165, 0.05, 3, {"rtl/parse": 5, "rtl": 7}, {"lutram": 2048, "registers": 1024}, {})


def run() -> Measured:
    board = load_board().board
    assert board
    path = Group(6, 2, "header", "gap")
    parts = {
        "fixaccel_core": Part("fixaccel_core", "rtl/fixaccel_core.sv", 1, Resources(logic=100, ff=7)),
        "tcp_order": Part(
            "tcp_order", "rtl/parse/tcp_order.sv", 2, Resources(logic=20, lutram=4, bram36=0.5), [path],
            [Run(1, 140, "port segment", "newer", 2.5, 4.5)],
        ),
    }  # fmt: skip
    return Measured(
        board, "fixaccel_core", True, [PlacedMemory("ring.mem", 512, 64, "lutram", 0, 684)],
        [Finding("latch a.q", "a.q is a latch")], parts, Resources(110, 4, 7, 0.5, 1, pairs=10),
    )  # fmt: skip


def test_tables() -> None:
    measured = run()
    text = report.text(measured, judge_all(measured, GOAL, Ratchet({"tcp_order": {"levels": 6}})))
    lines = [" ".join(line.split()) for line in text.splitlines()]
    budget, chip = measured.board.budget, measured.board.chip
    assert "tcp_order x2 20 4 - 0.5 -" in lines
    assert "all 120 4 7 0.5 -" in lines
    assert "all, flattened 110 4 7 0.5 1" in lines
    assert "all, LUTs of both kinds 124" in lines
    assert "all, flattened, LUT sites 104" in lines
    assert f"budget {budget['lut']} - {budget['bram36']} -" in lines
    assert f"chip {chip['lut']} {chip['ff']} {chip['bram36']} {chip['dsp']}" in lines
    assert "ring.mem 64 512 lutram 0 684" in lines
    assert "tcp_order 6+2 6 140.0 165 ! 140" in lines
    assert "6+2 tcp_order: header -> gap" in lines
    assert "140.0 MHz 2.5+4.5 tcp_order: port segment -> newer" in lines
    assert "FAILED a.q is a latch" in lines
    assert "FAILED tcp_order: fmax 140 (goal 165)" in lines
    assert "held tcp_order: levels 6 (ratchet 6, goal 5)" in lines
    assert lines[-1] == "make synth: FAILED"


def test_data() -> None:
    measured = run()
    data = report.data(measured, judge_all(measured, GOAL, Ratchet(known=["latch a.q"])))
    assert data["total"] == {"logic": 120, "lutram": 4, "ff": 7, "bram36": 0.5, "dsp": 0, "pairs": 0}
    assert data["modules"]["tcp_order"]["fmax"] == 140
    assert data["modules"]["tcp_order"]["levels"] == 6
    assert data["failed"] is True


def test_published_figures_are_held_to_what_is_measured(tmp_path: Path) -> None:
    measured, file = run(), tmp_path / "docs" / "resources.json"
    published.write(measured, file)
    assert list(published.outdated(file, measured)) == []
    parts = measured.parts
    core = parts["fixaccel_core"]
    within = replace(measured, parts=parts | {"fixaccel_core": replace(core, own=replace(core.own, logic=102))})
    assert list(published.outdated(file, within)) == []
    beyond = replace(measured, parts=parts | {"fixaccel_core": replace(core, own=Resources(104, 0, 7, 1))})
    assert list(published.outdated(file, beyond)) == ["lut 120, measured 124", "bram36 0.5, measured 1.5"]
    # gem_port stands beside the core, and whichever is written leaves the other alone.
    port = replace(measured, top="gem_port", flat=None, fingerprint="of the port")
    unit = replace(beyond, top="feed_unit", fingerprint="of the unit")
    for beside in (port, unit):
        published.write_beside(beside, file)
    published.write(measured, file)
    written = json.loads(file.read_text())
    figures = {"lut": 120, "lutram": 4, "ff": 7, "bram36": 0.5, "dsp": 0}
    assert written["gem_port"] == figures | {"flattened": None, "fingerprint": "of the port"}
    assert written["feed_unit"]["flattened"]["sites"] == 104
    assert published.measured_of(file, "gem_port", "of the port")
    assert not published.measured_of(file, "gem_port", "of the unit")
    assert list(published.beside_outdated(file, port)) == []
    behind = list(published.beside_outdated(file, replace(beyond, top="gem_port")))
    assert behind == ["lut 120, measured 124", "bram36 0.5, measured 1.5"]
    fewer = replace(measured, parts={"fixaccel_core": core})
    assert next(published.outdated(file, fewer)) == "modules tcp_order"
