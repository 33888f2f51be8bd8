# SPDX-License-Identifier: Apache-2.0
"""The log as objects, of a daemon that somebody starts and ends."""

import json
import os
import signal
from pathlib import Path

import pytest

from fixaccel.lab.desk import program
from fixaccel.lab.processes import Processes, wait_until

pytestmark = [pytest.mark.e2e, pytest.mark.slow]


def test_each_line_is_an_object(tmp_path: Path) -> None:
    config = tmp_path / "desk.toml"
    config.write_text('board = "none"\ncontrol = "unix:s"\njournal = "journal"\nlog_format = "json"\n')
    with Processes(tmp_path) as processes:
        daemon = processes.start("daemon", [program("runtime/daemon/fixacceld"), "--config", str(config)])
        wait_until("the daemon to be ready", lambda: '"ready"' in daemon.text(), 30, daemon.check_alive)
        os.kill(daemon.pid, signal.SIGUSR1)
        wait_until("the kill", lambda: '"killed"' in daemon.text(), 30, daemon.check_alive)
        assert daemon.stop() == 0, daemon.text()
    lines = [json.loads(line) for line in daemon.text().splitlines()]
    assert all(list(line)[:4] == ["time", "level", "event", "text"] for line in lines)
    killed = next(line for line in lines if line["event"] == "killed")
    assert killed["level"] == "warning"
    assert killed["by"].startswith("SIGUSR1 from user ")
    assert next(line for line in lines if line["event"] == "ready")["text"] == "ready"
