# SPDX-License-Identifier: Apache-2.0
"""T1 to T4 of orders: of rules and by hand without a board, and of the fabric; against captures of both ends."""

import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from statistics import median

import pyarrow.parquet as pq
import pytest
from hdrh.histogram import HdrHistogram
from hdrh.log import HistogramLogReader

from fixaccel.board import orders as by_hand
from fixaccel.board.control import ControlClient, ControlRefusedError
from fixaccel.board.feed import watch
from fixaccel.lab.capture import segments
from fixaccel.lab.desk import Json, fixaccel, program
from fixaccel.lab.namespaces import CLIENT_IP, EXCHANGE_IP
from fixaccel.lab.processes import wait_until
from fixaccel.latency.histogram_log import DIGITS, LEAST, MOST
from fixaccel.latency.order_rows import all_orders
from lab.desk import Desk
from lab.ladder import ladder, trade_at
from lab.scenario import finish, play

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

_RULES, _BY_HAND = 4, 3
_FIRST = ("wake", "parse", "decide", "journal", "lease", "engine", "send")
_SECOND = ("answer_wake", "answer_parse", "answer_journal", "answer_out")


def whole(path: Json, orders: int) -> None:
    """All of the orders are there, and their stages add up to the halves and to the whole, to the nanosecond."""
    assert (path["orders"], path["answered"]) == (orders, orders)
    assert [path[key] for key in ("rejected", "resent", "unanswered", "untold", "without_t1")] == [0] * 5
    sums = {name: part["sum_ns"] for name, part in path["parts"].items()}
    assert sum(sums[stage] for stage in _FIRST) == sums["t1_t2"]
    assert sum(sums[stage] for stage in _SECOND) == sums["t3_t4"]
    assert sums["t1_t2"] + sums["t3_t4"] == sums["inner"]
    assert {path["parts"][name]["count"] for name in (*_FIRST, *_SECOND[:3], "inner")} == {orders}
    assert sums["journal"] > 0


def falls(count: int, first: int = 0) -> str:
    """Trades down the ladder, each when the order before it is at the venue."""
    return "".join(
        trade_at(step) + f"- wait_for: {{orders: {step + 1}, timeout: 60s}}\n" for step in range(first, first + count)
    )


def settings(desk: Desk, stamps: str) -> Path:
    config = desk.folder / "fixacceld.toml"
    config.write_text(f'[cpu]\nstamps = "{stamps}"\n', encoding="utf-8")
    return config


def orders_of(client: ControlClient) -> list[Json]:
    """All that the daemon keeps, oldest first."""
    return list(all_orders(lambda after: client.ask("latency", after=after)))


@dataclass
class End:
    """A capture of one end of the wire: when each order, its first report and the price ahead of it passed."""

    pcap: Path

    def __post_init__(self) -> None:
        self._sent = segments(self.pcap, CLIENT_IP)
        self._said = segments(self.pcap, EXCHANGE_IP)

    def order(self, cl_ord_id: str) -> float:
        return next(one.time_s for one in self._sent if _names(one.payload, "D", cl_ord_id))

    def report(self, cl_ord_id: str) -> float:
        return next(one.time_s for one in self._said if _names(one.payload, "8", cl_ord_id))

    def price(self, cl_ord_id: str) -> float:
        """The last message with a trade that passed ahead of the order."""
        before = self.order(cl_ord_id)
        return max(one.time_s for one in self._said if b"\x01269=2\x01" in one.payload and one.time_s < before)

    def off(self, stamp: Json, moment: str, seen_s: float) -> float:
        """How far a stamp on what came is from that of the capture; a shared one is of any segment behind it."""
        stamps, at = dict(zip(("t1", "t2", "t3"), stamp["by"], strict=True)), stamp[f"{moment}_ns"] / 1e9
        if stamps[moment] == "kernel":
            return abs(at - seen_s)
        assert stamps[moment] == "shared"
        return min(abs(at - one.time_s) for one in self._said if one.time_s >= seen_s)


def _names(payload: bytes, kind: str, cl_ord_id: str) -> bool:
    return f"\x0135={kind}\x01".encode() in payload and f"\x0111={cl_ord_id}\x01".encode() in payload


