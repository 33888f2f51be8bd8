# SPDX-License-Identifier: Apache-2.0
"""`fixaccel latency -o`: what is written is what others read; a real daemon's in tests/e2e/test_latency.py."""

import copy
import random
import time

import pyarrow.parquet as pq
import pytest
from answering import Answering
from click.testing import CliRunner
from hdrh.histogram import HdrHistogram
from hdrh.log import HistogramLogReader
from latency_answer import ANSWER

from fixaccel.cli.latency import latency
from fixaccel.latency.histogram_log import DIGITS, LEAST, MOST, encoded
from fixaccel.latency.stages import FIRST, SECOND

_FIRST = {"wake": 1000, "parse": 2000, "decide": 3000, "journal": 4000, "lease": 0, "engine": 500, "send": 1500}
_SECOND = {"answer_wake": 100, "answer_parse": 200, "answer_journal": 300}
_T1 = 1_772_460_000_000_000_123


def order(number, state="answered", path="rule"):
    """As the daemon tells one."""
    stages = {"decide": 64, "send": 256} if path == "fabric" else dict(_FIRST)
    by = ["fabric", "fabric"] if path == "fabric" else ["kernel", "kernel"]
    t1 = _T1 + number * 1_000_000
    told = {"number": number, "cl_ord_id": f"ID{number}", "path": path, "state": state, "t1_ns": t1, "by": by}
    told |= {"t2_ns": t1 + sum(stages.values()), "stages": stages}
    if state == "answered":
        told |= {"t3_ns": t1 + 100_000, "t4_ns": t1 + 100_600, "inner_ns": sum(stages.values()) + 600}
        by.append("app")
        stages.update(_SECOND)
    return told


ORDERS = [order(3), order(4, "unanswered"), order(7, path="fabric"), order(8, "rejected"), *map(order, range(9, 500))]


def answer(request):
    """With buckets of what each part says it has, or a page of orders."""
    if "after" in request:
        return ANSWER | {"orders": [one for one in ORDERS if one["number"] > request["after"]][:200]}
    told = copy.deepcopy(ANSWER)
    if request.get("buckets"):
        for path in told["paths"].values():
            for part in path["parts"].values():
                part["buckets"] = [[part["p50_ns"], part["count"]]] if part["count"] else []
    return told


@pytest.fixture
def daemon(tmp_path):
    answering = Answering(tmp_path / "control.sock", answer)
    yield answering
    answering.stop()


def export(daemon, *arguments):
    return CliRunner().invoke(latency, ["--to", daemon.endpoint, *arguments])


def intervals(file):
    reader = HistogramLogReader(str(file), HdrHistogram(LEAST, MOST, DIGITS))
    found = {}
    while (one := reader.get_next_interval_histogram()) is not None:
        found[one.get_tag()] = one
    reader.input_file.close()
    return reader, found


def test_a_log_that_hdrhistogram_reads(daemon, tmp_path):
    file = tmp_path / "day.hlog"
    before = time.time()
    said = export(daemon, "-o", str(file))
    assert (said.exit_code, said.stdout) == (0, f"{file}: 13 histograms\n")
    reader, found = intervals(file)
    assert reader.get_start_time_sec() == ANSWER["since_ns"] / 1e9
    parts = ANSWER["paths"]["rule"]["parts"]
    assert set(found) == {f"rule.{name}" for name, part in parts.items() if part["count"]}
    for name, part in parts.items():
        if part["count"]:
            one = found[f"rule.{name}"]
            assert (one.get_total_count(), one.get_value_at_percentile(50)) == (
                part["count"],
                one.get_highest_equivalent_value(part["p50_ns"]),
            )
            assert one.get_start_time_stamp() == ANSWER["since_ns"] / 1e6
            assert one.get_end_time_stamp() >= (before - 1) * 1000


