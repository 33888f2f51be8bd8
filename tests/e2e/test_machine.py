# SPDX-License-Identifier: Apache-2.0
"""What the daemon takes of its machine, and what it asks of it."""

import json
import os
from pathlib import Path

import pytest

from fixaccel.lab.desk import fixaccel
from fixaccel.lab.processes import wait_until
from fixaccel.tune.forms import parse_list
from fixaccel.tune.verdict import FORMAT
from lab.desk import Desk
from lab.venue import start

pytestmark = [pytest.mark.e2e, pytest.mark.slow]


def cores_by_thread(process: int) -> dict[str, frozenset[int]]:
    """Where each thread of a process may run, by its name."""
    found = {}
    for task in Path(f"/proc/{process}/task").iterdir():
        status = (task / "status").read_text(encoding="utf-8")
        (allowed,) = [line.split()[1] for line in status.splitlines() if line.startswith("Cpus_allowed_list:")]
        found[(task / "comm").read_text(encoding="utf-8").strip()] = parse_list(allowed)
    return found


def test_a_core_of_its_own_and_a_verified_machine(desk: Desk, bundle: Path, tmp_path: Path) -> None:
    all_cores = os.sched_getaffinity(0)
    core, verdict = max(all_cores), tmp_path / "verdict.json"

    def said(run: str, drifted: int) -> None:
        verdict.write_text(json.dumps({"format": FORMAT, "run": run, "drifted": drifted, "time": 0}), encoding="utf-8")

    config = tmp_path / "fixacceld.toml"
    config.write_text(f'[cpu]\ncore = {core}\nrequire = "verified"\nverdict = "{verdict}"\n', encoding="utf-8")
    desk.start_board()
    start(desk)
    daemon = desk.start_daemon(bundle, config=config)
    refused = fixaccel("deploy", str(bundle), "--to", desk.control, check=False)
    assert refused.returncode == 1
    assert "the machine is untuned, and cpu.require asks for a verified one" in refused.stderr
    said("7", 1)
    wait_until("drift", lambda: desk.status()["host"]["state"] == "drifted", 30, daemon.check_alive)
    assert "host      drifted: 1 of run 7" in fixaccel("status", "--to", desk.control).stdout
    said("7", 0)
    wait_until("the verdict", lambda: desk.status()["host"]["text"] == "verified 7", 30, daemon.check_alive)
    fixaccel("arm", "--to", desk.control)
    desk.wait_armed(daemon)
    assert desk.status()["cpu"] == {"core": core, "fifo": 0, "lock_memory": False, "not_granted": []}
    threads = cores_by_thread(daemon.pid)
    assert threads.pop("fixacceld") == {core}
    assert {"kill", "log"} <= threads.keys()
    # The only core of a machine is everybody's.
    assert set(threads.values()) == {frozenset(all_cores - {core}) or frozenset(all_cores)}
    # What is armed stays so: nothing of it is a matter of orders.
    said("7", 3)
    wait_until("drift", lambda: desk.status()["host"]["drifted"] == 3, 30, daemon.check_alive)
    assert desk.status()["armed"]


def open_files(process: int) -> set[str]:
    """What a process has open."""
    return {str(link.readlink()) for link in Path(f"/proc/{process}/fd").iterdir()}


def test_cores_stay_awake_while_it_is_armed(desk: Desk, bundle: Path, tmp_path: Path) -> None:
    device = "/dev/cpu_dma_latency"
    if not os.access(device, os.W_OK):
        pytest.skip(f"{device} is not here, or takes root")
    config = tmp_path / "fixacceld.toml"
    # So long that the machine that the tests run on does not notice.
    config.write_text("[cpu]\nwake_us = 1000000\n", encoding="utf-8")
    desk.start_board()
    start(desk)
    daemon = desk.start_armed(bundle, deploy=True, config=config)
    wait_until("awake", lambda: device in open_files(daemon.pid), 30, daemon.check_alive)
    assert desk.status()["cpu"]["not_granted"] == []
    fixaccel("disarm", "--to", desk.control)
    wait_until("asleep", lambda: device not in open_files(daemon.pid), 30, daemon.check_alive)