_CLOSE_S = 20e-6


def compare_with(here: End, there: End, orders: list[Json]) -> None:
    """Each of the kernel's stamps is the capture's of the same segment at this end, or lies between both ends'.

    The kernel stamps what comes once, for both. What leaves is stamped by the driver, behind the capture and ahead of
    the other end, however long the machine does something else in between.
    """
    off: dict[str, list[float]] = {"t1": [], "t2": [], "t3": []}
    for order in orders:
        name = order["cl_ord_id"]
        off["t1"].append(here.off(order, "t1", here.price(name)))
        off["t3"].append(here.off(order, "t3", here.report(name)))
        assert order["by"][1] == "kernel"
        t2 = order["t2_ns"] / 1e9
        off["t2"].append(abs(t2 - here.order(name)))
        assert here.order(name) - _CLOSE_S <= t2 <= there.order(name) + _CLOSE_S, order
    for moment, errors in off.items():
        assert median(errors) <= _CLOSE_S, (moment, errors)


@pytest.mark.parametrize("stamps", ["app", "kernel"])
def test_every_order_has_its_four_moments(desk: Desk, tmp_path: Path, stamps: str) -> None:
    desk.remove_board()
    bundle = ladder(tmp_path, _RULES)
    ends = [(True, desk.folder / "here.pcap"), (False, desk.folder / "there.pcap")] if stamps == "kernel" else []
    play(desk, falls(_RULES) + "- wait_for: {file: seen, timeout: 90s}\n- wait: 200ms\n- logout: CLIENT1\n")
    daemon = desk.start_armed(bundle, deploy=True, config=settings(desk, stamps))
    captures = [desk.start_capture(at_client=at_client, into=pcap) for at_client, pcap in ends] if ends else []
    with ControlClient(desk.control) as client, ControlClient(desk.control) as watcher:
        desk.tell("armed")
        wait_until(
            "answers to the rules",
            lambda: client.ask("latency")["paths"]["rule"]["answered"] == _RULES,
            30,
            daemon.check_alive,
        )
        events = watch(watcher)
        next(events)  # it is watched from here on
        for _ in range(_BY_HAND):
            sent = by_hand.send_order(client, "MSFT", "buy", 1, price="900")["cl_ord_id"]
            while (event := next(events)).get("cl_ord_id") != sent or event.get("status") != "new":
                pass
        answer = client.ask("latency", worst=100)
    assert answer["stamps"] == stamps
    paths = answer["paths"]
    whole(paths["rule"], _RULES)
    whole(paths["desk"], _BY_HAND)
    assert paths["desk"]["parts"]["answer_out"]["count"] == _BY_HAND
    assert len(answer["worst"]) == _RULES + _BY_HAND
    for order in answer["worst"]:
        moments = [order[f"t{number}_ns"] for number in (1, 2, 3, 4)]
        assert all(one <= other for one, other in pairwise(moments)), order
        assert sum(order["stages"].values()) == order["inner_ns"]
    if stamps == "kernel":
        assert paths["rule"]["stamps"]["t2"]["kernel"] == _RULES
        assert paths["desk"]["stamps"]["t2"]["kernel"] == _BY_HAND
        assert paths["desk"]["stamps"]["t1"]["app"] == _BY_HAND, "the kernel stamps nothing at a Unix socket"
        assert paths["rule"]["stamps"]["t1"]["app"] == 0
        assert paths["rule"]["stamps"]["t3"]["app"] == 0
    said = fixaccel("latency", "--to", desk.control).stdout
    assert f"{_RULES} orders of rules: {_RULES} answered" in said
    assert f"{_BY_HAND} orders by hand: {_BY_HAND} answered" in said
    figures = fixaccel("metrics", "--to", desk.control).stdout
    assert f'fixaccel_order_latency_seconds_count{{part="inner",path="desk"}} {_BY_HAND}.0' in figures
    journal = finish(desk, daemon)
    ids = {line["cl_ord_id"] for line in journal if line["type"] in ("fire", "by_hand")}
    assert ids == {order["cl_ord_id"] for order in answer["worst"]}
    for capture in captures:
        capture.stop()
    if ends:
        compare_with(*(End(pcap) for _, pcap in ends), [one for one in answer["worst"] if one["path"] == "rule"])