def test_every_bucket_is_hdrhistograms_own():
    """Both make the same text of the same durations."""
    draw = random.Random(1)
    theirs = HdrHistogram(LEAST, MOST, DIGITS)
    durations = [0, 1, 2047, 2048, 2049, MOST, *(int(2 ** draw.uniform(0, 36)) - 1 for _ in range(3000))]
    counts = {}
    for duration in durations:
        theirs.record_value(duration)
        least = theirs.get_lowest_equivalent_value(duration)
        counts[least] = counts.get(least, 0) + 1
    ours = HdrHistogram.decode(encoded(sorted(counts.items())))
    for hundredths in (0, 10, 50, 99, 99.9, 100):
        assert ours.get_value_at_percentile(hundredths) == theirs.get_value_at_percentile(hundredths)
    assert ours.get_total_count() == theirs.get_total_count() == len(durations)
    assert [(at.value_iterated_to, at.count_at_value_iterated_to) for at in ours.get_recorded_iterator()] == [
        (at.value_iterated_to, at.count_at_value_iterated_to) for at in theirs.get_recorded_iterator()
    ]


def test_a_table_of_orders(daemon, tmp_path):
    file = tmp_path / "day.parquet"
    said = export(daemon, "-o", str(file))
    assert (said.exit_code, said.stdout) == (0, f"{file}: {len(ORDERS)} orders\n")
    assert [asked["after"] for asked in daemon.asked if "after" in asked] == [0, 204, 404, 499]
    rows = pq.read_table(file).to_pylist()
    assert [row["number"] for row in rows] == [one["number"] for one in ORDERS]
    answered, unanswered, fabric, rejected = rows[:4]
    assert {stage: answered[f"{stage}_ns"] for stage in (*FIRST, *SECOND)} == _FIRST | _SECOND | {"answer_out": None}
    assert (answered["t1_t2_ns"], answered["t3_t4_ns"], answered["inner_ns"]) == (12_000, 600, 12_600)
    assert (answered["t1"].value, answered["t4"].value) == (ORDERS[0]["t1_ns"], ORDERS[0]["t4_ns"])
    assert (answered["t1_by"], answered["t3_by"]) == ("kernel", "app")
    assert (unanswered["state"], unanswered["t3"], unanswered["inner_ns"]) == ("unanswered", None, None)
    assert unanswered["t1_t2_ns"] == 12_000
    assert (fabric["path"], fabric["t1_by"], fabric["wake_ns"], fabric["decide_ns"]) == ("fabric", "fabric", None, 64)
    assert rejected["state"] == "rejected"


def test_an_older_file_stays_until_all_is_there(daemon, tmp_path):
    file = tmp_path / "day.parquet"
    file.write_text("of yesterday")
    daemon.answer = lambda request: answer(request) if request.get("after", 0) < 204 else None
    assert export(daemon, "-o", str(file)).exit_code == 2
    assert file.read_text() == "of yesterday"
    daemon.answer = answer
    assert export(daemon, "-o", str(file)).exit_code == 0
    assert pq.read_table(file).num_rows == len(ORDERS)
    assert {path.name for path in tmp_path.iterdir()} == {"control.sock", "day.parquet"}, "nothing is left over"


@pytest.mark.parametrize("name", ["day.hlog", "day.parquet"])
def test_without_times_there_is_nothing_to_write(daemon, tmp_path, name):
    daemon.answer = lambda _: ANSWER | {"stamps": "off", "paths": {}}
    said = export(daemon, "-o", str(tmp_path / name))
    assert (said.exit_code, said.stderr) == (1, 'Error: the daemon takes no times: cpu.stamps is "off"\n')
    assert not (tmp_path / name).exists()


def test_a_folder_that_is_not_there(daemon, tmp_path):
    said = export(daemon, "-o", str(tmp_path / "none" / "day.hlog"))
    assert said.exit_code == 2
    assert said.stderr.endswith("none/day.hlog: No such file or directory\n")


@pytest.mark.parametrize("more", [["-o", "day.csv"], ["-o", "x.hlog", "--json"], ["-o", "x.hlog", "--worst", "3"]])
def test_misuse(daemon, more):
    assert export(daemon, *more).exit_code == 2
    assert daemon.asked == []
