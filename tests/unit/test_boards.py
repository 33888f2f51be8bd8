# SPDX-License-Identifier: Apache-2.0
"""Board files: what is refused, and that capacities fit the address map."""

from pathlib import Path

import pytest

from fixaccel.hwmap import load_hwmap
from fixaccel.pipeline import load_board

SHIPPED = Path(__file__).parents[2] / "strategies" / "boards" / "pynq-z1.yaml"
GEM = "gem: {receive_slots: 16, transmit_slots: 4, to_cpu_slots: 8, from_cpu_slots: 4}"


def test_shipped_board_is_the_default() -> None:
    board = load_board().board
    assert board
    assert board == load_board(SHIPPED).board
    assert (board.name, board.clock_hz, board.bytes_per_beat) == ("pynq-z1", 125_000_000, 1)
    assert all(load_hwmap().depth(memory, board.capacity) > 0 for memory in load_hwmap().memories)


@pytest.mark.parametrize(
    ("old", "new", "slug"),
    [
        ("125MHz", "125", "bad-clock"),
        ("125MHz", "0MHz", "bad-clock"),
        ("wire", "gem-bram", "missing-key"),
        ("interface: wire", "interface: wire\ngem: {receive_slots: 2}", "missing-key"),
        ("interface: wire", f"interface: gem-bram\n{GEM.replace('16', '12')}", "bad-capacity"),
        ("interface: wire", f"interface: gem-bram\n{GEM.replace('16', '64')}", "bad-capacity"),
        ("interface: wire", f"interface: gem-bram\n{GEM.replace('16', '1')}", "bad-number"),
        ("wire", "usb", "bad-choice"),
        ("bytes_per_beat: 1", "bytes_per_beat: 8", "not-supported"),
        ("instruments: 1024", "instruments: 1000", "bad-capacity"),
        ("instruments: 1024", "instruments: 131072", "bad-capacity"),
        ("instruments: 1024", "instruments: 0", "bad-number"),
        ("instruments: 1024", "instruments: \uff11024", "bad-number"),
        ("instruments: 1024, ", "", "missing-key"),
        ("part: xc7z020clg400-1", "part: ../../etc", "bad-text"),
        ("fixaccel-board: 1", "fixaccel-venue: 1", "wrong-kind"),
        ("budget: {lut: 20000", "budget: {lut: 53201", "bad-budget"),
        ("budget: {lut: 20000", "budget: {luts: 20000", "unknown-key"),
        ("budget: {lut: 20000", "budget: {lut: 11650.5", "bad-number"),
    ],
)
def test_boards_that_are_none(tmp_path: Path, old: str, new: str, slug: str) -> None:
    text = SHIPPED.read_text()
    assert old in text
    path = tmp_path / "board.yaml"
    path.write_text(text.replace(old, new, 1))
    loaded = load_board(path)
    assert loaded.board is None
    assert {diagnostic.code.slug for diagnostic in loaded.diagnostics} == {slug}


def test_resources_are_optional(tmp_path: Path) -> None:
    lines = SHIPPED.read_text().splitlines(keepends=True)
    path = tmp_path / "board.yaml"
    path.write_text("".join(line for line in lines if not line.startswith(("chip:", "budget:"))))
    board = load_board(path).board
    assert board
    assert (board.chip, board.budget) == ({}, {})


def test_resources_of_the_shipped_board() -> None:
    board = load_board().board
    assert board
    assert board.chip == {"lut": 53200, "ff": 106400, "bram36": 140, "dsp": 220}
    assert board.budget["bram36"] == 118
    assert all(board.budget[name] <= board.chip[name] for name in board.budget)


def test_the_board_whose_frames_pass_its_ethernet_controller() -> None:
    board = load_board(SHIPPED.with_name("pynq-z1-gem.yaml")).board
    assert board
    assert board.interface == "gem-bram"
    assert board.gem == {"receive_slots": 16, "transmit_slots": 4, "to_cpu_slots": 8, "from_cpu_slots": 4}
    assert board.capacity == load_board().board.capacity  # type: ignore[union-attr]
