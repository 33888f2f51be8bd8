# SPDX-License-Identifier: Apache-2.0
"""Makes tables of what was measured, from the figures that `bench/run.py --publish NAME` has written."""

import json
from pathlib import Path
from typing import Any

NAMES = ("path", "inner", "loads", "kill", "rest", "backtests", "link")  # each has its docs/figures/bench-NAME.json
# Of a table those that any of its figures has.
STATISTICS = {
    "samples": "samples",
    "min": "min",
    "mean": "mean",
    "median": "p50",
    "p99": "p99",
    "p999": "p99.9",
    "max": "max",
    "ratio": "p50 by the first's",
}

Content = dict[str, Any]


def pages(root: Path) -> dict[str, str]:
    """Texts by file name."""
    return {f"bench-{name}.md": table(root, name) for name in NAMES}


def published(root: Path, name: str) -> Content:
    """What the benchmark has written."""
    content: Content = json.loads((root / "docs" / "figures" / f"bench-{name}.json").read_text(encoding="utf-8"))
    return content


def table(root: Path, name: str) -> str:
    """Each figure, then what they mean, and of which machine they are."""
    content = published(root, name)
    columns = {key: text for key, text in STATISTICS.items() if any(f.get(key) is not None for f in content["figures"])}
    rows = [f"| | | {' | '.join(columns.values())} |\n| --- | --- |{' ---: |' * len(columns)}\n"]
    for figure in content["figures"]:
        cells = " | ".join(number(figure.get(key)) for key in columns)
        rows.append(f"| {figure['name'].strip()} | {figure['unit']} | {cells} |\n")
    return "".join(rows) + f"\n{content['note']} {where(content)}\n"


def where(content: Content) -> str:
    """When and on what it was measured."""
    machine = content["machine"]
    return (
        f"Measured on {content['date'][:10]} with `bench/run.py {content['benchmark']}`, on {machine['cores']} cores "
        f"of {machine['cpu']}; load average {machine['load']}, of the benchmark itself and of whatever ran beside it."
    )


def number(value: float | None) -> str:
    """With three digits, or whole; nothing for what was not measured."""
    if value is None:
        return ""
    return f"{value:,.0f}" if value >= 1000 or value == int(value) else f"{value:.3g}"
