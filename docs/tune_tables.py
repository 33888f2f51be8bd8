# SPDX-License-Identifier: Apache-2.0
"""Makes the tables of what tuning does, of `bench/run.py --publish tuned` and `trips`, beside the paper's figures.

The paper: Futures low-latency tuning; one order client, 50 orders a second, on twelve cores with kernel bypass.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench_tables import Content, number, published, where

_PAPER_INNER = {"mean": 27.0}  # us; 99 % are below the next
_PAPER_BELOW = 35
# Round trips of a ping, us: min, avg, max, mdev, by what was tuned until then; and the stage of ours beside it.
_PAPER_TRIPS = {
    "before": ("36 / 84 / 109 / 14", "at first"),
    "server (BIOS)": ("35 / 41 / 56 / 11", ""),
    "Linux": ("27 / 31 / 49 / 7", "process, host"),
    "network": ("6 / 8 / 17 / 2", "network"),
    "kernel bypass": ("two thirds less", "none: the fabric is our bypass"),
}
_COLUMNS = {"mean": "mean", "median": "p50", "p99": "p99", "p999": "p99.9", "max": "max"}
_INNER = re.compile(r"(?P<what>[^,]+, [^,]+), (?P<side>before|after): (?P<part>.+)\Z")
_AT_RATE = re.compile(r"(?P<what>rules, [^,]+), (?P<side>before|after), (?P<rate>.+ orders/s): inner\Z")
_STAGE = re.compile(r"(?P<stage>[^,:]+), (?P<side>before|after): (?P<point>.+)\Z")
_PARTS = ("inner", "T1 to T2", "T3 to T4")


def pages(root: Path) -> dict[str, str]:
    """Texts by file name."""
    tuned, trips = published(root, "tuned"), published(root, "trips")
    return {
        "tuned-orders.md": orders(tuned),
        "tuned-stages.md": stages(tuned),
        "tuned-rates.md": rates(tuned),
        "tuned-trips.md": round_trips(trips),
    }


def orders(content: Content) -> str:
    """T1 to T2 and T3 to T4 together, before and after, beside the paper's."""
    rows = [["the paper", "after", number(_PAPER_INNER["mean"]), "", f"below {_PAPER_BELOW}", "", "", ""]]
    rows += [
        [match["what"], match["side"], *(number(figure[key]) for key in _COLUMNS), figure["said"]]
        for figure, match in _matching(content, _INNER)
        if match["part"] == "inner"
    ]
    return _table(["us", "", *_COLUMNS.values(), "verdict"], rows) + f"\n{content['note']} {where(content)}\n"


def stages(content: Content) -> str:
    """The median of each stage, before and after."""
    found: dict[str, dict[tuple[str, str], float]] = {}
    for figure, match in _matching(content, _INNER):
        if figure["unit"] == "us" and match["part"] not in _PARTS:
            found.setdefault(match["part"], {})[match["what"], match["side"]] = figure["median"]
    whats = list(dict.fromkeys(what for by in found.values() for what, _ in by))
    rows = [
        [f"`{stage}`", *(_pair(by.get((what, "before")), by.get((what, "after"))) for what in whats)]
        for stage, by in found.items()
    ]
    return _table(["p50 in us, before and after", *whats], rows)


def rates(content: Content) -> str:
    """Of more orders a second, and the rate that the machine can have."""
    rows = [
        [match["what"], match["side"], match["rate"], *(number(figure[key]) for key in _COLUMNS)]
        for figure, match in _matching(content, _AT_RATE)
    ]
    capacity = [
        [match["what"], match["side"], f"capacity: {number(figure['median'])} orders/s", *[""] * len(_COLUMNS)]
        for figure, match in _matching(content, _INNER)
        if match["part"] == "capacity"
    ]
    return _table(["us", "", "", *_COLUMNS.values()], rows + capacity)


def round_trips(content: Content) -> str:
    """By stage as `fixaccel tune run` tried them, beside the paper's."""
    paper = [[name, f"ping: {text}", "", "", "", "", beside] for name, (text, beside) in _PAPER_TRIPS.items()]
    head = ["stage", "us", "min", "mean", "p50", "p99", "verdict, or the stage of ours beside it"]
    rows = []
    for figure in content["figures"]:
        match = _STAGE.match(figure["name"])
        name, point = (f"{match['stage']}, {match['side']}", match["point"]) if match else figure["name"].split(": ", 1)
        statistics = [number(figure[key]) for key in ("min", "mean", "median", "p99")]
        rows.append([name, point, *statistics, figure["said"]])
    table = _table(head, [[f"the paper: {row[0]}", *row[1:]] for row in paper] + rows)
    return f"{table}\n{content['note']} {where(content)}\n"


def _matching(content: Content, pattern: re.Pattern[str]) -> Iterator[tuple[Content, re.Match[str]]]:
    for figure in content["figures"]:
        if match := pattern.match(figure["name"]):
            yield figure, match


def _pair(before: float | None, after: float | None) -> str:
    return "" if before is None or after is None else f"{number(before)} / {number(after)}"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)
