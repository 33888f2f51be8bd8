# SPDX-License-Identifier: Apache-2.0
"""`fixaccel-rtlsim`: one model runs many jobs, and none of them sees the one before."""

import json
import subprocess
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from fixaccel.data import data_path
from fixaccel.emit.bundle import write_bundle
from fixaccel.events.file import load_events
from fixaccel.hwmap import load_hwmap
from fixaccel.image.pack.pack import build_image
from fixaccel.pipeline import load_board, load_strategy
from fixaccel.semantics.messages import Kind, Message
from fixaccel.simulate.rtl.pcap import read_pcap, write_pcap
from fixaccel.simulate.rtl.run import find_rtlsim
from fixaccel.simulate.rtl.stream import make_traffic

pytestmark = pytest.mark.rtl

HWMAP = load_hwmap()
COLUMNS = "ts_ns,instrument,kind,bid,bid_size,ask,ask_size,last,last_size\n"
NOON = 1_700_049_600_000_000_000  # 2023-11-15 12:00 UTC
DAY = 86_400_000_000_000
Json = dict[str, Any]


@dataclass(frozen=True)
class Job:
    folder: Path

    def line(self, **more: object) -> str:
        names = {"bundle": "bundle", "in": "frames.pcap", "orders": "orders.pcap", "ring": "ring.jsonl"}
        return json.dumps({key: str(self.folder / name) for key, name in names.items()} | more) + "\n"

    def ring(self) -> list[Json]:
        return [json.loads(line) for line in (self.folder / "ring.jsonl").read_text().splitlines()]

    def orders(self) -> list[tuple[int, bytes]]:
        return list(read_pcap(self.folder / "orders.pcap"))


def _job(folder: Path, rules: str, events: str, seed: int | None = None) -> Job:
    """Bundle and frames for a strategy on the simulator's venue; an event is `TIME SYMBOL LAST`."""
    folder.mkdir()
    venue = data_path("strategies/venues/simulator.yaml").resolve()
    (folder / "strategy.yaml").write_text(f"fixaccel: 1\nvenue: {venue.name}\nrules:\n{rules}")
    (folder / venue.name).write_bytes(venue.read_bytes())
    strategy = load_strategy(folder / "strategy.yaml").strategy
    board = load_board().board
    assert strategy is not None
    assert board is not None
    (folder / "events.csv").write_text(
        COLUMNS + "".join("{},{},snapshot,,,,,{},1\n".format(*line.split()) for line in events.splitlines())
    )
    messages: list[Message] = list(load_events(folder / "events.csv", strategy.venue.instruments).messages)
    assert messages
    assert all(message.kind is Kind.SNAPSHOT for message in messages)
    write_bundle(build_image(strategy, board, HWMAP), strategy, board, folder / "bundle")
    write_pcap(folder / "frames.pcap", make_traffic(strategy.venue.session, messages, seed).frames)
    return Job(folder)


def _stop(name: str, symbol: str, when: str) -> str:
    return f"  - {{id: {name}, instrument: {symbol}, when: {when}, order: {{side: sell, qty: 1, type: market}}}}\n"


def _run(lines: str, *options: str) -> tuple[int, list[Json]]:
    done = subprocess.run(
        [find_rtlsim(), "--batch", "-", *options], input=lines, capture_output=True, text=True, check=False
    )
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()]


def _without_cycles(ring: list[Json]) -> list[Json]:
    """Ring records with cycle stamps relative to the first: jobs of a batch run one after another."""
    start = ring[0]["message_end_cycle"] if ring else 0
    return [{k: v - start if k.endswith("_cycle") else v for k, v in record.items()} for record in ring]


def test_jobs_of_a_batch_do_not_see_each_other(tmp_path: Path) -> None:
    fires = _stop("a", "MSFT", "last <= 1180") + _stop("b", "MSFT", "last <= 1170") + _stop("c", "ESZ6", "last >= 7000")
    events = f"{NOON} MSFT 1181\n{NOON + 5} MSFT 1175\n{NOON + 9} MSFT 1160\n{NOON + 9} ESZ6 7001\n"
    first = _job(tmp_path / "first", fires, events, seed=3)
    # The same symbols with nothing to fire: whatever survived of the first job would.
    quiet = _job(tmp_path / "quiet", _stop("a", "MSFT", "last <= 1"), events)
    again = _job(tmp_path / "again", fires, events, seed=3)
    code, summaries = _run(first.line() + quiet.line() + again.line())
    assert code == 0
    assert [summary["fires"] for summary in summaries] == [3, 0, 3]
    assert quiet.ring() == []
    assert [record["fires"] for record in again.ring()] == [1, 1, 1]
    assert _without_cycles(first.ring()) == _without_cycles(again.ring())
    assert first.orders() == again.orders()
    assert len(first.orders()) == 3


