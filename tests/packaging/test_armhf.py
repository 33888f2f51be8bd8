# SPDX-License-Identifier: Apache-2.0
"""`make armhf` where Debian's packages for armhf cannot be had; what it builds it tests by itself."""

import os
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_an_index_that_is_out_of_step_is_said_and_asked_for_again(tmp_path: Path) -> None:
    (tmp_path / "scripts").mkdir()
    for name in ("armhf", "debian-packages", "say"):
        shutil.copy2(ROOT / "scripts" / name, tmp_path / "scripts" / name)
    (tmp_path / "scripts" / "apt-packages-armhf.txt").write_text("# nothing that would be installed\n")
    apt = tmp_path / "bin" / "apt-get"
    apt.parent.mkdir()
    apt.write_text(f'#!/bin/sh\necho "$*" >>{tmp_path}/calls\necho "E: Failed to fetch x_armhf.deb" >&2\nexit 100\n')
    apt.chmod(0o755)
    environment = os.environ | {"PATH": f"{apt.parent}:{os.environ['PATH']}", "ARMHF_WAIT": "0"}
    command = ["bash", str(tmp_path / "scripts" / "armhf")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 2
    assert "Debian's packages for armhf cannot be had" in done.stderr.splitlines()[-1]
    assert "try 3 of 3" in done.stdout
    calls = (tmp_path / "calls").read_text().splitlines()
    assert [call.split()[-1] == "update" for call in calls] == [True, False] * 3
    assert all("APT::Architecture=armhf" in call for call in calls), "this machine's own lists are not touched"
