# SPDX-License-Identifier: Apache-2.0
"""`fixaccel latency` of a daemon's answer; a real daemon gives one in tests/e2e/test_latency.py."""

import copy
import json

import pytest
from answering import Answering
from click.testing import CliRunner
from latency_answer import ANSWER, ORDER, part, path

from fixaccel.cli.latency import latency, lines
from fixaccel.latency.stages import SECOND


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


@pytest.mark.parametrize(("simulated", "whose"), [(True, "a virtual board, simulated"), (False, "the board")])
def test_what_the_fabric_counts_is_named(simulated, whose):
    of_fabric = path(2)
    for stage in ("wake", "parse", "journal", "lease", "engine"):
        of_fabric["parts"][stage] = part(0)
    for moment in ("t1", "t2"):
        of_fabric["stamps"][moment] = {"app": 0, "kernel": 0, "shared": 0, "card": 0, "fabric": 2}
    found = text(paths={"fabric": of_fabric}, fabric={"clock_hz": 156_250_000, "simulated": simulated})
    assert found.splitlines()[:6] == [
        "2 orders of the fabric: 2 answered",
        "  T1 2 by the fabric's cycles",
        "  T2 2 by the fabric's cycles",
        "  T3 2 by the daemon's clock",
        "  us                   p50       p99     p99.9       max      mean",
        "  T1 to T2            28.0      56.0      84.0     112.0      28.0",
    ]
    assert [line.split()[0] for line in found.splitlines()[6:8]] == ["decide", "send"]
    assert found.splitlines()[-1] == f"  T1 to T2 are cycles of {whose}, of 6.4 ns each"


def test_what_is_counted_apart_is_said():
    one = path(5) | {"answered": 1, "rejected": 1, "unanswered": 1, "resent": 1, "without_t1": 1}
    assert "5 orders of rules: 1 answered, 1 rejected, 1 without an answer, 1 sent again, 1 without T1" in text(
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
    one["parts"] |= {name: part(0) for name in (*SECOND, "t3_t4", "inner")}
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
