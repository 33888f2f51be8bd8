# SPDX-License-Identifier: Apache-2.0
"""`fixaccel latency` of a daemon's answer; a real daemon gives one in tests/e2e/test_latency.py."""

import copy
import json

import pytest
from answering import Answering
from click.testing import CliRunner

from fixaccel.cli.latency import latency, lines

_STAGES = ("wake", "parse", "decide", "journal", "lease", "engine", "send")
_ANSWER_STAGES = ("answer_wake", "answer_parse", "answer_journal", "answer_out")


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
    parts = {stage: part(orders, 1000 * (number + 1)) for number, stage in enumerate(_STAGES)}
    parts |= {stage: part(orders if desk or stage != "answer_out" else 0, 500) for stage in _ANSWER_STAGES}
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


ANSWER = {"ok": True, "stamps": "app", "paths": {"rule": path(3), "desk": path(0)}, "worst": []}
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


def text(**changes):
    return "\n".join(lines(copy.deepcopy(ANSWER) | changes))


def test_stages_stand_below_their_half():
    assert text().splitlines() == [
        "3 orders of rules: 3 answered",
        "  us                   p50       p99     p99.9       max      mean",
        "  T1 to T2            28.0      56.0      84.0     112.0      28.0",
        "    wake               1.0       2.0       3.0       4.0       1.0",
        "    parse              2.0       4.0       6.0       8.0       2.0",
        "    decide             3.0       6.0       9.0      12.0       3.0",
        "    journal            4.0       8.0      12.0      16.0       4.0",
        "    lease              5.0      10.0      15.0      20.0       5.0",
        "    engine             6.0      12.0      18.0      24.0       6.0",
        "    send               7.0      14.0      21.0      28.0       7.0",
        "  T3 to T4             1.5       3.0       4.5       6.0       1.5",
        "    wake               0.5       1.0       1.5       2.0       0.5",
        "    parse              0.5       1.0       1.5       2.0       0.5",
        "    journal            0.5       1.0       1.5       2.0       0.5",
        "  both                29.5      59.0      88.5     118.0      29.5",
    ]


def test_each_path_that_has_orders():
    found = text(paths={"rule": path(3), "desk": path(2, desk=True)})
    assert "3 orders of rules: 3 answered" in found
    assert "\n\n2 orders by hand: 2 answered" in found
    assert "\n    out " in found


def test_what_is_counted_apart_is_said():
    one = path(5) | {"answered": 1, "rejected": 1, "unanswered": 1, "resent": 1, "without_t1": 1}
    assert "5 orders of rules: 1 answered, 1 rejected, 1 without an answer, 1 sent again, 1 at a time" in text(
        paths={"rule": one}
    )


def test_who_has_taken_each_moment():
    assert "by the daemon's clock" not in text(), "nobody else can have"
    one = path(3, by="kernel")
    one["stamps"]["t1"] = {"app": 1, "kernel": 1, "shared": 1}
    found = text(stamps="kernel", paths={"rule": one})
    assert "  T1 1 by the daemon's clock, 1 by the kernel, 1 by the kernel, of a later segment" in found
    assert "  T2 3 by the kernel" in found


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"stamps": "off", "paths": {}}, 'the daemon takes no times: cpu.stamps is "off"'),
        ({"paths": {"rule": path(0), "desk": path(0)}}, "no order has left since the daemon was started"),
    ],
)
def test_without_any(changes, said):
    assert text(**changes) == said


def test_an_order_without_an_answer_yet_has_its_first_half():
    one = path(1) | {"answered": 0, "unanswered": 1}
    one["parts"] |= {name: part(0) for name in (*_ANSWER_STAGES, "t3_t4", "inner")}
    found = text(paths={"rule": one})
    assert "T1 to T2" in found
    assert "T3 to T4" not in found
    assert "both" not in found


def test_the_slowest_with_where_most_of_it_went():
    assert text(worst=[ORDER]).splitlines()[-2:] == [
        "the slowest, in us",
        "  14:00:00.000000  0001000001       29.5  journal 20.0, send 7.0, wake 1.0",
    ]


def test_the_command(tmp_path):
    daemon = Answering(tmp_path / "control.sock", lambda _: ANSWER | {"worst": [ORDER]})
    try:
        said = CliRunner().invoke(latency, ["--to", daemon.endpoint, "--worst", "1"])
        assert (said.exit_code, "the slowest" in said.stdout) == (0, True)
        assert daemon.asked[-1] == {"cmd": "latency", "worst": 1}
        said = CliRunner().invoke(latency, ["--to", daemon.endpoint, "--json"])
        assert json.loads(said.stdout)["paths"]["rule"]["orders"] == 3
        assert daemon.asked[-1] == {"cmd": "latency"}
        refused = CliRunner().invoke(latency, ["--to", daemon.endpoint, "--every", "5"])
        assert refused.exit_code == 2
    finally:
        daemon.stop()
    assert CliRunner().invoke(latency, ["--to", daemon.endpoint]).exit_code == 2
