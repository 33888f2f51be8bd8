# SPDX-License-Identifier: Apache-2.0
"""The daemon's unit, judged where no systemd runs; a daemon with its rights is in tests/e2e/test_unit.py."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from lab.confined import settings, system_calls

ROOT = Path(__file__).resolve().parents[2]
UNIT = ROOT / "packaging" / "fixacceld.service"
# By `systemd-analyze security`, of 10. The question of how good the clock is counts 0.4 in it, as if it were set.
_EXPOSURE = 2.0

analyze = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="systemd-analyze is missing: apt-get install systemd"
)


@pytest.fixture
def unit(tmp_path: Path) -> Path:
    """The unit with a program that is there."""
    text = re.sub(r"^ExecStart=/usr/sbin/fixacceld", "ExecStart=/bin/true", UNIT.read_text(), flags=re.MULTILINE)
    (tmp_path / UNIT.name).write_text(text)
    return tmp_path / UNIT.name


def systemd_analyze(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = ["systemd-analyze", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@analyze
def test_systemd_understands_it(unit: Path) -> None:
    done = systemd_analyze("verify", "--man=no", unit)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")
    # An unknown key is no failure for systemd, but it says so.
    unit.write_text(unit.read_text().replace("NoNewPrivileges=", "NoMorePrivileges="))
    assert "NoMorePrivileges" in systemd_analyze("verify", "--man=no", unit).stderr


@analyze
def test_it_exposes_little(unit: Path) -> None:
    def exposure() -> float:
        done = systemd_analyze("security", "--offline=true", "--no-pager", unit)
        found = re.search(r"Overall exposure level for \S+: ([0-9.]+)", done.stdout)
        assert found, done.stdout + done.stderr
        return float(found[1])

    assert exposure() <= _EXPOSURE
    unit.write_text(unit.read_text().replace("ProtectSystem=strict", ""))
    assert exposure() > _EXPOSURE


@analyze
def test_the_clock_is_asked_and_never_set() -> None:
    found = settings(UNIT)
    assert system_calls(["@clock"]) & system_calls(found["SystemCallFilter"]) - system_calls([]) == {
        "adjtimex",
        "clock_adjtime",
    }
    assert "CAP_SYS_TIME" not in found["CapabilityBoundingSet"][0].split()


def test_a_restart_arms_nothing_by_itself() -> None:
    """The unit names no bundle and neither does the example: a daemon that starts waits."""
    found = settings(UNIT)
    assert found["ExecStart"] == ["/usr/sbin/fixacceld --config /etc/fixaccel/fixacceld.toml"]
    assert (found["Restart"], found["RestartPreventExitStatus"]) == (["on-failure"], ["2"])
    assert found["CapabilityBoundingSet"] == found["AmbientCapabilities"] == ["CAP_NET_ADMIN"]
    assert "WatchdogSec" not in found
    example = (ROOT / "packaging" / "fixacceld.toml").read_text()
    assert not re.search(r"^\s*bundle\s*=", example, re.MULTILINE)


@pytest.mark.skipif(
    shutil.which("systemd-sysusers") is None, reason="systemd-sysusers is missing: apt-get install systemd"
)
def test_its_user_is_made(tmp_path: Path) -> None:
    command = ["systemd-sysusers", "--dry-run", f"--root={tmp_path}", str(UNIT.parent / "fixaccel.sysusers")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for kind in ("User", "Group"):
        (name,) = settings(UNIT)[kind]
        assert f"Creating {kind.lower()} '{name}'" in done.stdout + done.stderr


_TRY = """
import errno, os, socket
def tried(what):
    try:
        what()
    except OSError as error:
        return errno.errorcode[error.errno]
    return "done"
print(tried(lambda: socket.socket(socket.AF_UNIX)), tried(lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)),
      tried(lambda: os.chown(".", 0, 0)), tried(lambda: os.setpriority(os.PRIO_PROCESS, 0, 5)))
"""


@analyze
def test_what_stands_in_for_systemd_refuses() -> None:
    command = [sys.executable, ROOT / "tests/e2e/lab/confined.py", UNIT, sys.executable, "-c", _TRY]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["done", "EPERM", "EPERM", "done"], done.stderr


@analyze
def test_system_calls_are_those_of_the_lists() -> None:
    calls = system_calls(["@system-service", "~@resources"])
    assert {"execve", "setsockopt", "write", "nanosleep"} <= calls
    assert calls & {"sched_setaffinity", "mount", "ptrace"} == set()
