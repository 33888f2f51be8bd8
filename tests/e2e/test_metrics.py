# SPDX-License-Identifier: Apache-2.0
"""`fixaccel metrics` of a daemon that trades."""

import json
import re
import urllib.request
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from fixaccel.lab.desk import fixaccel
from fixaccel.lab.processes import Process, wait_until
from lab.desk import ROOT, Desk
from lab.scenario import play

pytestmark = [pytest.mark.e2e, pytest.mark.slow]


def figures(text: str) -> dict[tuple[str, ...], float]:
    """Values by name and labels."""
    return {
        (sample.name, *sorted(sample.labels.values())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def serve(desk: Desk) -> tuple[Process, str]:
    """The exporter on a free port, and where it is."""
    command = [str(ROOT / ".venv/bin/python"), "-m", "fixaccel", "metrics", "--to", desk.control]
    exporter = desk.processes.start("metrics", [*command, "--listen", "127.0.0.1:0"])
    wait_until("the exporter", lambda: "listening on " in exporter.text(), 20, exporter.check_alive)
    found = re.search(r"listening on (\S+)", exporter.text())
    assert found
    return exporter, f"http://{found.group(1)}"


def get(address: str) -> str:
    with urllib.request.urlopen(address, timeout=20) as answer:
        text: str = answer.read().decode()
    return text


def test_what_prometheus_reads(desk: Desk, bundle: Path) -> None:
    desk.start_board()
    play(
        desk,
        "- trade: {instrument: MSFT, price: 1179, size: 1}\n- wait_for: {orders: 1, timeout: 30s}\n"
        "- wait_for: {file: end, timeout: 60s}\n- logout: CLIENT1\n",
    )
    daemon = desk.start_armed(bundle)
    before = figures(fixaccel("metrics", "--to", desk.control).stdout)
    assert (before[("fixaccel_armed",)], before[("fixaccel_rules",)]) == (1, len(desk.status()["rules"]))
    assert before[("fixaccel_fabric_sent_total",)] == 0
    _, address = serve(desk)
    desk.tell("armed")
    (fire,) = desk.wait_for_fires(1)
    after = figures(get(address + "/metrics"))
    assert after[("fixaccel_fires_total", "fabric", "sent")] == 1
    assert after[("fixaccel_fabric_sent_total",)] == 1
    assert after[("fixaccel_fabric_order_cycles_sum",)] == fire["cycles"]
    assert after[("fixaccel_next_msg_seq_num", "out")] > before[("fixaccel_next_msg_seq_num", "out")]
    assert after[("fixaccel_journal_records_total", "fire")] == 1
    assert json.loads(get(address + "/health"))["armed"] is True
    desk.tell("end")
    wait_until("the logout", lambda: "logged out" in desk.status()["phase"], 30, daemon.check_alive)
    daemon.stop()
    assert figures(get(address + "/metrics")) == {("fixaccel_up",): 0}