def test_one_message_fires_more_orders_than_the_ring_holds(tmp_path: Path) -> None:
    count = HWMAP.constant("ring_entries") + 6
    rules = "".join(_stop(f"r{i}", "MSFT", f"last <= {1000 + i}") for i in range(count))
    job = _job(tmp_path / "job", rules, f"{NOON} MSFT 900\n")
    code, (summary,) = _run(job.line())
    assert code == 0
    assert summary["count_sent"] == count
    assert summary["count_rejected_exhausted"] == 0
    # Highest threshold first.
    assert [record["rule"] for record in job.ring()] == list(reversed(range(count)))
    assert [record["entry"] for record in job.ring()] == list(range(1, count + 1))
    ends = [record["tcp_seq"] + record["length"] for record in job.ring()]
    assert [record["tcp_seq"] for record in job.ring()][1:] == ends[:-1]


def test_the_fabrics_clock_is_the_captures(tmp_path: Path) -> None:
    times = [
        NOON,
        NOON + 1,
        NOON + 7_999_999_999,
        NOON + 3600_000_000_000,
        NOON + DAY // 2 - 1,
        NOON + DAY // 2,
        NOON + DAY,
    ]
    rules = "".join(_stop(f"r{i}", "MSFT", f"last <= {1000 - 10 * i}") for i in range(len(times)))
    job = _job(tmp_path / "job", rules, "".join(f"{t} MSFT {1000 - 10 * i}\n" for i, t in enumerate(times)))
    code, _ = _run(job.line())
    assert code == 0
    assert [record["time_ns"] for record in job.ring()] == times
    assert [time for time, _ in job.orders()] == times
    sending_times = [record["payload"].split("\x0152=")[1][:21] for record in job.ring()]
    assert sending_times[0] == "20231115-12:00:00.000"
    assert sending_times[4:6] == ["20231115-23:59:59.999", "20231116-00:00:00.000"]


def test_options_set_the_session(tmp_path: Path) -> None:
    job = _job(tmp_path / "job", _stop("a", "MSFT", "last <= 1180"), f"{NOON} MSFT 1000\n")
    code, _ = _run(job.line(epoch="Z9Z9", generation=77), "--next-seq-num", "9999", "--isn-local", "77")
    assert code == 0
    (record,) = job.ring()
    assert record["msg_seq_num"] == 0x9999
    assert record["generation"] == 77
    assert record["tcp_seq"] == 77
    assert "\x0111=Z9Z90000000000000001\x01" in record["payload"]


def test_a_job_that_fails_is_told_and_the_rest_runs(tmp_path: Path) -> None:
    good = _job(tmp_path / "good", _stop("a", "MSFT", "last <= 1180"), f"{NOON} MSFT 1000\n")
    bad = _job(tmp_path / "bad", _stop("a", "MSFT", "last <= 1180"), f"{NOON} MSFT 1000\n")
    chain = bad.folder / "bundle" / "image" / "chain.bin"
    chain.write_bytes(bytes(len(chain.read_bytes())))
    no_frames = json.dumps({"bundle": str(good.folder / "bundle"), "in": str(tmp_path / "none.pcap")}) + "\n"
    code, answers = _run(bad.line() + "no json\n" + "{}\n" + no_frames + good.line())
    assert code == 1
    assert "chain.bin differs from its SHA-256" in answers[0]["error"]
    assert "error" in answers[1]
    assert "a job needs `bundle` and `in`" in answers[2]["error"]
    assert "none.pcap: cannot be read" in answers[3]["error"]
    assert answers[4]["fires"] == 1


def test_at_line_rate_the_clock_runs_and_the_next_job_does_not_see_it(tmp_path: Path) -> None:
    rules = _stop("a", "MSFT", "last <= 1180") + _stop("b", "MSFT", "last <= 1170")
    job = _job(tmp_path / "job", rules, f"{NOON} MSFT 1175\n{NOON} MSFT 1160\n")
    fast: Json = {"wire": str(tmp_path / "wire.pcap"), "ring": ""}
    code, answers = _run(job.line() + job.line(**fast) + job.line(**fast | {"ring": "x"}) + job.line())
    assert code == 1
    assert "at line rate" in answers[2]["error"]
    assert [answer["orders"] for answer in (answers[0], answers[1], answers[3])] == [2, 2, 2]
    frames = list(read_pcap(tmp_path / "wire.pcap"))
    times = [time - NOON for time, _ in frames]
    assert times == sorted(times)
    assert times[0] == 0
    assert len(set(times)) == len(times)
    assert sum(b"\x0135=D\x01" in frame for _, frame in frames) == 2
    assert all(zlib.crc32(frame[:-4]) == int.from_bytes(frame[-4:], "little") for _, frame in frames)
    assert {time for time, _ in job.orders()} == {NOON}, "time stands still, but for what the frames say"


