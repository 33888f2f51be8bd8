# SPDX-License-Identifier: Apache-2.0
"""The demo, and that its proof would notice a difference."""

import copy
import re
import subprocess
import sys
from pathlib import Path

import pytest

from fixaccel.demo import load
from fixaccel.lab.capture import examine
from fixaccel.lab.desk import Json, json_lines
from fixaccel.lab.namespaces import CLIENT_IP
from fixaccel.lab.reconcile import same_orders
from lab.desk import ROOT, Desk

pytestmark = [pytest.mark.e2e, pytest.mark.slow]


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of a demo that ended with exit code 0."""
    folder = tmp_path_factory.mktemp("demo")
    command = [sys.executable, "-m", "fixaccel", "demo", "--keep", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (folder / "said").write_text(done.stdout, encoding="utf-8")
    return folder


def journal_of(folder: Path) -> list[Json]:
    return Desk(folder).journal_lines()


def test_every_order_on_the_wire_is_valid(demo: Path) -> None:
    findings = examine(demo / "wire.pcap", CLIENT_IP)
    assert findings.faults() == []
    assert len(findings.orders) == 9


def test_the_comparison_notices_an_order_that_one_side_lacks(demo: Path) -> None:
    journal, record = journal_of(demo), json_lines(demo / "exchange.jsonl")
    assert same_orders(journal, record) == []
    fires = [line for line in journal if line["type"] == "fire" and line["outcome"] == "sent"]
    assert same_orders([line for line in journal if line is not fires[0]], record) != []
    orders = [line for line in record if line["event"] == "order"]
    assert same_orders(journal, [line for line in record if line is not orders[-1]]) != []
    changed = copy.deepcopy(record)
    next(line for line in changed if line["event"] == "order")["qty"] = "9"
    assert same_orders(journal, changed) != []


def test_it_says_what_the_load_under_market_data_was(demo: Path) -> None:
    said = (demo / "said").read_text(encoding="utf-8")
    assert re.search(r"loaded while armed, in \d+ ms; messages waited for \d+ cycles\n", said)
    assert "armed: 3 of 10 rules, 7 spent\n" in said
    meanwhile = re.search(r"^(\d+) messages with market data came while it was loaded$", said, re.MULTILINE)
    assert meanwhile is not None
    assert int(meanwhile[1]) > 0


def test_the_comparison_notices_a_load_that_was_none(demo: Path) -> None:
    journal = journal_of(demo)
    seen = [{rule: states[moment] for rule, states in load.STATES.items()} for moment in range(4)]
    assert load.faults(journal, seen, load.BEHIND) == []
    for moment in seen:
        kept, moment["take-profit"] = moment["take-profit"], "waiting"
        assert len(load.faults(journal, seen, load.BEHIND)) == 1
        moment["take-profit"] = kept
    for kind, key, value in (("load", "how", "disarmed"), ("fire", "generation", 0), ("armed", "type", "disarmed")):
        changed = copy.deepcopy(journal)
        [line for line in changed if line["type"] == kind][-1][key] = value
        assert len(load.faults(changed, seen, load.BEHIND)) == 1, kind
    quiet = [line for line in journal if line["type"] != "flipped"]
    assert load.market_data(journal, json_lines(demo / "exchange.jsonl"), 0) > 0
    assert load.market_data(quiet, json_lines(demo / "exchange.jsonl"), 0) == 0
