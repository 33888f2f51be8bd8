# SPDX-License-Identifier: Apache-2.0
"""Tables of what tuning does hold what the benchmarks have written, and nothing else."""

import json
from pathlib import Path
from typing import Any

import pytest
import tune_tables
from bench_tables import number

from fixaccel.latency.stages import FIRST, SECOND

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "explanation" / "tuning.md").read_text(encoding="utf-8")
PAGES = tune_tables.pages(ROOT)


def figures(name: str) -> list[dict[str, Any]]:
    content = json.loads((ROOT / "docs" / "figures" / f"bench-{name}.json").read_text(encoding="utf-8"))
    found: list[dict[str, Any]] = content["figures"]
    return found


def rows(name: str) -> list[list[str]]:
    lines = [line for line in PAGES[name].splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


@pytest.mark.parametrize("name", PAGES)
def test_each_table_is_on_the_page(name: str) -> None:
    assert f"gen/{name}" in PAGE


def test_orders_before_and_after_stand_beside_the_papers() -> None:
    found = rows("tuned-orders.md")
    assert found[0][:3] == ["the paper", "after", "27"]
    wanted = [
        figure
        for figure in figures("tuned")
        if figure["name"].endswith("er: inner") or figure["name"].endswith("re: inner")
    ]
    assert len(wanted) == 8, "rules and by hand, in memory and on disk, before and after"
    assert [row[2:7] for row in found[1:]] == [
        [number(figure[key]) for key in ("mean", "median", "p99", "p999", "max")] for figure in wanted
    ]
    assert all(row[7] for row in found[1:] if row[1] == "after"), "each with a verdict"


def test_each_stage_that_was_measured_is_there() -> None:
    stages = {figure["name"].rpartition(": ")[2] for figure in figures("tuned")} & {*FIRST, *SECOND}
    assert stages
    assert {row[0].strip("`") for row in rows("tuned-stages.md")} == stages


def test_every_rate_has_a_row() -> None:
    wanted = [
        figure for figure in figures("tuned") if "orders/s: inner" in figure["name"] or figure["unit"] == "orders/s"
    ]
    assert len(wanted) == len(rows("tuned-rates.md"))
    assert any("capacity" in row[2] for row in rows("tuned-rates.md"))


def test_round_trips_are_all_there_beside_the_papers() -> None:
    found = rows("tuned-trips.md")
    papers = [row for row in found if row[0].startswith("the paper")]
    assert [row[1] for row in papers] == [
        "ping: 36 / 84 / 109 / 14",
        "ping: 35 / 41 / 56 / 11",
        "ping: 27 / 31 / 49 / 7",
        "ping: 6 / 8 / 17 / 2",
        "ping: two thirds less",
    ]
    assert len(found) - len(papers) == len(figures("trips"))
