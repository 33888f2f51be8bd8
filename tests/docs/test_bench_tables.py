# SPDX-License-Identifier: Apache-2.0
"""What the page of measured figures takes in is what the benchmarks have written."""

import json
from pathlib import Path

import bench_tables
import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = ("measured", "alternatives", "link")
PAGE = "".join((ROOT / "docs" / "explanation" / f"{name}.md").read_text(encoding="utf-8") for name in PAGES)


@pytest.mark.parametrize("name", bench_tables.NAMES)
def test_each_figure_is_in_its_table(name: str) -> None:
    content = json.loads((ROOT / "docs" / "figures" / f"bench-{name}.json").read_text(encoding="utf-8"))
    assert content["benchmark"] == name
    text = bench_tables.pages(ROOT)[f"bench-{name}.md"]
    rows = [line for line in text.splitlines() if line.startswith("| ")][2:]
    assert [row.split(" | ")[0].removeprefix("| ") for row in rows] == [f["name"].strip() for f in content["figures"]]
    assert f"load average {content['machine']['load']}" in text
    assert f"gen/bench-{name}.md" in PAGE


def test_numbers_have_three_digits_or_are_whole() -> None:
    assert [bench_tables.number(value) for value in (0.2468, 12.345, 500, 34587.4)] == [
        "0.247",
        "12.3",
        "500",
        "34,587",
    ]
