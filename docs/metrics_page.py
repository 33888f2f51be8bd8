# SPDX-License-Identifier: Apache-2.0
"""Makes the page of metrics from what `fixaccel metrics` makes of an answer in which nothing has happened yet."""

from collections import defaultdict
from typing import Any

from prometheus_client.core import Metric

from fixaccel.board.metrics import metrics_of
from fixaccel.hwmap import load_hwmap

_HEAD = """# Metrics

What [`fixaccel metrics`](../howto/watch.md) tells of a daemon, beside `fixaccel_up`. Counters count since the daemon
was started, those of the fabric since the board was; `status` and the journal have the whole of it.

| metric | kind | labels | |
| --- | --- | --- | --- |
"""
_PREFIX = "count_"
_HISTOGRAM = {"bounds": [1], "counts": [0], "count": 0, "sum": 0}


def page() -> str:
    """The page in Markdown."""
    return _HEAD + "".join(map(_row, metrics_of(_blank())))


def _blank() -> dict[str, Any]:
    answer: dict[str, Any] = defaultdict(int)
    answer["phase"] = "idle"
    registers = load_hwmap().registers
    answer["counters"] = {name.removeprefix(_PREFIX): 0 for name in registers if name.startswith(_PREFIX)}
    answer["tally"] = {
        "fires": [{"where": "", "outcome": "", "count": 0}],
        **{key: {"": 0} for key in ("records", "sessions", "loads", "reports")},
        "fabric_cycles": _HISTOGRAM,
        "runtime_ns": _HISTOGRAM,
    }
    answer["order_times"] = {"": {"": _HISTOGRAM}}
    return answer


def _row(metric: Metric) -> str:
    labels = [f"`{name}`" for name in metric.samples[0].labels if name != "le"]
    name = metric.name + ("_total" if metric.type == "counter" else "")
    return f"| `{name}` | {metric.type} | {', '.join(labels)} | {metric.documentation} |\n"
