# SPDX-License-Identifier: Apache-2.0
"""`fixaccel demo` where the packages are unpacked and nothing of the checkout is: programs, command, dictionary."""

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from lab.desk import ROOT

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.slow,
    pytest.mark.skipif(
        shutil.which("dpkg-shlibdeps") is None, reason="dpkg-shlibdeps is missing: apt-get install dpkg-dev"
    ),
]
TOOLS = ("ip", "ethtool", "dumpcap", "tshark", "setpriv", "unshare", "sh", "mount", "sysctl", "true")


@pytest.fixture(scope="module")
def machine(
    packages: list[Path], new_environment: Callable[[Path, Path], Path], tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """A folder with all of the packages, and what they need of other packages in `tools`."""
    folder = tmp_path_factory.mktemp("machine")
    for package in packages:
        subprocess.run(["dpkg-deb", "--extract", package, folder], check=True)
    wheels = sorted((folder / "usr/share/fixaccel").glob("*.whl"))
    assert len(wheels) == 1, "the same of both packages"
    new_environment(wheels[0], folder / "venv")
    (folder / "tools").mkdir()
    for tool in TOOLS:
        if found := shutil.which(tool):
            (folder / "tools" / tool).symlink_to(found)
    return folder


def demo(machine: Path, home: Path, *places: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join(str(machine / place) for place in ("venv/bin", "tools", *places))
    environment = {"PATH": path, "HOME": str(home), "LANG": "C.UTF-8"}
    assert shutil.which("cc", path=path) is None
    command = [machine / "venv/bin/fixaccel", "demo"]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=home, env=environment)


def test_it_is_the_demo_of_the_checkout(machine: Path, tmp_path: Path) -> None:
    done = demo(machine, tmp_path, "usr/bin", "usr/sbin")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "exchange and daemon agree, order by order; no retransmission, no reset" in done.stdout
    assert str(ROOT) not in done.stdout + done.stderr
    assert list(tmp_path.iterdir()) == [], "it leaves nothing"


def test_a_package_that_is_missing_is_named(machine: Path, tmp_path: Path) -> None:
    (machine / "usr/bin/fixaccel-exchange").rename(tmp_path / "away")
    try:
        done = demo(machine, tmp_path, "usr/bin", "usr/sbin")
    finally:
        (tmp_path / "away").rename(machine / "usr/bin/fixaccel-exchange")
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert line.startswith("Error: fixaccel-exchange is not installed")
    assert "Traceback" not in done.stdout
