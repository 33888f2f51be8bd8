# SPDX-License-Identifier: Apache-2.0
"""What the pages about the fabric take from its sources is there, whole and right."""

import json
import os
import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree as ET

import fabric_parts
import latency_table
import memory_picture
import modules_page
import pipeline_picture
import pytest
import resources_table
import search_cycles
from rtl_sources import sources

from fixaccel.hwmap import load_hwmap
from fixaccel.image.limits_left import unlimited_orders
from fixaccel.image.pack.pack import build_image
from fixaccel.language.terms import Board
from fixaccel.latency.cycles import latency_report
from fixaccel.latency.cycles import search_cycles as cycles_of
from fixaccel.pipeline import load_board, load_strategy

ROOT = Path(__file__).resolve().parents[2]
RTL = ROOT / "rtl"
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def board() -> Board:
    loaded = load_board().board
    assert loaded is not None
    return loaded


def texts(svg: str) -> list[str]:
    return ["".join(element.itertext()) for element in ET.fromstring(svg).iter(f"{SVG}text")]


def listed() -> set[str]:
    """Sources that are compiled, generated ones apart."""
    lines = (RTL / "files.f").read_text(encoding="utf-8").splitlines()
    return {Path(line).stem for line in lines if line.endswith(".sv") and not line.startswith("gen/")}


def test_every_module_has_a_section_that_says_something() -> None:
    page = modules_page.page(RTL)
    sections = dict(re.findall(r"^### `(\w+)`\n\n(.*?)(?=^#|\Z)", page, re.MULTILINE | re.DOTALL))
    assert listed() <= set(sections)
    assert {source.name for source in sources(RTL)} == set(sections)
    assert [name for name, text in sections.items() if len(text.strip()) < 20] == []
    assert (
        "Made of `cpu_path`, `flow_state`, `host_side`, `market_flow`, `order_path`, `receive`."
        in sections["fixaccel_core"]
    )
    assert sections["links_proof"].count("\n 2. ") == 1
    assert page.count("```") % 2 == 0


def test_a_source_that_says_nothing_of_itself_is_refused(tmp_path: Path) -> None:
    (tmp_path / "silent.sv").write_text("// SPDX-License-Identifier: Apache-2.0\nmodule silent;\nendmodule\n")
    with pytest.raises(ValueError, match=r"silent\.sv"):
        modules_page.page(tmp_path)


def test_the_pipeline_shows_every_module_once(tmp_path: Path) -> None:
    shown = re.findall(r"\w+", " ".join(texts(pipeline_picture.picture(RTL))))
    modules = [name for names in pipeline_picture.stages(RTL).values() for name in names]
    assert len(modules) > 40
    assert [name for name in modules if shown.count(name) != 1 and "_" in name] == []
    (tmp_path / "match").mkdir()
    (tmp_path / "match" / "new.sv").write_text("// SPDX-License-Identifier: Apache-2.0\n// New.\n")
    with pytest.raises(ValueError, match="new"):
        pipeline_picture.picture(tmp_path)


def test_memories_hold_what_the_board_keeps_of_each_record(board: Board) -> None:
    hwmap = load_hwmap()
    strategy = load_strategy(ROOT / "strategies" / "quickstart.yaml").strategy
    assert strategy is not None
    sizes = {size.name: size for size in memory_picture.sizes(hwmap, board)}
    assert set(sizes) == set(hwmap.memories)
    for name, data in build_image(strategy, board, hwmap).memories.items():
        assert sizes[name].depth * hwmap.memories[name].record.stride_bytes >= len(data), name
    assert sizes["live"].kbit == board.capacity["triggers"] / 1024
    # An index of a trigger is as wide as the board's triggers need.
    wide = sum(field.bits for field in hwmap.records["trigger"].fields)
    assert sizes["trigger"].bits < wide
    large = replace(board, capacity=dict(board.capacity) | {"triggers": 2 * board.capacity["triggers"]})
    assert {s.name: s.bits for s in memory_picture.sizes(hwmap, large)}["trigger"] == sizes["trigger"].bits + 1
    shown = texts(memory_picture.picture(hwmap, board, []))
    assert set(sizes) <= set(shown)