def test_a_venue_that_answers_late_moves_nothing_but_t3(desk: Desk, tmp_path: Path) -> None:
    """By medians, and half of what it is late by: on a starved machine each of them may have waited."""
    late_ms, each = 100, 7
    desk.remove_board()
    late = f"- fault: {{client: CLIENT1, delay: {late_ms}ms, types: ['8']}}\n"
    answered = "- wait_for: {file: answered, timeout: 60s}\n"
    play(
        desk,
        falls(each) + answered + late + falls(each, each) + "- wait_for: {file: seen, timeout: 90s}\n"
        "- fault: {client: CLIENT1, clear: true}\n- wait: 200ms\n- logout: CLIENT1\n",
    )
    daemon = desk.start_armed(ladder(tmp_path, 2 * each), deploy=True, config=settings(desk, "kernel"))
    desk.tell("armed")
    with ControlClient(desk.control) as client:

        def wait_answered(count: int) -> None:
            wait_until(
                f"{count} answers",
                lambda: client.ask("latency")["paths"]["rule"]["answered"] == count,
                60,
                daemon.check_alive,
            )

        wait_answered(each)
        desk.tell("answered")
        wait_answered(2 * each)
        orders = orders_of(client)
    finish(desk, daemon)
    assert [order["state"] for order in orders] == ["answered"] * 2 * each
    late_ns = late_ms * 1_000_000

    def rose(part: Callable[[Json], int]) -> float:
        return median(map(part, orders[each:])) - median(map(part, orders[:each]))

    assert min(order["t3_ns"] - order["t2_ns"] for order in orders[each:]) >= late_ns
    assert rose(lambda order: order["t3_ns"] - order["t2_ns"]) >= late_ns / 2
    for stage in orders[0]["stages"]:
        assert rose(lambda order, stage=stage: order["stages"][stage]) < late_ns / 2, stage
    assert rose(lambda order: order["inner_ns"]) < late_ns / 2


def test_orders_of_the_fabric_have_its_cycles_and_ours_their_stamps(desk: Desk, tmp_path: Path) -> None:
    """Orders of either in turn: what the fabric has sent is committed by TCP_REPAIR, ahead of what we send."""
    desk.start_board()
    turns = "".join(
        trade_at(turn) + f"- wait_for: {{orders: {2 * turn + 2}, timeout: 60s}}\n" for turn in range(_RULES)
    )
    play(desk, turns + "- wait_for: {file: seen, timeout: 90s}\n- wait: 200ms\n- logout: CLIENT1\n")
    daemon = desk.start_armed(ladder(tmp_path, _RULES), deploy=True, config=settings(desk, "kernel"))
    with ControlClient(desk.control) as client:
        desk.tell("armed")
        for turn in range(_RULES):
            desk.wait_for_fires(turn + 1)
            by_hand.send_order(client, "MSFT", "buy", 1, price="900")

        def is_answered() -> bool:
            paths = client.ask("latency")["paths"]
            return (paths["fabric"]["answered"], paths["desk"]["untold"]) == (_RULES, _RULES)

        wait_until("answers to all orders", is_answered, 60, daemon.check_alive)
        answer = client.ask("latency", worst=100)
        orders = orders_of(client)
        with pytest.raises(ControlRefusedError, match=r'^"buckets" must be true or false$'):
            client.ask("latency", buckets="yes")
    for name in ("day.hlog", "day.parquet"):
        fixaccel("latency", "--to", desk.control, "-o", str(tmp_path / name))
    said = fixaccel("latency", "--to", desk.control).stdout
    figures = fixaccel("metrics", "--to", desk.control).stdout
    journal = finish(desk, daemon)
    fires = [line for line in journal if line["type"] == "fire"]
    fabric = answer["paths"]["fabric"]
    assert_cycles(fabric, fires, answer["fabric"])
    assert [fabric["stamps"][moment]["fabric"] for moment in ("t1", "t2", "t3")] == [_RULES, _RULES, 0]
    assert answer["paths"]["desk"]["stamps"]["t2"]["kernel"] == _RULES, "right behind commits, too"
    assert answer["paths"]["rule"]["orders"] == 0
    assert [(one["path"], one["state"]) for one in orders] == [("fabric", "answered"), ("desk", "untold")] * _RULES
    assert {one["cl_ord_id"] for one in orders if one["path"] == "fabric"} == {fire["cl_ord_id"] for fire in fires}
    assert f"{_RULES} orders of the fabric: {_RULES} answered" in said
    assert "T1 to T2 are cycles of a virtual board, simulated, of 8 ns each" in said
    assert f'fixaccel_order_latency_seconds_count{{part="t1_t2",path="fabric"}} {_RULES}.0' in figures
    assert_written(tmp_path, answer, orders)


