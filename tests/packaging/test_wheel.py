# SPDX-License-Identifier: Apache-2.0
"""`make wheel`: in an empty environment on a machine without a compiler, the command does what a newcomer tries."""

import json
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import ComponentScope

from fixaccel.hwmap.load import load_hwmap
from lab.desk import BUILD

ROOT = Path(__file__).resolve().parents[2]
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
LIBRARY = "fixaccel/native/libfixaccel_table.so"
DAY = """\
ts_ns,instrument,kind,bid,bid_size,ask,ask_size,last,last_size
1767708000000000000,MSFT,snapshot,,,,,1185,1
1767711600000000000,MSFT,snapshot,,,,,1174,10
"""


def made(out: Path, build: Path = BUILD) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, ROOT / "scripts/wheel.py", "--build", build, "--out", out]
    return subprocess.run([str(one) for one in command], capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    done = made(tmp_path_factory.mktemp("wheel"))
    assert done.returncode == 0, done.stderr
    return Path(done.stdout.strip())


@pytest.fixture(scope="module")
def installed(
    wheel: Path, new_environment: Callable[[Path, Path], Path], tmp_path_factory: pytest.TempPathFactory
) -> Path:
    return new_environment(wheel, tmp_path_factory.mktemp("installed") / "venv")


def test_its_tag_says_which_machines_it_is_for(wheel: Path) -> None:
    name, version, python, abi, platform = wheel.stem.split("-")
    assert (name, version, python, abi) == ("fixaccel", VERSION, "py3", "none")
    assert platform.startswith("manylinux_2_")
    with zipfile.ZipFile(wheel) as content:
        library = content.read(LIBRARY)
    assert b"libstdc++.so" not in library, "a machine may have another one"
    assert b".debug_info" not in library


def test_its_bill_of_materials_names_what_is_in_it_and_what_it_asks_for(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as content:
        text = content.read(f"fixaccel-{VERSION}.dist-info/sboms/fixaccel.cdx.json")
        metadata = content.read(f"fixaccel-{VERSION}.dist-info/METADATA").decode()
        has_page = "fixaccel/dashboard/static/index.html" in content.namelist()
    bom = Bom.from_json(json.loads(text))  # type: ignore[attr-defined]
    assert (bom.metadata.component.name, bom.metadata.component.version) == ("fixaccel", VERSION)
    parts = {part.name: part for part in bom.components}
    asked = re.findall(r"^Requires-Dist: ([A-Za-z0-9_.-]+)[^;\n]*$", metadata, re.MULTILINE)
    assert asked
    assert all(parts[name.replace("_", "-").lower()].scope is ComponentScope.REQUIRED for name in asked)
    assert parts["bokeh"].scope is ComponentScope.OPTIONAL
    assert not {"pytest", "sphinx", "backtrader"} & parts.keys(), "those are for who builds it"
    assert {"libstdc++", "libgcc"} <= parts.keys()
    assert ("svelte" in parts) == has_page
    assert all(part.version for part in parts.values()), "what the tests run with"


def test_twice_it_is_the_same(wheel: Path, tmp_path: Path) -> None:
    again = Path(made(tmp_path).stdout.strip())
    assert again.name == wheel.name
    assert again.read_bytes() == wheel.read_bytes()


def test_a_newcomer_needs_no_compiler(installed: Path, tmp_path: Path) -> None:
    environment = {"PATH": str(installed / "bin"), "HOME": str(tmp_path), "LANG": "C.UTF-8"}
    assert shutil.which("cc", path=environment["PATH"]) is None

    def run(*arguments: str) -> str:
        command = [str(installed / "bin" / "fixaccel"), *arguments]
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path, env=environment)
        assert done.returncode == 0, f"{arguments}\n{done.stdout}{done.stderr}"
        return done.stdout

    assert run("--version") == f"fixaccel, version {VERSION}, hwmap {load_hwmap().short_hash:08x}\n"
    run("new", "stops")
    run("check", "stops/stops.yaml")
    for engine in ("rules", "image"):
        run("test", "stops", "--engine", engine)
    (tmp_path / "day.csv").write_text(DAY)
    rows = [run("simulate", "stops/stops.yaml", "--events", "day.csv", "--engine", one) for one in ("rules", "image")]
    assert rows[0] == rows[1]
    assert "protect-msft" in rows[0]
    run("compile", "stops/stops.yaml", "-o", "bundle")
    assert (tmp_path / "bundle" / "client" / "fixacceld.toml").exists()
    # It is the installed one that all of this was.
    where = [str(installed / "bin" / "python"), "-c", "import fixaccel; print(fixaccel.__file__)"]
    said = subprocess.run(where, capture_output=True, text=True, check=True, cwd=tmp_path, env=environment).stdout
    assert Path(said.strip()).is_relative_to(installed)


def test_without_the_library_it_says_how_to_get_it(tmp_path: Path) -> None:
    done = made(tmp_path, build=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert "libfixaccel_table.so is missing: `make build` builds it" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_each_program_says_its_version() -> None:
    programs = {
        "runtime/daemon/fixacceld": True,
        "runtime/board/fixaccel-vboard": True,
        "runtime/board/fixaccel-rtlsim": True,
        "runtime/gem/fixaccel-gemd": True,
        "runtime/bus/fixaccel-relay": True,
        "exchange-sim/fixaccel-exchange": False,
    }
    layout = f", hwmap {load_hwmap().short_hash:08x}"
    for program, has_layout in programs.items():
        done = subprocess.run([BUILD / program, "--version"], capture_output=True, text=True, check=True)
        assert done.stdout == f"{Path(program).name}, version {VERSION}{layout if has_layout else ''}\n"