def test_a_report_of_other_sources_is_not_taken(board: Board, tmp_path: Path) -> None:
    path = "receiver.some.table.gen_blocks.memory.gen_part[{}].mem"
    memory = {"path": path.format(0), "size": 16384, "width": 70, "bram36": 31.0}
    more = memory | {"path": path.format(1), "width": 2, "bram36": 1.0}
    small = memory | {"path": "receiver.small", "bram36": 0}
    bank = "receiver.deep.gen_banks.gen_bank[{}].memory.gen_part[0].mem"
    banks = [{"path": bank.format(n), "size": 4096, "width": 72, "bram36": 8} for n in range(2)]
    banks.append(
        {"path": "receiver.deep.gen_banks.gen_rest.memory.gen_part[0].mem", "size": 8192, "width": 1, "bram36": 0.5}
    )
    report = tmp_path / "report.json"
    content = {"board": board.name, "capacity": dict(board.capacity), "memories": [memory, more, small, *banks]}
    report.write_text(json.dumps(content))
    blocks = memory_picture.measured(report, RTL, board)
    assert blocks == [
        memory_picture.Size("receiver.some.table", 16384, 72, 32),
        memory_picture.Size("receiver.deep", 8192, 73, 16.5),
    ]
    assert "32 BRAM36" in texts(memory_picture.picture(load_hwmap(), board, blocks))
    assert memory_picture.source(blocks) != memory_picture.source([])
    (tmp_path / "newer.sv").write_text("")
    later = report.stat().st_mtime + 1
    os.utime(tmp_path / "newer.sv", (later, later))
    assert memory_picture.measured(report, tmp_path, board) == []
    report.write_text(json.dumps(content | {"capacity": {}}))
    assert memory_picture.measured(report, RTL, board) == []
    assert memory_picture.measured(tmp_path / "none.json", RTL, board) == []


def test_the_table_of_look_ups_goes_up_to_the_boards_intervals(board: Board) -> None:
    head, _, row = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in search_cycles.table(board).splitlines()
    ]
    counts = [int(cell.replace(",", "")) for cell in head[1:]]
    assert counts[0] == 1
    assert counts[-1] == board.capacity["intervals"]
    assert all(after == 2 * before for before, after in pairwise(counts))
    assert [int(cell) for cell in row[1:]] == [cycles_of(count) for count in counts]


def test_the_pages_take_all_of_it_in() -> None:
    folder = ROOT / "docs" / "explanation"
    pages = "".join((folder / f"{name}.md").read_text(encoding="utf-8") for name in ("fabric", "feed", "link"))
    assert [name for name in fabric_parts.pages(ROOT) if f"../gen/{name}" not in pages] == []


def cells(table: str) -> list[list[str]]:
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()[2:]]


def test_latency_is_that_of_the_reports(board: Board) -> None:
    rows = {(kind, shape): (plain, more) for kind, shape, plain, _, more in cells(latency_table.table(board))}
    strategy = load_strategy(ROOT / "strategies" / "quickstart.yaml").strategy
    assert strategy
    report = latency_report(strategy, board)
    own = {(report["message"], one["shape"]): str(one["cycles"]) for one in report["shapes"]}
    column = 0 if unlimited_orders(strategy) else 1
    assert len(own) == 4
    assert {key: rows[key][column] for key in own} == own
    assert all(int(more) >= int(plain) for plain, more in rows.values())
    assert len(rows) == 8


def test_resources_are_of_every_module(board: Board, tmp_path: Path) -> None:
    rows = cells(resources_table.table(ROOT, board))
    named = {match[1] for row in rows if (match := re.match(r"`(\w+)`", row[0]))}
    assert {"fixaccel_core", "matcher", "table_ram"} <= named <= {source.name for source in sources(RTL)}
    figures = json.loads((ROOT / "docs" / "figures" / "resources.json").read_text(encoding="utf-8"))
    shown = [float(row[4].replace(",", "") or 0) for row in rows if row[0].startswith("`")]
    assert sum(shown) == figures["all"]["bram36"]
    beside = {
        row[0]: [float(cell.replace(",", "")) for cell in row[1:]] for row in cells(resources_table.compared(ROOT))
    }
    assert beside["BRAM36"][:3] == [140, 32, 22.86]
    assert beside["BRAM36"][3] == figures["all"]["bram36"]
    assert beside["BRAM36"][5] == figures["all"]["bram36"] + figures["gem_port"]["bram36"]
    (tmp_path / "docs" / "figures").mkdir(parents=True)
    figures["capacity"]["triggers"] //= 2
    (tmp_path / "docs" / "figures" / "resources.json").write_text(json.dumps(figures), encoding="utf-8")
    with pytest.raises(ValueError, match="another board"):
        resources_table.table(tmp_path, board)