def assert_cycles(fabric: Json, fires: list[Json], clock: Json) -> None:
    """T1 to T2 is what the journal has of each fire, by the clock of the board file."""
    assert clock == {"clock_hz": 125_000_000, "simulated": True}
    assert [fabric[key] for key in ("orders", "rejected", "resent", "unanswered", "without_t1")] == [_RULES, 0, 0, 0, 0]
    first = sum(fire["last_byte_cycle"] - fire["frame_end_cycle"] for fire in fires)
    sums = {name: part["sum_ns"] for name, part in fabric["parts"].items()}
    assert sums["t1_t2"] == 8 * first
    assert sums["decide"] == 8 * sum(fire["cycles"] for fire in fires)
    assert sums["decide"] + sums["send"] == sums["t1_t2"]
    assert sum(sums[stage] for stage in _SECOND) == sums["t3_t4"]
    assert sums["t1_t2"] + sums["t3_t4"] == sums["inner"]
    assert {name for name, part in fabric["parts"].items() if not part["count"]} == {
        "wake", "parse", "journal", "lease", "engine", "answer_out",
    }  # fmt: skip


def assert_written(folder: Path, answer: Json, orders: list[Json]) -> None:
    """Both files have what the daemon has said."""
    reader = HistogramLogReader(str(folder / "day.hlog"), HdrHistogram(LEAST, MOST, DIGITS))
    found = {}
    while (one := reader.get_next_interval_histogram()) is not None:
        found[one.get_tag()] = (one.get_total_count(), one.get_max_value())
    reader.input_file.close()
    parts = {
        f"{path}.{name}": part
        for path, of in answer["paths"].items()
        for name, part in of["parts"].items()
        if part["count"]
    }
    assert {tag: count for tag, (count, _) in found.items()} == {tag: part["count"] for tag, part in parts.items()}
    for tag, part in parts.items():
        assert found[tag][1] * 0.999 <= part["max_ns"] <= found[tag][1], tag
    rows = pq.read_table(folder / "day.parquet").to_pylist()
    assert [(row["cl_ord_id"], row["path"], row["t1_t2_ns"], row["inner_ns"]) for row in rows] == [
        (one["cl_ord_id"], one["path"], one["t2_ns"] - one["t1_ns"], one.get("inner_ns")) for one in orders
    ]


def test_a_card_without_a_clock_is_refused_with_its_line(desk: Desk) -> None:
    config = desk.folder / "fixacceld.toml"
    config.write_text('control = "unix:c.sock"\n\n[cpu]\nstamps = "hardware"\ninterface = "cl0"\n', encoding="utf-8")
    for more in ([], ["--check"]):
        command = [program("runtime/daemon/fixacceld"), "--config", str(config), "--no-board", *more]
        done = subprocess.run(
            desk.inside(desk.wire.client, *command), capture_output=True, text=True, check=False, timeout=60
        )
        assert done.returncode == 2
        assert done.stderr.startswith(f"{config}:4:10: 'stamps' cannot be \"hardware\": cl0 has no clock of its own")
        assert done.stderr.endswith('see `ethtool -T cl0`; stamps = "kernel" needs none\n')