@pytest.mark.parametrize("options", [[], ["--bundle", "x"], ["--batch", "none"], ["--next-seq-num", "0"]])
def test_wrong_options_are_one_line_and_a_code(options: list[str]) -> None:
    done = subprocess.run([find_rtlsim(), *options], capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert done.stderr
    assert "terminate called" not in done.stderr


GEM_RULES = _stop("a", "MSFT", "last <= 1180") + _stop("b", "MSFT", "last <= 1170") + _stop("c", "ESZ6", "last >= 7000")
GEM_EVENTS = f"{NOON} MSFT 1181\n{NOON + 5} MSFT 1175\n{NOON + 9} MSFT 1160\n{NOON + 9} ESZ6 7001\n"


def _alone(job: Job, *options: str) -> Json:
    """Summary of one job that must not fail."""
    code, (summary,) = _run(job.line(), *options)
    assert code == 0, summary
    return summary


def _without_stamps(job: Job) -> list[Json]:
    return [{key: value for key, value in line.items() if not key.endswith("_cycle")} for line in job.ring()]


@pytest.mark.parametrize("shape", [None, 3, 11])
def test_behind_the_ethernet_controller_orders_are_those_of_a_wire(tmp_path: Path, shape: int | None) -> None:
    """In one segment, and cut and joined at random; with another phase of the bursts each time."""
    job = _job(tmp_path / "job", GEM_RULES, GEM_EVENTS, seed=shape)
    wire = _alone(job)
    expected, ring = job.orders(), _without_stamps(job)
    assert wire["fires"] == 3
    for seed in range(1, 4):
        behind_gem = _alone(job, "--interface", "gem-bram", "--gem-seed", str(seed))
        assert job.orders() == expected
        assert _without_stamps(job) == ring
        # When the CPU acknowledges, and so how often it is rewritten, is a matter of time.
        timed = {"count_cpu_frames", "count_ack_rewrites"}
        counters = [key for key in wire if key.startswith("count_") and key not in timed]
        assert {key: behind_gem[key] for key in counters} == {key: wire[key] for key in counters}


def test_a_message_that_fires_more_orders_than_the_ring_has_slots(tmp_path: Path) -> None:
    count = 40
    rules = "".join(_stop(f"r{i}", "MSFT", f"last <= {1000 + i}") for i in range(count))
    job = _job(tmp_path / "job", rules, f"{NOON} MSFT 900\n")
    assert _alone(job)["count_sent"] == count
    expected = job.orders()
    assert _alone(job, "--interface", "gem-bram")["count_sent"] == count
    assert job.orders() == expected


def test_figures_are_of_each_order(tmp_path: Path) -> None:
    """Cycles from frame ready on: the first word, the write of net_ctrl, the whole frame, in this order."""
    job = _job(tmp_path / "job", GEM_RULES, GEM_EVENTS)
    figures = tmp_path / "figures.jsonl"
    _alone(job, "--interface", "gem-bram", "--figures", str(figures))
    lines = [json.loads(line) for line in figures.read_text().splitlines()]
    assert [line["frame"] for line in lines] == [1, 2, 3]
    for line in lines:
        assert 0 < line["first_byte"] < line["first_word"] <= line["start_tx"] < line["whole"]


@pytest.mark.parametrize(("interface", "more"), [("wire", {}), ("gem-bram", {"wire": "wire.pcap", "ring": ""})])
def test_figures_without_a_controller_or_at_line_rate_are_refused(
    tmp_path: Path, interface: str, more: dict[str, str]
) -> None:
    job = _job(tmp_path / "job", GEM_RULES, GEM_EVENTS)
    figures = tmp_path / "figures.jsonl"
    code, (answer,) = _run(job.line(**more), "--interface", interface, "--figures", str(figures))
    assert code == 1
    assert "figures are of the gem-bram interface" in answer["error"]
    assert not figures.exists(), "nothing was measured"
