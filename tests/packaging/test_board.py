# SPDX-License-Identifier: Apache-2.0
"""What the package for a board has besides: units, a rule for devices, an example. `make armhf` makes the package."""

import importlib
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from fixaccel.bringup.plan import SERVICES, TAP, nodes
from lab.confined import settings

ROOT = Path(__file__).resolve().parents[2]
BOARD = ROOT / "packaging" / "board"
GEMD = BOARD / "fixaccel-gemd.service"
REGISTERS = next(node for node in nodes() if node.kind == "registers").name
WINDOW = next(node for node in nodes() if node.kind == "window").name

analyze = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="systemd-analyze is missing: apt-get install systemd"
)


@analyze
def test_systemd_understands_the_units_of_a_board(tmp_path: Path) -> None:
    drop_in = tmp_path / "fixacceld.service.d" / "60-board.conf"
    drop_in.parent.mkdir()
    shutil.copyfile(BOARD / drop_in.name, drop_in)
    for unit in (GEMD, ROOT / "packaging" / "fixacceld.service"):
        text = re.sub(r"^ExecStart=\S+", "ExecStart=/bin/true", unit.read_text(), flags=re.MULTILINE)
        (tmp_path / unit.name).write_text(text)
    units = [str(tmp_path / f"{name}.service") for name in SERVICES]
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *units], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout + done.stderr) == (0, "")
    drop_in.write_text(drop_in.read_text().replace("DeviceAllow=", "DevicesAllow="))
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *units], capture_output=True, text=True, check=False
    )
    assert "DevicesAllow" in done.stderr, "it is read"


def test_devices_have_one_name_everywhere() -> None:
    (command,) = settings(GEMD)["ExecStart"]
    assert f"--bus uio:{WINDOW},ethernet --tap {TAP} " in command
    rule = (BOARD / "60-fixaccel.rules").read_text()
    assert f'ATTR{{name}}=="{REGISTERS}", GROUP="fixaccel"' in rule
    assert f'board = "uio:{REGISTERS}"' in (BOARD / "fixacceld.toml").read_text()


def test_its_files_are_there_and_it_is_for_the_boards_own_cpu(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "scripts")
    deb = importlib.import_module("deb")
    assert all((ROOT / "packaging" / name).is_file() for name in deb.BOARD.files)
    assert {Path(program).name for program in deb.BOARD.programs} == set(SERVICES)
    assert all(Path(program).name in deb.MANUAL for program in deb.BOARD.programs)
    text = deb.control(deb.BOARD, "libc6", 1, deb.armhf().architecture)
    assert "\nArchitecture: armhf\n" in text
    command = [sys.executable, ROOT / "scripts/deb.py", "--board", "--build", tmp_path, "--out", tmp_path]
    done = subprocess.run([str(one) for one in command], capture_output=True, text=True, check=False)
    assert (done.returncode, "fixacceld is missing: `make armhf` builds it" in done.stderr) == (1, True)
