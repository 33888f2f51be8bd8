# SPDX-License-Identifier: Apache-2.0
"""What a daemon answers to `latency`, made up."""

from fixaccel.latency.stages import FIRST, SECOND


def part(count, ns=0):
    return {
        "count": count,
        "sum_ns": count * ns,
        "min_ns": ns,
        "p50_ns": ns,
        "p99_ns": 2 * ns,
        "p999_ns": 3 * ns,
        "max_ns": 4 * ns,
    }


def path(orders, *, desk=False, by="app"):
    parts = {stage: part(orders, 1000 * (number + 1)) for number, stage in enumerate(FIRST)}
    parts |= {stage: part(orders if desk or stage != "answer_out" else 0, 500) for stage in SECOND}
    parts |= {"t1_t2": part(orders, 28_000), "t3_t4": part(orders, 1500), "inner": part(orders, 29_500)}
    nothing = {"app": 0, "kernel": 0, "shared": 0}
    return {
        "orders": orders,
        "without_t1": 0,
        "answered": orders,
        "rejected": 0,
        "resent": 0,
        "untold": 0,
        "unanswered": 0,
        "stamps": {moment: nothing | {by: orders} for moment in ("t1", "t2", "t3")},
        "parts": parts,
    }


ANSWER = {
    "ok": True,
    "stamps": "app",
    "since_ns": 1_772_460_000_000_000_000,
    "paths": {"rule": path(3), "desk": path(0)},
    "worst": [],
    "fabric": {"clock_hz": 0, "simulated": False},
}
ORDER = {
    "cl_ord_id": "0001000001",
    "path": "rule",
    "t1_ns": 1_772_460_000_000_000_000,
    "t2_ns": 1_772_460_000_000_028_000,
    "t3_ns": 1_772_460_000_000_090_000,
    "t4_ns": 1_772_460_000_000_091_500,
    "inner_ns": 29_500,
    "by": ["app", "app", "app"],
    "stages": {"wake": 1000, "journal": 20_000, "send": 7000, "answer_wake": 500},
}
