# SPDX-License-Identifier: Apache-2.0
"""Makes tables of what was measured, from the figures that `bench/run.py --publish NAME` has written."""

import json
from pathlib import Path
from typing import Any

NAMES = ("path", "inner", "loads", "kill", "rest", "backtests")  # each has its docs/figures/bench-NAME.json
_STATISTICS = {"samples": "samples", "min": "min", "median": "p50", "p99": "p99", "p999": "p99.9", "max": "max"}


def files(root: Path) -> dict[str, str]:
    """Texts by file name."""
    return {f"bench-{name}.md": table(root, name) for name in NAMES}


def table(root: Path, name: str) -> str:
    """Each figure, then what they mean, and of which machine they are."""
    path = root / "docs" / "figures" / f"bench-{name}.json"
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    columns = dict(_STATISTICS)
    if any(figure["ratio"] is not None for figure in content["figures"]):
        columns["ratio"] = "p50 by the first's"
    rows = [f"| | | {' | '.join(columns.values())} |\n| --- | --- |{' ---: |' * len(columns)}\n"]
    for figure in content["figures"]:
        cells = " | ".join("" if figure[key] is None else _number(figure[key]) for key in columns)
        rows.append(f"| {figure['name'].strip()} | {figure['unit']} | {cells} |\n")
    machine = content["machine"]
    where = (
        f"Measured on {content['date'][:10]} with `bench/run.py {name}`, on {machine['cores']} cores of "
        f"{machine['cpu']}; load average {machine['load']}, of the benchmark itself and of whatever ran beside it."
    )
    return "".join(rows) + f"\n{content['note']} {where}\n"


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 or value == int(value) else f"{value:.3g}"
