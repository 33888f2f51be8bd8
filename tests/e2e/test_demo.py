# SPDX-License-Identifier: Apache-2.0
"""The demo, and that its proof would notice a difference."""

import copy
import subprocess
import sys
from pathlib import Path

import pytest

from lab.capture import examine
from lab.desk import ROOT, Desk, Json, json_lines
from lab.namespaces import CLIENT_IP
from lab.reconcile import same_orders

pytestmark = [pytest.mark.e2e, pytest.mark.slow]


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of a demo that ended with exit code 0."""
    folder = tmp_path_factory.mktemp("demo")
    command = [sys.executable, "tests/e2e/demo.py", "--keep", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def journal_of(folder: Path) -> list[Json]:
    return Desk(folder).journal_lines()


def test_every_order_on_the_wire_is_valid(demo: Path) -> None:
    findings = examine(demo / "wire.pcap", CLIENT_IP)
    assert findings.faults() == []
    assert len(findings.orders) == 6


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
