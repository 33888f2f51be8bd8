# SPDX-License-Identifier: Apache-2.0
"""`make demo-bus`, and that its proof would notice a difference."""

import copy
from pathlib import Path

import pytest

import demo_bus
from fixaccel.bus.ring import RingState
from fixaccel.lab.desk import Json, json_lines
from lab.desk import Desk

pytestmark = [pytest.mark.e2e, pytest.mark.slow, pytest.mark.waits]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of a demo in which all agreed."""
    made = tmp_path_factory.mktemp("demo-bus")
    assert demo_bus.run(made) == []
    return made


def all_of(folder: Path) -> tuple[list[Json], list[Json], RingState, list[Json], list[Json]]:
    desk = Desk(folder)
    journal, record = desk.journal_lines(), desk.record()
    count = {kind: sum(line["type"] == kind for line in journal) for kind in ("fire", "execution")}
    quotes = sum(line["event"] == "market_data" for line in record)
    ring = RingState(0, 0, 0, quotes, 0, 0, count["fire"], count["execution"], "idle", frozenset())
    return journal, record, ring, *(json_lines(folder / f"{reader}.log") for reader in ("desk", "lobby"))


def quote_without_gap(desk: list[Json]) -> int:
    """Index of a new quote of which was said how many there were since its symbol's last one."""
    before: dict[str, int] = {}
    for index, line in enumerate(desk):
        if "top" in line:
            if line["missed"] is not None and line["n"] > before.get(line["symbol"], line["n"]):
                return index
            before[line["symbol"]] = line["n"]
    raise AssertionError("no symbol has two quotes without a gap between them")


def test_agreement_is_seen_and_so_is_each_difference(folder: Path) -> None:
    journal, record, ring, desk, lobby = all_of(folder)
    assert demo_bus.faults(journal, record, ring, desk, lobby) == []
    events = [number for number, line in enumerate(desk) if "record" in line]
    counted = quote_without_gap(desk)
    lost, twice, hole, old = (copy.deepcopy(desk) for _ in range(4))
    del lost[events[3]]
    twice.insert(events[3], desk[events[3]])
    hole[counted]["n"] += 1
    for line in old:
        line["missed"] = 0
    for changed in (lost, twice, hole, old):
        assert demo_bus.faults(journal, record, ring, changed, lobby) != []
    assert demo_bus.faults(journal, record[:5], ring, desk, lobby) != []
    assert demo_bus.faults(journal[:-1], record, ring, desk, lobby) != []
    assert demo_bus.faults(journal, record, ring, desk, []) != []
